"""An evening in a hall as a value: who is here, who sits where in which round, and who leads.

It must not know files, clocks or the network. Whatever happens is a deed; the evening is what all
deeds lead to, in their order. So nothing is ever lost, and a result that is corrected in round 4
counts as if it had always been so.

    evening = told(deeds)                       # deeds.py, evening.py
    evening = done(evening, TableBroke("3"))    # refused with a sentence, if it makes no sense
    proposal = proposed(evening, seed=7)        # proposing.py: the next round
    standings(evening)                          # standings.py
"""
