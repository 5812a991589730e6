"""The table's own Wi-Fi: whom its code and key are shown, what phones hear, and who moves it."""

import json
import re
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import segno
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.maintenance import care
from companion.system.config import WebConfig
from companion.system.text import Text
from companion.web import wifi_page
from companion.web.common.addresses import OwnAddresses
from companion.web.common.proxies import PROXIED
from companion.web.context import WebContext
from companion.web.join_page import announcement, greeting
from companion.web.wifi_page import OWN, PROBES, OwnWifi, lent, wifis
from tests.web.room import FakeRoom, Phone, app, client, phones

KEY = "hxq4mdk7ze"
WIFI = OwnWifi("Rappelwacht-k7", KEY)
PHONE = "10.42.0.87"
HERE = "10.42.0.1:8000"
# As the systems send them: where to, which path, by which name, and what they hope for.
ASKS = {
    "Android": (
        *("connectivitycheck.gstatic.com", "/generate_204"),
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/60.0.3112",
        *(204, ""),
    ),
    "Android, a second try": (
        *("play.googleapis.com", "/generate_204"),
        "Dalvik/2.1.0 (Linux; U; Android 14; Pixel 7 Build/UQ1A.240205.002)",
        *(204, ""),
    ),
    "ChromeOS": ("www.gstatic.com", "/generate_204", "", 204, ""),
    "iOS": (
        *("captive.apple.com", "/hotspot-detect.html"),
        "CaptiveNetworkSupport-443.80.2 wispr",
        *(200, "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"),
    ),
    "iOS, its window": (
        *("captive.apple.com", "/hotspot-detect.html"),
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_3 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
        *(200, "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"),
    ),
    "macOS": (
        *("www.apple.com", "/library/test/success.html"),
        "CaptiveNetworkSupport-407.40.1 wispr",
        *(200, "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"),
    ),
    "Windows": (
        *("www.msftconnecttest.com", "/connecttest.txt"),
        *("Microsoft NCSI", 200, "Microsoft Connect Test"),
    ),
    "Windows 8": ("www.msftncsi.com", "/ncsi.txt", "Microsoft NCSI", 200, "Microsoft NCSI"),
    "Firefox": (
        *("detectportal.firefox.com", "/canonical.html"),
        "Mozilla/5.0 (X11; Linux x86_64; rv:122.0) Gecko/20100101 Firefox/122.0",
        200,
        '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>',
    ),
    "Firefox, by its kind of address": (
        *("detectportal.firefox.com", "/success.txt?ipv4"),
        "Mozilla/5.0 (X11; Linux x86_64; rv:122.0) Gecko/20100101 Firefox/122.0",
        *(200, "success\n"),
    ),
}


def table(*addresses: str, **others: Any) -> WebContext:
    """Return a table with these addresses; without any in its own Wi-Fi alone."""
    here = OwnAddresses(8000, lambda: addresses or (OWN,), "zapp", named=lambda: True)
    return phones(others.pop("room", None), here=here, **{"own_wifi": WIFI} | others)


class Caller(Phone):
    """A phone that calls by this name unless it says another, and comes from no page."""

    host = HERE

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        kwargs["headers"] = {"Host": self.host} | kwargs.get("headers", {})
        return super().open(*args, **kwargs)


def at(of: Flask | WebContext, address: str = PHONE, host: str = HERE) -> FlaskClient:
    made = of if isinstance(of, Flask) else app(of)
    phone = Caller(made, made.response_class)
    phone.host = host
    phone.environ_base["REMOTE_ADDR"] = address
    return phone


def look(phone: FlaskClient, who: str) -> tuple[int, str, str]:
    """Ask as a system does; return the status, where it is sent, and what it reads."""
    name, path, agent, *_ = ASKS[who]
    answer = phone.get(path, headers={"Host": name, "User-Agent": agent})
    return answer.status_code, answer.headers.get("Location", ""), answer.text


def page(phone: FlaskClient, path: str) -> str:
    answer = phone.get(path)
    assert answer.status_code == 200, path
    return answer.text


# --- phones that look for the Internet ------------------------------------------------------------


@pytest.mark.parametrize("who", ASKS)
def test_each_system_opens_the_welcome_once_and_then_hears_what_it_hopes_for(who: str) -> None:
    phone = at(table())
    for _ in range(2):  # again and again, as long as nobody has been at the table
        status, sent, _ = look(phone, who)
        assert (status, sent) == (302, "http://10.42.0.1/own-wifi")
        welcome = phone.get("/own-wifi", headers={"Host": "10.42.0.1"})
        assert "no Internet" in welcome.text
        assert HERE in welcome.text
    page(phone, "/")
    *_, code, text = ASKS[who]
    assert look(phone, who) == (code, "", text)


