"""How the parts of a table are and how they are wired, in German, found by the English template."""

from typing import Final

DEVICES: Final = {
    "The hub has not been looked for yet.": ("Der Hub wurde noch nicht gesucht."),
    "No hub is plugged in; connect it to any USB port.": (
        "Kein Hub ist eingesteckt; stecke ihn in irgendeinen USB-Anschluss."
    ),
    "Something is plugged in at {port}; it is being asked whether it is the hub.": (
        "An {port} ist etwas eingesteckt; es wird gefragt, ob es der Hub ist."
    ),
    "The hub {hub} is at {port}.": ("Der Hub {hub} ist an {port}."),
    "The hub at {port} says nothing any more; unplug it and plug it in again.": (
        "Der Hub an {port} sagt nichts mehr; ziehe ihn ab und stecke ihn wieder ein."
    ),
    "What the hub at {port} says arrives damaged; use another cable or USB port.": (
        "Was der Hub an {port} sagt, kommt beschädigt an; nimm ein anderes Kabel oder einen "
        "anderen USB-Anschluss."
    ),
    "The hub was unplugged from {port}; plug it in again, at any USB port.": (
        "Der Hub wurde von {port} abgezogen; stecke ihn wieder ein, gleich an welchem "
        "USB-Anschluss."
    ),
    "Another program uses {port}, where the hub may be; close that program.": (
        "Ein anderes Programm benutzt {port}, wo der Hub sein kann; schließe dieses Programm."
    ),
    "This user may not use {port}; add the user to the group dialout and log in again.": (
        "Dieser Benutzer darf {port} nicht benutzen; nimm ihn in die Gruppe dialout auf und "
        "melde dich neu an."
    ),
    "{port} cannot be used ({reason}); unplug what is there and plug it in again.": (
        "{port} lässt sich nicht benutzen ({reason}); ziehe ab, was dort steckt, und stecke "
        "es wieder ein."
    ),
    "What is plugged in at {port} does not answer as a hub; if it is one, flash it, else "
    "take it out.": (
        "Was an {port} steckt, antwortet nicht wie ein Hub; ist es einer, dann flashe ihn, "
        "sonst ziehe es ab."
    ),
    "The hub at {port} is {found}, and this table's is {hub}; plug that one in, or "
    "change the id in the configuration.": (
        "Der Hub an {port} ist {found}, und zu diesem Tisch gehört {hub}; stecke diesen ein "
        "oder ändere die id in der Konfiguration."
    ),
    "The hub at {port} speaks version {version} of the link, and this program version "
    "{ours}; flash the hub anew.": (
        "Der Hub an {port} spricht Version {version} der Verbindung und dieses Programm "
        "Version {ours}; flashe den Hub neu."
    ),
    "The way to the hub has a fault that nobody foresaw ({reason}); it is tried again. If the "
    "fault stays, restart this program and report it.": (
        "Der Weg zum Hub hat einen Fehler, den niemand vorhergesehen hat ({reason}); es wird "
        "wieder versucht. Bleibt der Fehler, dann starte dieses Programm neu und melde ihn."
    ),
    "The way to the hub is closed.": ("Der Weg zum Hub ist geschlossen."),
    "The light board has not been looked for yet.": ("Das Lichterbrett wurde noch nicht gesucht."),
    "The light board works.": ("Das Lichterbrett arbeitet."),
    "There is no I2C bus {bus}, so the light board is dark; switch I2C on in "
    "raspi-config and restart the Pi.": (
        "Es gibt keinen I2C-Bus {bus}, darum ist das Lichterbrett dunkel; schalte I2C in "
        "raspi-config ein und starte den Pi neu."
    ),
    "This user may not open I2C bus {bus}, so the light board is dark; add the user to "
    "the group i2c and log in again.": (
        "Dieser Benutzer darf den I2C-Bus {bus} nicht öffnen, darum ist das Lichterbrett "
        "dunkel; nimm ihn in die Gruppe i2c auf und melde dich neu an."
    ),
    "No light board answers at address {address} on I2C bus {bus}; check its cable. Play "
    "goes on without lights.": (
        "An der Adresse {address} auf I2C-Bus {bus} antwortet kein Lichterbrett; prüfe sein "
        "Kabel. Das Spiel geht ohne Lichter weiter."
    ),
    "Something holds I2C bus {bus} down, so the light board is dark; unplug the board "
    "and look for a short circuit.": (
        "Etwas hält den I2C-Bus {bus} fest, darum ist das Lichterbrett dunkel; ziehe das "
        "Brett ab und suche einen Kurzschluss."
    ),
    "A driver of the system holds address {address} on I2C bus {bus}; remove its "
    "dtoverlay line from config.txt and restart the Pi.": (
        "Ein Treiber des Systems hält die Adresse {address} auf I2C-Bus {bus}; entferne "
        "seine dtoverlay-Zeile aus config.txt und starte den Pi neu."
    ),
    "What answers at address {address} on I2C bus {bus} is not the light board; check "
    "the address and the wiring.": (
        "Was an der Adresse {address} auf I2C-Bus {bus} antwortet, ist nicht das "
        "Lichterbrett; prüfe die Adresse und die Verdrahtung."
    ),
    "I2C bus {bus} fails ({reason}), so the light board is dark; check its cable and power.": (
        "Der I2C-Bus {bus} versagt ({reason}), darum ist das Lichterbrett dunkel; prüfe "
        "Kabel und Stromversorgung."
    ),
    "The light board is switched off.": ("Das Lichterbrett ist ausgeschaltet."),
    "The {part} on GPIO {pin} has not been looked for yet.": (
        "Nach {part} an GPIO {pin} wurde noch nicht gesehen."
    ),
    "The {part} on GPIO {pin} works.": ("{part} an GPIO {pin}: arbeitet."),
    "Access to the pins is set up by the installation: sudo {program} install – until then, phones "
    "replace what hangs on them.": (
        "Den Zugriff auf die Pins richtet die Installation ein: sudo {program} install – bis dahin "
        "ersetzen Handys, was daran hängt."
    ),
    "This computer's GPIO pins cannot be used ({reason}), so the {part} is out of work; "
    "on a Pi, add the user to the group gpio and log in again. A phone replaces it.": (
        "Die GPIO-Pins dieses Rechners lassen sich nicht benutzen ({reason}), darum fällt "
        "{part} aus; auf einem Pi: nimm den Benutzer in die Gruppe gpio auf und melde dich "
        "neu an. Ein Handy ersetzt es."
    ),
    "Something else holds GPIO {pin}, so the {part} is out of work; stop that program, "
    "or choose another pin in the configuration. A phone replaces it.": (
        "Etwas anderes hält GPIO {pin}, darum fällt {part} aus; beende dieses Programm oder "
        "wähle einen anderen Pin in der Konfiguration. Ein Handy ersetzt es."
    ),
    "GPIO {pin} does not work ({reason}), so the {part} is out of work; check its wiring "
    "and the configuration. A phone replaces it.": (
        "GPIO {pin} arbeitet nicht ({reason}), darum fällt {part} aus; prüfe die Verdrahtung "
        "und die Konfiguration. Ein Handy ersetzt es."
    ),
    "The {part} on GPIO {pin} is switched off.": ("{part} an GPIO {pin}: ausgeschaltet."),
    "The link is being recorded to {file}.": ("Die Verbindung wird in {file} aufgezeichnet."),
    "The recording to {file} has stopped ({reason}); the game goes on.": (
        "Die Aufzeichnung in {file} ist abgebrochen ({reason}); das Spiel geht weiter."
    ),
    "The recording to {file} is complete.": ("Die Aufzeichnung in {file} ist fertig."),
}

