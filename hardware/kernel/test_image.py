"""A kernel is unpacked for QEMU where that is known how, and else left to unpack itself."""

import lzma
import struct

from hardware.kernel.image import PAYLOAD, SETUP_SECTORS, plain

PLAIN = b"\x7fELF and so on"


def packed(payload: bytes) -> bytes:
    """Return a kernel as Debian brings it: a sector, two to set up, and what is packed."""
    head = bytearray(3 * 512)
    head[SETUP_SECTORS] = 2
    struct.pack_into("<II", head, PAYLOAD, 64, len(payload))
    return bytes(head) + bytes(64) + payload + b"what follows"


def test_a_packed_kernel_is_unpacked() -> None:
    size = struct.pack("<I", len(PLAIN))
    assert plain(packed(lzma.compress(PLAIN) + size)) == PLAIN


def test_a_kernel_that_is_packed_in_another_way_stays_as_it_is() -> None:
    other = packed(b"\x28\xb5\x2f\xfd and so on")
    assert plain(other) == other
