"""What can be followed live in a hall: each view by its name, and who may see what of it."""

import json
from collections.abc import Mapping

from flask import request

from companion.hall import accounts, page
from companion.hall.hall import Hall
from companion.present.viewer import Viewer
from companion.web.common import fanout, flask_app, live


class HallViews:
    """What can be seen live, by its name; any thread may call this."""

    def __init__(self, hall: Hall, views: Mapping[str, page.View]) -> None:
        self._hall, self._views = hall, views
        self._changes: dict[str, object] = {}  # the last one of each view
        self.live = live.LiveViews(self)

    def __contains__(self, name: str) -> bool:
        kind, dash, about = name.partition("-")
        known = kind in self._views and bool(dash) == bool(about)
        return known and self._views[kind].has(self._hall, about)

    def changed(self, name: str, part: str = fanout.WHOLE) -> None:
        """Say that something is new; any thread may call this, and nothing waits."""
        self._changes[name] = object()
        self.live.changed(name, part)

    def is_urgent(self, name: str) -> bool:
        """Tell whether a view comes first, such as one on a wall."""
        view = self._views.get(name.partition("-")[0])
        return view is not None and view.urgent

    def viewer(self, name: str) -> fanout.StreamViewer:
        """Return who sent the request that is being answered: all who read the same are alike."""
        personal = self._views[name.partition("-")[0]].personal
        role = self._hall.accounts.role() if personal else None
        topic = name, flask_app.current_viewer().language, role or ""
        return fanout.StreamViewer(lambda: topic, address=request.remote_addr or "")

    def version(self, topic: fanout.Topic) -> object:
        """Return the last change of a view; what nobody watches is made anew each time."""
        watched = self.live.fanout.watches(topic)
        return self._changes.setdefault(topic[0], object()) if watched else None

    def text(self, topic: fanout.Topic, part: str = fanout.WHOLE) -> str:
        """Return what a topic looks like now, or a part of it."""
        name, language, role = topic
        kind, _, about = name.partition("-")
        view, visitor = self._views[kind], accounts.Visitor(Viewer(language), role or None)
        if part and view.part is not None:
            return json.dumps({"part": part, "html": view.part(self._hall, visitor, part)})
        return json.dumps({"html": view.make(self._hall, visitor, about)})
