"""The live views of a table: each by its name, and who may see what of it."""

import json
from collections.abc import Callable, Mapping
from typing import Final

from flask import request

from companion.present.viewer import Viewer
from companion.web.common import fanout, flask_app
from companion.web.common.live import StreamFrame
from companion.web.context import WebContext

View = Callable[[WebContext, Viewer], str]
WORKSHOP: Final = "workshop"  # the one view that may be new though the snapshot is the same


class TableViews:
    """The live views by their names; any thread may call this."""

    def __init__(self, phones: WebContext, views: Mapping[str, View]) -> None:
        self._phones, self._views = phones, views

    def __contains__(self, name: str) -> bool:
        return name in self._views

    def is_urgent(self, name: str) -> bool:
        """Tell that every view comes first: there is but one table."""
        return name in self._views

    def viewer(self, name: str) -> fanout.StreamViewer:
        """Return who sent the request that is being answered.

        Their phone may be let in, or go, while they follow.
        """
        pairing, language = self._phones.pairing, flask_app.current_viewer().language
        phone = pairing.phone()
        return fanout.StreamViewer(
            lambda: (name, language, pairing.role_of(phone) or ""),
            lambda: pairing.role_of(phone) is not None,
            request.remote_addr or "",
        )

    def version(self, topic: fanout.Topic) -> object:
        """Return what is equal as long as a topic looks the same."""
        room, pairing = self._phones.room, self._phones.pairing
        opened = room.workshop.opened
        practice = opened and (opened.practice, opened.practised, opened.caught)
        paired = pairing.asked, pairing.shared, practice, pairing.crossed
        workshop = room.workshop if topic[0] == WORKSHOP else None
        return room.snapshot, paired, self._phones.people.now, self._phones.cafe.now, workshop

    def text(self, topic: fanout.Topic, part: str = fanout.WHOLE) -> str:  # noqa: ARG002 - views have no parts
        name, language, role = topic
        return self._views[name](
            self._phones, Viewer(language, role or None, self._phones.people.now)
        )


def fragment(live: View) -> View:
    """Return a live part's HTML as what is sent of it."""
    return lambda phones, who: _sent(live(phones, who))


def mark(html: str) -> str:
    """Return by what a page recognises a live part that it was made with."""
    return StreamFrame.of(_sent(html)).mark


def _sent(html: str) -> str:
    return json.dumps({"html": html})
