"""Installing a table, going back and removing it, in German."""

from typing import Final

INSTALL: Final = {
    "Install the table as a service that begins with the Pi.": (
        "Richte den Tisch als Dienst ein, der mit dem Pi startet."
    ),
    "Go back to the version that was installed before.": (
        "Kehre zu der Version zurück, die vorher da war."
    ),
    "Remove the service; what was played stays.": (
        "Entferne den Dienst; was gespielt wurde, bleibt."
    ),
    "a Wi-Fi of its own where none is known": "ein eigenes WLAN, wo keines bekannt ist",
    "leave the Pi its name; otherwise phones find rappelwacht.local": (
        "dem Pi seinen Namen lassen; sonst finden Handys rappelwacht.local"
    ),
    "even while a match is not finished": "auch mitten in einer Partie",
    "to try it: this folder instead of the computer's own root": (
        "zum Ausprobieren: dieser Ordner statt der Wurzel des Rechners"
    ),
    "remove what was played, too, and the configuration": (
        "auch entfernen, was gespielt wurde, und die Konfiguration"
    ),
    "{packages:and} cannot be installed; connect the Pi to the network, and look what this says: "
    "sudo apt-get install {words}": (
        "{packages:and} {packages:#lässt|lassen} sich nicht installieren; verbinde den Pi mit dem "
        "Netz und sieh nach, was das hier sagt: sudo apt-get install {words}"
    ),
    "The user {user} cannot be made; look what this says: sudo systemd-sysusers": (
        "Der Benutzer {user} lässt sich nicht anlegen; sieh nach, was das hier sagt: sudo "
        "systemd-sysusers"
    ),
    "The packages of this version cannot be installed, so nothing was changed; the lines above say "
    "why. Connect the Pi to the network, and try again.": (
        "Die Pakete dieser Version lassen sich nicht installieren, darum wurde nichts geändert; "
        "die Zeilen darüber sagen, warum. Verbinde den Pi mit dem Netz und versuche es noch einmal."
    ),
    "The card cannot keep what is written to it; use another.": (
        "Die Karte behält nicht, was auf sie geschrieben wird; nimm eine andere."
    ),
    "Somebody is installing or removing Rappelwacht just now, so nothing was changed; wait until "
    "that is done.": (
        "Gerade wird Rappelwacht schon eingerichtet oder entfernt, darum wurde nichts geändert; "
        "warte, bis das fertig ist."
    ),
    "{file} cannot be changed: {reason}. Put that right, then say the same again; what is done "
    "already stays done.": (
        "{file} lässt sich nicht ändern: {reason}. Behebe das, dann gib dasselbe noch einmal ein; "
        "was schon getan ist, bleibt getan."
    ),
    "The version before is still there; go back to it with: rappelwacht roll-back": (
        "Die Version davor ist noch da; zurück geht es mit: rappelwacht roll-back"
    ),
    "The table runs and does not say whether a match is played, at port {port}; stop it with: sudo "
    "systemctl stop rappelwacht – or insist with --anyway.": (
        "Der Tisch läuft und sagt an Port {port} nicht, ob eine Partie gespielt wird; halte ihn an "
        "mit: sudo systemctl stop rappelwacht – oder bestehe darauf mit --anyway."
    ),
    "The journal {file} cannot be read by this version, so it does not say whether a match is not "
    "finished; look what the doctor says, or insist with --anyway.": (
        "Das Tagebuch {file} kann diese Version nicht lesen, darum sagt es nicht, ob eine Partie "
        "offen ist; sieh nach, was der Doktor sagt, oder bestehe darauf mit --anyway."
    ),
    "A match is not finished; finish it or give it up first, or insist with --anyway.": (
        "Eine Partie ist nicht zu Ende; spielt sie zu Ende oder gebt sie auf, oder bestehe darauf "
        "mit --anyway."
    ),
    "Rappelwacht {release} is installed.": "Rappelwacht {release} ist eingerichtet.",
    "Restart the Pi once: only then the I2C bus runs fast enough.": (
        "Starte den Pi einmal neu: Erst dann läuft der I2C-Bus schnell genug."
    ),
    "Say how your table is wired in {file}, then: sudo systemctl restart rappelwacht – and see "
    "what 'rappelwacht doctor' finds.": (
        "Trage in {file} ein, wie dein Tisch verdrahtet ist, dann: sudo systemctl restart "
        "rappelwacht – und sieh nach, was „rappelwacht doctor“ findet."
    ),
    "There is no version to go back to.": "Es gibt keine Version, zu der es zurückginge.",
    "Rappelwacht {release} is used now.": "Jetzt läuft Rappelwacht {release}.",
    "Rappelwacht is not installed here.": "Rappelwacht ist hier nicht eingerichtet.",
    "Rappelwacht is gone, with all that was played.": (
        "Rappelwacht ist weg, mit allem, was gespielt wurde."
    ),
    "Rappelwacht is removed. What you wrote is still in {settings}, what was played in {data}.": (
        "Rappelwacht ist entfernt. Was du geschrieben hast, liegt noch in {settings}, was gespielt "
        "wurde, in {data}."
    ),
    "Only root may do that; say: sudo {program} {command}": (
        "Das darf nur root; gib ein: sudo {program} {command}"
    ),
    "This version does not start; see why with: journalctl -u rappelwacht": (
        "Diese Version startet nicht; warum, zeigt: journalctl -u rappelwacht"
    ),
    "NetworkManager does not answer, and only with it the Pi can open a Wi-Fi; install it with: "
    "sudo apt-get install network-manager": (
        "NetworkManager antwortet nicht, und nur damit kann der Pi ein WLAN öffnen; installiere "
        "ihn mit: sudo apt-get install network-manager"
    ),
    "Where no Wi-Fi is known, the Pi opens one of its own: Rappelwacht, with the password "
    "{password}.": (
        "Wo kein WLAN bekannt ist, öffnet der Pi ein eigenes: Rappelwacht, mit dem Passwort "
        "{password}."
    ),
    "A Pi that was not told its country keeps its Wi-Fi off: sudo raspi-config": (
        "Ein Pi, dem niemand sein Land gesagt hat, lässt sein WLAN aus: sudo raspi-config"
    ),
}
