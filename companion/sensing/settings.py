"""The settings of sensing: every threshold, frozen, so that recordings can be replayed with others.

It must not decide anything. Each section belongs to the module of its name.
"""

from dataclasses import dataclass, field
from typing import Final

BARRELS: Final = 13  # of a table, each with its stopper


@dataclass(frozen=True, slots=True)
class RadioTiming:
    """How long a word is on its way from one clock to another, and how well they keep step."""

    usual_us: int  # the least time that it takes
    doubt_us: int  # by how much that errs, either way; later by more: overtaken, or it is wrong
    late_us: int  # how late one may come, which nobody can tell until others agree…
    settle_us: int  # …for this long
    strays: int = 3  # this many in a row: the line is wrong
    longest_us: int = 2_000_000  # no crystal jumps so far: the other clock may have started over
    overtaken_us: int = 10_000  # earlier than the line by more: all before were overtaken
    wander_ppm: int = 120  # by how much two crystals may differ, and a little more
    known_ppm: int = 30  # … from the rate that was found
    jump_ppm: int = 21_000  # how far it may go at once, if a crystal breaks
    span_us: int = 4_000_000  # of this long a time the least delayed word is kept…
    spans: int = 16  # …for this many such times
    apart_us: int = 8_000_000  # points closer together say little about a rate
    awake_us: int = 300_000  # what moves speaks this often; silent for longer, it may have slept…
    asleep_ppm: int = 0  # …by a clock that is off by this much, differently each time
    untold_us: int = 1_000_000  # this long after it began, an event is told, and nobody sleeps then


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """How a stopper's clock becomes the host's. Errors of dating an event are not in it."""

    # From the clock's last reading: MicroPython seals a packet in 2 to 4 ms, 1.5 are in the air;
    # and a hub that makes a line of it needs 1 to 5. A processor that is quick errs as far below.
    air: RadioTiming = RadioTiming(
        usual_us=3_000, doubt_us=4_000, late_us=300_000, settle_us=900_000, asleep_ppm=3_600
    )
    cable: RadioTiming = RadioTiming(
        usual_us=1_000, doubt_us=1_500, late_us=100_000, settle_us=1_000_000
    )


@dataclass(frozen=True, slots=True)
class TrackingSettings:
    """When a barrel counts as what."""

    lost_s: float = 25.0  # without a word: two heartbeats and a half
    asleep_s: float = 290.0  # stood untouched for this long: it may sleep
    tries_ms: int = 1_100  # from an event to its last try, and on its way
    late_ms: int = 18  # this much longer on its way than usual: something newer may be known
    quiet_permille: int = 75  # of TILT: who sets down hard seems to tilt; calm peeks stay below…
    clear_cdeg: int = 6_500  # …and this is clearly more than the 60° at which many carry barrels
    least_span_ms: int = 150  # of features: a load that lasts this long has become an event
    floats_mg: int = 7_000  # as in the firmware: less load is in the air…
    stands_mg: int = 10_000  # …and more stands
    shaken_permille: int = 900  # gentle shakers stay below, but so does whoever lifts with a jerk
    calm_permille: int = 300  # weighing it in the hand comes to 290
    turned_cdeg: int = 12_000  # beyond, a flipped barrel is flipped still
    upright_cdeg: int = 5_500  # below, no barrel is tilted
    lies_cdeg: tuple[int, int] = (8_100, 9_800)  # so far one is that lies on its side…
    lies_even_cdeg: int = 30  # …and by so little its tilt differs
    lies_permille: int = 30  # …and it shakes


@dataclass(frozen=True, slots=True)
class FaultSettings:
    """When something about a stopper is worth a sentence."""

    low_mv: int = 3_500  # as in the firmware: an hour is left
    in_hand_s: float = 3.0  # in the air so soon after its start: it never stood
    asleep_s: float = 290.0  # silent for this long before it started: it slept, and was woken
    boots: int = 3  # this many starts…
    boots_s: float = 600.0  # …within this long: a loose wire. It also starts when woken, but seldom
    unheard: int = 2  # events that never arrived, in one boot
    nonsense_s: float = 60.0  # without an impossible word: it is believed again


