"""What other settings would find in a recording, in German, found by the English template."""

from typing import Final

TUNED: Final = {
    "{program} tune FILE    what other settings would find in a recording": (
        "{program} tune DATEI    was andere Einstellungen in einer Aufnahme fänden"
    ),
    "Show what sensing finds in a recording, as it is and with other settings.": (
        "Zeigen, was in einer Aufzeichnung gefunden wird, auch mit anderen Werten."
    ),
    "CHANGE": "ÄNDERUNG",
    "such as peeking.foul_ms=400; any number of them": (
        "etwa peeking.foul_ms=400; beliebig viele davon"
    ),
    "from which second to which all choose, such as 12.5-40; otherwise all the time": (
        "von welcher Sekunde bis zu welcher alle wählen, etwa 12.5-40; sonst die ganze Zeit"
    ),
    "'{word}' is no span of seconds; write for example 12.5-40.": (
        "„{word}“ ist keine Zeitspanne in Sekunden; schreib zum Beispiel 12.5-40."
    ),
    "There is no setting '{name}'; there are {names}.": (
        "Eine Einstellung „{name}“ gibt es nicht; es gibt {names}."
    ),
    "With {changes} nothing can be reckoned; choose other values.": (
        "Mit {changes} lässt sich nichts ausrechnen; wähle andere Werte."
    ),
    "'{word}' is no value for {name}; write for example {name}={now}.": (
        "„{word}“ ist kein Wert für {name}; schreib zum Beispiel {name}={now}."
    ),
    "{count} {count:#finding|findings}, {differ} of them judged otherwise (*).": (
        "{count} {count:#Befund|Befunde}, {differ} davon anders beurteilt (*)."
    ),
    "foul": "Foul",
    "stopper": "Stopfen",
    "as it is": "so wie es ist",
    "changed": "geändert",
    "peek": "gespickt",
    "flipped early": "zu früh umgedreht",
    "too many in hand": "zu viele in der Hand",
    "still shaking": "schüttelt noch",
    "placed one put back": "gewähltes zurück",
    "second one placed": "zweites gewählt",
    "warning": "Warnung",
    "withdrawn": "zurückgenommen",
}
