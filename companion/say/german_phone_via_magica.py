"""The pages of Via Magica, in German."""

from typing import Final

PHONE_VIA_MAGICA: Final = {
    # what is offered at set-up
    "Via Magica": "Via Magica",
    "Open magic portals with crystals, and let their powers work for you; for two to six.": (
        "Mit Kristallen magische Tore öffnen und ihre Kräfte nutzen; für zwei bis sechs."
    ),
    "Portals and a bag of your own: the companion only keeps the score.": (
        "Eigene Tore und eigener Beutel: Die Rappelwacht zählt nur mit."
    ),
    "How many rewards for three of a colour can one player have?": (
        "Wie viele Belohnungen für drei in einer Farbe darf einer haben?"
    ),
    "any number": "beliebig viele",
    "one": "eine",
    "two": "zwei",
    "When the stack runs out, what was discarded is shuffled.": (
        "Ist der Stapel leer, wird gemischt, was abgelegt wurde."
    ),
    "A portal that a power fills is opened at once, else with the next call.": (
        "Füllt eine Kraft ein Tor, öffnet es sich sofort, sonst beim nächsten Ruf."
    ),
    "After a joker the next player is catcher before portals open.": (
        "Nach einem Joker wechselt der Fänger, bevor sich Tore öffnen."
    ),
    # what is to be done
    "Which three portals has each of you kept?": "Welche drei Tore hat jeder von euch behalten?",
    "Keep three of your portals.": "Behalte drei deiner Tore.",
    "{seats:and} {seats:#chooses|choose} three portals.": (
        "{seats:and} {seats:#wählt|wählen} drei Tore."
    ),
    "Draw an animus from the bag.": "Zieh einen Animus aus dem Beutel.",
    "{seat} draws an animus from the bag.": "{seat} zieht einen Animus aus dem Beutel.",
    "{animus}: place a crystal.": "{animus}: Setze einen Kristall.",
    "{animus}: {seats:and} {seats:#places|place} a crystal.": (
        "{animus}: {seats:and} {seats:#setzt|setzen} einen Kristall."
    ),
    "Incantatum! Who called first?": "Incantatum! Wer hat zuerst gerufen?",
    "Which portal is the next on the table?": "Welches Tor kommt neu in die Auslage?",
    "Lay five portals on the table. Which one is number {number}?": (
        "Legt fünf Tore in die Auslage. Welches ist Nummer {number}?"
    ),
    "Incantatum! Open your portal.": "Incantatum! Öffne dein Tor.",
    "Incantatum! {seat} opens a portal.": "Incantatum! {seat} öffnet ein Tor.",
    "Portal {portal}: {power}.": "Tor {portal}: {power}.",
    "{seat}, portal {portal}: {power}.": "{seat}, Tor {portal}: {power}.",
    "Take a portal from the table.": "Nimm ein Tor aus der Auslage.",
    "{seat} takes a portal from the table.": "{seat} nimmt ein Tor aus der Auslage.",
    "Do you claim a reward?": "Verlangst du eine Belohnung?",
    "Does {seat} claim a reward?": "Verlangt {seat} eine Belohnung?",
    "chooses": "wählt",
    "catches": "zieht",
    "places": "setzt",
    "opens": "öffnet",
    "{count} {count:#portal|portals}": "{count} {count:#Tor|Tore}",
    # what can be done
    "Everybody chooses on the phone of the own seat: join with yours.": (
        "Jeder wählt auf dem Handy des eigenen Platzes. Tippe auf „Mitmachen“ und wähle deinen "
        "Platz."
    ),
    "Choose three": "Wähle drei",
    "Keep these three": "Diese drei behalten",
    "You have kept": "Du hast behalten",
    "Which colour?": "Welche Farbe?",
    "{seat}: which colour?": "{seat}: Welche Farbe?",
    "Draw": "Ziehen",
    "Draw for us": "Zieh für uns",
    "Which animus is it?": "Welcher Animus ist es?",
    "{seat} called first": "{seat} hat zuerst gerufen",
    "All called at once": "Alle riefen gleichzeitig",
    "On the table": "Auslage",
    "Your portals": "Deine Tore",
    "From the supply: {count}": "Aus dem Vorrat: {count}",
    "Tap a crystal to move it.": "Tippe einen Kristall an, um ihn zu verschieben.",
    "Or tap a crystal to move it.": "Oder tippe einen Kristall an, um ihn zu verschieben.",
    "Move the crystal from {animus} of portal {portal}": (
        "Den Kristall von {animus} von Tor {portal} verschieben"
    ),
    "Place on {animus} of portal {portal}": "Auf {animus} von Tor {portal} setzen",
    "{placed}, from {animus} of portal {portal}": "{placed}, von {animus} von Tor {portal}",
    "Open portal {portal}": "Tor {portal} öffnen",
    "Take portal {portal}": "Tor {portal} nehmen",
    "{points} points for {reward}": "{points} Punkte für {reward}",
    "Leave the power": "Kraft nicht nutzen",
    "Claim nothing more": "Nichts mehr verlangen",
    "Caught: {animus}": "Gefangen: {animus}",
    "Claim: {reward}": "Verlangen: {reward}",
    "Leave it": "Darauf verzichten",
    "Portal {portal} comes to the table": "Tor {portal} kommt in die Auslage",
    "Keep: {portals}": "Behalten: {portals}",
    # portals and what lies open
    "{points} {points:#point|points} per portal: {hue}": (
        "{points} {points:#Punkt|Punkte} je Tor: {hue}"
    ),
    "{points} {points:#point|points} per field: {animus}": (
        "{points} {points:#Punkt|Punkte} je Feld: {animus}"
    ),
    "{points} {points:#point|points}": "{points} {points:#Punkt|Punkte}",
    "{animus} is a joker for you": "{animus} ist für dich Joker",
    "place {count} {count:#crystal|crystals} anywhere": (
        "setze {count} {count:#Kristall|Kristalle} irgendwohin"
    ),
    "place {count} on {animus}": "setze {count} auf {animus}",
    "{count} in the supply": "{count} im Vorrat",
    "Who draws?": "Wer zieht?",
    "{count} {count:#crystal|crystals} more": "{count} {count:#Kristall|Kristalle} mehr",
    "open another portal": "öffne noch ein Tor",
    "take one portal more": "nimm noch ein Tor",
    "rearrange your crystals": "setze deine Kristalle um",
    "{animus} (covered)": "{animus} (belegt)",
    "Fields: {fields}.": "Felder: {fields}.",
    "Still in the bag: {animi}.": "Noch im Beutel: {animi}.",
    "{animus} {count}": "{animus} {count}",
    "In the bag; {seat} catches": "Im Beutel – Fänger ist {seat}",
    "{count} {count:#crystal|crystals}": "{count} {count:#Kristall|Kristalle}",
    "Opened": "Geöffnet",
    "for {reward}": "für {reward}",
    "Rewards": "Belohnungen",
    "Rewards for three of a colour are there once, and nobody has more than {count} of them.": (
        "Belohnungen für drei in einer Farbe gibt es einmal, und niemand hat mehr als {count} "
        "davon."
    ),
    "Rewards for colours are there once; of the others each may have one.": (
        "Belohnungen für Farben gibt es einmal; von den anderen darf jeder eine haben."
    ),
}
