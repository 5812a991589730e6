"""What a table tells the hall: that it is there, how it stands, and what of its journal is open."""
