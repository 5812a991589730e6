"""Games of other packages, and what READMEs tell people to type: followed to the letter."""
