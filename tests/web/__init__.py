"""Tests of what phones see and may do."""
