"""Tests of what tables and the hall say to each other, with a real broker."""
