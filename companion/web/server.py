"""The output that serves the pages to phones, from threads of its own.

To the table it is an output: whatever is new only rings, and a thread of the pages looks what it
is. A phone that fell asleep or left the Wi-Fi without a word is given up by the kernel.

    with PhoneServer(room, folder) as server:
        server.start(8000)
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import Final

from companion.present import animations, output, simulated_hands, viewer
from companion.referee.people.store import KeptPeople
from companion.referee.snapshot import Snapshot, TableEvent
from companion.system import gc_freeze, status
from companion.system.config import WebConfig
from companion.system.text import seat_word
from companion.web import app, context, first_run_page, pairing_store, table_page, wifi_page
from companion.web.cafe import KeptCafe
from companion.web.common import addresses, live
from companion.web.common.proxies import TrustedProxies
from companion.web.common.server import Server, listening
from companion.web.common.tls import Https
from companion.web.pairing import Pairing, PairingPorts
from companion.web.ports import TablePort

STOP_S: Final = 2
KEEP_S: Final = 5.0  # how often phones' data that have to be kept are written …
GIVE_BACK: Final = 12  # … and one time in so many memory is given back: a few milliseconds a minute


class PhoneServer(AbstractContextManager["PhoneServer"]):
    def __init__(
        self,
        room: TablePort,
        folder: Path | None = None,
        hands: Mapping[str, simulated_hands.Hands] | None = None,
        report: status.Report = lambda _: None,  # any thread may call it
        places: int = app.STREAMS,
    ) -> None:
        self._places = places
        self._hold = pairing_store.FolderLock(folder)
        ports = PairingPorts(report, self._look, lambda: table_page.match_with_hands(room.snapshot))
        self.pairing = Pairing(self._hold.folder, ports=ports)
        self.people = KeptPeople(self._hold.folder, report, changed=self._look)
        self.cafe = KeptCafe(self._hold.folder, report, changed=self._look)
        self._room, self._hands, self._folder, self._report = room, hands, folder, report
        self.https = Https()
        self.live: live.LiveViews | None = None  # these three once it has started
        self.server: Server | None = None
        self._keeper: Thread | None = None
        self._files = ExitStack()  # what phones sent and were made
        self._ended = Event()
        self._recent = animations.RecentEvents()
        self._workshop = room.workshop  # as it was when phones were told last

    def start(
        self,
        port: int | None = 0,
        host: str = "",
        web: WebConfig | None = None,
        first_run: first_run_page.FirstRun | None = None,
        *,
        https: bool = False,
    ) -> context.WebContext:
        """Serve at a port, 0 being any that is free; return all that the pages consist of.

        None is the usual port or, if that is taken, any. By https they are served a little later,
        as their certificate may have to be made.
        """
        line = listening(port, host)
        here = addresses.OwnAddresses(line.getsockname()[1], web=web)
        secured = self._hold.folder if https else None
        self.https = Https(secured, here, host, report=self._report)
        site = context.WebContext(
            self._room,
            self.pairing,
            here,
            self._hands,
            self._folder,
            self._recent,
            self.people,
            cafe=self.cafe,
            first_run=first_run,
            https=self.https,
            own_wifi=wifi_page.lent(),
        )
        self._files.callback(site.forget_files)
        self.live = app.live_views(site, self._places)
        believed = TrustedProxies(here.web.proxies)
        self.server = Server(app.create_app(site, self.live), line, believed)
        self.https.open(self.server)
        self.live.start()
        self.server.start()
        keeper = Thread(target=self._keep, args=(site,), name="keeper", daemon=True)
        keeper.start()
        self._keeper = keeper
        return site

    def _keep(self, site: context.WebContext) -> None:
        """Write now and then what a disk did not take, or what a press let in; and in the end.

        First of all the table is drawn once for nobody, so that the first phone need not wait.
        """
        table_page.live(site, viewer.Viewer())
        for turn in count():
            if turn % GIVE_BACK == 0:  # compiling templates took much for a moment, and pages do
                gc_freeze.trim_heap()
            self.https.look()
            if self._ended.wait(KEEP_S):
                break
            self._write()
            site.forget_files(context.KEPT_S)
            self._look()  # a phone may have waited long enough for a press
        self._write()

    def _write(self) -> None:
        self.pairing.keep()
        self.people.keep()

    @property
    def due_us(self) -> int:
        """Return when there is something new though no snapshot is: now, if the workshop's is."""
        return output.NEVER_US if self._room.workshop is self._workshop else 0

    def on_update(self, snapshot: Snapshot, events: Sequence[TableEvent]) -> None:
        """Wake all live views: something is new."""
        seats = tuple(seat.colour for seat in snapshot.seats)
        bots = tuple(seat_word(bot.seat) for bot in snapshot.house.bots) if snapshot.house else ()
        self.people.playing(snapshot.match, seats, over=snapshot.over, bots=bots)
        self._recent.on_update(snapshot, events)
        self.tick(snapshot.at_us)

    def tick(self, now_us: int) -> None:  # noqa: ARG002 - the contract has it
        """Wake all live views: the workshop may show something new."""
        self._workshop = self._room.workshop
        self._look()

    @property
    def held(self) -> int:
        return 0 if self.live is None else self.live.fanout.held

    def _look(self) -> None:
        if self.live is not None:
            self.live.refresh()

    def close(self, now_us: int) -> None:  # noqa: ARG002 - the contract has it
        """Close everything, also what was never started; a second call does no harm."""
        self.stop()

    def stop(self) -> None:
        """End every stream, and let go of the port; no thread is left."""
        self.https.stop()
        server, self.server = self.server, None
        if server is not None:
            server.stop()
        if self.live is not None:
            self.live.close()
        self._ended.set()
        if self._keeper is not None:
            self._keeper.join(STOP_S)  # longer only a disk takes that hangs
        self._files.close()
        self.pairing.kept.close()
        self._hold.release()

    def __exit__(self, *_: object) -> None:
        self.stop()
