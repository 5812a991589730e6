"""What only researchers need is as right as what is played with."""
