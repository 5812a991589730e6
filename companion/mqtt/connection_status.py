"""How far the way to a hall's broker goes, as states with a sentence: what is wrong, what to do.

The doctor and the table say the same; neither must know how the other looks.
"""

import ssl
from datetime import datetime
from typing import Final

from companion.system.format_names import format_name
from companion.system.status import Fine, Status

NOT_YET, NO_LONGER = 9, 10  # OpenSSL's numbers of what is wrong with a certificate
OTHER_NAMES: Final = (62, 64)  # a name, an address


@format_name("Reach")
class ConnectionStatus(Status):
    NONE = Fine("This table does not belong to a hall.")
    LOOKING = Fine("This table looks for the hall at {host}.")
    JOINED = Fine("The hall's broker at {host}, port {port}, is there and lets this table in.")
    UNREACHABLE = (
        "The hall's broker at {host}, port {port}, does not answer ({reason}); check that its "
        "computer is switched on and on the same network. The table plays on without it, and "
        "tells it later what was played."
    )
    NO_TLS = (
        "What answers at {host}, port {port}, does not speak TLS as a hall does; check host and "
        "port under [hall], or have the table join the hall again, with a new code."
    )
    FOREIGN = (
        "The computer {host} cannot prove that it is the hall that this table joined, so nothing "
        "is sent to it; if the hall was set up again, have the table join it with a new code."
    )
    NAMED_OTHERWISE = (
        "The certificate of {host} is for another name; name the broker under [hall] as its "
        "certificate does."
    )
    TOO_EARLY = (
        "This computer's clock says {date}, and the certificate of {host} is not valid yet; set "
        "the clock: connect the computer to the internet for a minute, or run: sudo timedatectl "
        "set-time"
    )
    TOO_LATE = (
        "This computer's clock says {date}, and the certificate of {host} has expired; if the "
        "date is right, restart the hall, which then renews its certificate. If it is wrong, set "
        "the clock with: sudo timedatectl set-time"
    )
    REFUSED = (
        "The hall's broker at {host} does not let this table in ({reason}); have it join again, "
        "or check account and password under [hall]."
    )
    OTHER_VERSION = (
        "The hall at {host} and this table have versions that do not understand each other; on "
        "the computer with the older one, fetch the newer program, and run: sudo ./run install. "
        "The table plays on meanwhile, and tells the hall later what was played."
    )
    SECOND = (
        "Another computer came to the hall with the same code before this one, so this table keeps "
        "away. It plays on and loses nothing; have the director make a code for it alone."
    )

    @property
    def quiet(self) -> bool:
        """Whether that may wait until after the evening: the table plays without a hall, too."""
        return True


def distrust(fault: OSError) -> ConnectionStatus:
    """Return why a broker was not trusted, judging by how the handshake with it failed."""
    match fault:
        case ssl.SSLCertVerificationError(verify_code=code):
            known = {NOT_YET: ConnectionStatus.TOO_EARLY, NO_LONGER: ConnectionStatus.TOO_LATE}
            known |= dict.fromkeys(OTHER_NAMES, ConnectionStatus.NAMED_OTHERWISE)
            return known.get(code, ConnectionStatus.FOREIGN)
        case ssl.SSLError() | ConnectionResetError():  # it did not understand us and hung up
            return ConnectionStatus.NO_TLS
        case _:
            return ConnectionStatus.UNREACHABLE


def today() -> str:
    """Return the date by this computer's clock, in whatever time zone it is set to."""
    return datetime.now().astimezone().date().isoformat()
