#!/bin/sh
# The command `rappelwacht` of an installed table, as the user to whom the table's files belong.
# What changes the system itself needs root, and is handed on as it is.
set -eu
program=/opt/rappelwacht/current/venv/bin/python
export XDG_STATE_HOME=/var/lib PYTHONDONTWRITEBYTECODE=1
case ${1-} in
  install | uninstall | roll-back) # needs Python alone, so that one gets away from a broken version
    export PYTHONPATH=/opt/rappelwacht/current
    python3 -B -P -c 'import companion.cli.main, companion.cli.install' 2>/dev/null ||
      PYTHONPATH=/opt/rappelwacht/previous
    exec python3 -B -P -m companion "$@"
    ;;
  care) # root's part of the Workshop page; of a version on trial, the one before is the judge
    for version in care/judge current previous; do
      export PYTHONPATH=/opt/rappelwacht/$version
      if python3 -B -P -c 'import companion.cli.install.care' 2>/dev/null; then break; fi
    done
    exec python3 -B -P -c 'from companion.cli.install.care import main; main()'
    ;;
  play | lights | card) # need nothing of the table, so whoever types it does it
    unset XDG_STATE_HOME
    exec "$program" -P -m companion "$@"
    ;;
  backup | restore | journal | replay | coach | doctor) lends=yes ;;
esac
if [ "$(id -un)" = rappelwacht ]; then
  exec "$program" -P -m companion "$@"
elif [ "$(id -u)" != 0 ] && [ -n "${lends-}" ]; then
  exec sudo -- "$0" "$@"
elif [ "$(id -u)" != 0 ]; then
  exec sudo -u rappelwacht --preserve-env=XDG_STATE_HOME,LANG "$program" -P -m companion "$@"
elif [ -z "${lends-}" ]; then
  exec runuser -u rappelwacht -- "$program" -P -m companion "$@"
fi

# That user may not go where files of people are: it works in a folder with copies of those that are
# named. What it makes there by such a name, and nothing else, is read with its rights and handed over.
give_back() {
  for belongs in "$names"/* "$names"/.[!.]*; do
    made=$lent/${belongs##*/}
    file=$(readlink -- "$belongs") || continue
    if [ -f "$made" ] && [ ! -e "$file" ]; then
      if ! (set -C && runuser -u rappelwacht -- cat -- "$made" >"$file") ||
        ! chown "${SUDO_UID:-0}:${SUDO_GID:-0}" "$file"; then
        rm -f -- "$file" # half of it would pass for the whole
        failed=2
      fi
    fi
  done
  rm -rf "$desk"
  [ -z "${failed-}" ] || exit "$failed"
}

umask 077
desk=$(mktemp -d)
chmod 711 "$desk"
lent=$desk/lent names=$desk/names
mkdir "$lent" "$names"
trap give_back EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
before=
for word; do
  shift
  case $before:$word in
    :* | *: | *:-*) ;; # the command, nothing, an option
    --folder:*) word=$(realpath -ms -- "$word") ;;
    *)
      name=$(basename -- "$word")
      if [ -f "$word" ]; then
        cp -- "$word" "$lent/$name"
      fi
      if [ -d "$(dirname -- "$word")" ] && [ ! -d "$word" ]; then
        ln -sfn -- "$(realpath -- "$word")" "$names/$name"
        word=$name
      fi
      ;;
  esac
  before=$word
  set -- "$@" "$word"
done
chown -R rappelwacht: "$lent"
code=0
(cd "$lent" && exec runuser -u rappelwacht -- "$program" -P -m companion "$@") || code=$?
exit "$code"
