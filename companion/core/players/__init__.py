"""What players of all games share: how people call their levels, and how the better ones search."""
