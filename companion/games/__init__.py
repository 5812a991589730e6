"""The games that come along; each is found by its entry point, like one of somebody else's."""
