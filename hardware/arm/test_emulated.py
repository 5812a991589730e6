"""What the kernel is told of an emulator is what Debian tells it."""

from hardware.arm.emulated import ARM64, ARMHF

ALL = r"\xff"
MASK = rf"{ALL * 7}\x00{ALL * 8}\xfe{ALL * 3}"
NONE = r"\x00" * 9


def test_programs_of_64_bits_are_known_by_their_head() -> None:
    head = rf"\x7f\x45\x4c\x46\x02\x01\x01{NONE}\x02\x00\xb7\x00"
    assert ARM64.told("/it") == f":arm64:M::{head}:{MASK}:/it:F"
    assert ARM64.emulator == "qemu-aarch64-static"


def test_programs_of_32_bits_are_known_by_their_head() -> None:
    head = rf"\x7f\x45\x4c\x46\x01\x01\x01{NONE}\x02\x00\x28\x00"
    assert ARMHF.told("/it") == f":armhf:M::{head}:{MASK}:/it:F"
    assert ARMHF.emulator == "qemu-arm-static"
