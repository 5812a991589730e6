"""Tests of what a table tells the hall."""
