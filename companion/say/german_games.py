"""How any of the games is chosen, set up and ended, in German."""

from typing import Final

GAMES: Final = {
    # --- in the manual --------------------------------------------------------------------------
    "Three more games of wizards": "Noch drei Zauberspiele",
    "The same table referees three more games, without barrels. Choose one at the set-up; the "
    "companion can play along, knows the rules, and keeps what is hidden on the phone of its "
    "seat.": (
        "Derselbe Tisch leitet noch drei Spiele, ganz ohne Fässer. Wähle eines bei „Neue Partie“; "
        "die Rappelwacht kann mitspielen, kennt die Regeln und zeigt Verdecktes nur auf dem Handy "
        "des Platzes, dem es gehört."
    ),
    "Two to four players, three wizards each, one die. Whoever ends on a field with wizards of "
    "others captures them and carries them under its own hat. Special fields, marked by a sign, "
    "protect whoever stands there.": (
        "Zwei bis vier spielen, jeder mit drei Zauberern und alle mit einem Würfel. Wer auf einem "
        "Feld mit fremden Zauberern endet, fängt sie und trägt sie unter dem eigenen Hut mit. "
        "Besondere Felder, an ihrem Zeichen zu erkennen, schützen, wer dort steht."
    ),
    "A wizard may go back to its start only with captured opponents: they leave the game and "
    "score, own wizards among them are free again, and another wizard may walk on with the points "
    "left over. A six gives another turn.": (
        "Zurück zum eigenen Start darf ein Zauberer nur mit gefangenen Gegnern: Die verlassen das "
        "Spiel und bringen Punkte, eigene Zauberer darunter sind wieder frei, und mit den übrigen "
        "Augen darf ein anderer weiterziehen. Eine Sechs gibt noch einen Zug."
    ),
    "The joker in the middle belongs to nobody. Whoever holds it captures on special fields, too. "
    "A round ends when all wizards of all players but one are captured; after five rounds the "
    "most points win.": (
        "Der Joker in der Mitte gehört niemandem. Wer ihn trägt, fängt auch auf besonderen "
        "Feldern. Eine Runde endet, wenn nur noch einer freie Zauberer hat; nach fünf Runden "
        "gewinnen die meisten Punkte."
    ),
    "Two to six players. Each keeps three portals of six. In every round the catcher draws an "
    "animus from the bag, and everybody lays one crystal on a field of that kind on an own "
    "portal; a joker fits everywhere, and after it the bag goes on to the left.": (
        "Zwei bis sechs spielen. Jeder behält drei von sechs Portalen. In jeder Runde zieht der "
        "Fänger einen Animus aus dem Beutel, und alle legen einen Kristall auf ein solches Feld "
        "eines eigenen Portals; ein Joker passt überall, und nach ihm wandert der Beutel nach "
        "links."
    ),
    "When all fields of a portal are covered: Incantatum! It is opened, its power works, its "
    "crystals come back, and a new portal is taken from the table. Yellow works at once, blue for "
    "the rest of the game, green scores at the end, violet is worth points alone.": (
        "Sind alle Felder eines Portals belegt: Incantatum! Es öffnet sich, seine Kraft wirkt, "
        "seine Kristalle kommen zurück, und vom Tisch kommt ein neues Portal. Gelb wirkt sofort, "
        "Blau bis zum Ende, Grün zählt am Schluss, Violett bringt nur Punkte."
    ),
    "Rewards are for the first three of a colour, for one of every colour, and for two to six "
    "open portals. When somebody opens the seventh, the round is finished and the most points "
    "win.": (
        "Belohnungen gibt es für die ersten drei einer Farbe, für eines jeder Farbe und für zwei "
        "bis sechs offene Portale. Öffnet jemand das siebte, wird die Runde noch beendet, und die "
        "meisten Punkte gewinnen."
    ),
    "Two to six players, six cards each of six colours with the values 1 to 9. You may always "
    "play any card. The highest trump wins the trick, else the highest card of the colour that "
    "was led.": (
        "Zwei bis sechs spielen, jeder mit sechs Karten aus sechs Farben mit den Werten 1 bis 9. "
        "Du darfst immer jede Karte spielen. Den Stich macht der höchste Trumpf, sonst die höchste "
        "Karte der ausgespielten Farbe."
    ),
    "What is high, the witch wheel decides: it stands at a value, which is the highest, and from "
    "there it goes down (or up, on its other side) and round. Whoever wins a trick may give one "
    "of its cards to the trump pile; that card sets trump and wheel anew.": (
        "Was hoch ist, sagt das Hexenrad: Es steht auf einem Wert, der ist der höchste, und von da "
        "geht es abwärts (auf seiner anderen Seite aufwärts) und rundherum. Wer einen Stich macht, "
        "darf eine seiner Karten auf den Trumpfstapel geben; sie bestimmt Trumpf und Rad neu."
    ),
    "Then all draw up to six again. When the pile is empty, the trump pile is drawn from, too; in "
    "the end every card counts its value, and the most points win.": (
        "Danach ziehen alle wieder auf sechs Karten nach. Ist der Stapel leer, wird auch vom "
        "Trumpfstapel gezogen; am Ende zählt jede Karte ihren Wert, und die meisten Punkte "
        "gewinnen."
    ),
    "Via Magica": "Via Magica",
    # --- set-up, and the end --------------------------------------------------------------------
    "Zapp Zerapp": "Zapp Zerapp",
    "Which game?": "Welches Spiel?",
    "nobody": "niemand",
    "a person": "ein Mensch",
    "bot, clever": "Bot, klug",
    "bot, random": "Bot, planlos",
    "Hands are shown only on the phones of their seats: whoever plays joins with an own phone.": (
        "Was jemand auf der Hand hat, zeigt nur das Handy dieses Platzes: Wer mitspielt, macht mit "
        "einem eigenen Handy mit."
    ),
    "Play on the board of your own, as in the match before.": (
        "Auf eurem eigenen Spielplan spielen, wie in der Partie davor."
    ),
    "Who rolls and draws?": "Wer würfelt und zieht?",
    "You, with things of your own": "Ihr selbst, mit euren eigenen Sachen",
    "Points": "Punkte",
    "wins": "gewinnt",
    "{seats:and} {seats:#wins|win}!": "{seats:and} {seats:#gewinnt|gewinnen}!",
    "What is on a hand is chosen on the phone of that seat alone.": (
        "Was auf der Hand ist, wählt nur das Handy dieses Platzes."
    ),
    "Where you deal real cards, the companion sees none and cannot play.": (
        "Wo ihr echte Karten gebt, sieht die Rappelwacht keine davon und kann nicht mitspielen."
    ),
    "The companion cannot play '{game}' as '{player}'; it can as {players}.": (
        "Die Rappelwacht kann „{game}“ nicht als „{player}“ spielen; sie kann es als {players}."
    ),
    "You deal and draw with things of your own here; tell what it was.": (
        "Ihr gebt und zieht hier selbst; sagt, was es war."
    ),
    "At least one seat is played by people.": "Mindestens einen Platz spielt ein Mensch.",
}
