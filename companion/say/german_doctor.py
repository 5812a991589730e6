"""What the doctor finds, in German, found by the English template."""

from typing import Final

DOCTOR: Final = {
    "Python {version} is new enough.": "Python {version} ist neu genug.",
    "Python {version} is too old; install Debian 12 or newer, which has 3.11.": (
        "Python {version} ist zu alt; installiere Debian 12 oder neuer, das 3.11 hat."
    ),
    "The user {user} may use all that is wired.": (
        "Der Benutzer {user} darf alles benutzen, was angeschlossen ist."
    ),
    "The user {user} is not in {groups:#the group|the groups} {groups:and}; say: sudo usermod -aG "
    "{words} {user} – and then log in again.": (
        "Der Benutzer {user} ist nicht in {groups:#der Gruppe|den Gruppen} {groups:and}; gib ein: "
        "sudo usermod -aG {words} {user} – und melde dich dann neu an."
    ),
    "The user {user} has been in {groups:#the group|the groups} {groups:and} only since after "
    "logging in; log in again.": (
        "Der Benutzer {user} kam erst nach der Anmeldung in {groups:#die Gruppe|die Gruppen} "
        "{groups:and}; melde dich neu an."
    ),
    "There is no group {groups:and} on this computer; say: sudo groupadd --system {first} – and "
    "then let the doctor look again.": (
        "Eine Gruppe {groups:and} gibt es auf diesem Rechner nicht; gib ein: sudo groupadd "
        "--system {first} – und lass den Doktor dann noch einmal nachsehen."
    ),
    "The I2C bus {bus} runs at {khz} kHz.": "Der I2C-Bus {bus} läuft mit {khz} kHz.",
    "The I2C bus {bus} runs at {khz} kHz only, which makes the lights jerk; write "
    "dtparam=i2c_arm_baudrate=400000 into /boot/firmware/config.txt and restart the Pi.": (
        "Der I2C-Bus {bus} läuft nur mit {khz} kHz, davon ruckeln die Lichter; schreibe "
        "dtparam=i2c_arm_baudrate=400000 in /boot/firmware/config.txt und starte den Pi neu."
    ),
    "How fast the I2C bus {bus} runs cannot be known here.": (
        "Wie schnell der I2C-Bus {bus} läuft, lässt sich hier nicht feststellen."
    ),
    "Port {port} is free for the pages.": "Port {port} ist frei für die Seiten.",
    "Another program uses port {port}, where phones look for the pages; stop it, or choose another "
    "with --port.": (
        "Ein anderes Programm belegt Port {port}, wo Handys die Seiten suchen; beende es oder "
        "nimm mit --port einen anderen."
    ),
    "This user may not use port {port}; choose one from 1024 on, with --port.": (
        "Dieser Benutzer darf Port {port} nicht benutzen; nimm mit --port einen ab 1024."
    ),
    "Phones find this computer as {name}.": "Handys finden diesen Rechner als {name}.",
    "Phones find this computer only by its address, and not as {name}; for that, say: sudo apt-get "
    "install avahi-daemon": (
        "Handys finden diesen Rechner nur über seine Adresse und nicht als {name}; dafür gib ein: "
        "sudo apt-get install avahi-daemon"
    ),
    "Phones find this computer only by its address, and not as {name}, for avahi-daemon is "
    "installed but does not run; say: sudo systemctl enable --now avahi-daemon": (
        "Handys finden diesen Rechner nur über seine Adresse und nicht als {name}, denn "
        "avahi-daemon ist installiert, läuft aber nicht; gib ein: sudo systemctl enable --now "
        "avahi-daemon"
    ),
    "Nobody answers for the name {name}; say: sudo systemctl restart avahi-daemon – and look "
    "again.": (
        "Für den Namen {name} antwortet niemand; gib ein: sudo systemctl restart avahi-daemon – "
        "und sieh noch einmal nach."
    ),
    "Another device is called {name}, at {address}; give this computer another name, with: sudo "
    "hostnamectl set-hostname": (
        "Ein anderes Gerät heißt {name}, unter {address}; gib diesem Rechner einen anderen Namen, "
        "mit: sudo hostnamectl set-hostname"
    ),
    "This computer is in no network, so nobody can look for its name.": (
        "Dieser Rechner ist in keinem Netz, also kann niemand nach seinem Namen fragen."
    ),
    "All that were heard run the newest firmware, {version}.": (
        "Alle, die zu hören waren, haben die neueste Firmware, {version}."
    ),
    "{stoppers:#Stopper|Stoppers} {stoppers:and} {stoppers:#runs|run} another firmware than "
    "{version}, which came with this program; say: {program} flash stopper": (
        "{stoppers:#Stopfen|Die Stopfen} {stoppers:and} {stoppers:#hat|haben} eine andere Firmware "
        "als {version}, die zu diesem Programm gehört; gib ein: {program} flash stopper"
    ),
    "The hub runs firmware {found}, and {version} came with this program; say: {program} flash "
    "hub": (
        "Der Hub hat Firmware {found}, und zu diesem Programm gehört {version}; gib ein: "
        "{program} flash hub"
    ),
    "No board has said yet which firmware it runs.": (
        "Noch keine Platine hat gesagt, welche Firmware sie hat."
    ),
    "All {count} stoppers of this table are heard.": (
        "Alle {count} Stopfen dieses Tisches sind zu hören."
    ),
    "{stoppers:#Stopper|Stoppers} {stoppers:and} {stoppers:#was|were} not heard; lift "
    "{stoppers:#its barrel|their barrels} to wake {stoppers:#it|them}, and charge what stays "
    "silent.": (
        "{stoppers:#Stopfen|Die Stopfen} {stoppers:and} {stoppers:#war|waren} nicht zu hören; hebe "
        "{stoppers:#sein Fass|ihre Fässer} an, um {stoppers:#ihn|sie} zu wecken, und lade, was "
        "stumm bleibt."
    ),
    "This table knows no stopper yet; say: {program} flash stopper": (
        "Dieser Tisch kennt noch keinen Stopfen; gib ein: {program} flash stopper"
    ),
    "The batteries that were heard of last for an evening.": (
        "Die Akkus, die sich gemeldet haben, halten den Abend durch."
    ),
    "{stoppers:#The battery of stopper|The batteries of stoppers} {stoppers:and} "
    "{stoppers:#does|do} not last for an evening; charge {stoppers:#it|them}.": (
        "{stoppers:#Der Akku von Stopfen|Die Akkus der Stopfen} {stoppers:and} "
        "{stoppers:#reicht|reichen} nicht für einen Abend; lade {stoppers:#ihn|sie}."
    ),
    "No stopper has told of its battery yet.": "Noch kein Stopfen hat seinen Akku gemeldet.",
    "The configuration {file} can be used.": "Die Konfiguration {file} ist brauchbar.",
    "No parts are configured here, so only the computer was looked at; the parts of a table of "
    "your own are tried with --config and its file.": (
        "Hier sind keine Teile eingerichtet, darum wurde nur der Rechner untersucht; die Teile "
        "eines eigenen Tisches werden mit --config und seiner Datei ausprobiert."
    ),
    "A file of the table cannot be used: {fault}": (
        "Eine Datei des Tisches ist nicht zu gebrauchen: {fault}"
    ),
    "All parts on the GPIO pins can be used: {count}.": (
        "Alle Teile an den GPIO-Pins sind brauchbar: {count}."
    ),
    "The GPIO pins cannot be used ({reason}), so pads, buttons, seat lights and buzzer are out of "
    "work; on a Pi, add the user to the group gpio and log in again.": (
        "Die GPIO-Pins sind nicht zu gebrauchen ({reason}), darum gehen Pads, Knöpfe, Platzlichter "
        "und Summer nicht; auf einem Pi nimm den Benutzer in die Gruppe gpio auf und melde dich "
        "neu an."
    ),
    "{folder}: {reason}.": "{folder}: {reason}.",
    "The table does not run now, so all its parts were tried.": (
        "Der Tisch läuft gerade nicht, darum wurden alle seine Teile ausprobiert."
    ),
    "The table runs, so its parts were left to it, and it was asked how they are.": (
        "Der Tisch läuft, darum blieben ihm seine Teile, und er wurde gefragt, wie es ihnen geht."
    ),
    "The table runs, and nobody answers for it at port {port}; name its port with --port, or start "
    "it anew with: sudo systemctl restart rappelwacht": (
        "Der Tisch läuft, und an Port {port} antwortet er nicht; nenne seinen Port mit --port oder "
        "starte ihn neu mit: sudo systemctl restart rappelwacht"
    ),
    "{count} {count:#thing|things} to see to (!).": (
        "{count} {count:#Sache|Sachen} zu erledigen (!)."
    ),
    "{count} {count:#thing|things} to see to.": "{count} {count:#Sache|Sachen} zu erledigen.",
    "All is well.": "Alles ist in Ordnung.",
    "Doctor": "Doktor",
    "Look at everything, and say what is wrong and the one thing to do about it.": (
        "Sieh nach allem und sag, was nicht stimmt und was dagegen zu tun ist."
    ),
    "{program} doctor       what is wrong with the table, and what to do about it": (
        "{program} doctor        was am Tisch nicht stimmt, und was dagegen hilft"
    ),
    "so many seconds to listen to the stoppers; otherwise 12": (
        "so viele Sekunden den Stopfen zuhören; sonst 12"
    ),
    "for programs": "für Programme",
}
