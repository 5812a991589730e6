"""What the lights mean in the games beside Zapp Zerapp, in German, by the English template."""

from typing import Final

TRAPPING: Final = {
    "What each has caught": "Was jeder gefangen hat",
    "Trap the Wizard: green may roll. Red has caught three wizards, yellow has one.": (
        "Fang den Zauberer: Grün darf würfeln. Rot hat drei Zauberer gefangen, Gelb einen."
    ),
    "A start and its seat breathe; in each quarter as many fields are dim.": (
        "Ein Start und sein Platz pulsieren; in jedem Viertel sind so viele Felder schwach."
    ),
    "How far a wizard moves": "Wie weit ein Zauberer zieht",
    "Trap the Wizard: yellow has rolled a 6.": "Fang den Zauberer: Gelb hat eine 6 gewürfelt.",
    "As many fields of the mover's quarter are steady; its start and seat breathe.": (
        "Im Viertel dessen, der zieht, leuchten so viele Felder ruhig; Start und Platz pulsieren."
    ),
    "Who would be captured": "Wer gefangen würde",
    "Trap the Wizard: yellow's button offers a move that would capture a green wizard.": (
        "Fang den Zauberer: Gelbs Knopf bietet einen Zug an, der einen grünen Zauberer finge."
    ),
    "A light runs from one start to its city; the start of the captured blinks fast.": (
        "Ein Licht läuft von einem Start zu seiner Stadt; der Start des Gefangenen blinkt schnell."
    ),
    "Captured!": "Gefangen!",
    "Trap the Wizard: yellow has captured a green wizard. It may roll again.": (
        "Fang den Zauberer: Gelb hat einen grünen Zauberer gefangen und darf noch einmal würfeln."
    ),
    "One start blinks fast, another breathes with its seat.": (
        "Ein Start blinkt schnell, ein anderer pulsiert mit seinem Platz."
    ),
    "Home with the catch": "Mit dem Fang nach Hause",
    "Trap the Wizard: green brings a blue wizard home; that one is out of the game.": (
        "Fang den Zauberer: Grün bringt einen blauen Zauberer heim; der ist aus dem Spiel."
    ),
    "A comet runs clockwise over six fields to a start; the start of the other flashes.": (
        "Ein Komet läuft im Uhrzeigersinn über sechs Felder zum Start; der andere Start blitzt."
    ),
    "Points left over": "Übrige Punkte",
    "Trap the Wizard: yellow came home; another of its wizards may move on by 2.": (
        "Fang den Zauberer: Gelb kam heim; ein anderer seiner Zauberer darf noch 2 weit ziehen."
    ),
    "As many fields of the mover's quarter breathe, with its start and seat.": (
        "Im Viertel dessen, der zieht, pulsieren so viele Felder, mit Start und Platz."
    ),
    "Points that are lost": "Verfallene Punkte",
    "Trap the Wizard: red has rolled a 4, and none of its wizards can use it.": (
        "Fang den Zauberer: Rot hat eine 4 gewürfelt, und keiner seiner Zauberer kann sie nutzen."
    ),
    "As many fields of a quarter blink fast.": ("So viele Felder eines Viertels blinken schnell."),
    "The trap is shut": "Die Falle ist zu",
    "Trap the Wizard: the round is over, and green scores three wizards.": (
        "Fang den Zauberer: Die Runde ist vorbei, und Grün bekommt Punkte für drei Zauberer."
    ),
    "In each quarter as many fields flash twice as the round has brought points.": (
        "In jedem Viertel blitzen so viele Felder zweimal, wie die Runde Punkte gebracht hat."
    ),
}

