"""The companion in a terminal: its words, its screen, games played and replayed, lights shown."""
