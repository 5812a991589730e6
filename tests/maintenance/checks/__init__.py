"""The doctor and its command."""
