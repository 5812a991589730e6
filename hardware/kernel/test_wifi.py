"""The table's own Wi-Fi and a house's, with --full: NetworkManager and radios that are software.

The kernel's mac80211_hwsim makes four radios that hear each other: the table's, two phones' and
that of a house. NetworkManager, wpa_supplicant, dnsmasq, nftables and avahi are Debian's, the units
ours.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final

import pytest

from companion.cli.install.places import SHARED
from companion.maintenance import care
from hardware.kernel.image import More
from hardware.kernel.machine import Machine
from hardware.kernel.test_care import CARE, NOTHING, answer
from hardware.kernel.test_kernel import booted

HOME, KEY = b"Home".hex(), "geheim-12"
PORTAL: Final = "http://10.42.0.1/own-wifi"
IN_OWN, AT_HOME = "http://10.42.0.1:8000", "http://table.local:8000"
PROFILES: Final = "NetworkManager/system-connections"
USERS: Final = b"""\
root:x:0:0:root:/root:/bin/sh
messagebus:x:101:101::/nonexistent:/usr/sbin/nologin
avahi:x:102:104::/nonexistent:/usr/sbin/nologin
dnsmasq:x:103:65534::/nonexistent:/usr/sbin/nologin
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
"""
GROUPS: Final = b"""\
root:x:0:
messagebus:x:101:
netdev:x:102:
avahi:x:104:
nogroup:x:65534:
"""
HOUSE: Final = b"""\
network={
 ssid="Home"
 mode=2
 frequency=2437
 key_mgmt=WPA-PSK
 proto=RSN
 pairwise=CCMP
 psk="geheim-12"
}
"""
LEASE: Final = b"""\
#!/bin/sh
[ "$1" = bound ] || exit 0
ip addr flush dev $interface; ip addr add $ip/24 dev $interface
ip route replace default via $router; echo $ip $opt114
"""
PROVIDE: Final = (
    "from companion.cli.install import own_wifi, places; "
    "own_wifi.provide(places.Places(), by_itself=True)"
)
WIFI: Final = More(
    (
        *("network-manager", "wpasupplicant", "dnsmasq-base", "nftables", "iw", "iproute2"),
        *("busybox", "dbus", "avahi-daemon"),
    ),
    frozenset(
        (
            *("rfkill", "cfg80211", "libarc4", "mac80211", "mac80211_hwsim", "virtio"),
            *("virtio_ring", "ccm", "ctr", "cmac", "nfnetlink", "nf_tables", "nft_chain_nat"),
            *("nf_nat", "nf_conntrack", "nf_defrag_ipv4", "nf_defrag_ipv6", "libcrc32c"),
            *("crc32c_generic", "nft_redir", "nft_masq", "nft_ct", "nft_reject"),
            *("nft_reject_ipv4", "nft_reject_inet", "nf_reject_ipv4", "nf_reject_ipv6"),
        )
    ),
    (
        ("etc/passwd", USERS),
        ("etc/group", GROUPS),
        ("etc/resolv.conf", b"nameserver 10.42.0.1\n"),  # of the phones, too
        ("etc/NetworkManager/conf.d/tested.conf", b"[main]\ndns=none\n"),
        ("root/home.conf", HOUSE),
        ("root/lease.sh", LEASE),
    ),
)
BEGIN: Final = f"""
set -e
rm -rf /var/run; ln -s /run /var/run
mkdir -p /var/lib/misc /var/lib/NetworkManager /opt/rappelwacht/care
chmod +x /root/lease.sh
echo > /etc/rappelwacht/table.toml
modprobe nft_redir
modprobe mac80211_hwsim radios=4
for n in 1 2 3; do
  ip netns add n$n; iw phy phy$n set netns name n$n; ip -n n$n link set lo up
done
ip netns exec n3 wpa_supplicant -B -i wlan3 -c /root/home.conf
ip -n n3 addr add 192.168.9.1/24 dev wlan3
ip netns exec n3 dnsmasq --interface=wlan3 --bind-interfaces --no-resolv --no-hosts \\
  --dhcp-range=192.168.9.10,192.168.9.90 --dhcp-leasefile=/run/home.leases
systemctl restart dbus.socket
systemctl reset-failed NetworkManager || true
systemctl restart NetworkManager avahi-daemon
cd /; PYTHONPATH=/opt/rappelwacht/current python3 -P -c '{PROVIDE}'
nmcli connection reload
systemctl start rappelwacht-care.path
"""
JOIN: Final = """
set -e
if [ -e /run/n{n}.pid ]; then kill $(cat /run/n{n}.pid); rm /run/n{n}.pid; sleep 2; fi
printf 'network={{\\n ssid="{name}"\\n psk="{key}"\\n}}\\n' > /root/{n}.conf
ip netns exec n{n} wpa_supplicant -B -i wlan{n} -c /root/{n}.conf -P /run/n{n}.pid >/dev/null
ip netns exec n{n} busybox udhcpc -i wlan{n} -n -q -t 30 -O 114 -s /root/lease.sh 2>/dev/null
"""
LOOK: Final = """
import http.client, json, sys
host, path, agent = sys.argv[1:]
line = http.client.HTTPConnection(host, timeout=120)
line.request("GET", path, headers={"User-Agent": agent})
answer = line.getresponse()
told = (answer.status, answer.getheader("Location") or "", answer.read().decode("utf-8"))
sys.stdout.write(json.dumps(told))
"""
ACT: Final = """
import json, socket, sys, urllib.request as web
from http.cookiejar import LWPCookieJar
from urllib.parse import urlsplit