RECORDINGS: Final = {
    "{file}: this is no recording of a link.": (
        "{file}: Das ist keine Aufzeichnung einer Verbindung."
    ),
    "{file}, line {number}: this is damaged; delete the line to go on without it.": (
        "{file}, Zeile {number}: Sie ist beschädigt; lösche die Zeile, um ohne sie fortzufahren."
    ),
}

STOPPERS: Final = {
    "{fault} Until that is put right and the table is started again, it plays without its "
    "stoppers, and people tap what barrels do.": (
        "{fault} Bis das in Ordnung gebracht und der Tisch neu gestartet ist, spielt er ohne seine "
        "Stopfen, und was Fässer tun, tippen die Leute ein."
    ),
    "{file}, {key}: write a stopper's address, such as '24:0a:c4:00:01:01'.": (
        "{file}, {key}: Schreib die Adresse eines Stopfens wie „24:0a:c4:00:01:01“."
    ),
    "{file}, {key}: write 32 hexadecimal digits.": (
        "{file}, {key}: Schreib 32 hexadezimale Ziffern."
    ),
    "{file}, {key}: two stoppers bear the same number.": (
        "{file}, {key}: Zwei Stopfen tragen dieselbe Nummer."
    ),
    "{file}, {key}: {value} does not fit; write a number from 1 to 13.": (
        "{file}, {key}: {value} passt nicht; schreib eine Zahl von 1 bis 13."
    ),
    "{file}, {key}: this key is missing; write a number from 1 to 13.": (
        "{file}, {key}: Dieser Schlüssel fehlt; schreib eine Zahl von 1 bis 13."
    ),
    "{file}, {key}: this key is missing; write 32 hexadecimal digits.": (
        "{file}, {key}: Dieser Schlüssel fehlt; schreib 32 hexadezimale Ziffern."
    ),
}

