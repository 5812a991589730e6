"""What stands between a table and its broker, and keeps every byte that the table sends."""

import socket
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from enum import IntEnum
from threading import Thread
from typing import Self

from tests.mqtt.broker import LOOPBACK


class Kind(IntEnum):
    """Kinds of packets, as MQTT numbers them."""

    CONNECT = 1
    PUBLISH = 3
    PUBACK = 4
    SUBSCRIBE = 8
    PINGREQ = 12
    DISCONNECT = 14


@dataclass(frozen=True, slots=True)
class Packet:
    """A packet; of what is published its topic and payload, of all else the whole."""

    kind: Kind
    topic: str
    data: bytes


class Tap(AbstractContextManager["Tap"]):
    """Hands everything on, in both directions."""

    def __init__(self, port: int) -> None:
        self._to, self._server = port, socket.create_server((LOOPBACK, 0))
        self.port: int = self._server.getsockname()[1]
        self.sent: list[bytearray] = []  # by connection
        self._lines: list[socket.socket] = []
        self._thread = Thread(target=self._accept, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for line in (self._server, *self._lines):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                line, _ = self._server.accept()
                there = socket.create_connection((LOOPBACK, self._to))
                self._lines += [line, there]
                kept = bytearray()
                self.sent.append(kept)
                for words in ((line, there, kept), (there, line, bytearray())):
                    Thread(target=_hand_on, args=words, daemon=True).start()

    def packets(self) -> list[Packet]:
        """Return what was sent, whole packet by whole packet."""
        return [packet for sent in self.sent for packet in packets(bytes(sent))]


def subscribed(packet: Packet) -> dict[str, int]:
    """Return the options of each filter of a packet that subscribes."""
    found, body = dict[str, int](), packet.data
    properties, at = _number(body, 2)
    at += properties
    while at < len(body):
        ends = at + 2 + int.from_bytes(body[at : at + 2])
        found[body[at + 2 : ends].decode()] = body[ends]
        at = ends + 1
    return found


def _hand_on(line: socket.socket, there: socket.socket, kept: bytearray) -> None:
    with suppress(OSError):
        while piece := line.recv(65_536):
            kept += piece
            there.sendall(piece)
        there.shutdown(socket.SHUT_WR)


def packets(sent: bytes) -> Iterator[Packet]:
    """Yield each whole packet of what was sent."""
    while len(sent) > 1:
        kind = Kind(sent[0] >> 4)
        length, begins = _number(sent, 1)
        body, sent = sent[begins : begins + length], sent[begins + length :]
        if len(body) < length:
            return  # its rest is still to come
        if kind is Kind.PUBLISH:
            ends = 2 + int.from_bytes(body[:2])
            properties, after = _number(body, ends + 2)  # all of ours have a packet's number
            yield Packet(kind, body[2:ends].decode(), body[after + properties :])
        else:
            yield Packet(kind, "", body)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of so many bytes as it needs, and where it ends."""
    found = shift = 0
    while True:
        found |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return found, at
