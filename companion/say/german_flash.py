"""Flashing stoppers and hub, in German."""

from typing import Final

FLASH: Final = {
    "Put the firmware on a stopper or a hub, and check it.": (
        "Spiele die Firmware auf einen Stopfen oder Hub und prüfe sie."
    ),
    "PORT": "PORT",
    "where the board is plugged in, such as /dev/ttyACM0": (
        "wo die Platine steckt, etwa /dev/ttyACM0"
    ),
    "which stopper it is, 1 to 13; otherwise as before, or the next": (
        "welcher Stopfen es ist, 1 bis 13; sonst wie bisher, oder der nächste"
    ),
    "{program} flash KIND   put the firmware on a stopper or a hub": (
        "{program} flash ART     die Firmware auf einen Stopfen oder Hub spielen"
    ),
    "The firmware did not come along with this program: {file} cannot be read ({reason}). Flash "
    "from a whole copy of the project.": (
        "Die Firmware ist bei diesem Programm nicht dabei: {file} lässt sich nicht lesen "
        "({reason}). Spiele sie aus einer ganzen Kopie des Projekts auf."
    ),
    "{port} cannot be opened; plug the board in, and stop the table if it runs (sudo systemctl "
    "stop rappelwacht). Ports that are there: {ports}": (
        "{port} lässt sich nicht öffnen; stecke die Platine ein, und halte den Tisch an, falls er "
        "läuft (sudo systemctl stop rappelwacht). Vorhandene Ports: {ports}"
    ),
    "The board at {port} does not speak Python: hold its button BOOT while you plug it in, then "
    "say: esptool erase-flash – and: esptool write-flash 0 {picture} – and flash again.": (
        "Die Platine an {port} spricht kein Python: Halte beim Einstecken ihren Knopf BOOT "
        "gedrückt, gib dann ein: esptool erase-flash – und: esptool write-flash 0 {picture} – und "
        "spiele die Firmware noch einmal auf."
    ),
    "The board at {port} could not be flashed ({reason}); unplug it, plug it in and flash again. "
    "Until then it may not start.": (
        "Die Platine an {port} ließ sich nicht bespielen ({reason}); zieh sie ab, stecke sie ein "
        "und versuche es noch einmal. Bis dahin startet sie vielleicht nicht."
    ),
    "The {board} {node} at {port} is being flashed; leave it plugged in.": (
        "Die Firmware ({board}, {node}) wird an {port} aufgespielt; lass die Platine eingesteckt."
    ),
    "Done: it runs firmware {version}, and all of it was read back.": (
        "Fertig: Es läuft Firmware {version}, und alles davon wurde gegengelesen."
    ),
    "What is at {port} is '{chip}', and a {board} needs an {wanted}; look which board is plugged "
    "in.": (
        "An {port} steckt „{chip}“, und für „{board}“ muss es {wanted} sein; sieh nach, welche "
        "Platine eingesteckt ist."
    ),
    "MicroPython on the board is too old; write a newer one first: esptool erase-flash – and: "
    "esptool write-flash 0 {picture}": (
        "Das MicroPython der Platine ist zu alt; spiele zuerst ein neueres auf: esptool "
        "erase-flash – und: esptool write-flash 0 {picture}"
    ),
    "The board does not tell its address; plug it in anew, and flash again.": (
        "Die Platine nennt ihre Adresse nicht; stecke sie neu ein und versuche es noch einmal."
    ),
    "Of what was sent, {files:and} did not arrive whole; flash again, and take another cable if it "
    "stays so.": (
        "Nicht heil angekommen: {files}; versuche es noch einmal, und nimm ein anderes Kabel, wenn "
        "es dabei bleibt."
    ),
    "This table has {count} stoppers already; say with --number which one this replaces.": (
        "Dieser Tisch hat schon {count} Stopfen; sag mit --number, welchen dieser ersetzt."
    ),
    "Stoppers are numbered from 1 to {last}.": "Stopfen sind von 1 bis {last} nummeriert.",
    "The key cannot be kept in {folder} ({reason}), so the table will not understand this stopper; "
    "look who may write there, and flash again.": (
        "Der Schlüssel lässt sich in {folder} nicht ablegen ({reason}), darum wird der Tisch "
        "diesen Stopfen nicht verstehen; sieh nach, wer dort schreiben darf, und versuche es noch "
        "einmal."
    ),
    "It is stopper {number}: write that on its shell. A table that runs knows it after it is "
    "started anew.": (
        "Es ist Stopfen {number}: Schreib das auf seine Hülle. Ein Tisch, der läuft, kennt ihn, "
        "sobald er neu gestartet ist."
    ),
    "The board that was stopper {number} until now is none of this table any more; flash it too if "
    "it is to play on.": (
        "Die Platine, die bisher Stopfen {number} war, gehört nicht mehr zu diesem Tisch; flashe "
        "auch sie, wenn sie weiter mitspielen soll."
    ),
}
