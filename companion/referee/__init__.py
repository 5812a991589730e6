"""What happened becomes what it means: the match, its rulings, and the journal that keeps them."""
