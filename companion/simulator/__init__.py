"""The physical table as software: barrels, hands, ears and the people they belong to."""
