"""What Raspberry Pi OS and its Imager leave on a boot partition, as far as `card` looks at it."""

from typing import Final

ISSUE: Final = (
    "Raspberry Pi reference {}\nGenerated using pi-gen, https://example.org/, 0123, stage2\n"
)
CONSOLE: Final = "console=serial0,115200 console=tty1 root=PARTUUID=1-02 rootfstype=ext4 rootwait"
FIRST: Final = "init=/usr/lib/raspberrypi-sys-mods/firstboot"
RUN: Final = "systemd.run=/boot/firstrun.sh systemd.run_success_action=reboot"
FIRSTRUN: Final = """#!/bin/bash

set +e

CURRENT_HOSTNAME=`cat /etc/hostname | tr -d " \\t\\n\\r"`
if [ -f /usr/lib/raspberrypi-sys-mods/imager_custom ]; then
   /usr/lib/raspberrypi-sys-mods/imager_custom set_hostname tavern
   /usr/lib/raspberrypi-sys-mods/imager_custom set_wlan 'Tavern' 'abc' 'DE'
   /usr/lib/raspberrypi-sys-mods/imager_custom set_timezone 'Europe/Vienna'
fi
rm -f /boot/firstrun.sh
sed -i 's| systemd.run.*||g' /boot/cmdline.txt
exit 0
"""
USER_DATA: Final = """#cloud-config
manage_resolv_conf: false

hostname: tavern
manage_etc_hosts: true
timezone: Europe/Vienna
user:
  name: mira
"""
NETWORK: Final = """network:
  version: 2
  wifis:
    wlan0:
      access-points:
        "Tavern":
          password: "abc"
"""
TRIXIE: Final = {
    "config.txt": "dtparam=audio=on",
    "cmdline.txt": f"{CONSOLE} resize\n",
    "issue.txt": ISSUE.format("2025-11-24"),
    "meta-data": "dsmode: local\ninstance_id: rpios-image\n",
    "user-data": "#cloud-config\n\n#hostname: raspberrypi\n#timezone: Europe/London\n",
    "network-config": "#network:\n#      access-points:\n",
    "kernel8.img": "\0\1",
}
BOOKWORM: Final = {
    "config.txt": "dtparam=audio=on",
    "cmdline.txt": f"{CONSOLE} quiet {FIRST}\n",
    "issue.txt": ISSUE.format("2024-11-19"),
}
CARDS: Final = {
    "trixie": (TRIXIE, "vendor-data"),
    "trixie of the imager": (
        TRIXIE
        | {"user-data": USER_DATA, "network-config": NETWORK}
        | {
            "cmdline.txt": f"{CONSOLE} resize ds=nocloud;i=rpi-imager-1",
            "meta-data": "instance-id: x",
        },
        "vendor-data",
    ),
    "trixie that was booted": (TRIXIE | {"cmdline.txt": CONSOLE}, "cmdline.txt"),
    "bookworm": (BOOKWORM, "cmdline.txt"),
    "bookworm of the imager": (
        BOOKWORM
        | {"firstrun.sh": FIRSTRUN}
        | {"cmdline.txt": f"{CONSOLE} {FIRST} {RUN} systemd.unit=kernel-command-line.target"},
        "firstrun.sh",
    ),
}
