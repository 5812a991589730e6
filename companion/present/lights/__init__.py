"""What the lights of a board can show. They must not know any device."""
