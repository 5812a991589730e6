"""Error messages: why an action is not legal, and what would be, one sentence for each case.

It must not decide legality: it is asked only after the game has refused. What it says of a portal
that was dealt or drawn may only be shown to whoever named that portal.
"""

from typing import Final

from companion.core import TABLE, Action, Illegal, Seat, SeatName, Text
from companion.core.game import verb
from companion.games.via_magica.rules import buildings, model, scoring, zones
from companion.games.via_magica.rules.portals import ANIMI, PORTALS, Animus, Counts, Power
from companion.games.via_magica.rules.rounds import keeps

NOW: Final = {  # what is to be done in a phase, and by which actions
    model.Phase.DEAL: (Text("portals have to be dealt: 'deal'"), (model.Deal,)),
    model.Phase.DRAW: (Text("a portal has to be drawn: 'draw'"), (model.Draw,)),
    model.Phase.TURN: (Text("what was drawn has to be turned up: 'turn'"), ()),
    model.Phase.KEEP: (Text("three portals have to be kept: 'keep'"), (model.Keep,)),
    model.Phase.UNVEIL: (Text("all have to show what they kept: 'unveil'"), ()),
    model.Phase.CATCH: (Text("an animus has to be caught: 'catch'"), (model.Catch,)),
    model.Phase.CRYSTALLIZE: (
        Text("a crystal has to be placed: 'crystallize'"),
        (model.Crystallize,),
    ),
    model.Phase.CALL: (Text("somebody has to say who called first: 'call'"), (model.Call,)),
    model.Phase.OPEN: (Text("a portal has to be opened: 'open'"), (model.Open,)),
    model.Phase.POWER: (
        Text("a power has to be used, or given up with 'waive'"),
        (model.Crystallize, model.Open, model.Take),
    ),
    model.Phase.TAKE: (Text("a portal has to be taken: 'take'"), (model.Take,)),
    model.Phase.REWARD: (
        Text("a reward can be claimed with 'claim', or given up with 'waive'"),
        (model.Claim,),
    ),
    model.Phase.OVER: (Text("the game is over; begin a new one"), ()),
}


def refusal(
    settings: model.Settings, state: model.State, action: Action, turns: tuple[Seat, ...]
) -> Illegal:
    """Return the error that says why an action is not legal and what is."""
    if not isinstance(action, model.ACTIONS):
        return Illegal("'{action}' is not an action of this game.", action=action)
    what, kinds = NOW[state.phase]
    if not isinstance(action, kinds):
        return Illegal("'{verb}' is not possible now; {what}.", verb=verb(type(action)), what=what)
    if action.seat not in turns:
        return Illegal(
            "It is not {seat:@{seat}'s|your} turn but that of {turns:and}; {what}.",
            seat=action.seat,
            turns=tuple(SeatName(seat) for seat in turns if seat != TABLE),
            what=what,
        )
    return _named(settings, state, action)


def _named(settings: model.Settings, state: model.State, action: Action) -> Illegal:
    match action:
        case model.Deal(player=player) if player != (due := state.queue[0]):
            return Illegal(
                "The next portal is for {due}, not for {player}.", due=due, player=player
            )
        case model.Deal(portal=portal) | model.Draw(portal=portal):
            return Illegal(
                "Portal {portal} is not in the stack; check its number again.", portal=portal
            )
        case model.Keep(seat) if settings.by_hand:
            left = tuple([k.portals[0] for k in keeps(settings, state, seat) if k.portals])
            return Illegal(
                "Name the portals one after another, each once, and none whose two copies both "
                "lie elsewhere; {portals} are left.",
                portals=left,
            )
        case model.Keep():
            return Illegal(
                "Keep three of your six portals, all different; name them in ascending order."
            )
        case model.Catch(animus):
            return Illegal(
                "No {animus} is left in the bag; check again what was caught.", animus=animus
            )
        case model.Call(first):
            return Illegal(
                "{first:@{first} has|You have} no portal to open; name one of {callers:and}.",
                first=first,
                callers=state.queue,
            )
        case model.Claim(seat, reward):
            return Illegal(
                "The reward {reward} cannot be claimed now; claim one of {rewards}.",
                reward=reward,
                rewards=scoring.claimable(settings, state.players, seat),
            )
        case model.Take(seat, portal):
            return _take(state, state.players[seat], portal)
        case model.Open(portal=portal) if state.phase is model.Phase.OPEN:
            return Illegal(
                "Portal {portal} is not full; open one of {portals}.",
                portal=portal,
                portals=zones.full(state.players[state.queue[0]].building),
            )
        case model.Crystallize(seat):
            return _crystallize(state, state.players[seat], action)
    return _power(state)


def _power(state: model.State) -> Illegal:
    return Illegal(
        "The power of portal {portal} does not allow that; use it in another way, or give it up "
        "with 'waive'.",
        portal=state.opening[-1],
    )


def _take(state: model.State, player: model.Player, portal: int) -> Illegal:
    own = tuple(zones.takeable(state, player))
    if state.phase is model.Phase.POWER and PORTALS[state.opening[-1]].power is not Power.TAKE:
        return _power(state)
    if portal not in state.display:
        return Illegal(
            "Portal {portal} is not on the table; take one of {portals}.",
            portal=portal,
            portals=own,
        )
    return Illegal(
        "Nobody takes a portal of the same kind as {portal} twice; take one of {portals}.",
        portal=portal,
        portals=own,
    )


def _crystallize(state: model.State, player: model.Player, action: model.Crystallize) -> Illegal:
    matches = _matches(state, player)
    zone = {building.portal: building.covered for building in player.building}
    portal, animus = action.on
    if not matches:
        return _power(state)
    if portal not in zone:
        return Illegal(
            "Portal {portal} is not in {seat:@{seat}'s|your} building zone, which holds {portals}.",
            portal=portal,
            seat=action.seat,
            portals=tuple(zone),
        )
    if animus not in matches:
        return Illegal(
            "A crystal cannot go on {animus} now; place it on {matches}.",
            animus=animus,
            matches=matches,
        )
    if zone[portal][animus] >= PORTALS[portal].fields[animus]:
        return Illegal(
            "Portal {portal} has no free field of {animus}; choose another field.",
            portal=portal,
            animus=animus,
        )
    return _source(player, zone, action)


def _source(player: model.Player, zone: dict[int, Counts], action: model.Crystallize) -> Illegal:
    source = action.source
    if source is None and not player.supply:
        return Illegal(
            "{seat:@{seat} has|You have} no crystal left in {seat:@its|your} supply; move one "
            "from a field.",
            seat=action.seat,
        )
    if source is not None and not _lies_on(zone, source):
        return Illegal(
            "No crystal lies on {field}; name the field that the crystal comes from.", field=source
        )
    return Illegal("Only crystals already placed can be rearranged, each to another field.")


def _lies_on(zone: dict[int, Counts], field: buildings.Field) -> bool:
    return field.animus in ANIMI and field.portal in zone and zone[field.portal][field.animus] > 0


def _matches(state: model.State, player: model.Player) -> tuple[Animus, ...]:
    if state.phase is model.Phase.CRYSTALLIZE and state.animus is not None:
        fits = zones.good_for(player, state.animus)
        return ANIMI if fits is Animus.JOKER else (fits,)
    portal = PORTALS[state.opening[-1]]
    if portal.power is Power.PLACE and portal.animus in ANIMI:
        return (portal.animus,)
    return ANIMI if portal.power in {Power.PLACE, Power.REARRANGE} else ()