def found(host):  # by asking all in the network for it, as phones do
    name = b"".join(bytes((len(part),)) + part.encode() for part in host.split("."))
    ask = bytes((0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)) + name + bytes((0, 0, 1, 0, 1))
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.settimeout(30)
    line.sendto(ask, ("224.0.0.251", 5353))
    return socket.inet_ntoa(line.recv(1500)[-4:])

kept, home, steps = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
host, known = urlsplit(home).hostname, socket.getaddrinfo
if host.endswith(".local"):
    address = found(host)
    socket.getaddrinfo = lambda name, *more, **others: known(address, *more, **others)
jar = LWPCookieJar(kept)
try:
    jar.load(ignore_discard=True)
except OSError:
    pass
phone = web.build_opener(web.HTTPCookieProcessor(jar))
heads = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
for path, body in steps:
    data = None if body is None else json.dumps(body).encode()
    with phone.open(web.Request(home + path, data, heads), timeout=120) as answer:
        said = answer.read().decode("utf-8")
jar.save(ignore_discard=True)
sys.stdout.write(said)
"""
ASKS: Final = (  # host, path, who asks, and what it hopes for
    (
        *("connectivitycheck.gstatic.com", "/generate_204"),
        *("Mozilla/5.0 (X11; Linux x86_64) Chrome/60.0.3112.32", 204, ""),
    ),
    (
        *("captive.apple.com", "/hotspot-detect.html", "CaptiveNetworkSupport-443.80.2 wispr"),
        *(200, "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"),
    ),
    (
        "www.msftconnecttest.com",
        "/connecttest.txt",
        "Microsoft NCSI",
        200,
        "Microsoft Connect Test",
    ),
    (
        *("detectportal.firefox.com", "/success.txt?ipv4"),
        *("Mozilla/5.0 (X11; rv:122.0) Gecko/20100101 Firefox/122.0", 200, "success\n"),
    ),
)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with booted(tmp_path, WIFI) as computer:
        yield computer


@pytest.mark.slow  # it boots a Debian in software
def test_phones_join_the_wifi_that_the_table_opens_by_itself(machine: Machine) -> None:
    machine.run("sh", "-c", BEGIN)
    its_own_opens_a_minute_after_a_start_without_a_network(machine)
    machine.run("systemctl", "start", "rappelwacht")
    phones_join_by_what_the_code_says(machine)
    each_system_is_shown_the_page_once_and_then_content(machine)
    a_wrong_password_leads_back(machine)
    the_phone_is_told_where_the_table_will_be_and_finds_it_there(machine)
    it_comes_back_by_choice(machine)
    no_password_is_in_the_log(machine)


def its_own_opens_a_minute_after_a_start_without_a_network(machine: Machine) -> None:
    machine.run("systemctl", "start", "rappelwacht-hotspot")
    machine.until(lambda: is_open(machine), "it does not open")
    seen = machine.run("cat", "/opt/rappelwacht/care/wifi-seen")
    assert f":{HOME.upper()}:" in seen  # a Pi cannot look around any more


def phones_join_by_what_the_code_says(machine: Machine) -> None:
    name, key = wifi(machine)
    asked_at = b"https://10.42.0.1:8443/captive".hex()
    for phone in (1, 2):
        lease = machine.run("sh", "-c", JOIN.format(n=phone, name=name, key=key)).split()
        assert lease[-1] == asked_at  # RFC 8910
        assert lease[-2].startswith("10.42.0.")


def each_system_is_shown_the_page_once_and_then_content(machine: Machine) -> None:
    for host, path, agent, *_ in ASKS:
        assert look(machine, 1, host, path, agent)[:2] == [302, PORTAL]
    status, _, text = look(machine, 1, "10.42.0.1", "/own-wifi")
    assert (status, "no Internet" in text) == (200, True)
    status, _, text = look(machine, 1, "10.42.0.1:8000", "/join")
    assert (status, wifi(machine)[1] in text) == (200, True)  # systemd lends the file
    for host, path, agent, *hoped in ASKS:
        status, sent, text = look(machine, 1, host, path, agent)
        assert ([status, text], sent) == (hoped, "")
    host, path, agent, *_ = ASKS[0]
    assert look(machine, 2, host, path, agent)[0] == 302  # this one has not been there
    assert look(machine, 2, "table.example.org", "/")[0] == 421


def a_wrong_password_leads_back(machine: Machine) -> None:
    told = move(machine, 1, IN_OWN, "wifi-home", {"ssid": HOME, "key": "wrong-one"})
    assert (
        told
        == "The password of the Wi-Fi Home is not right, so the table went back to where it was."
    )
    assert is_open(machine)
    assert "the table went back" in act(machine, 1, IN_OWN, ["/workshop", None])  # it has rejoined
    assert profiles(machine) == ["rappelwacht-hotspot.nmconnection"]


def the_phone_is_told_where_the_table_will_be_and_finds_it_there(machine: Machine) -> None:
    assert AT_HOME in act(machine, 1, IN_OWN, ["/workshop", None])  # before
    told = move(machine, 1, IN_OWN, "wifi-home", {"ssid": HOME, "key": KEY})
    assert told == "The table is in the Wi-Fi Home now."
    lease = machine.run("sh", "-c", JOIN.format(n=2, name="Home", key=KEY)).split()
    assert lease[-1].startswith("192.168.9.")
    assert told in act(machine, 2, AT_HOME, *let_in(machine), ["/workshop", None])
    assert len(profiles(machine)) == 2


def it_comes_back_by_choice(machine: Machine) -> None:
    name, key = wifi(machine)
    workshop = act(machine, 2, AT_HOME, ["/workshop", None])
    assert all(word in workshop for word in (name, key, IN_OWN))  # before
    assert move(machine, 2, AT_HOME, "wifi-own", {}) == "The table is in its own Wi-Fi now."
    assert is_open(machine)
    assert "in its own Wi-Fi" in act(machine, 1, IN_OWN, ["/workshop", None])


def no_password_is_in_the_log(machine: Machine) -> None:
    count = "journalctl --no-pager | busybox grep -c -F {}"
    assert int(machine.run("sh", "-c", count.format("rappelwacht"))) > 0
    for password in (wifi(machine)[1], KEY, "wrong-one"):
        code, lines = machine.ask("run", "sh", "-c", count.format(password))
        assert (code, lines.strip()) == (1, "0")


# --- what is asked of it --------------------------------------------------------------------------


def is_open(machine: Machine) -> bool:
    return "10.42.0.1/24" in machine.run("ip", "addr", "show", "wlan0")


def wifi(machine: Machine) -> tuple[str, str]:
    """Return name and password of its own Wi-Fi."""
    folder = "/etc/NetworkManager/system-connections/rappelwacht-hotspot.nmconnection"
    lines = machine.run("cat", folder).splitlines()
    words = dict(line.split("=", 1) for line in lines if "=" in line)
    return words["ssid"], words["psk"]


def look(machine: Machine, phone: int, host: str, path: str, agent: str = "") -> list[Any]:
    """Have a phone ask; return the status, where it is sent, and the text."""
    line = ("ip", "netns", "exec", f"n{phone}", "python3", "-P", "-c", LOOK)
    answer: list[Any] = json.loads(machine.run(*line, host, path, agent))
    return answer


def let_in(machine: Machine) -> list[list[object]]:
    """Return how a phone is let in by the PIN."""
    pin = machine.ask("read", "/var/lib/rappelwacht/table/phone.pin").strip()
    return [["/api/pair", {"pin": pin}]]


def move(machine: Machine, phone: int, home: str, where: str, body: object) -> str:
    """Have a phone ask for another Wi-Fi and confirm it; return what came of it."""
    machine.run("rm", "-f", f"{CARE}/{care.ANSWER}")
    confirm: list[list[object]] = [
        ["/api/care/confirm", {"act": where, "again": again}] for again in (False, True)
    ]
    steps = [*let_in(machine), *confirm, [f"/api/care/{where}", body]]
    assert json.loads(act(machine, phone, home, *steps)) == {"asked": True}

    machine.until(lambda: answer(machine) is not NOTHING, f"it does not move: {where}")
    return str(answer(machine).sentence)


def act(machine: Machine, phone: int, home: str, *steps: Sequence[object]) -> str:
    """Have a phone open pages and press keys, one after another; return the last answer."""
    line = ("ip", "netns", "exec", f"n{phone}", "python3", "-P", "-c", ACT)
    answer: list[str] = []

    def answered() -> bool:
        code, said = machine.ask("run", *line, f"/run/n{phone}.cookies", home, json.dumps(steps))
        answer.append(said)
        return bool(code == 0)

    machine.until(answered, "no answer")  # it may have to join again first
    return answer[-1]


def profiles(machine: Machine) -> list[str]:
    """Return what NetworkManager keeps; what it was told only for a while is gone."""
    for folder in (f"/run/{PROFILES}", f"/{PurePosixPath(SHARED).parent}"):
        assert not machine.run("ls", "-A", folder)
    return machine.run("ls", f"/etc/{PROFILES}").split()
