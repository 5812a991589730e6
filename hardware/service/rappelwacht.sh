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
  backup | restore) file=${2-} ;;
  doctor)
    cd / # lgpio goes back to where it began, which another user's home may not allow
    if [ "${2-}" = --bundle ]; then
      file=${3-}
      cd "$OLDPWD"
    fi
    ;;
esac
if [ "$(id -un)" = rappelwacht ]; then
  exec "$program" -P -m companion "$@"
elif [ "$(id -u)" != 0 ] && [ -n "${file-}" ]; then
  exec sudo -- "$0" "$@"
elif [ "$(id -u)" != 0 ]; then
  exec sudo -u rappelwacht --preserve-env=XDG_STATE_HOME,LANG "$program" -P -m companion "$@"
fi
case ${file-} in
  '' | -*) exec runuser -u rappelwacht -- "$program" -P -m companion "$@" ;;
esac

# That user may not go where this file is: it gets a copy, and what it makes is handed over.
umask 077
lent=$(mktemp -d)
trap 'rm -rf "$lent"' EXIT
trap 'exit 130' INT TERM
name=$(basename -- "$file")
[ ! -f "$file" ] || cp -- "$file" "$lent/$name"
chown -R rappelwacht: "$lent"
if [ "$1" = doctor ]; then
  shift 3
  set -- doctor --bundle "$name" "$@"
else
  verb=$1
  shift 2
  set -- "$verb" "$name" "$@"
fi
code=0
(cd "$lent" && exec runuser -u rappelwacht -- "$program" -P -m companion "$@") || code=$?
if [ -f "$lent/$name" ] && [ ! -e "$file" ]; then
  cp -- "$lent/$name" "$file"
  chown "${SUDO_UID:-0}:${SUDO_GID:-0}" "$file"
fi
exit "$code"
