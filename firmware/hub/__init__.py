"""The hub: what it hears on the air goes down the serial line, and what the host says goes up."""
