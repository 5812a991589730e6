"""The referee: commands and sensed events become rulings and events of a match; and its people."""
