"""The guests who play Zapp Zerapp at the simulated table of their own accord."""
