"""What Gamemasters ask for in sentences of their own: each is answered with the line of ours that does it.

Nothing is done by such a sentence. "Please hold the game until Sunday, Germany is in hospital" offers `hold until
Sunday`: the Gamemaster confirms it by its number, so a sentence misread costs a mail and never a game.
"""

from __future__ import annotations

import re

from judge.game.core.commands import Role
from judge.mail.vocabulary import Around, Clause, Unclear, find_verb, may_use

_LONGEST = 300
_LEAD = re.compile(
    r"(?:(?:hi|hello|hey|dear|judge|oops|sorry|please|kindly|and|so|but|also|ok|now|then|well|just)\b[\s,.!:–—-]*"
    r"|(?:can|could|would|will) you (?:please |kindly |also |just )*|(?:i|we)(?:'d| would) like (?:you )?to "
    r"|(?:i|we) (?:want|need|wish|have|must|should|shall|will)(?: you)?(?: to)? |i'm going to |i am going to "
    r"|(?:let us|let's) |(?:the judge|it) should )",
    re.IGNORECASE,
)
_ADDRESS = r"(?P<address>[^\s@,;:<>()]+@[^\s@,;:<>()]+\.[^\s@,;:<>()]*\w)"
_WHY = r"(?:\s*(?:[,;.(–—-]|\b(?:because|since|as|so that|due to|for the reason)\b).*)?"
_THE = r"(?:the|this|our|my)?\s*"
_TURN = r"(?:turn|phase|season|moves|results?|orders|adjudication|game|round)"
_COUNT = r"\d{1,3}|an?|one|two|three|four|five|six|seven|ten|fourteen"
_SPAN = rf"(?P<span>(?:(?:another|{_COUNT})\s+)+(?:(?:more|extra)\s+)?(?:days?|hours?|weeks?)|\d{{1,3}}\s?[dhw])"
_SETTINGS = r"(?P<setting>moves|retreats|adjustments|builds|grace|reminders|zone|time ?zone|press|extensions)"

