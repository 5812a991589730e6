"""A tournament in a hall as a value: who is here, who sits where in which round, and who leads.

It must not know files, clocks or the network. Whatever happens is an event; the tournament is what
all events lead to, in their order. So nothing is ever lost, and a result that is corrected in round
4 counts as if it had always been so.

    tournament = replay(events)                       # tournament.py
    demand(tournament, TableBroke("3"))              # refusals.py: why it makes no sense, if so
    tournament = apply(tournament, TableBroke("3"))  # tournament.py
    proposal = proposed(tournament, seed=7)          # proposals.py: the next round
    standings(tournament)                            # standings.py
"""
