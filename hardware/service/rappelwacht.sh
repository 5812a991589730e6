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
  doctor) cd / ;; # lgpio goes back to where it began, which another user's home may not allow
esac
if [ "$(id -un)" = rappelwacht ]; then
  exec "$program" -P -m companion "$@"
elif [ "$(id -u)" = 0 ]; then
  exec runuser -u rappelwacht -- "$program" -P -m companion "$@"
fi
exec sudo -u rappelwacht --preserve-env=XDG_STATE_HOME,LANG "$program" -P -m companion "$@"
