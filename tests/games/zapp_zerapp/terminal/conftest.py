"""English without colours, whatever the terminal around the tests speaks."""

from tests.cli.terminal.conftest import plain as plain  # noqa: PLC0414 - a fixture
