"""The ways out: each shows what is published, and knows no other."""
