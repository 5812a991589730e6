"""A fifth game in a package of its own: what somebody else brings, with nothing changed here."""