@dataclass(frozen=True, slots=True)
class WeighingSettings:
    """When a weight counts, and for how much. Errors are standard deviations.

    What differs at every set-down averages out; what is a node's own does not. What cells
    are like is believed until their own set-downs tell more of it.
    """

    noise_of_spread: float = 0.11  # of the ends of 20 readings: their mean, and the zero's of 8
    eccentric: float = 0.0011  # each time: the share that depends on where the foot presses
    rubbing_mg: float = 38.0  # each time: what hangs on the foot, and on how long it stood before
    believed: float = 6.0  # that is worth this many set-downs; the cells' own tell the rest
    gain: float = 0.23  # a node's own: the share by which its cell is too strong or weak…
    span: float = 0.0035  # …and what is left of that after it was found with a known mass
    unlifted_mg: float = 3000.0  # of a zero of which nothing is known
    swing_mg: int = 600  # so far what a flipped cell feels may be off twice its foot
    leaning_cdeg: int = 500  # from here on something else carries a part
    kept: int = 12  # events of a stopper, to know which set-down a weight belongs to

    # a cell's ailments
    counts_per_g: float = 15_032.0  # as in the firmware: 40 g are 0.28 mV/V, gain 128
    rail: int = 0x7FFFF0  # counts: the end of the converter's range
    same_heartbeats: int = 4  # noise makes even two alike in 200 a rare thing
    noisy_spread_mg: int = 170  # healthy: 50; above 400 the stopper itself does not believe it
    noisy_times: int = 3  # weights in a row
    restless: int = 3  # this many other cells were noisy last: they all stand on one table
    unsettled_s: float = 25.0  # set down for this long without a weight: it is never quiet
    drifting_mg: int = 300  # while it stands untouched; creep is 60 in all…
    warming_mg: int = 140  # …and for each degree since then so much more
    drifting_times: int = 3  # heartbeats in a row: a hand may have leant on it once
    upside_down_cdeg: int = 12_000  # nothing rests on the foot from here on
    resting_mg: int = 7000  # what rests on it at least, if anything does


@dataclass(frozen=True, slots=True)
class EnrolmentSettings:
    """What is believed of barrels and stones before they are weighed, and when that is enough."""

    enrolled: float = 0.998  # surer than `certain`: a mistake lasts for the whole evening
    set_downs: int = 1  # of each barrel before anything is concluded
    most_set_downs: int = 20  # more of them help little: people can look, too
    least_sd_mg: float = 5.0  # whatever the sums say, no weight is better
    shell_mg: float = 32_400.0  # of barrel and stopper, if the empty weight is unknown
    shell_common_mg: float = 500.0  # how far all of one print are from that
    shell_own_mg: float = 300.0  # and each from the others
    stone_mg: tuple[float, float] = (60.0, 1000.0)  # lightest and heaviest: balls of 2.5 to 6.2 mm
    spreads: tuple[float, ...] = (0.02, 0.05, 0.08)  # of a stone's mass: balls to stamped ones
    lost: float = 0.001  # how many barrels in one lack a stone
    strange: float = 0.001  # or hold, or are, something else
    strange_mg: float = 20_000.0  # which weighs anything up to this more or less
    against: float = 2.0  # this much oddness, as a multiple of what is usual, is looked into
    odd: float = 0.5  # if this likely, two set-downs are enough to say that a barrel does not fit
    nearly_all: float = 0.6  # of those never weighed empty are odd: their shells are unknown
    told: float = 0.2  # barrels with such a share in it are named
    usable_mg: float = 300.0  # worse weights do not count as a set-down
    worth_sd: float = 1.5  # neighbours must come this far apart; otherwise people look instead
    step: float = 1.8  # of grids, in standard deviations: a bell's sum is right to 0.5 %
    depth: float = 8.0  # grid points that are less likely than the best by e to this are left out
    most_worlds: int = 40  # grid points that are worked out in full
    faint: float = 1e-7  # and ways that are so much less likely than the likeliest


