"""What the READMEs tell people to type is typed."""
