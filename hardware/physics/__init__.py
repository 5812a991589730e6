"""The physics of the simulated table: barrels, feet, leaves, radio, clocks, and models of chips."""