def test_a_phone_that_came_by_the_second_code_sees_no_window_at_all() -> None:
    phone = at(table())
    page(phone, "/join")
    assert look(phone, "iOS")[0] == 200


def test_each_phone_is_asked_by_itself() -> None:
    served = app(table())
    page(at(served), "/")
    assert look(at(served, "10.42.0.88"), "Android")[0] == 302


def test_a_style_or_a_fault_is_no_arrival() -> None:
    phone = at(table())
    for path in ("/static/style.css", "/nowhere", "/api/snapshot"):
        phone.get(path).close()
    phone.get("/", headers={"Host": "captive.apple.com"})
    assert look(phone, "iOS")[0] == 302


def test_windows_opens_the_welcome_in_its_browser() -> None:
    answer = at(table()).get("/redirect", headers={"Host": "www.msftconnecttest.com"})
    assert answer.headers["Location"] == "http://10.42.0.1/own-wifi"


def test_outside_of_its_own_wifi_the_table_answers_for_nobody() -> None:
    for of, address in (
        (table("192.168.7.5"), "192.168.7.9"),  # at home
        (table("192.168.7.5"), PHONE),
        (table(), "192.168.7.9"),  # beside its own Wi-Fi it hangs on a cable
        (table(), "127.0.0.1"),
        (table(), "fd00::10.42.0.87"),
    ):
        phone = at(of, address)
        for who in ASKS:
            assert look(phone, who)[0] == 421, (address, who)


def test_behind_a_proxy_nobody_is_in_its_wifi() -> None:
    phone = at(table())
    for host, path, status in (
        ("captive.apple.com", "/hotspot-detect.html", 421),
        (HERE, "/join/wifi.svg", 404),
    ):
        proxied = phone.get(path, headers={"Host": host}, environ_overrides={PROXIED: True})
        assert proxied.status_code == status


def test_a_name_that_phones_ask_opens_no_other_page() -> None:
    phone = at(table())
    for name, paths in PROBES.items():
        for path in ("/", "/join", "/api/snapshot", "/api/pair", "/tv", "/static/style.css"):
            if path not in paths:
                assert phone.get(path, headers={"Host": name}).status_code == 421, (name, path)
        for path in paths:
            for method in ("POST", "PUT", "DELETE"):
                answer = phone.open(path, method=method, headers={"Host": name}, json={})
                assert answer.status_code == 421, (name, method)
    for name in ("evil.example", "evil.captive.apple.com", "captive.apple.com.evil.example"):
        for path in ("/hotspot-detect.html", "/generate_204", "/"):
            assert phone.get(path, headers={"Host": name}).status_code == 421


def test_what_phones_hear_tells_nothing_of_the_table() -> None:
    phone = at(table())
    for arrived in (False, True):
        for name, paths in PROBES.items():
            for path, hoped in paths.items():
                answer = phone.get(path, headers={"Host": name})
                assert "Set-Cookie" not in answer.headers
                assert answer.headers["Cache-Control"] == "no-store"
                if arrived:
                    assert answer.text == hoped.body
                for secret in (KEY, WIFI.name, "red", "barrel", "zapp"):
                    assert secret not in answer.text.lower().replace("redirect", ""), (name, path)
        page(phone, "/")


def test_the_address_that_dhcp_names_says_it_as_rfc_8908_has_it() -> None:
    phone = at(table())
    before = phone.get("/captive")
    assert before.headers["Content-Type"] == "application/captive+json"
    assert before.headers["Cache-Control"] == "no-store"
    assert before.json == {"captive": True, "user-portal-url": f"http://{HERE}/own-wifi"}
    page(phone, "/")
    assert phone.get("/captive").get_json()["captive"] is False
    elsewhere = at(table("192.168.7.5"), "192.168.7.9", "192.168.7.5:8000").get("/captive")
    assert json.loads(elsewhere.text) == {"captive": False}
    assert phone.get("/captive", headers={"Host": "captive.apple.com"}).status_code == 421


# --- its code and its key -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "key", "code"),
    [
        ("Rappelwacht-k7", KEY, f"WIFI:T:WPA;S:Rappelwacht-k7;P:{KEY};;"),
        ("a;b", 'c:d,e\\f"g', 'WIFI:T:WPA;S:a\\;b;P:c\\:d\\,e\\\\f\\"g;;'),
        ("Bücher & Spiele", "ä b", "WIFI:T:WPA;S:Bücher & Spiele;P:ä b;;"),
        ("abba", "12345678", 'WIFI:T:WPA;S:"abba";P:"12345678";;'),  # no bytes
    ],
)
def test_a_code_says_name_and_key_whatever_is_in_them(name: str, key: str, code: str) -> None:
    assert OwnWifi(name, key).code == code


