"""What is released, and how: the door, CI, wheels and installing, each tried on copies."""