_ROWS: tuple[tuple[str, str], ...] = (
    (
        r"(?:write|announce|say|send(?: this)?|tell|inform|let)(?: this)?(?: to)?"
        r" (?:all (?:of )?(?:the )?(?:players|powers)|all of them|all|everybody|everyone|the players)"
        r"(?: know)?\s*(?::|,|\bthat\b)\s*(?P<rest>.+)",
        "press to all: {rest}",
    ),
    (
        rf"(?:hold|pause|stop|suspend|freeze|halt|interrupt)\s+{_THE}(?:game|clock|calendar|{_TURN}|deadline|everything)"
        rf"(?P<rest>\s+(?:until|till|for)\s+[^,;.(]+?)?{_WHY}",
        "hold{rest}",
    ),
    (rf"(?:un-?pause|restart|continue|resume|go on with|carry on with|unfreeze)\s+{_THE}(?:game|clock)\b.*", "resume"),
    (
        r"(?:extend|prolong|push(?: back)?|postpone|delay|move(?: back)?|put off)\s+"
        rf"{_THE}(?:deadline|due date|{_TURN})(?: back| off)?\s+(?:by|for)?\s*{_SPAN}{_WHY}",
        "extend {span}",
    ),
    (
        r"(?:let|give|grant|allow)\s+(?:the\s+)?(?!me\b)[\w-]+(?:\s+(?:have|take|get))?\s+"
        rf"{_SPAN}(?:\s+more|\s+extra)?{_WHY}",
        "extend {span}",
    ),
    (
        rf"(?:move|set|change|shift|put|make)\s+{_THE}(?:deadline|due date)\s+(?:be\s+)?(?:to\s+|on\s+|at\s+)?"
        r"(?:every|each)\s+(?P<rest>[^,;.(]+)",
        "set moves {rest}",
    ),
    (
        rf"(?:move|set|change|shift|put|make)\s+{_THE}(?:new\s+)?(?:deadline|due date)\s+(?:be\s+)?"
        rf"(?:to|on|at|for|back to)\s+(?P<rest>[^,;(]+?){_WHY}",
        "deadline {rest}",
    ),
    (
        rf"(?:replace|substitute|swap)\s+(?P<power>[\w-]+)\s+(?:with|by|for)\s+{_ADDRESS}(?:\W.*)?",
        "assign {power} to {address}",
    ),
    (
        rf"{_ADDRESS}\s+(?:takes over|will take over|replaces|will replace|takes|gets|plays|will play)\s+"
        r"(?P<power>[\w-]+)(?:\W.*)?",
        "assign {power} to {address}",
    ),
    (
        rf"(?:make|name|appoint|use)\s+{_ADDRESS}\s+(?:as\s+|be\s+)?(?:my|the|our)?\s*(?:deputy|co-?gm|assistant)"
        rf"\s+(?P<rest>(?:until|till)\s+[^,;.(]+){_WHY}",
        "deputy {address} {rest}",
    ),
    (
        rf"(?:hand|give|pass|turn)\s+(?:over\s+)?{_THE}game\s+(?:over\s+)?to\s+{_ADDRESS}(?:\W.*)?",
        "hand over to {address}",
    ),
    (rf"(?:cancel|abandon|finish|close|end|terminate|call off|abort)\s+{_THE}game\b.*", "end game abandoned"),
    (r"(?:turn|switch)\s+(?:off\s+(?:the\s+|all\s+)?press|(?:the\s+|all\s+)?press\s+off)\b.*", "set press none"),
    (
        rf"(?:set|make|change)\s+{_THE}(?:press\s+(?:to\s+|be\s+)?|game\s+|it\s+)(?:a\s+)?(?:gunboat|no press)\b.*",
        "set press none",
    ),
    (
        rf"(?:make|set|change|let)\s+{_THE}{_SETTINGS}\s+(?:to\s+|at\s+|be\s+|last\s+|take\s+)?(?P<rest>[^,;(]+?){_WHY}",
        "set {setting} {rest}",
    ),
    (
        r"(?:(?:send|give)\s+(?:out\s+)?(?:a|another|the)?\s*(?:reminder|nudge|reminders|warning)\b.*"
        r"|(?:send|give)\s+(?:everybody|everyone|all|them|the others|the players)\s+a\s+(?:reminder|nudge)\b.*"
        r"|(?:remind|nudge|prod)\s+(?:everybody|everyone|all|them|the others|the players|the rest)\b.*)",
        "nudge",
    ),
    (r"(?:remind|nudge|prod)\s+(?P<power>[\w-]+)(?:\s+(?:please|again|of.*|that.*|about.*))?", "nudge {power}"),
    (rf"(?:run|process|adjudicate|play|resolve)\s+{_THE}{_TURN}(?:\s+(?:now|please|at once|early))*", "process"),
    (
        r"(?:.*[:;,.]\s*(?:please\s+)?)?(?:go|roll|turn|set the game)\s+back\s+to\s+(?P<rest>[^,;(]+)",
        "rollback {rest}",
    ),
    (r"(?:don't|do not)\s+wait\s+for\s+[\w-]+(?:\s+any (?:longer|more))?", "process"),
    (r"(?P<power>[\w-]+)\s+needs\s+a\s+(?:new|another)\s+player", "vacate {power}"),
    (
        r"(?:undo|revert|take back|cancel|withdraw)\s+(?:my|the|that)\s+(?:last|previous|latest)"
        r"(?:\s+(?:command|act|action|mail|change|one|step|setting|line))?",
        "undo",
    ),
)
_TABLE = tuple((re.compile(pattern, re.IGNORECASE), line) for pattern, line in _ROWS)
_SAID = "Nothing was done yet. To do it, answer with the number, or send the line below."


def gm_wish_in(sentence: str, around: Around) -> Unclear | None:
    """The line of ours that a Gamemaster's sentence asks for, to be offered; None for any other sentence.

    >>> from datetime import UTC, datetime
    >>> gm = Around(datetime(1901, 3, 1, tzinfo=UTC), UTC, game="baltic", role=Role.GM)
    >>> gm_wish_in("Please hold the game until 10 March, Germany is in hospital.", gm).candidates
    ('hold until 10 March',)
    """
    if around.role is not Role.GM or not around.game or len(sentence) > _LONGEST:
        return None
    text = " ".join(sentence.replace("’", "'").split()).strip(' .!?"()*_')
    while match := _LEAD.match(text):
        text = text[match.end() :]
    text = re.sub(r"[\s,]+(?:please|thanks|thank you|now)$", "", text, flags=re.IGNORECASE)
    for pattern, line in _TABLE:
        if match := pattern.fullmatch(text):
            offer = " ".join(line.format(**{name: _plain(value) for name, value in match.groupdict().items()}).split())
            return Unclear("perhaps-gm", _SAID, (offer,)) if _is_sound(offer, around) else None
    return None


def _plain(words: str | None) -> str:
    """ "two more days" as a length is two days, "another day" one."""
    counted = re.sub(r"\banother\s+(?=\w+\s+(?:days?|hours?|weeks?))", "", words or "", flags=re.IGNORECASE)
    return re.sub(r"\banother\b", "one", re.sub(r"\b(?:more|extra)\s+", "", counted))


def _is_sound(line: str, around: Around) -> bool:
    """Whether a line is a command that its author may write."""
    match = find_verb(line)
    if match is None or not may_use(match.verb, around.role):
        return False
    return not isinstance(match.verb.read(Clause(match.word, match.rest, around)), Unclear)