def test_join_page_and_television_show_the_code_while_the_wifi_is_open() -> None:
    phone = at(table(room=FakeRoom()))
    joining = page(phone, "/join")
    assert KEY in joining
    assert 'src="/join/wifi.svg"' in joining
    television = page(phone, "/tv")
    assert 'src="/join/wifi.svg"' in television
    assert WIFI.name in television
    assert KEY not in television  # what streams to all readers is the same for all of them
    drawn = BytesIO()
    code = segno.make(WIFI.code, error="m")
    code.save(drawn, kind="svg", scale=4, light="#fff", xmldecl=False)
    assert page(phone, "/join/wifi.svg") == drawn.getvalue().decode()


def test_at_home_nobody_is_shown_the_key() -> None:
    phone = at(table("192.168.7.5"), "192.168.7.9", "192.168.7.5:8000")
    for path in ("/join", "/tv", "/", "/workshop"):
        text = phone.get(path).text
        assert KEY not in text
        assert "wifi.svg" not in text
    assert phone.get("/join/wifi.svg").status_code == 404


def test_who_is_far_away_is_not_shown_the_key() -> None:
    of = table()
    of.here.web = WebConfig(names=("table.example.org",))
    far = at(of, "203.0.113.7", "table.example.org")
    assert KEY not in far.get("/join").text
    assert far.get("/join/wifi.svg").status_code == 404
    assert KEY in page(at(of), "/join")


def test_a_terminal_names_the_key_and_no_log_does() -> None:
    of = table()
    assert "join the Wi-Fi Rappelwacht-k7, with the password " + KEY in greeting(of, "en")
    assert KEY not in announcement(of, "en")
    assert KEY not in greeting(table("192.168.7.5"), "en")
    assert KEY not in repr(of.own_wifi)


def test_the_service_reads_what_systemd_lends_it(tmp_path: Path) -> None:
    file = tmp_path / "own-wifi"
    environ = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    assert lent({}) is None
    assert lent(environ) is None
    file.write_text("# none\n")
    assert lent(environ) is None
    file.write_bytes(b"\xff\xfe")
    assert lent(environ) is None
    file.write_text("[wifi]\nssid=Rappelwacht-k7\n\n[wifi-security]\npsk=" + KEY + "\n")
    assert lent(environ) == WIFI


# --- moving ---------------------------------------------------------------------------------------

LISTED = """\
*:48656D61:71:WPA2
 :486F6D65:50:WPA1 WPA2
 :486F6D65:80:WPA2
 ::90:WPA2
 :526170706C657761636874:100:WPA2
 :FF0A:12:
 :526170706C657761636874:3:WPA2
nonsense
"""


def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **others: Any) -> WebContext:
    """Return a table that is installed below a folder, and sees some Wi-Fis."""
    folder = tmp_path.joinpath(*care.TABLE)
    folder.mkdir(parents=True)
    (tmp_path / care.ANSWERED).mkdir(parents=True)

    def listed(words: Sequence[str]) -> str:
        assert words[:2] == ("nmcli", "-t")
        assert words[-2:] == ("--rescan", "no")  # a scan is root's to ask for
        return LISTED

    monkeypatch.setattr(wifi_page.pages, "__defaults__", (listed,))
    given = {"hands": {}, "own_wifi": OwnWifi("Rapplewacht", KEY)}  # so a second tap confirms
    return table("192.168.7.5", room=FakeRoom(), folder=folder, **given | others)


def confirmed(phone: FlaskClient, act: str) -> None:
    for again in (False, True):
        phone.post("/api/care/confirm", json={"act": act, "again": again})


def asked(of: WebContext) -> dict[str, Any] | None:
    assert of.folder is not None
    file = care.request_folder(of.folder) / care.REQUEST
    if not file.exists():
        return None
    assert file.stat().st_mode & 0o777 == 0o600
    data: dict[str, Any] = json.loads(file.read_text())
    return data


def test_wifis_are_listed_once_each_by_the_bytes_of_their_names() -> None:
    seen = wifis([LISTED, " :66:90:WPA2"])
    assert [(wifi.name, wifi.signal, wifi.locked, wifi.used) for wifi in seen] == [
        ("Rapplewacht", 100, True, False),
        ("f", 90, True, False),
        ("Home", 80, True, False),
        ("Hema", 71, True, True),
        ("\ufffd\ufffd", 12, False, False),  # odd bytes
    ]


