# Makes this computer look like a Pi to whoever is in here: with an /etc, /opt, /var/lib and so on
# of its own, and nothing of it reaches the computer itself. Then waits until it may go.
#
#   apart.sh FOLDER PLACE…   FOLDER stays common to both; every user may reach each PLACE
set -euo pipefail
common=$1
shift
overlaid=()

over() { # FOLDER: what is changed in it stays in here
  mkdir -p "/run/apart/changed$1" "/run/apart/work$1"
  mount -t overlay overlay \
    -o "lowerdir=$1,upperdir=/run/apart/changed$1,workdir=/run/apart/work$1" "$1"
}

closed() { # PLACE: the first folder on the way there that is not for everybody
  local way='' part parts
  IFS=/ read -ra parts <<<"${1#/}"
  for part in "${parts[@]}"; do
    way+=/$part
    [[ $(stat -c %A "$way") == *[xt] ]] || {
      printf '%s' "$way"
      return
    }
  done
}

open_up() { # FOLDER: let everybody pass through it
  local one
  for one in "${overlaid[@]}"; do
    [[ $1/ != "$one"/* ]] || {
      chmod a+x "$1"
      return
    }
  done
  over "$1"
  overlaid+=("$1")
  chmod a+x "$1"
}

mount --make-rprivate /
[[ $common/ != /run/* ]] # all below is new
mount -t tmpfs -o mode=755 none /run
mkdir -p /run/apart/pts /run/apart/common /run/systemd/system
mount --rbind /dev/pts /run/apart/pts
mount --rbind "$common" /run/apart/common
mount -t tmpfs -o mode=755 none /boot
for folder in /dev /etc /opt /usr/local /var/lib; do
  over "$folder"
done
mount --move /run/apart/pts /dev/pts
rm -rf /etc/rappelwacht /opt/rappelwacht /var/lib/rappelwacht
mkdir -p /boot/firmware /run/home/mira
for place in "$@"; do
  while folder=$(closed "$place") && [[ -n $folder ]]; do
    open_up "$folder"
  done
done
mount --move /run/apart/common "$common"
echo raspberrypi >/etc/hostname
echo "dtparam=audio=on" >/boot/firmware/config.txt
echo ready
read -r _
