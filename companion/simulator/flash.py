"""A board's flash, as the firmware calls it: named bytes that outlive a boot."""


class Flash(dict[str, bytes]):
    """What is kept."""

    def load(self, name: str) -> bytes | None:
        """Return what was saved, or None."""
        return self.get(name)

    def save(self, name: str, data: bytes) -> None:
        """Save something."""
        self[name] = bytes(data)