def test_the_workshop_says_where_the_table_will_be_before_it_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = installed(tmp_path, monkeypatch)
    (tmp_path / care.ANSWERED / care.WIFI_SEEN).write_text(" :4F6C64:9:WPA2\n")
    shown = client(of, "table").get("/workshop").text
    assert "The table is in the Wi-Fi Hema." in shown
    assert "http://10.42.0.1:8000" in shown
    assert KEY in shown  # it is needed before the table goes there
    assert "http://zapp.local:8000" in shown
    for name in ("Home", "Hema", "Old"):
        assert f"<bdi>{name}</bdi>" in shown
    assert "<bdi>Rapplewacht</bdi>" not in shown
    assert 'value="ff0a"' in shown
    for role in (None, "red"):
        watching = client(of, role).get("/workshop").text
        assert ("wifi-home" in watching) is (role == "red")


def test_without_a_name_in_the_network_no_address_of_now_is_told_as_that_of_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = installed(tmp_path, monkeypatch)
    nameless = OwnAddresses(8000, lambda: ("192.168.7.5",), "zapp", named=lambda: False)
    object.__setattr__(of, "here", nameless)
    shown = client(of, "table").get("/workshop").text
    _, _, form = shown.partition('id="wifi-home"')
    form = form.partition("</form>")[0]
    assert not re.search(r"\d+\.\d+\.\d+\.\d+", form)
    assert form.count("your router shows it, beside the name zapp.") == 2


def test_a_table_that_is_not_installed_has_no_wifi_to_change() -> None:
    of = table("192.168.7.5", hands={})
    phone = client(of, "table")
    assert "wifi-home" not in phone.get("/workshop").text
    confirmed(phone, "wifi-own")
    answer = phone.post("/api/care/wifi-own", json={})
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (409, "not-installed")


def test_root_is_asked_once_the_table_has_confirmed_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = installed(tmp_path, monkeypatch)
    phone = client(of, "table")
    chosen = {"ssid": "ff0a", "key": "-8 letters;"}
    assert phone.post("/api/care/wifi-home", json=chosen).status_code == 403
    assert asked(of) is None
    confirmed(phone, "wifi-home")
    answer = phone.post("/api/care/wifi-home", json=chosen)
    assert answer.get_json() == {"asked": True}
    request = asked(of)
    assert request is not None
    assert (request["verb"], request["words"]) == ("wifi_home", chosen)
    confirmed(phone, "wifi-own")
    assert phone.post("/api/care/wifi-own", json={}).status_code == 409  # one after the other
    assert client(of).post("/api/care/wifi-own", json={}).status_code == 403


def test_a_typed_name_is_taken_as_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    of = installed(tmp_path, monkeypatch)
    phone = client(of, "table")
    confirmed(phone, "wifi-home")
    phone.post("/api/care/wifi-home", json={"name": "Café", "key": ""})
    request = asked(of)
    assert request is not None
    assert request["words"] == {"ssid": "436166c3a9", "key": ""}


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"key": "12345678"},
        {"ssid": "", "key": "12345678"},
        {"ssid": "4F", "key": "12345678"},
        {"ssid": "xyz", "key": "12345678"},
        {"ssid": "41" * 33, "key": "12345678"},
        {"ssid": 41, "key": "12345678"},
        {"name": "", "key": "12345678"},
        {"name": "ä" * 17, "key": "12345678"},
        {"ssid": "41", "key": "short"},
        {"ssid": "41", "key": "two\nlines of it"},
        {"ssid": "41", "key": "12345678\n"},
        {"ssid": "41", "key": "k" * 64},
        {"ssid": "41", "key": "schlüssel"},
        {"ssid": "41", "key": None},
        {"ssid": "41", "key": "12345678", "more": ""},
    ],
    ids=str,
)
def test_what_is_no_wifi_or_no_key_uses_no_confirmation_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: dict[str, object]
) -> None:
    of = installed(tmp_path, monkeypatch)
    phone = client(of, "table")
    confirmed(phone, "wifi-home")
    answer = phone.post("/api/care/wifi-home", json=chosen)
    assert answer.status_code == (422 if chosen.get("name") else 400)  # that has too many bytes
    assert asked(of) is None
    good = {"ssid": "41", "key": "0" * 64}
    assert phone.post("/api/care/wifi-home", json=good).status_code == 200


def test_what_became_of_it_is_told_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    of = installed(tmp_path, monkeypatch)
    why = Text("The key of {name} is not right, so the table is back where it was.", name="Home")
    file = tmp_path / care.ANSWERED / care.ANSWER
    for verb, is_told in (("wifi_home", True), ("restart", False)):
        answer = care.CareAnswer("0" * 16, verb, care.CareState.REFUSED, why)
        file.write_bytes(care.to_json(answer))
        shown = client(of, "table").get("/workshop").text
        assert ("The key of Home is not right" in shown) is is_told
