"""The simulated table joined with the real devices: its cable, pins and bus, and people's hands."""
