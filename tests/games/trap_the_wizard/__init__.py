"""Tests of the rules of Trap the Wizard."""
