"""Templates of sentences, as those read them whom they are not about."""

import re

HOLE = r"\{[^{}]*\}"
OWN = re.compile(rf"\{{\w+:@((?:[^{{}}|]|{HOLE})*)\|(?:[^{{}}]|{HOLE})*\}}")


def plain(template: str) -> str:
    """Return a template without what is said to a seat itself, and with bare holes.

    >>> plain("{seat:@{seat} has|You have} won, not {others:and}.")
    '{seat} has won, not {others}.'
    """
    return re.sub(r"\{(\w+):[^{}]*\}", r"{\1}", OWN.sub(r"\1", template))
