"""The physics of the simulated table: barrels, feet, pads, radio, cable, and models of chips."""
