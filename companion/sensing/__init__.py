"""What the stoppers and pads saw becomes what happened at the table, and how sure that is.

It must not know the rules of a game, devices, pages or a clock: everything comes in as data with
its time, so a recording gives the same answers again, also with other settings.

    hub's frames ── listening ──> Observation ── clocks ──> Felt ─┬─ tracking  what a barrel does
    pads, buttons, taps ──────────────────────────────────────────┼─ seating   who placed which
    which phase the game is in ───────────────────────────────────┼─ peeking   labels in sight
                                                                  ├─ fouls     the other fouls
                                                                  └─ weighing  enrolling, tampering

`Sensing` joins them: `take` what was seen, `pass_to` a time; both return what is to be told. `Ears`
joins it to the hub's line. What ails a stopper is told by `ailments`, in sentences with a cure.
"""
