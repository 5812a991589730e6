"""The hall: many tables, one program that shows them all, and knows none of their sensors."""
