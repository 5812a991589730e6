"""What phones show where somebody plays at the simulated table, in German."""

from typing import Final

PHONE_SIMULATED: Final = {
    "The table, seen from above": "Der Tisch von oben",
    "What the sensors saw": "Was die Sensoren gesehen haben",
    "Take the seat of {seat}": "Setz dich: {seat}",
    "Barrels, hands and sensors are simulated here; all else is as at the real table. Whoever sits "
    "down shakes by finger or mouse, and hears the stones.": (
        "Fässer, Hände und Sensoren sind hier simuliert; alles andere ist wie am echten Tisch. Wer "
        "sich setzt, schüttelt mit dem Finger oder der Maus und hört die Steine."
    ),
    "To sit down here, this phone needs the PIN; a browser of the computer at which the companion "
    "runs does not.": (
        "Zum Hinsetzen braucht dieses Handy die PIN; ein Browser des Computers, auf dem die "
        "Rappelwacht läuft, braucht sie nicht."
    ),
    "All barrels as a list": "Alle Fässer als Liste",
    "Take {letter}": "{letter} nehmen",
    "Put {letter} back": "{letter} zurückstellen",
    "Put it back": "Zurückstellen",
    "Put your barrel back, then it goes on.": "Stell dein Fass zurück, dann geht es weiter.",
    "The button at your seat; hold it to confirm": (
        "Der Knopf an deinem Platz; halte ihn gedrückt, um zu bestätigen"
    ),
    "Left hand": "Linke Hand",
    "Right hand": "Rechte Hand",
    "Shake": "Schütteln",
    "Place": "Hinstellen",
    "Back": "Zurück",
    "Peek": "Spicken",
    "Compare both": "Beide vergleichen",
    "Before you": "Vor dir",
    "Flip it": "Umdrehen",
    "Take it up again": "Wieder nehmen",
    "While others still choose, this barrel stays as it is: what you do now is a foul.": (
        "Solange andere noch wählen, bleibt dieses Fass, wie es ist: Was du jetzt damit tust, ist "
        "ein Regelverstoß."
    ),
    "While you choose, nobody may look underneath. Hold “Peek” if you dare: the sensors notice.": (
        "Solange ihr wählt, darf niemand drunter schauen. Halte „Spicken“ gedrückt, wenn du dich "
        "traust: Die Sensoren merken es."
    ),
    "Button": "Knopf",
    "Mute": "Ton aus",
    "Volume": "Lautstärke",
    "Let a guest play for me": "Einen Gast für mich spielen lassen",
    "in your hand": "in deiner Hand",
    "in the hand of {seat}": "in der Hand von {seat}",
    "before you": "vor dir",
    "before {seat}": "vor {seat}",
    "on the plateau": "auf dem Plateau",
    "lies on the table": "liegt auf dem Tisch",
    "shows {number}": "zeigt {number}",
    "You read: {number}": "Du liest: {number}",
    "You could not read it.": "Du konntest es nicht lesen.",
    "A guest sits here for you. Take a barrel, and the seat is yours.": (
        "Hier sitzt ein Gast für dich. Nimm ein Fass, dann gehört der Platz dir."
    ),
    "A guest plays this round for you; from the next round on the seat is yours.": (
        "Diese Runde spielt ein Gast für dich; ab der nächsten gehört der Platz dir."
    ),
    "Seen! {foul} Was that you?": "Gesehen! {foul} Warst du das?",
    "Caught! {foul}": "Ertappt! {foul}",
    "'{where}' must be a number from {least} to {most}.": (
        "„{where}“ muss eine Zahl von {least} bis {most} sein."
    ),
}
