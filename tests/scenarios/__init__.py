"""Whole evenings, told as scripts."""
