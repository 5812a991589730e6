"""Whoever writes a program reads in the hall what is said there, and takes it along."""

import json
from collections.abc import Iterator

import pytest

from companion.hall.server_app import HallServer
from companion.mqtt.asyncapi import document
from companion.mqtt.topics import TopicKind
from tests.hall.test_server_app import HERE, asked


@pytest.fixture
def hall() -> Iterator[HallServer]:
    with HallServer(None) as hall:
        hall.serve(0, HERE)
        yield hall


def test_the_document_is_the_one_that_is_held_against_what_is_sent(hall: HallServer) -> None:
    answer, told = asked(hall, "GET", "/asyncapi.json")
    assert json.loads(told) == document()
    assert answer.headers["Content-Type"] == "application/json"
    assert "attachment" in answer.headers["Content-Disposition"]


def test_it_can_be_read_and_is_found_where_tables_are_let_in(hall: HallServer) -> None:
    told = asked(hall, "GET", "/asyncapi")[1]
    for kind in TopicKind:
        assert f"rappelwacht/1/{{table}}/{kind.value}" in told
    for name, schema in document()["components"]["schemas"].items():
        assert f"<summary>{name}</summary>" in told
        assert all(f"<code>{key}</code>" in told for key in schema["properties"])
    assert "list of Deed" in told
    director = f"rappelwacht-hall={hall.accounts.sign_in('director')}"
    assert 'href="/asyncapi"' in asked(hall, "GET", "/joining", Cookie=director)[1]
