# The boards have neither pathlib nor contextlib.
# ruff: noqa: PTH102, PTH104, PTH123, PTH208, SIM105
"""Flash as both boards use it: values kept by name, and files in folders.

An update never replaces this file, so it stays as it is.
"""

import os


class Flash:
    """Named bytes as files; a new one replaces the old one completely or not at all."""

    def __init__(self, folder="/kept"):
        self._folder = folder
        try:
            os.mkdir(folder)
        except OSError:
            pass  # it exists

    def load(self, name):
        """Return what was saved, or None."""
        try:
            with open(self._folder + "/" + name, "rb") as file:
                return file.read()
        except OSError:
            return None

    def save(self, name, data):
        """Save something."""
        path = self._folder + "/" + name
        with open(path + ".new", "wb") as file:
            file.write(data)
        os.rename(path + ".new", path)


class Disk:
    """Files in folders, as an update writes them."""

    def __init__(self, root=""):
        self._root = root

    def names(self, folder):
        """Return what is in a folder; nothing if there is no such folder."""
        try:
            return os.listdir(self._root + folder)
        except OSError:
            return []

    def open(self, path, mode):
        """Open a file."""
        return open(self._root + path, mode)

    def make(self, folder):
        """Make a folder, unless it exists."""
        try:
            os.mkdir(self._root + folder)
        except OSError:
            pass

    def remove(self, path):
        """Remove a file or an empty folder, if it exists."""
        for how in (os.remove, os.rmdir):
            try:
                how(self._root + path)
            except OSError:
                pass

    def rename(self, path, to):
        """Rename a file; whatever happens, it has either the old name or the new one."""
        os.rename(self._root + path, self._root + to)