@dataclass(frozen=True, slots=True)
class TamperSettings:
    """When a barrel is not what it was."""

    agreeing: int = 2  # set-downs that say so: a sleeve may have rested on one
    against: float = 2000.0  # this many times likelier than that nothing has changed
    strange: float = 0.1  # of what may have changed: not whole stones, but anything…
    strange_mg: float = 20_000.0  # …up to this more or less
    kept: int = 24  # set-downs among which it may have changed; older ones tell what it should be…
    most: int = 60  # …unless it seems that something has changed: then this many are kept


@dataclass(frozen=True, slots=True)
class PlacementSettings:
    """When a name counts, and what is made of pads and set-downs where none comes."""

    equal_words: int = 2  # of a barrel whose weight is on its foot: it stands there
    still_ms: int = 100  # and for so long, if it has no load cell: nobody holds it there so
    word_gap_ms: int = 1_500  # a standing barrel says its name each second
    pad_late_ms: int = 250  # no pad closes later after a foot has touched it
    asks_ms: int = 1_100  # no name and no SET comes later: three tries, and on its way
    near_ms: int = 400  # from the pad's edge to the SET of what may have closed it
    bounce_ms: int = 300  # a pad that opens for less long, and nobody's LIFT: a hand pressed it
    grace_ms: int = 600  # a LIFT this old without its pad's edge: the edge will not come
    edge_doubt_ms: int = 10  # how exactly a pad's edge says when a barrel was set down
    named: float = 0.999  # how sure a name is…
    likely: float = 0.9  # …one SET, and nobody else in the air…
    asked: float = 0.5  # …and anything else
    barrels: int = BARRELS
    silent_ms: int = 25_000  # without a word: two heartbeats and a half
    floats_mg: int = 7_000  # as in the firmware: less load is in the air
    stands_mg: int = 10_000  # … and more stands; an empty barrel has 32 g
    load_old_ms: int = 130  # a load that is told may be older than a SET, dated by the blow before


