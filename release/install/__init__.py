"""Installing, going back, uninstalling."""
