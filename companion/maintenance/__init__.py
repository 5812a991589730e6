"""The workshop: enrols barrels, measures, updates, tries and checks every part; never in a match.

The table's thread owns it, as it owns the match: commands come in (`referee.maintenance_commands`),
and a snapshot that never changes goes out (`view`).

    commands ──> controller ──> view
                     ├── stopper_status   what each stopper says of itself
                     ├── enrolment        thirteen weights become thirteen numbers
                     ├── measuring        what a table can tell, step by step
                     ├── updates          the stoppers' firmware, by radio
                     └── practice         the practice round

`health` tells how the computer itself is, `checks` are the doctor's, `backup` and `care` are of the
whole table.
"""
