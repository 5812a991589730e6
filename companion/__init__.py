"""Rappelwacht: the companion that lets the board game Zapp Zerapp referee itself."""

__version__ = "0.1.0"