CONFIG: Final = {
    "{file}: the file cannot be read ({reason}).": (
        "{file}: Die Datei lässt sich nicht lesen ({reason})."
    ),
    "{file}: this is not TOML: {reason}.": ("{file}: Das ist kein TOML: {reason}."),
    "{file}, {key}: there is no such key; did you mean '{near}'?": (
        "{file}, {key}: Diesen Schlüssel gibt es nicht; meintest du „{near}“?"
    ),
    "{file}, {key}: there is no such key; there are: {names}.": (
        "{file}, {key}: Diesen Schlüssel gibt es nicht; es gibt: {names}."
    ),
    "{file}, {key}: write this as a section, [{key}].": (
        "{file}, {key}: Schreib das als Abschnitt, [{key}]."
    ),
    "{file}, {key}: write one section for each seat, such as [seats.red].": (
        "{file}, {key}: Schreib für jeden Platz einen Abschnitt wie [seats.red]."
    ),
    "{file}, {key}: GPIO {pin} belongs to {owner}.": (
        "{file}, {key}: GPIO {pin} gehört schon: {owner}."
    ),
    "{file}, {key}: GPIO {pin} is already used by {other}.": (
        "{file}, {key}: GPIO {pin} ist schon vergeben an {other}."
    ),
    "{file}, {key}: {value} does not fit; write a GPIO number from 0 to 27.": (
        "{file}, {key}: {value} passt nicht; schreib eine GPIO-Nummer von 0 bis 27."
    ),
    "{file}, {key}: {value} does not fit; write the hub's id, such as '24:0a:c4:00:00:01'.": (
        "{file}, {key}: {value} passt nicht; schreib die Kennung des Hubs, wie '24:0a:c4:00:00:01'."
    ),
    "{file}, {key}: {value} does not fit; write a list of paths such as ['/dev/ttyACM*'], "
    "without '**'.": (
        "{file}, {key}: {value} passt nicht; schreib eine Liste von Pfaden wie ['/dev/ttyACM*'], "
        "ohne '**'."
    ),
    "{file}, {key}: {value} does not fit; write the number of an I2C bus, mostly 1.": (
        "{file}, {key}: {value} passt nicht; schreib die Nummer eines I2C-Busses, meistens 1."
    ),
    "{file}, {key}: {value} does not fit; write 0x34, 0x35, 0x36 or 0x37.": (
        "{file}, {key}: {value} passt nicht; schreib 0x34, 0x35, 0x36 oder 0x37."
    ),
    "{file}, {key}: {value} does not fit; write a whole number from 1 to 100.": (
        "{file}, {key}: {value} passt nicht; schreib eine ganze Zahl von 1 bis 100."
    ),
    "{file}, {key}: {value} does not fit; write 'passive' or 'active'.": (
        "{file}, {key}: {value} passt nicht; schreib 'passive' oder 'active'."
    ),
    "{file}, {key}: {value} does not fit; write a list of their radio addresses.": (
        "{file}, {key}: {value} passt nicht; schreib eine Liste ihrer Funkadressen."
    ),
    "{file}, {key}: {value} does not fit; write what a barrel and its stopper weigh without "
    "stones, from 5 to 90 (grams).": (
        "{file}, {key}: {value} passt nicht; schreib, was ein Fass mit seinem Stopfen ohne Steine "
        "wiegt, von 5 bis 90 (Gramm)."
    ),
    "{file}, {key}: this key is missing; write a GPIO number from 0 to 27.": (
        "{file}, {key}: Dieser Schlüssel fehlt; schreib eine GPIO-Nummer von 0 bis 27."
    ),
}

_SEATS: Final = {"red": "Rot", "green": "Grün", "blue": "Blau", "yellow": "Gelb"}
_OF_A_SEAT: Final = {"pad": "Platzkontakt", "button": "Knopf", "light": "Platzlicht"}
PARTS: Final = {  # as the devices name themselves
    "buzzer": "Summer",
    **{
        f"{part} of {seat}": f"{name} von {colour}"
        for part, name in _OF_A_SEAT.items()
        for seat, colour in _SEATS.items()
    },
}
