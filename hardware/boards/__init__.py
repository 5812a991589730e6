"""Makes the boards: netlist and placement in, tracks, checks and files for the board house out."""
