"""A player's hands, ears and eyes at one seat of the simulated table: `simulated_hands.Hands`.

It must not know threads, pages nor the referee: the table's own thread calls it, and what the
person does is done by the same hands, and felt by the same sensors, as what guests do.
"""

from dataclasses import replace
from random import Random
from typing import Final

from companion.present.simulated_hands import (
    LEAST_S,
    HandAct,
    HandActRequest,
    HandActResult,
    HeardKnock,
    HeardOf,
    Peeked,
    PhoneFelt,
    PhoneSamples,
    RattleHeard,
    SeenBarrel,
    ShakeVigour,
    SightOfTable,
    SittingPlayer,
    Where,
)
from companion.sensing.settings import BARRELS
from companion.simulator import hand_params, motions, poses, run, stones
from companion.simulator.guests import Guests
from companion.simulator.live import phone_barrel, phone_motion
from companion.simulator.script import ScriptAct, ScriptLine, Verb
from companion.simulator.world import World
from companion.system.errors import CompanionError
from companion.system.text import SeatName

STEP_DEG: Final = 15  # an eye tells angles no finer


def seen_barrel(world: World, handle: int, at_us: int) -> SeenBarrel:
    """Return the barrel of a place as it looks at a time, wherever it is."""
    spot = world.spots[handle]
    number = next(number for number, place in world.places.items() if place == spot)
    barrel = world.barrels[number]
    motion = barrel.motion(at_us)
    where, seat = _whereabouts(world, motion, world.truth.holder(number, at_us))
    on_head = {motion.before.support, motion.after.support} == {poses.Support.HEAD}
    tilt = barrel.tilt_deg(at_us)
    return SeenBarrel(
        handle,
        where,
        None if seat is None else seat.name.lower(),
        tilt_deg=STEP_DEG * round(tilt / STEP_DEG),
        shaken=motion.name == "shake" or _by_phone(motion, at_us),
        sliding=motion.name == "mix",
        flipped=on_head,
        number=number if on_head else None,
    )


def _by_phone(motion: poses.Motion, at_us: int) -> bool:
    """Return whether it is shaken, and a phone."""
    return isinstance(motion, phone_motion.HeldPhone) and motion.felt.shaken(at_us)


def _whereabouts(
    world: World, motion: poses.Motion, holder: SeatName | None
) -> tuple[Where, SeatName | None]:
    """Return where a barrel is, and at whose seat."""
    if holder is not None:
        return Where.HAND, holder
    before, after = motion.before, motion.after
    at_m: motions.Vector = after.at_m if before.held else before.at_m  # it stands already, or still
    for seat, pad in world.pads.items():
        if at_m == pad:
            return Where.PAD, seat
    if at_m in world.spots and before.support is not poses.Support.SIDE:
        return Where.PLATEAU, None
    return Where.ASIDE, None


AHEAD_US: Final = 2_000_000  # how far ahead hands may be told what to do
SHAKE_S, LOOK_S = 0.8, 3.0  # at most, at once; of a peek, and of a button that is pressed
AWAY_US: Final = 180_000_000  # a phone that has not looked for this long is away
READ_US: Final = 150_000  # the eye needs so long
LOUD_G: Final = 1.0  # about the hardest knocks of a wild shaking


