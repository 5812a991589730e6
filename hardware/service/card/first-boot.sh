#!/bin/sh
# Makes this Pi a table, without a network, from the folder in which this file lies.
#
# Without a word, as cloud-init calls it at each boot, or else the kernel's command line, it only
# sees to it that a service will do so; with the word `now` it is that service. Each step may be
# done again: whatever is cut off, the next boot does. What went wrong is said on the console, and
# stays in first-boot.txt beside this file.
set -u
export LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
here=$(dirname "$(readlink -f "$0")")
card=$(dirname "$here")
service=rappelwacht-arrival.service
units=/etc/systemd/system
wanted=$units/multi-user.target.wants/$service
done=$here/installed.txt
data=/var/lib/rappelwacht
kept=$data/table/phone-card.pin
words='systemd\.run=[^ ]*/rappelwacht/first-boot\.sh systemd\.run_success_action=reboot systemd\.unit=kernel-command-line\.target'

# What is not whole is not begun; of half this file, this much is read and done all the same.
cd "$here" || exit 1
if ! grep -E '(boot\.sh|\.service)$' SHA256SUMS | sha256sum --check --status; then
  [ -e "$done" ] ||
    echo "The folder rappelwacht on the card is damaged: make the card ready once more, as at first." |
    tee first-boot.txt >/dev/console
  exit 1
fi

later() { # a service does it, as soon as all is there that it needs
  if [ -e "$done" ]; then
    return
  fi
  mkdir -p "$(dirname "$wanted")"
  cmp -s "$here/$service" "$units/$service" || install -m 644 "$here/$service" "$units/$service"
  ln -sf "../$service" "$wanted"
  sync
  if grep -q "$words" "$card/cmdline.txt"; then # not before: what is cut off is begun again
    sed "s| $words||" "$card/cmdline.txt" >"$here/.cmdline.txt.new"
    sync
    mv "$here/.cmdline.txt.new" "$card/cmdline.txt"
    sync
  fi
  case $(cat /proc/cmdline) in
    *systemd.unit=kernel-command-line.target*) return ;; # it restarts at once
  esac
  systemctl daemon-reload
  systemctl start --no-block "$service"
}

value() { # NAME: what was asked for when the card was made
  [ ! -f "$here/settings" ] || sed -n "s/^$1=//p" "$here/settings" | head -n 1
}

as_owner() { # with the rights of the service, which may have left a link there
  setpriv --reuid="$(stat -c %u "$data/")" --regid="$(stat -c %g "$data/")" --clear-groups "$@"
}

choose_pin() { # which lets phones in: nobody could read one that is new at each start
  install -d -m 750 "$data" || return 1
  if as_owner test -s "$kept"; then
    return
  fi
  pin=$(value pin)
  while [ ${#pin} != 6 ]; do
    pin=$(head -c 64 /dev/urandom | tr -cd 0-9 | head -c 6)
  done
  as_owner sh -c 'umask 077 && mkdir -p "${1%/*}" && echo "$2" >"$1.new" && sync && mv "$1.new" "$1"' \
    sh "$kept" "$pin"
}

settle() { # what was asked for, besides what the Imager wrote
  zone=$(value time-zone)
  if [ -n "$zone" ] && [ -f "/usr/share/zoneinfo/$zone" ]; then
    ln -sf "/usr/share/zoneinfo/$zone" /etc/localtime
    echo "$zone" >/etc/timezone
  fi
  key=$(value key)
  if [ -n "$key" ]; then
    owner=$(getent passwd 1000 | cut -d: -f1)
    home=$(getent passwd 1000 | cut -d: -f6)
    install -d -m 700 -o "$owner" -g "$owner" "$home/.ssh"
    touch "$home/.ssh/authorized_keys"
    grep -qxF "$key" "$home/.ssh/authorized_keys" || echo "$key" >>"$home/.ssh/authorized_keys"
    chown "$owner:" "$home/.ssh/authorized_keys"
    chmod 600 "$home/.ssh/authorized_keys"
    systemctl enable --now ssh
  fi
  country=$(value country)
  if [ -n "$country" ] && command -v raspi-config >/dev/null; then
    raspi-config nonint do_wifi_country "$country"
  fi
  if [ -f "$here/wifi.nmconnection" ]; then
    to=/etc/NetworkManager/system-connections/rappelwacht-home.nmconnection
    install -m 600 "$here/wifi.nmconnection" "$to"
    nmcli connection reload || true
  fi
  to=/etc/NetworkManager/system-connections/rappelwacht-hotspot.nmconnection
  if [ -f "$here/own-wifi.nmconnection" ] && [ ! -e "$to" ]; then
    install -D -m 600 "$here/own-wifi.nmconnection" "$to"
  fi
}

leave_out_older() { # what a card's zip left there, onto which another was copied by hand
  for wheel in wheels/*.whl; do
    grep -qF "  $wheel" SHA256SUMS || rm -f "$wheel"
  done
}

now() {
  echo "Rappelwacht makes this Pi a table; that takes some minutes."
  if ! sha256sum --check --quiet --strict SHA256SUMS; then
    echo "The folder rappelwacht on the card is damaged: copy it there once more, then restart."
    return 1
  fi
  leave_out_older
  settle || return 1
  choose_pin || return 1
  echo "The PIN that lets phones in: $(as_owner cat "$kept")" # its page is there long before the end
  name=
  case $(cat /etc/hostname) in
    raspberrypi | rappelwacht | localhost | '') ;;
    *) name=--keep-name ;; # somebody chose it
  esac
  hotspot=
  if nmcli general >/dev/null 2>&1; then # else no Wi-Fi can be opened
    hotspot=--hotspot
  fi
  program=$(mktemp -d) || return 1
  python3 -m zipfile -e "$here"/wheels/rappelwacht-*-py3-none-any.whl "$program" &&
    PYTHONPATH=$program python3 -B -P -m companion install --from "$here" $name $hotspot
  ended=$?
  rm -rf "$program"
  return "$ended"
}

if [ "${1-}" != now ]; then
  later
  exit 0
fi
told=/run/rappelwacht-arrival.ended
{
  now 2>&1
  echo $? >$told
} | tee "$here/first-boot.txt"
sync
if [ "$(cat $told)" != 0 ]; then
  echo "This Pi is not a table yet; the next start tries again. What went wrong is above, and in"
  echo "the file rappelwacht/first-boot.txt on the card, which every computer can read."
  exit 1
fi
version=$(basename "$(readlink /opt/rappelwacht/current)")
pin=$(as_owner cat "$kept")
{
  echo "Rappelwacht $version was installed from here. Without this file, the next start does it again."
  echo "Open http://$(hostname).local:8000 on a phone in the same network. The PIN is $pin."
} | tee "$here/.installed.txt.new"
sync
mv "$here/.installed.txt.new" "$done"
rm -f "$wanted" "$units/$service"
sync
systemctl start --no-block rappelwacht-hotspot.service 2>/dev/null || true # no network by then: its own
