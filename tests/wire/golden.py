"""The golden vectors, made and read back: the same few lines run on CPython and on the boards.

A vector is a line of words and, indented below it, its bytes in hex:

    packet NAME flags= boot= seq= time_us= …   what Seal makes, and Gate takes
    older NAME flags= boot= seq= time_us= …    what Seal made before the message grew
    line NAME time_us= …                       what `say` makes, and Line hears
    frame PAYLOAD                              what `encode` makes, and Decoder feeds on
    refused REASON WAY BOOT SEQ                what a Gate that has heard BOOT and SEQ refuses
    lost REASON                                what the host's Line loses

Bytes among the words are hex after an x. Key and node are the same in all.
"""

from binascii import hexlify, unhexlify

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KEY = bytes(range(16))
NODE = unhexlify("a0764e112233")


def vectors(text: str) -> "list[tuple[str, str]]":
    """Return the words and the hex of each vector."""
    lines = [line.strip() for line in text.split("\n") if line.strip() and line[0] != "#"]
    return [(lines[at], lines[at + 1]) for at in range(0, len(lines), 2)]


def made(wire: "Any", words: str) -> str:
    """Return the hex that these words ask for; what is not made but only taken has none."""
    kind, name, *rest = words.split()
    if kind == "frame":
        return _hex(wire.encode(_value(name)))
    values = {word.split("=")[0]: _value(word.split("=")[1]) for word in rest if "=" in word}
    if kind == "line":
        return _hex(wire.say(name, **values))
    if kind == "packet":
        seal = wire.Seal(KEY, NODE, values.pop("boot"), values.pop("seq") - 1)
        return _hex(seal.packet(name, **values))
    return ""


def told(wire: "Any", words: str, code: str) -> str:
    """Return the words that these bytes tell; they should be the same words."""
    kind, name, *rest = words.split()
    data = unhexlify(code)
    if kind == "frame":
        return "frame x" + _hex(wire.Decoder().feed(data)[0])
    if kind == "line":
        said = wire.Line(wire.NAMED[name].number >> 6).hear(data)[0]
        return f"line {said.name} time_us={said.time_us}" + _fields(wire, said)
    if kind in ("packet", "older"):
        boot = int.from_bytes(data[9:13], "little")
        frame = wire.Gate(KEY, NODE, wire.NAMED[name].number >> 6, boot).open(data)
        head = f"{kind} {frame.name} flags={frame.flags} boot={frame.boot} seq={frame.seq}"
        return head + f" time_us={frame.time_us}" + _fields(wire, frame)
    if kind == "refused":
        way, boot, seq = (int(word) for word in rest)
        taker = wire.Gate(KEY, NODE, way, boot, seq)
        taker.open(data)
    else:
        taker = wire.Line(wire.FROM_HUB)
        taker.hear(data)
    return " ".join([kind] + [reason for reason, count in taker.losses.items() if count] + rest)


def _fields(wire: "Any", heard: "Any") -> str:
    declared = {name: fields for name, _, fields in wire.MESSAGES}[heard.name]
    names = [part.split(":")[0] for part in declared.replace("+", "").split()]
    return "".join([f" {name}={_word(getattr(heard.fields, name))}" for name in names])


def _value(word: str) -> "Any":
    return unhexlify(word[1:]) if word[0] == "x" else int(word)


def _word(value: "int | bytes") -> str:
    return str(value) if isinstance(value, int) else "x" + _hex(value)


def _hex(data: bytes) -> str:
    return hexlify(data).decode()
