"""Tests of what many matches tell."""