class PlayerHands:
    def __init__(self, table: run.SimulatedTable, guests: Guests, seat: SeatName) -> None:
        self._table, self._world = table, table.world
        self._guests, self._seat = guests, seat
        self._mine: dict[int, int] = {}  # until when the own hands are busy with a barrel
        self._here_us = 0
        self._phone: phone_barrel.PhoneBarrel | None = None
        rattling = Random(f"stones {table.seed}")  # noqa: S311 - a game and no secret
        table.world.hand = replace(table.world.hand, stones=rattling)

    # --- eyes ---------------------------------------------------------------------------------

    def table(self) -> SightOfTable:
        now_us, guests, seat = self._table.now_us, self._guests, self._seat
        sitting = SittingPlayer.GUEST
        if seat in guests.wanted:
            sitting = SittingPlayer.YOU if seat in guests.away else SittingPlayer.NEXT_ROUND
        busy_us = self._world.free_us[seat] - now_us if sitting is SittingPlayer.YOU else 0
        barrels = tuple(seen_barrel(self._world, handle, now_us) for handle in range(BARRELS))
        return SightOfTable(seat.name.lower(), sitting, max(0, busy_us) // 1000, barrels)

    def stay(self) -> None:
        self._here_us = self._table.now_us

    def sit(self) -> None:
        self.stay()
        self._guests.make_room(self._seat)

    def leave_if_gone(self) -> None:
        """Let a guest play on if the phone of this seat has not looked at the table for long."""
        if self._table.now_us > self._here_us + AWAY_US:
            self.leave()

    def leave(self) -> None:
        if self._seat in self._guests.wanted:
            self._guests.fill(self._seat)

    # --- hands --------------------------------------------------------------------------------

    def do(self, asked: HandActRequest) -> HandActResult:
        """Do something with the hands; return what the person hears and reads."""
        barrel, other = asked.barrel, asked.other
        match asked.act:
            case HandAct.LIFT:
                return _felt(self.lift(barrel), barrel)
            case HandAct.PUT_BACK:
                return _felt(self.put_back(barrel), barrel)
            case HandAct.SHAKE:
                return _felt(self.shake(barrel, asked.for_s, asked.vigour), barrel)
            case HandAct.COMPARE:
                left, right = self.compare(barrel, other)
                heard = HeardOf(barrel, left.knocks), HeardOf(other, right.knocks)
                return HandActResult(max(left.lasts_ms, right.lasts_ms), heard)
            case HandAct.PLACE:
                return _felt(self.place(barrel), barrel)
            case HandAct.PEEK:
                read = self.peek(barrel, asked.for_s)
                return HandActResult(read.lasts_ms, read=read)
            case HandAct.FLIP:
                return _felt(self.flip(barrel), barrel)
            case HandAct.PRESS:
                self.press(asked.for_s)
            case HandAct.SIT:
                self.sit()
            case HandAct.LEAVE:
                self.leave()
        return HandActResult()

    def lift(self, handle: int) -> RattleHeard:
        return self._hear(ScriptAct(Verb.LIFT, self._seat, self._grasped(handle)))

    def put_back(self, handle: int) -> RattleHeard:
        """Stand a barrel on its place again."""
        if self._world.stands(self._number(handle)):
            raise CompanionError("That barrel is already in its place.")
        return self._hear(ScriptAct(Verb.PUT_BACK, self._seat, self._grasped(handle)))

    def shake(
        self, handle: int, for_s: float, vigour: ShakeVigour = ShakeVigour.AS_USUAL
    ) -> RattleHeard:
        hard, for_s = hand_params.ScriptVigour[vigour.name], min(max(for_s, LEAST_S), SHAKE_S)
        barrels = self._grasped(handle)
        return self._hear(ScriptAct(Verb.SHAKE, self._seat, barrels, vigour=hard, for_s=for_s))

    def compare(self, first: int, second: int) -> tuple[RattleHeard, RattleHeard]:
        """Weigh two barrels, and shake both."""
        if first == second:
            raise CompanionError("One barrel alone cannot be compared; choose two.")
        begun_us, act = self._do(ScriptAct(Verb.COMPARE, self._seat, self._grasped(first, second)))
        left, right = (self._heard(number, begun_us) for number in act.barrels)
        return left, right

    def place(self, handle: int) -> RattleHeard:
        """Stand a barrel on the own pad, unless one that was flipped is still there."""
        there = self._world.on_pad(self._seat)
        if there is not None and self._world.barrels[there].pose.support is poses.Support.HEAD:
            raise CompanionError(
                "A barrel that was flipped is still on your pad; put it back first."
            )
        return self._hear(ScriptAct(Verb.PLACE, self._seat, self._grasped(handle)))

    def peek(self, handle: int, for_s: float) -> Peeked:
        """Tilt a barrel to read its label."""
        for_s = min(max(for_s, LEAST_S), LOOK_S)
        act = ScriptAct(Verb.PEEK, self._seat, self._grasped(handle), for_s=for_s)
        begun_us, _ = self._do(act)
        number, now_us = act.barrels[0], self._table.now_us
        end_us, limit = self._world.free_us[self._seat], self._world.limit_deg(self._seat)
        spans = self._world.barrels[number].readable(begun_us, end_us, limit)
        from_us, to_us = max(spans, key=lambda span: span[1] - span[0], default=(now_us, now_us))
        if to_us - from_us < READ_US:
            return Peeked(self._lasts_ms)
        times = ((at_us - now_us) // 1000 for at_us in (from_us, to_us))
        return Peeked(self._lasts_ms, number, *times)

    def flip(self, handle: int) -> RattleHeard:
        return self._hear(ScriptAct(Verb.FLIP, self._seat, self._grasped(handle)))

    def press(self, for_s: float) -> None:
        """Press the seat's button, and sit down there."""
        self.sit()
        for_s = min(max(for_s, LEAST_S), LOOK_S)
        self._demand_free_hands()
        self._carry_out(ScriptAct(Verb.PRESS, self._seat, for_s=for_s))

    def follow(self, handle: int, samples: PhoneSamples) -> PhoneFelt:
        """Move a barrel in hand, or before the seat, as a phone is moved."""
        number, now_us, before = self._number(handle), self._table.now_us, self._phone
        mine = self._holds(number) or self._world.on_pad(self._seat) == number
        if not mine or self._seat not in self._guests.away:
            raise CompanionError("Take a barrel in hand; then your phone can be that barrel.")
        if before is not None and before.phone != samples.phone:
            if now_us < before.heard_us + phone_barrel.SILENT_US:
                raise CompanionError("Another phone is a barrel here already; put that one down.")
            before.release(now_us)
        if before is None or (before.phone, before.number) != (samples.phone, number):
            if before is not None:
                before.release(now_us)
            self._phone = phone_barrel.PhoneBarrel(samples.phone, number, self._world, self._seat)
        assert self._phone is not None
        felt = self._phone.take(samples, now_us, _loudness)
        self._table.wake(self._table.stopper_of(number))
        return felt

    # --- what hands cannot do -----------------------------------------------------------------

    def _grasped(self, *handles: int) -> tuple[int, ...]:
        """Return barrels that are or come in hand now; raise why one cannot be."""
        self.stay()
        if not self._guests.make_room(self._seat):
            raise CompanionError(
                "This round a guest is playing for you; the seat is yours from the next round on."
            )
        self._demand_free_hands()
        if self._phone is not None:
            self._phone.release(self._table.now_us)
        numbers = tuple(map(self._number, handles))
        for number in numbers:
            self._demand_reach(number)
        held = {number for number in self._world.barrels if self._holds(number)}
        if len(held.union(numbers)) > 2:  # ZZ-7
            raise CompanionError("Both hands are full; put a barrel back first.")
        return numbers

    def _number(self, handle: int) -> int:
        if not 0 <= handle < BARRELS:
            raise CompanionError("There is no barrel {handle} on this table.", handle=handle)
        spot = self._world.spots[handle]
        return next(number for number, place in self._world.places.items() if place == spot)

    def _holds(self, number: int) -> bool:
        return self._world.holder(number) is self._seat

    def _demand_free_hands(self) -> None:
        if self._world.free_us[self._seat] > self._table.now_us + AHEAD_US:
            raise CompanionError("Your hands are still busy; wait a moment.")

    def _demand_reach(self, number: int) -> None:
        """Raise if somebody else has a barrel, or it fell and is about to be picked up."""
        if self._holds(number):
            return
        world, barrel = self._world, self._world.barrels[number]
        others = [seat for seat in world.seats if seat is not self._seat]
        for seat in others:
            if world.holder(number) is seat or world.on_pad(seat) == number:
                raise CompanionError("{seat} has that barrel; take another one.", seat=seat)
        busy = barrel.free_us > max(self._table.now_us, self._mine.get(number, 0))
        if busy and all(each.free_us > self._table.now_us for each in world.barrels.values()):
            raise CompanionError("All barrels are being shuffled; wait until that is done.")
        if busy or barrel.pose.support is poses.Support.SIDE:
            raise CompanionError("Somebody is busy with that barrel; take another one, or wait.")

    # --- what is done -------------------------------------------------------------------------

    def _hear(self, act: ScriptAct) -> RattleHeard:
        begun_us, _ = self._do(act)
        return self._heard(act.barrels[0], begun_us)

    def _do(self, act: ScriptAct) -> tuple[int, ScriptAct]:
        """Do something; return from when on, and what."""
        world, now_us = self._world, max(self._table.now_us, run.READY_US)
        frees = [world.barrels[number].free_us for number in act.barrels]
        begun_us = max(now_us, world.free_us[self._seat], *frees)
        self._carry_out(act)
        for number in act.barrels:
            self._mine[number] = world.barrels[number].free_us
        return begun_us, act

    def _carry_out(self, act: ScriptAct) -> None:
        self._table.act([ScriptLine(0, act, max(self._table.now_us, run.READY_US) / 1e6)])

    @property
    def _lasts_ms(self) -> int:
        return (self._world.free_us[self._seat] - self._table.now_us) // 1000

    def _heard(self, number: int, from_us: int) -> RattleHeard:
        """Return the stones that knock from a time on."""
        barrel, now_us = self._world.barrels[number], self._table.now_us
        knocks = tuple(
            HeardKnock((knock.at_us - now_us) // 1000, _loudness(knock))
            for knock in barrel.rattle(from_us, barrel.free_us)
            if knock.stone is not None
        )
        return RattleHeard(self._lasts_ms, knocks)


def _felt(heard: RattleHeard, barrel: int) -> HandActResult:
    return HandActResult(heard.lasts_ms, (HeardOf(barrel, heard.knocks),))


def _loudness(knock: stones.StoneKnock) -> float:
    return round(min(1.0, knock.strength_g / LOUD_G), 3)
