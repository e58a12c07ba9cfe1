"""Words with which people unsay what they have written: "Please ignore my last mail", "Ich meinte Gascony".

English takes back with the whole line; of the other languages in which order words are read a verb and what it is
about suffice, in any order. Whoever asks decides what follows: a line that says so is asked back, and does nothing.
"""

from __future__ import annotations

import re

_POLITE = r"(?:(?:oh|no|oops|sorry|please|kindly|and|but|hi|hello|so|ok|wait|well|judge|dear)\b[\s,.!:;-]*)*"
_UNSAYS = r"(?:ignore|disregard|forget|cancel|scratch|scrap|strike|revoke|rescind|retract|withdraw|undo|discard|void)"
_WHICH = r"(?:(?:all|both|any|of|my|our|the|th(?:at|is|ese|ose)|last|previous|prior|earlier|first|old|whole|for)\s+)*"
_THINGS = r"(?:orders?|(?:e-?)?mails?|messages?|sets?|lines?|moves?|supports?|instructions?|submission|above)"
_ALL_OF_IT = r"everything|all of (?:it|this|that)|what(?:ever)? i (?:said|wrote|sent|ordered)"
_TAKES_BACK = re.compile(
    rf"{_POLITE}{_UNSAYS}\s+(?:about\s+)?{_WHICH}(?:(?:[\w.'’-]+\s+){{0,2}}{_THINGS}|that|{_ALL_OF_IT})\b.*",
    re.IGNORECASE,
)
_MEANT_OTHERWISE = re.compile(
    r"\b(?:i (?:meant|mean)|make (?:that|it)|changed my mind|change of mind|instead of|rather than)\b", re.IGNORECASE
)

_ABROAD: tuple[tuple[str, str], ...] = (
    (
        r"ignorier\w*|vergiss|vergesst|vergessen|streich\w*|stornier\w*|annullier\w*|widerruf\w*|verwerf\w*|lösch\w*"
        r"|(?:nehme|ziehe|nehmen|ziehen)\b.*\bzurück|zurück(?:nehm|zieh)\w*|(?:gilt|gelten) nicht(?: mehr)?",
        r"befehl\w*|order\w*|e-?mails?|mails?|nachricht\w*|zug|züge\w*|anweisung\w*|zeilen?|unterstützung\w*|alles",
    ),
    (
        r"ignore[zr]?|oubli(?:e|es|ez|er)|annul\w*|retir\w*|supprim\w*|efface[zr]?"
        r"|(?:tenez|tiens|tenir) (?:pas )?compte",
        r"ordres?|e-?mails?|mails?|messages?|courriels?|coups?|mouvements?|soutiens?|lignes?|tout",
    ),
    (
        r"ignor\w*|olvid\w*|cancel\w*|anul\w*|retir\w*|borr\w*|descart\w*",
        r"[oó]rdenes|orden|correos?|e-?mails?|mails?|mensajes?|movimientos?|jugadas?|apoyos?|l[ií]neas?|todo",
    ),
    (
        r"ignor\w*|dimentic\w*|annull\w*|cancell\w*|ritir\w*|revoc\w*",
        r"ordin[ei]|e-?mail|mail|messaggi\w*|moss[ae]|appogg\w*|rig(?:a|he)|tutto",
    ),
    (
        r"negeer\w*|negeren|vergeet|vergeten|annule\w*|schrap\w*|herroep\w*|intrekken|trek\w*\b.*\bin",
        r"orders?|e-?mails?|mails?|berichten|bericht|zet(?:ten)?|bevel(?:en)?|steun|regels?|alles",
    ),
)
"""German, French, Spanish, Italian, Dutch: the verbs, and what they are about."""

_UNSAID_ABROAD = tuple(
    (re.compile(rf"\b(?:{verbs})\b", re.IGNORECASE), re.compile(rf"\b(?:{things})\b", re.IGNORECASE))
    for verbs, things in _ABROAD
)
_MEANT_ABROAD = re.compile(
    r"\b(?:ich mein(?:e|te)|gemeint (?:war|ist)|anders überlegt|anstatt|anstelle|statt|sondern"
    r"|je (?:voulais|veux) dire|au lieu d|plutôt qu|qui[sz]e decir|quer[ií]a decir|en (?:lugar|vez) de"
    r"|volevo dire|intendevo|invece di|anziché|al posto d|ik bedoel(?:de)?|in plaats van)",
    re.IGNORECASE,
)


def unsays(line: str) -> bool:
    """Whether a line takes orders or a mail back.

    >>> unsays("Please ignore my last mail"), unsays("Vergiss meine letzten Befehle!"), unsays("Forget it")
    (True, True, False)
    """
    if _TAKES_BACK.fullmatch(line):
        return True
    return any(verb.search(line) and thing.search(line) for verb, thing in _UNSAID_ABROAD)


def means_otherwise(line: str) -> bool:
    """Whether a line says that something else was meant; what it is about, it names besides."""
    return _MEANT_OTHERWISE.search(line) is not None or _MEANT_ABROAD.search(line) is not None
