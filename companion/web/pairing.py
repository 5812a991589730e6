"""Pairs phones with seats: by the PIN, or by a seat's button that is held; and knows their roles.

A phone carries a name that nobody can guess in its cookie. What it may do is kept here, by a mark
of that name, so that a phone that was let go has nothing to come back with, and no file holds what
lets anybody in. How often a PIN may be tried is in `common.rate_limit`.
"""

import os
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Final

from companion.present.viewer import TABLE
from companion.system import status, text
from companion.web import pairing_queue, pairing_store, permissions
from companion.web.common import flask_app
from companion.web.common.flask_app import hashed
from companion.web.common.rate_limit import PinRateLimit

PHONES: Final = 64  # more are never at a table; the oldest is forgotten


@dataclass(frozen=True, slots=True)
class PairingPorts:
    """What pairing asks, and whom it tells; in whichever thread."""

    report: status.Report = lambda _: None  # that a disk fails
    changed: Callable[[], None] = lambda: None  # a phone asks, is let in, or goes
    match_with_hands: Callable[[], str | None] = lambda: None  # of which phones show hands now


NO_PORTS: Final = PairingPorts()


class Pairing:
    """The phones of a table; all of it may be called from any thread."""

    def __init__(
        self,
        folder: Path | None = None,  # None: forget everything at the end
        pin: str | None = None,
        clock_s: Callable[[], float] = time.monotonic,
        ports: PairingPorts = NO_PORTS,
    ) -> None:
        self._ports = ports
        self.kept = pairing_store.StoredPhones(folder, pin, ports.report)
        self.cookie = f"rappelwacht-{_table(folder)}"
        self._clock_s = clock_s
        self.roles = self.kept.phones  # by the mark of a phone
        self._shared = set[str]()  # seats that were: who has seen a hand may be gone by now
        self._seen = permissions.HandExposure()
        self._guesses, self._waits = PinRateLimit(), pairing_queue.PairingQueue()
        self._acts, self._by_button = pairing_queue.ActConfirmation(), False
        self._lock = Lock()

    @property
    def pin(self) -> str:
        """Return what lets phones in until the end."""
        return self.kept.pin

    @property
    def asked(self) -> tuple[str, ...]:
        """Return the seats that phones ask for now: the table should know before."""
        with self._lock:
            asked = self._waits.seats(self._clock_s())
            return tuple(seat for seat in text.SEATS if seat in asked)

    @property
    def confirming(self) -> str | None:
        """Return the act of care that any seat's button would confirm now; None: none waits."""
        with self._lock:
            return self._acts.waits(self._clock_s()) if self._by_button else None

    def waits_for_press(self, colour: str) -> bool:
        """Tell whether holding a seat's button would let a phone in, or confirm an act of care."""
        return colour in self.asked or self.confirming is not None

    @property
    def shared(self) -> tuple[str, ...]:
        """Return the seats that several phones have acted for, until all are let go.

        At once, at any time, or one after the other in the match that is played: whoever joins so
        sees the hand, too, and a moment is enough for that.
        """
        with self._lock:
            self._note()
            roles = [*self.roles.values()]
            seats = {*self._shared, *self._seen.by_several}
            return tuple(seat for seat in text.SEATS if seat in seats or roles.count(seat) > 1)

    @property
    def crossed(self) -> tuple[tuple[str, ...], ...]:
        """Return which hands one phone has seen that acted for several seats in this match."""
        with self._lock:
            self._note()
            return self._seen.by_one

    # --- who asks now -------------------------------------------------------------------------

    def phone(self) -> str | None:
        """Return the name that the phone gave whose request is being answered."""
        return flask_app.cookie(self.cookie)

    def role(self) -> str | None:
        """Return what that phone may do; None: only look."""
        return self.role_of(self.phone())

    def role_of(self, phone: str | None) -> str | None:
        """Return what a phone may do; how long that takes tells nothing of other phones' names."""
        return None if phone is None else self.roles.get(hashed(phone))

    def in_use(self, seat: str) -> bool:
        return seat in self.roles.values()

    def waits_s(self, phone: str | None) -> float:
        """Return for how long the button of a seat still lets this phone in; 0: not at all."""
        with self._lock:
            return 0.0 if phone is None else self._waits.left_s(hashed(phone), self._clock_s())

    def waits_for(self, phone: str | None) -> str | None:
        """Return the seat whose button still lets this phone in; None: none does."""
        with self._lock:
            return None if phone is None else self._waits.seat(hashed(phone), self._clock_s())

    # --- letting in ---------------------------------------------------------------------------

    def enter(
        self, address: str, pin: str, role: str, known: str | None = None
    ) -> str | pairing_queue.PairingRefused:
        """Let a phone in that shows the PIN; return its new name, instead of the `known` one."""
        with self._lock:
            now_s, who = self._clock_s(), address
            if known and hashed(known) in self.roles:  # it does not share its address's tries
                who = hashed(known)
                self._guesses.know(who)
            if rest_s := self._guesses.rest_s(who, now_s):
                return pairing_queue.PairingRefused(pairing_queue.PairingRefusal.OFTEN, rest_s)
            if not secrets.compare_digest(pin.encode(errors="replace"), self.pin.encode()):
                self._guesses.count(who, now_s)
                return pairing_queue.PairingRefused(pairing_queue.PairingRefusal.WRONG)
            self._guesses.forget(address)
            phone = secrets.token_urlsafe(16)
            self._let_go(known)
            if known:
                self._seen.rename(hashed(known), hashed(phone))
            self._let_in(hashed(phone), role)
        self.keep()
        self._ports.changed()
        return phone

    def ask(self, address: str, seat: str, known: str | None) -> str | pairing_queue.PairingRefused:
        """Let a phone in for a seat: at once if it may do all, or by holding its button."""
        with self._lock:
            phone = known if known and self._knows(hashed(known)) else secrets.token_urlsafe(16)
            mark = hashed(phone)
            if self.roles.get(mark) == TABLE:
                self._let_in(mark, seat)
            elif refused := self._waits.ask(seat, mark, address, self._clock_s()):
                return refused
        self._ports.changed()
        return phone

    def held(self, colour: str) -> bool:
        """Let in who waits for a seat's button, or else confirm what waits for any button.

        Whether something waited. The table's thread calls it. An ordinary press is the game's:
        whoever makes one need not know that a stranger waits.
        """
        with self._lock:
            now_s = self._clock_s()
            mark = self._waits.pressed(colour, now_s)
            if mark is not None:
                self._let_in(mark, colour)
            elif not (self._by_button and self._acts.held(now_s)):
                return False
        self._ports.changed()
        return True

    # --- acts of care -------------------------------------------------------------------------

    def confirm(
        self, phone: str, act: str, *, by_button: bool, again: bool
    ) -> bool | pairing_queue.PairingRefused:
        """Hold a phone's act until the table confirms it; tell whether it has.

        Where there are no buttons, the phone itself does so by asking `again`.
        """
        with self._lock:
            now_s, self._by_button = self._clock_s(), by_button
            rest_s = self._acts.ask(hashed(phone), act, now_s, again=again and not by_button)
            confirmed = self._acts.is_confirmed
        if rest_s:
            return pairing_queue.PairingRefused(pairing_queue.PairingRefusal.TAKEN, rest_s)
        self._ports.changed()
        return confirmed

    def act_left_s(self, phone: str) -> float:
        """Return for how long a phone's act still waits, or may still be done."""
        with self._lock:
            return self._acts.left_s(hashed(phone), self._clock_s())

    def take_confirmed(self, phone: str, act: str) -> bool:
        """Tell whether the table has confirmed a phone's act; then that is used up."""
        with self._lock:
            return self._acts.take(hashed(phone), act, self._clock_s())

    # --- letting go ---------------------------------------------------------------------------

    def leave(self, phone: str | None) -> None:
        with self._lock:
            self._let_go(phone)
        self.keep()
        self._ports.changed()

    def leave_all(self) -> None:
        with self._lock:
            self.roles = {}
            self._waits.clear(self._clock_s())
            self._shared.clear()
            self._seen.clear()
        self.keep(anew=True)
        self._ports.changed()

    def keep(self, *, anew: bool = False) -> None:
        """Write down which phones are in; never by the table's thread, which waits for no disk."""
        self.kept.keep(lambda: self.roles, anew=anew)

    def _note(self) -> None:
        """Remember whose hands are seen now, before that changes."""
        self._seen.note(self._ports.match_with_hands(), self.roles)

    def _let_in(self, mark: str, role: str) -> None:
        self._note()
        others = [(phone, was) for phone, was in self.roles.items() if phone != mark]
        if role in (was for _, was in others):
            self._shared.add(role)
        self.roles = dict([*others, (mark, role)][-PHONES:])

    def _let_go(self, phone: str | None) -> None:
        if phone is not None:
            mark = hashed(phone)
            self._note()
            self.roles = {known: role for known, role in self.roles.items() if known != mark}
            self._waits.forget(mark, self._clock_s())

    def _knows(self, mark: str) -> bool:
        """Tell whether a phone is in, or waits; the name of one that was let go is used up."""
        return mark in self.roles or self._waits.has(mark)


def _table(folder: Path | None) -> str:
    """Return what tells the tables of one computer apart: browsers keep no cookies by the port."""
    if folder is None:
        return secrets.token_hex(4)
    return sha256(os.fsencode(folder.absolute())).hexdigest()[:8]
