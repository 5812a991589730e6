"""What every page of the phone has around it, in German: joining, faults, the line to the table."""

from typing import Final

PHONE_FRAME: Final = {
    # --- the frame of every page ----------------------------------------------------------------
    "Table": "Tisch",
    "Join": "Mitmachen",
    "Set-up": "Neue Partie",
    "Workshop": "Werkstatt",
    "History": "Chronik",
    "Manual": "Anleitung",
    "Simulated table": "Simulierter Tisch",
    "Pages": "Seiten",
    "To the content": "Zum Inhalt",
    "To the table": "Zum Tisch",
    "This page does not renew itself without JavaScript; load it again to see what is new.": (
        "Ohne JavaScript erneuert sich diese Seite nicht von selbst; lade sie neu, um zu sehen, "
        "was sich getan hat."
    ),
    "No connection to the companion. Last seen {time} ago.": (
        "Keine Verbindung zur Rappelwacht. Zuletzt gesehen vor {time}."
    ),
    "The companion does not answer. Check the Wi-Fi of this phone, then try again.": (
        "Die Rappelwacht antwortet nicht. Prüfe das WLAN dieses Handys und versuch es noch einmal."
    ),
    "The companion was upgraded, so this page is out of date.": (
        "Die Rappelwacht wurde erneuert, darum ist diese Seite veraltet."
    ),
    "Load it again": "Neu laden",
    # --- joining --------------------------------------------------------------------------------
    "This phone plays along": "Dieses Handy spielt mit",
    "It acts for the whole table.": "Es handelt für den ganzen Tisch.",
    "Is it somebody's own phone? Then choose whose; from then on it acts only for that seat.": (
        "Ist es jemandes eigenes Handy? Dann wähle, wessen; danach handelt es nur noch für diesen "
        "Platz."
    ),
    "Invite more phones": "Weitere Handys einladen",
    "Who scans this with the camera is let in at once.": (
        "Wer das mit der Kamera scannt, ist sofort dabei."
    ),
    "A picture for the camera: the address and the PIN": (
        "Ein Bild für die Kamera: die Adresse und die PIN"
    ),
    "A picture for the camera: the address": "Ein Bild für die Kamera: die Adresse",
    "Or open one of these addresses and enter the PIN:": (
        "Oder öffne eine dieser Adressen und gib die PIN ein:"
    ),
    "Let go": "Trennen",
    "Let this phone go": "Dieses Handy trennen",
    "Let every phone go": "Alle Handys trennen",
    "Then all of them only watch until they are let in again, also this one.": (
        "Dann schauen alle nur noch zu, bis sie wieder verbunden sind, auch dieses hier."
    ),
    "Yes, let all go": "Ja, alle trennen",
    "Everybody may watch. To act, this phone must be let in once.": (
        "Zuschauen darf jeder. Zum Mitspielen verbindest du dieses Handy einmal."
    ),
    "Whose phone is this?": "Wem gehört dieses Handy?",
    "It lies in the middle, for the whole table": "Es liegt in der Mitte, für den ganzen Tisch",
    "By your seat's button": "Mit dem Knopf an deinem Platz",
    "Let me in by the button": "Mit dem Knopf verbinden",
    "Now hold your seat's button for three seconds!": (
        "Halte jetzt den Knopf an deinem Platz drei Sekunden lang gedrückt!"
    ),
    "By the PIN": "Mit der PIN",
    "Six digits; they stand where the companion was started, and on every phone that is in.": (
        "Sechs Ziffern; sie stehen dort, wo die Rappelwacht gestartet wurde, und auf jedem Handy, "
        "das dabei ist."
    ),
    "PIN": "PIN",
    "Delete the last digit": "Letzte Ziffer löschen",
    "Let me in": "Verbinden",
    "Bring another phone here": "Ein weiteres Handy hierher bringen",
    "This is not the PIN. Look where the companion runs.": (
        "Das ist nicht die PIN. Sieh nach, wo die Rappelwacht läuft."
    ),
    "Too many tries. Wait a minute, then try again.": (
        "Zu viele Versuche. Warte eine Minute, dann versuch es noch einmal."
    ),
    "Others were first at that button. This phone's turn is in {seconds} s; the PIN lets it in at "
    "once.": (
        "Andere waren vorher an diesem Knopf. Dieses Handy ist in {seconds} s dran; die PIN lässt "
        "es sofort herein."
    ),
    "Too many tries from here. Wait {minutes} min.": (
        "Zu viele Versuche von hier. Warte {minutes} min."
    ),
    "Buttons are simulated here, so this phone is let in by the PIN alone.": (
        "Knöpfe sind hier simuliert, darum verbindest du dieses Handy nur mit der PIN."
    ),
    # --- what goes wrong ------------------------------------------------------------------------
    "That did not work": "Das hat nicht geklappt",
    "The companion does not understand this request.": (
        "Die Rappelwacht versteht diese Anfrage nicht."
    ),
    "This phone may not do that; pair it on the page Join.": (
        "Dieses Handy darf das nicht; verbinde es auf der Seite „Mitmachen“."
    ),
    "There is no such page.": "Diese Seite gibt es nicht.",
    "This cannot be done here.": "Das geht hier nicht.",
    "The companion cannot answer in this form.": (
        "In dieser Form kann die Rappelwacht nicht antworten."
    ),
    "Somebody else was faster; look at what has changed.": (
        "Jemand war schneller; sieh nach, was sich geändert hat."
    ),
    "This is more than the companion takes at once.": (
        "Das ist mehr, als die Rappelwacht auf einmal annimmt."
    ),
    "The companion takes only JSON here.": "Hier nimmt die Rappelwacht nur JSON an.",
    "This is none of the companion's names; open it by an address that it shows.": (
        "So heißt diese Rappelwacht nicht; öffne sie mit einer Adresse, die sie selbst anzeigt."
    ),
    "Something broke in the companion. The match is safe; try again.": (
        "In der Rappelwacht ist etwas kaputtgegangen. Die Partie ist sicher; versuch es noch "
        "einmal."
    ),
    "Too many phones follow live; this one asks every few seconds.": (
        "Zu viele Handys schauen live zu; dieses fragt alle paar Sekunden nach."
    ),
    "A foreign page wanted to do this; nothing was done.": (
        "Eine fremde Seite wollte das tun; es ist nichts geschehen."
    ),
    # --- at the terminal ------------------------------------------------------------------------
    "On a phone, open {address} and enter the PIN {pin}.": (
        "Öffne auf einem Handy {address} und gib die PIN {pin} ein."
    ),
    "On a phone, open {address}.": "Öffne auf einem Handy {address}.",
    "The PIN is in the file {file}, for its owner only.": (
        "Die PIN steht in der Datei {file}, nur für ihren Eigentümer."
    ),
    "The PIN cannot be written ({reason}); if there is a file {file}, it holds an old one. A table "
    "that is started in a terminal shows its PIN there.": (
        "Die PIN lässt sich nicht aufschreiben ({reason}); wenn es eine Datei {file} gibt, steht "
        "darin eine alte. Ein Tisch, den du in einem Terminal startest, zeigt seine PIN dort."
    ),
    "Another table uses the folder {folder}; the PIN there is not for this one. End that table, or "
    "give this one a folder of its own.": (
        "Ein anderer Tisch benutzt den Ordner {folder}; die PIN dort gilt nicht für diesen. Beende "
        "den anderen, oder gib diesem einen eigenen Ordner."
    ),
    "If that does not work, try {others}.": "Wenn das nicht geht, versuch {others}.",
    "Play in a browser of this computer: {address}": (
        "Im Browser dieses Computers mitspielen: {address}"
    ),
    "Or scan this with the phone's camera; that lets it in at once:": (
        "Oder scanne das mit der Handykamera; dann ist es sofort dabei:"
    ),
    "Port {port} is in use, perhaps by another table; end that or take another port.": (
        "Port {port} ist belegt, vielleicht von einem anderen Tisch; beende den oder nimm einen "
        "anderen Port."
    ),
    "The pages cannot be served at port {port} ({reason}); take another port.": (
        "An Port {port} lassen sich keine Seiten anbieten ({reason}); nimm einen anderen Port."
    ),
}