@dataclass(frozen=True, slots=True)
class PeekSettings:
    """When a label counts as read.

    These limit how long its label was in sight, not how long it was tilted: the less a barrel is
    tilted and the less still it is held, the less a moment counts.
    """

    # Low eyes read a label from 60° on, but many carry barrels at 60°, and tremble: looks at less
    # than 66° are not told, by choice; what that misses is published by tilt.
    hidden_cdeg: int = 6600  # up to here it counts as not read
    open_cdeg: int = 7000  # from here on a moment counts in full
    calm_permille: int = 60  # up and down, of 1.5 m/s: up to 0.09 m/s in full…
    restless_permille: int = 200  # …not at all from 0.3 m/s on. Or deviation of |a|, not smoothed
    around_ms: int = 60  # before and after a moment: its tilt is the mean of this long
    lapse_ms: int = 65  # this long it may be out of sight, as a sum of moments says: three of them…
    after_lapse_ms: int = 85  # …and the next is in sight again
    blow_permille: int = 600  # smoothed: until a blow so hard has faded, no tilt can be believed
    shaken_permille: int = 400  # of FEATURES, or smoothed: whoever shakes so hard does not read
    shaking_ms: int = 600  # this long after such a deviation a swing may still go on:
    turning_deg_s: int = 80  # half of a look that comes so soon must turn more slowly
    over_cdeg: int = 12_000  # turned over so far…
    over_deg_s: int = 120  # …nobody reads what turns faster
    warn_ms: int = 240  # in sight: hardly any swing of a barrel comes to more…
    foul_ms: int = 340  # …none to this: of those who carried one at 58° and pulled it, too
    # A barrel on its side lies at about this angle: its stopper is a little wider than its top, no
    # sensor sits quite straight, no table is level.
    lies_cdeg: int = 8_950
    near_cdeg: int = 850
    leaves_ms: int = 80  # away from there for longer, and it lies no more
    rolls_cdeg: int = 70  # its tilt changes by less while it rolls: hands waver more…
    lies_ms: int = 240  # … within this time
    hand_ms: int = 380  # one that wavered for so long there is in a hand…
    calm_ms: int = 100  # …or, if for so long before it came there no blow was felt…
    brought_ms: int = 200  # …for so long: what falls comes with a blow
    wavers_ms: int = 100  # still for longer, it may be about to lie
    knock_permille: int = 150  # a blow, for 20 ms: if it came there…
    falls_permille: int = 1000  # (what falls feels 1 g less, until it is struck)
    rolls_permille: int = 250  # FEATURES of this much shaking…
    even_permille: int = 100  # … with no more deviation of |a|: it turns about its own axis
    rocks_ms: int = 600  # … so soon after one, it may rock and roll
    flat_cdeg: int = 50  # the same of smoothed samples, at any angle
    still_cdeg: int = 30  # of others, away from there: a table has 15…
    flat_ms: int = 200  # … still for so long
    leans_ms: int = 500  # … or so long: it leans on something
    head_cdeg: int = 15_000  # … from here on none lies, and on its head it says FLIP
    pick_up_ms: int = 500  # whoever picks it up then has it in sight for this long, and may
    joint_ms: int = 45  # samples come every 20 ms: one may be missing
    features_ms: int = 300  # between two messages of a moving stopper, if none is missing
    falling_ms: int = 130  # this long before UPRIGHT's time the smoothed tilt was still high
    before_ms: int = 400  # of the evidence, before the tilt began
    after_ms: int = 300  # … and after it was over
    answer_ms: int = 60  # a window that is asked for comes within that: a stopper steps each 25 ms
    again_ms: int = 20  # between two questions: before that there is nothing new
    ahead_ms: int = 20  # this long before it may be decided it is asked: the answer takes as long
    questions: int = 40  # in a row; then only its FEATURES say that it is worth asking
    asked: int = 36  # without an answer, as long as hands mute; then it has to be heard first
    same_ms: int = 50  # a tilt that begins within that of another is the same, told late
    same_look_ms: int = 1000  # upright for less between two tilts of which the first was told: one
    turn_ms: int = 400  # likewise, if it was past the horizontal: turned over quickly, nobody reads
    looks: int = 12  # of a barrel, at once: it is tilted and upright for 160 ms at least
    part_ms: int = 520  # what goes into one packet
    longest_ms: int = 2000  # of the evidence
    held_ms: int = 3900  # a stopper keeps four seconds; what is older need not be asked for
    silent_ms: int = 1000  # after TILT nothing more came: perhaps somebody looks
    kept_ms: int = 2000  # after it is heard that a tilt is over, for what comes late
    over_ms: int = 10_000  # after a stopper's last word its tilt counts as over
    sure_cdeg: int = 9000  # whoever looks, from here on a label is in sight
    ear_cdeg: int = 11_000  # at an ear it is held up to 95°, and seems to be so far over if pushed


@dataclass(frozen=True, slots=True)
class FoulSettings:
    """When the other fouls count."""

    too_many_ms: int = 1500  # this long too many are in the air: who has placed puts the other back
    airy_mg: int = 7000  # as in the firmware: less load is in the air
    back_ms: int = 2500  # a placed barrel in the air for this long is not just put straight
    again_ms: int = 2000  # down, and at no seat for this long: it was put back; seats take 1.3 s
    second_ms: int = 500  # further apart, a set-down and a placing are two


@dataclass(frozen=True, slots=True)
class Settings:
    """All of them.

    >>> Settings().certain
    0.99
    """

    certain: float = 0.99  # what is surer than this is not asked
    clocks: ClockSettings = field(default_factory=ClockSettings)
    tracking: TrackingSettings = field(default_factory=TrackingSettings)
    ailing: FaultSettings = field(default_factory=FaultSettings)
    weighing: WeighingSettings = field(default_factory=WeighingSettings)
    enrolment: EnrolmentSettings = field(default_factory=EnrolmentSettings)
    tampering: TamperSettings = field(default_factory=TamperSettings)
    seating: PlacementSettings = field(default_factory=PlacementSettings)
    peeking: PeekSettings = field(default_factory=PeekSettings)
    fouls: FoulSettings = field(default_factory=FoulSettings)
