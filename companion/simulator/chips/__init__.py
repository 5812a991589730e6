"""Register-level models of the chips on the table. They must not know who reads them."""
