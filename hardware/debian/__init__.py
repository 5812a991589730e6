"""The program and its tests in a fresh Debian, laid out in a folder."""
