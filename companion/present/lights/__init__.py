"""What the lights of the board and the seats show, and what it means; no device is known here."""
