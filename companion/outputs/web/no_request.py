"""Answers what comes to the pages' port and is not a request."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from waitress.task import ErrorTask

from companion.frame.faults import FAULTS
from companion.frame.gate import HEADERS
from companion.say import say


class NoRequest(ErrorTask):
    """Answers what is not sound HTTP, or too much of it, in the shape of all other faults."""

    def execute(self) -> None:
        """Write the answer; no page and no language is known here."""
        request: Any = self.request  # the stubs know it as something else
        found = request.error.code
        status = 413 if found == HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE else found
        status = status if status in FAULTS else 400
        code, text = FAULTS[status]
        told = json.dumps({"error": {"code": code, "sentence": say(text)}}).encode()
        self.status = f"{status} {HTTPStatus(status).phrase}"
        self.response_headers = [("Content-Type", "application/json"), *HEADERS.items()]
        self.content_length = len(told)
        self.set_close_on_finish()
        self.write(told)