CONJURING: Final = {
    "Choose your portals": "Wählt eure Tore",
    "Via Magica: red and blue have still to choose; green and yellow have chosen.": (
        "Via Magica: Rot und Blau müssen noch wählen; Grün und Gelb haben gewählt."
    ),
    "Who has to choose breathes, start and seat; who has chosen is steady.": (
        "Wer noch wählt, pulsiert, Start und Platz; wer gewählt hat, leuchtet ruhig."
    ),
    "Opened portals": "Geöffnete Tore",
    "Via Magica: red catches. It has opened two portals, green and blue one each.": (
        "Via Magica: Rot fängt. Es hat zwei Tore geöffnet, Grün und Blau je eines."
    ),
    "In each quarter as many fields are dim; the seventh portal is the city.": (
        "In jedem Viertel sind so viele Felder schwach; das siebte Tor ist die Stadt."
    ),
    "The animus": "Der Animus",
    "Via Magica: water is caught. Red and blue have still to place a crystal.": (
        "Via Magica: Wasser ist gefangen. Rot und Blau müssen noch einen Kristall setzen."
    ),
    "In each quarter as many fields are lit as the bag holds: 6 for air, 5 water, 4 earth, 3 "
    "life, 2 fire, 1 shadow; a calm light passes over them.": (
        "In jedem Viertel leuchten so viele Felder, wie im Beutel sind: 6 für Luft, 5 Wasser, "
        "4 Erde, 3 Leben, 2 Feuer, 1 Schatten; ein ruhiges Licht zieht darüber."
    ),
    "The joker": "Der Joker",
    "Via Magica: the joker is caught, so each may place a crystal anywhere.": (
        "Via Magica: Der Joker ist gefangen; alle dürfen einen Kristall setzen, wo sie wollen."
    ),
    "The ring is dark but for a comet that circles calmly.": (
        "Der Ring ist dunkel bis auf einen Kometen, der ruhig kreist."
    ),
    "Incantatum!": "Incantatum!",
    "Via Magica: red and blue can open a portal. Tell who called first.": (
        "Via Magica: Rot und Blau können ein Tor öffnen. Sagt, wer zuerst gerufen hat."
    ),
    "Their starts and seats blink fast.": "Ihre Starts und Plätze blinken schnell.",
    "A portal opens": "Ein Tor öffnet sich",
    "Via Magica: blue opens a violet portal. It stays so for some seconds.": (
        "Via Magica: Blau öffnet ein violettes Tor. Das bleibt einige Sekunden so."
    ),
    "Two comets run from the start round both sides of the ring, again and again.": (
        "Vom Start laufen zwei Kometen zu beiden Seiten um den Ring, immer wieder."
    ),
}

BEWITCHING: Final = {
    "The witch wheel": "Das Hexenrad",
    "Blackmore: the wheel stands at 7, blue is trump. Yellow plays; so far blue wins.": (
        "Blackmore: Das Rad steht auf 7, Blau ist Trumpf. Gelb spielt; bisher gewinnt Blau."
    ),
    "Nine fields from the arrow are the values 1 to 9. The brightest is the highest, and a calm "
    "light runs down the ranks. Opposite, 1 to 6 fields: trump is red, yellow, green, blue, "
    "violet, white. The city of whoever wins so far is dim.": (
        "Neun Felder ab dem Pfeil sind die Werte 1 bis 9. Das hellste ist der höchste, und ein "
        "ruhiges Licht läuft die Rangfolge hinab. Gegenüber 1 bis 6 Felder: Trumpf ist Rot, Gelb, "
        "Grün, Blau, Violett, Weiß. Die Stadt dessen, der bisher gewinnt, ist schwach."
    ),
    "A seat without lights": "Ein Platz ohne Lichter",
    "Blackmore: six play. Violet plays a card; so far blue wins.": (
        "Blackmore: Ihr spielt zu sechst. Violett spielt eine Karte; bisher gewinnt Blau."
    ),
    "A light goes round the four cities: clockwise for violet, the other way for white.": (
        "Ein Licht läuft um die vier Städte: für Violett im Uhrzeigersinn, für Weiß andersherum."
    ),
    "The trick is won": "Der Stich ist gewonnen",
    "Blackmore: blue's 4 has won against yellow's 9. Blue may turn the wheel.": (
        "Blackmore: Blaus 4 hat gegen Gelbs 9 gewonnen. Blau darf das Rad drehen."
    ),
    "The winner's city flashes twice; the whole wheel breathes, with a start and a seat.": (
        "Die Stadt des Gewinners blitzt zweimal; das ganze Rad pulsiert, mit Start und Platz."
    ),
    "Shall the wheel turn?": "Soll sich das Rad drehen?",
    "Blackmore: blue's button offers the red 7 as the new trump; hold it to confirm.": (
        "Blackmore: Blaus Knopf bietet die rote 7 als neuen Trumpf an; lange drücken bestätigt."
    ),
    "The wheel as it would be, with a quick comet; a light runs from start to city.": (
        "Das Rad, wie es wäre, mit schnellem Kometen; ein Licht läuft vom Start zur Stadt."
    ),
    "A start and its seat breathe.": "Ein Start und sein Platz pulsieren.",
    "To be confirmed": "Noch zu bestätigen",
}

GAMES: Final = TRAPPING | CONJURING | BEWITCHING
