"""What the lights of table and seats show: a pure function of a snapshot and the time."""
