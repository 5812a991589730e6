"""Flashing boards."""
