"""The pages of the Witches of Blackmore, in German."""

from typing import Final

PHONE_BLACKMORE: Final = {
    # what is offered at set-up
    "The Witches of Blackmore": "The Witches of Blackmore",
    "Win tricks with 54 witches, and turn the wheel that ranks them; for two to six.": (
        "Stiche machen mit 54 Hexen und dabei das Rad drehen, das ihren Rang bestimmt; für zwei "
        "bis sechs."
    ),
    "How does the witch wheel rank the values?": "Wie ordnet das Hexenrad die Werte?",
    "descending: 7, 6, 5, 4 …": "absteigend: 7, 6, 5, 4 …",
    "ascending: 7, 8, 9, 1 …": "aufsteigend: 7, 8, 9, 1 …",
    "Who leads the first trick?": "Wer spielt zum ersten Stich aus?",
    "the first of you, clockwise from Red": "wer von Rot an im Uhrzeigersinn zuerst sitzt",
    "{seat}": "{seat}",
    "Cards of your own: the companion only keeps the score.": (
        "Eigene Karten: Die Rappelwacht zählt nur mit."
    ),
    "The trump may change even when the pile is empty.": (
        "Trumpf wechseln geht auch bei leerem Stapel."
    ),
    "The trump may change even after the very last trick.": (
        "Trumpf wechseln geht auch noch nach dem allerletzten Stich."
    ),
    "An empty trump pile means no trump.": "Ist der Trumpfstapel leer, gibt es keinen Trumpf.",
    "Whoever gets no card sits out the last trick, else the next.": (
        "Wer keine Karte mehr bekommt, setzt beim letzten Stich aus, sonst beim nächsten."
    ),
    "On a tie you win together, else whoever has more cards.": (
        "Bei Gleichstand gewinnt ihr gemeinsam, sonst wer mehr Karten hat."
    ),
    # what is to be done
    "Turn up the top card: which one is it?": "Deckt die oberste Karte auf: Welche ist es?",
    "Your trick: change the trump?": "Dein Stich: Trumpf wechseln?",
    "{seat} wins the trick and may change the trump.": (
        "{seat} hat den Stich und darf den Trumpf wechseln."
    ),
    "Which card does {seat} play?": "Welche Karte spielt {seat}?",
    "Play any card.": "Du darfst jede Karte spielen.",
    "{seat} plays a card.": "{seat} spielt eine Karte.",
    "You lead: any card.": "Du spielst aus.",
    "{seat} leads a card.": "{seat} spielt aus.",
    "wins the trick": "hat den Stich",
    "plays": "spielt",
    "leads": "spielt aus",
    "Keep the trump": "Trumpf lassen, wie er ist",
    "Play the {suit} {value}": "Die {suit} {value} spielen",
    "Lay the {suit} {value} on the trump pile": "Die {suit} {value} auf den Trumpfstapel legen",
    "The {suit} {value} is turned up": "Die {suit} {value} ist aufgedeckt",
    # what can be seen
    "From the highest to the lowest: {ranking}.": "Vom höchsten Rang zum niedrigsten: {ranking}.",
    "There is no trump.": "Es gibt keinen Trumpf.",
    "Trump: {suit}.": "Trumpf: {suit}.",
    "In the pile: {pile}. On the trump pile: {trumps}.": (
        "Im Stapel: {pile}. Auf dem Trumpfstapel: {trumps}."
    ),
    "{seat}: the {suit} {value}.": "{seat}: die {suit} {value}.",
    "{seat} holds {held} {held:#card|cards} and has won {won}.": (
        "{seat} hat {held} {held:#Karte|Karten} auf der Hand und {won} gewonnen."
    ),
    "pile": "Stapel",
    "trump": "Trumpf",
    "no trump": "kein Trumpf",
    "on the hand": "auf der Hand",
    "won cards": "gewonnene Karten",
    "{points} {points:#point|points}; {seat} is ahead.": (
        "{points} {points:#Punkt|Punkte}; {seat} liegt vorn."
    ),
    "{points} points for {seat}.": "{points} Punkte für {seat}.",
    "Hands are on the phones of their seats: join with yours to see it.": (
        "Was du auf der Hand hast, zeigt nur das Handy deines Platzes. Tippe auf „Mitmachen“ und "
        "wähle deinen Platz."
    ),
    # what can be chosen
    "Your hand": "Deine Hand",
    "Play this card": "Diese Karte spielen",
    "You lead with it.": "Damit spielst du aus.",
    "It does not win: {seat} stays ahead.": "Sie gewinnt nicht: {seat} bleibt vorn.",
    "It beats all that lie there.": "Sie schlägt alles, was liegt.",
    "With it you win the trick: {points} points.": (
        "Damit gewinnst du den Stich: {points} Punkte."
    ),
    "Which card turns the wheel?": "Welche Karte dreht das Rad?",
    "no card": "keine",
    "{trump} The card does not count for you then.": (
        "{trump} Die Karte zählt dann nicht für dich."
    ),
    "Confirm": "Bestätigen",
    "Which colour?": "Welche Farbe?",
}
