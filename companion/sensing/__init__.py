"""Turns sensor messages of stoppers and pads into events at the table, each with a confidence.

It must not know the rules of a game, devices, pages or a clock: everything comes in as data with
its time, so a recording gives the same answers again, also with other settings.

    hub's frames ── receiver ── clocks ──> StopperMessage ─┬─ tracking   what a barrel does
    pads, names, taps ─────────────────────────────────────┼─ placement  who placed which
    which phase the game is in ────────────────────────────┼─ peeking    labels in sight
                                                           ├─ fouls      the other fouls
                                                           └─ weighing   enrolment, tampering

`pipeline.Sensing` joins them: `handle` an observation, `tick` a time; both return events.
`SensingLink` joins it to the hub. `stopper_faults` says what is wrong with a stopper, and its cure.
"""
