"""Words of orders in other languages, read beside the English ones.

No word here means anything in an English order, or is a name, or the beginning of one, on any board (but "sich", which
stays Sichuan where there is one): so no English line is read otherwise for them. A word that two of these languages use
for two things ("se": Spanish "itself", Italian "if") is in neither, and a line that needs it is asked back. German
letters may be written out ("fuer"), accents left away.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

from judge.board.spelling import spelled_out

ARMY, FLEET, MOVE, SUPPORT, CONVOY, HOLD = "A", "F", "-", "S", "C", "H"
RETREAT, DISBAND, BUILD, WAIVE, BREAK, CONDITION, FILLER = "R", "D", "B", "W", ",", "X", ""

TONGUES: Mapping[str, Mapping[str, str]] = {
    "de": {
        ARMY: "armee armeen heer heere",
        FLEET: "flotte flotten",
        MOVE: "nach zieht ziehen geht gehen bewegt bewegen marschiert marschieren fährt fahren segelt segeln",
        SUPPORT: "unterstützt unterstützen unterstütze unterstützung stützt stützen hilft",
        CONVOY: "konvoiert konvoieren konvoi geleitet geleiten transportiert transportieren befördert befördern",
        HOLD: "hält halten bleibt bleiben steht stehen",
        RETREAT: "rückzug flieht weicht",
        DISBAND: "entferne entfernen entfernt auflösen aufgelöst abbau",
        BUILD: "baue bauen baut aufbau",
        WAIVE: "verzichte verzichten verzichtet verzicht",
        BREAK: "und",
        CONDITION: "nicht kein keine keinen wenn falls statt ohne sonst außer vielleicht",
        FILLER: "die der das dem ins sich zurück",
    },
    "fr": {
        ARMY: "armée armées",
        FLEET: "flotte flottes",
        MOVE: "vers va vont avance attaque marche",
        SUPPORT: "soutient soutiennent soutien soutenir appuie appuient",
        CONVOY: "convoie convoient convoyer",
        HOLD: "reste restent tient tiennent tenir",
        RETREAT: "retraite replie repli recule",
        DISBAND: "dissout dissoute dissoudre supprime supprimer",
        BUILD: "construit construire construis",
        WAIVE: "renonce",
        BREAK: "et",
        CONDITION: "jamais sans sauf sinon",
        FILLER: "le la les il",
    },
    "es": {
        ARMY: "ejército ejércitos",
        FLEET: "flota flotas",
        MOVE: "hacia va mueve mueven avanza ataca",
        SUPPORT: "apoya apoyan apoyo apoyar",
        CONVOY: "convoya convoyar",
        HOLD: "mantiene mantienen permanece permanecen aguanta",
        RETREAT: "retirada retrocede",
        DISBAND: "disuelve disolver elimina eliminar",
        BUILD: "construye construir construyo",
        CONDITION: "nunca salvo excepto",
        FILLER: "el la los las",
    },
    "it": {
        ARMY: "armata armate esercito eserciti",
        FLEET: "flotta flotte",
        MOVE: "verso va muove muovono avanza attacca",
        SUPPORT: "appoggia appoggiano appoggio supporta supportano sostiene sostengono",
        CONVOY: "convoglia convogliano trasporta",
        HOLD: "resta restano rimane rimangono mantiene",
        RETREAT: "ritirata ritira",
        DISBAND: "scioglie sciolta rimuove rimuovi",
        BUILD: "costruisce costruire costruisci",
        WAIVE: "rinuncia",
        CONDITION: "senza tranne altrimenti",
        FILLER: "il lo la gli",
    },
    "nl": {
        ARMY: "leger legers",
        FLEET: "vloot vloten",
        MOVE: "naar gaat gaan",
        SUPPORT: "steunt steunen steun ondersteunt ondersteunen",
        CONVOY: "vervoert konvooieert",
        HOLD: "blijft blijven houdt",
        RETREAT: "terugtrekken",
        DISBAND: "verwijder verwijdert ontbindt",
        BUILD: "bouw bouwt bouwen",
        CONDITION: "niet geen tenzij behalve zonder",
        FILLER: "het en zich",
    },
    "sv": {CONDITION: "inte"},
    "da": {CONDITION: "ikke"},
    "no": {CONDITION: "ikke ikkje"},
}
"""Language -> what a word says, as the letters of `judge.orders.words` have it -> the words."""


OUTCOMES: Mapping[str, str] = {
    "de": "abgeprallt|unterbrochen|ungültig|unzulässig|unmöglich|vertrieben|aufgelöst|gescheitert|gegeben|mitgenommen|"
    "ungenutzt|kein befehl|kein konvoi|ohne wirkung",
    "nl": "afgeketst|verbroken|ongeldig|onmogelijk|verdreven|ontbonden|mislukt|gegeven|meegevoerd|ongebruikt|"
    "niet toegestaan|geen order|geen konvooi|zonder gevolg",
}
"""Language -> how the column begins in which its results say what became of an order: one word, or two."""


def outcomes_abroad() -> frozenset[str]:
    """All of these, with every way to write their letters."""
    return frozenset(way for said in OUTCOMES.values() for each in said.split("|") for way in _written(each))


def words_abroad() -> Iterator[tuple[str, str]]:
    """(word, what it says) of all these languages, with every way to write its letters."""
    for tongue in TONGUES.values():
        for says, words in tongue.items():
            for word in words.split():
                for written in _written(word):
                    yield written, says


def _written(word: str) -> Iterator[str]:
    """A word with its accents, without, and with German letters written out.

    >>> list(_written("rückzug"))
    ['rückzug', 'ruckzug', 'rueckzug']
    """
    plain = "".join(mark for mark in unicodedata.normalize("NFKD", word) if not unicodedata.combining(mark))
    yield from dict.fromkeys((word, plain.replace("ß", "ss"), spelled_out(word)))
