"""Installs a card's folder where there is no network, and opens the page: for `arrival`.

    unshare --net python -P -m research.bench._arrival_offline CARD ROOT

It runs in a network of its own, in which nothing is but the computer itself.
"""

import json
import socket
import struct
import subprocess
import sys
import time
from fcntl import ioctl
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZipFile

from companion.cli.install import payload
from research.bench._arrival_table import InstalledTable

UP: Final = 0x8914  # the call that switches a network on, as Linux counts them


def main(card: str, root: str) -> None:
    """Say in JSON how the page was answered, and after how long."""
    with socket.socket() as any_socket:
        ioctl(any_socket, UP, struct.pack("16sH14x", b"lo", 0x41))
    begun_s = time.monotonic()
    with payload.open_payload(Path(card)) as folder, TemporaryDirectory() as program:
        with ZipFile(payload.wheel(folder)) as files:
            files.extractall(program)
        line = ["env", f"PYTHONPATH={program}", "python3", "-B", "-P", "-m", "companion", "install"]
        line += ["--from", str(folder), "--root", root, "--keep-name"]
        code = subprocess.call(line, stdout=sys.stderr, stdin=subprocess.DEVNULL)
    installed_s = time.monotonic() - begun_s
    status = 0
    if code == 0:
        with InstalledTable(Path(root)) as table:
            status = table.status()
    networks = [name for _, name in socket.if_nameindex()]
    found = {"status": status, "installed_s": round(installed_s, 1), "networks": networks}
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
