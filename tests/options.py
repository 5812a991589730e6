"""How thorough the tests are, and of which games: options of pytest, and what Hypothesis is to do.

It must not hold tests nor fixtures of one game.
"""

import gc
import logging
import os
import signal
from collections.abc import Generator, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings

from companion.core import plugin
from tests.changed import ChangedTests
from tests.jobs import Jobs
from tests.slow import SlowTests

MEMORY, LARGE = Path("/dev/shm"), 4 << 30  # noqa: S108 - in it pytest makes a folder of its own
ANY_GAME = (  # what any game must keep; all other tests are of ours
    *(f"tests/core/{file.name}" for file in sorted(Path(__file__).parent.glob("core/test_*.py"))),
    "tests/referee/test_every_game.py",
    "tests/web/games/test_sealed_pages.py",
)
EXAMPLES, IN_FULL = 12, 2000  # of every property, without and with --full


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --full, --jobs, --changed, --game and --rewrite-golden."""
    group = parser.getgroup("rappelwacht")
    group.addoption(
        "--full",
        action="store_true",
        help="run what is slow, too, and try far more of all that is random or only sampled",
    )
    group.addoption(
        "--jobs",
        action="store_true",
        help="run the jobs only: boards, kernels, benches and whatever else has its own tests",
    )
    group.addoption(
        "--game",
        metavar="NAME",
        help="test an installed game, of whatever package, by what any game must keep",
    )
    group.addoption(
        "--changed",
        nargs="?",
        const="HEAD",
        metavar="REVISION",
        help="run only the tests that what differs from the last commit, or from this, can touch",
    )
    group.addoption(
        "--rewrite-golden",
        action="store_true",
        help="write the golden files again instead of comparing with them; then read the diff",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose the examples: the same ones every time in CI, fresh ones at home."""
    heed_signals()
    gc.set_threshold(1_000_000, 50, 100)  # what is imported and collected stays anyway
    live_apart(config)
    config.pluginmanager.register(Jobs(config))
    config.pluginmanager.register(ChangedTests(config))
    choose_games(config)
    if not config.getoption("--full"):  # which writes gigabytes
        write_into_memory()
    config.pluginmanager.register(SlowTests(config))
    config.addinivalue_line("markers", "mistakes: the table is made to meet mistakes of ours")
    config.addinivalue_line("markers", "leisure: it is about how long what happened is shown")
    in_ci = bool(os.environ.get("CI"))
    if in_ci and config.getoption("--rewrite-golden"):
        raise pytest.UsageError("--rewrite-golden is for people who read the diff, not for CI.")
    settings.register_profile(
        "rappelwacht",
        deadline=None,
        derandomize=in_ci,
        max_examples=IN_FULL if config.getoption("--full") else EXAMPLES,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("rappelwacht")


def choose_games(config: pytest.Config) -> None:
    """Leave out the games of other packages that happen to be installed, unless one is named."""
    game: str | None = config.getoption("--game")
    if game is None:
        patch, every = pytest.MonkeyPatch(), [*entry_points(group=plugin.GROUP)]
        ours = [point for point in every if point.module.startswith(plugin.OURS)]
        patch.setattr(plugin, "entry_points", lambda **_: ours)
        config.add_cleanup(patch.undo)
    elif game not in plugin.GAMES:
        known = ", ".join(plugin.GAMES)
        raise pytest.UsageError(f"No game {game!r} can be used here, but {known}: see the log.")
    elif config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = [*ANY_GAME]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what tests another game than the one named."""
    if (game := config.getoption("--game")) is None:
        return
    shared = {item for item in items if item.nodeid.startswith(ANY_GAME)}
    others = [
        one for one in items if game not in (named := _games(one)) and (named or one in shared)
    ]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in others]


def _games(item: pytest.Item) -> set[str]:
    values = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return {value for value in values if isinstance(value, str) and value in plugin.GAMES}


def live_apart(config: pytest.Config) -> None:
    """Let nothing be read or left where a table of this computer's owner is kept."""
    if not hasattr(config, "workerinput"):  # else whoever started this process has done it
        home = TemporaryDirectory(prefix="rappelwacht-")
        config.add_cleanup(home.cleanup)
        os.environ["XDG_STATE_HOME"] = home.name


def write_into_memory() -> None:
    """Let what tests write lie in memory where that is large: nobody waits for a disk then."""
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and disk_usage(MEMORY).free > LARGE:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.hookimpl(optionalhook=True, tryfirst=True)  # xdist has an answer of its own
def pytest_xdist_auto_num_workers() -> int:
    """Begin four processes for two processors: what drives a browser or a program waits a lot."""
    processors = len(os.sched_getaffinity(0))
    return processors + min(processors, 2)


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over all that was imported and collected: it stays anyway.

    What a test makes goes with the test, so that looking for garbage more seldom costs little
    memory, and as often as Python does it took a sixth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


class _Mistakes(logging.Handler):
    """Mistakes of ours that a table has outlived."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Note one."""
        self.found.append(logging.Formatter().format(record))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Fail a test in which a table met a mistake of ours, though it outlived it."""
    log, mistakes = logging.getLogger("companion.table.loop"), _Mistakes()
    log.addHandler(mistakes)
    try:
        yield
    finally:
        log.removeHandler(mistakes)
    if mistakes.found and item.get_closest_marker("mistakes") is None:
        pytest.fail("\n".join(mistakes.found), pytrace=False)


def heed_signals() -> None:
    """Let programs be ended by signals that a background job, or nohup, has told us to ignore."""
    for number, usual in (
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGHUP, signal.SIG_DFL),
    ):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)


@pytest.fixture(scope="session")
def full(request: pytest.FixtureRequest) -> bool:
    """Whether everything is to be tested, however long it takes."""
    return bool(request.config.getoption("--full"))


@pytest.fixture(scope="session")
def rewrite_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written instead of compared."""
    return bool(request.config.getoption("--rewrite-golden"))


@pytest.fixture
def nobody_waits() -> Iterator[None]:
    """Fail what would wait for ever."""

    def ring(*_: object) -> None:
        raise AssertionError("somebody waits for what never comes")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
