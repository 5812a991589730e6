"""Drivers: chips as readings and states."""
