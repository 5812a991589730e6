"""`python -m companion`: the command line; Ctrl-C while it loads shows no traceback."""

import signal

if __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from companion.cli.main import start

if __name__ == "__main__":
    start()
