"""What Gamemasters ask for in sentences of their own: each is answered with the line of ours that does it.

Nothing is done by such a sentence. "Please hold the game until Sunday, Germany is in hospital" offers `hold until
Sunday`: the Gamemaster confirms it by its number, so a sentence misread costs a mail and never a game.
"""

from __future__ import annotations

import re

from judge.game.core.commands import Role
from judge.mail.script.ownwords import is_sound
from judge.mail.script.told import with_days
from judge.mail.vocabulary import Around, Unclear

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
        r"(?:tell|inform)(?: all (?:of )?(?:the )?(?:players|powers)| all of them| all| everybody| everyone"
        r"| the players) (?P<rest>(?!that\b|to\b|about\b|me\b|how\b|what\b|again\b)\w+ \w+ .+)",
        "press to all: {rest}",
    ),
    (
        r"(?:the |this |our )?(?:new )?(?:deadline|due date) (?:should|shall|must|is to|ought to|will|can) (?:now )?be"
        rf"(?: moved| set| changed)?(?: to| on| at)?\s+(?P<rest>[^,;(]+?){_WHY}",
        "deadline {rest}",
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
        rf"{_ADDRESS}\s+(?:takes over|(?:should|shall|is to|will|may) (?:now )?(?:play|have|get)|will take over"
        r"|replaces|will replace|takes|gets|plays|will play)\s+"
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
        r"(?:give|grant|allow)\s+(?:them|everybody|everyone|all|us|the players)\s+"
        rf"{_SPAN}(?:\s+more|\s+extra)?{_WHY}",
        "extend {span}",
    ),
    (
        rf"(?:everybody|everyone|all|the players|all players|they)\s+(?:has|have|gets?|may have)\s+{_SPAN}{_WHY}",
        "extend {span}",
    ),
    (
        r"(?:push|move|put|shift|delay|postpone)\s+(?:everything|it all|all|it|the game)\s+(?:back|off)?\s*"
        rf"(?:by|for)?\s*{_SPAN}{_WHY}",
        "extend {span}",
    ),
    (
        rf"(?:hold|pause|stop|suspend|freeze|halt|interrupt)\s+{_THE}(?:game|clock|calendar|{_TURN}|everything)"
        r"(?:\s+(?:for now|for|for the moment|for a while|over .+|please))?",
        "hold",
    ),
    (rf"let\s+{_THE}(?:game|it)\s+(?:go on|continue|run on|resume)\b.*", "resume"),
    (
        r"(?:kick|throw|remove|eject|expel)\s+(?:out\s+)?(?P<power>[\w-]{3,})(?:\s+out)?"
        r"(?:\s+(?:of|from)\s+(?:the|this)\s+game)?",
        "vacate {power}",
    ),
    (r"remove\s+\w+\s+from\s+the\s+game,?\s+(?:he|she|they)\s+plays?\s+(?P<power>[\w-]+)", "vacate {power}"),
    (
        r"(?P<power>[\w-]+)\s+(?:never|does not|doesn't|no longer|hasn't)\s+(?:answers?|answered|orders?|ordered"
        r"|writes?|written)\b.*",
        "vacate {power}",
    ),
    (
        r"(?:show|send|give|tell)\s+(?:me\s+)?(?:the\s+)?orders\s+(?:of|from|for)\s+(?P<power>[\w-]{3,})",
        "orders of {power}",
    ),
    (r"(?:show|send|give|tell)\s+(?:me\s+)?(?P<power>[\w-]{3,}?)'s?\s+orders", "orders of {power}"),
    (
        r"(?:what|which)\s+(?:orders\s+)?(?:has|did)\s+(?P<power>[\w-]{3,})\s+(?:sent?|ordered|order)",
        "orders of {power}",
    ),
    (
        r"(?:(?:make|declare|call)\s+(?:it|this|the game)\s+a\s+draw(?:\s+of\s+all)?|(?:end|finish|close)\s+"
        r"(?:it|this|the game|the game here)\s+(?:as|in|with)\s+a\s+draw|(?:end|finish)\s+(?:the\s+)?game,?\s+"
        r"nobody\s+wins)\b.*",
        "end game by agreement",
    ),
    (r"(?:the\s+)?game\s+is\s+over\b.*", "end game by agreement"),
    (r"(?:allow|permit|switch on|turn on)\s+broadcasts?", "set broadcast_press yes"),
    (r"(?:switch|turn)\s+off\s+(?:the\s+)?(?P<setting>reminders|extensions|recall)", "set {setting} none"),
    (r"(?:switch|turn)\s+off\s+(?:the\s+)?grace", "set nmr hold"),
    (
        rf"(?:send|mail|give)\s+(?:out\s+)?{_THE}results\s+(?:again|once more)(?:\s+to\s+"
        r"(?:everybody|everyone|all))?",
        "resend",
    ),
    (rf".*hand\s+(?:over\s+)?{_THE}game\s+(?:over\s+)?to\s+\w+,?\s+{_ADDRESS}", "hand over to {address}"),
    (r"(?:(?:let us |let's )?(?:begin|start|get going|kick off)|let(?: us|'s) go)(?:\s+(?:now|the game))*", "start"),
    (r"(?:draw|deal|assign)\s+(?:the\s+)?powers(?:\s+(?:at random|by lot|randomly))?", "start"),
    (r"(?P<count>\d+)\s+cent(?:re|er)s\s+(?:are enough to |are needed to |)(?:win|wins)", "victory {count}"),
    (
        r"(?:make|let)\s+(?:it|this|the game)\s+(?:be\s+)?(?:a\s+)?(?P<setting>private|public|open)(?:\s+game)?",
        "set access {setting}",
    ),
    (rf"invite\s+(?:my friend\s+)?\w+,?\s+{_ADDRESS}", "invite {address}"),
    (r"deadlines?\s+(?:every|each)\s+(?P<rest>[^,;(]+?)", "set moves {rest}"),
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
            if is_sound(offer, around):
                return Unclear("perhaps-gm", _SAID, (offer,))
    return _told_the_gm(text, around)


_TOLD: tuple[tuple[str, str], ...] = (
    (
        r".*\b(?:results?|adjudication|report)\b.*\b(?:wrong|error|mistake|incorrect|should have|should've)\b.*"
        r"|.*\b(?:error|mistake)\b.*\b(?:results?|adjudication|report)\b.*",
        "Nothing was changed. `rollback` takes results back, `amend as POWER` gives other orders, `correct position "
        "CHANGE; CHANGE` puts units and centres right; `help errors` shows how.",
    ),
    (
        rf"{_ADDRESS}\s+(?:should be|will be|shall be|is|can be|becomes)\s+(?:my|the|our)?\s*(?:deputy|assistant).*",
        "Nothing was changed. Say until when: deputy {address} until {last}",
    ),
    (
        r"(?:show|send|give)\s+(?:me\s+)?(?:all\s+(?:of\s+)?)?(?:the\s+|all\s+)*orders",
        "`status` says whose orders are in; `orders of POWER` shows those of one power, and `preview` what all would "
        "do.",
    ),
    (
        r"(?:put|place|set)\s+an?\s+(?:army|fleet)\s+(?:in|into|at)\s+.*",
        "Nothing was changed. A unit is put right like this: correct position A Paris at Picardy; remove F Brest",
    ),
)
_TOLD_TABLE = tuple((re.compile(pattern, re.IGNORECASE), told) for pattern, told in _TOLD)


def _told_the_gm(text: str, around: Around) -> Unclear | None:
    """What is said to a wish that no line fulfils as it stands."""
    for pattern, told in _TOLD_TABLE:
        if match := pattern.fullmatch(text):
            address = match.groupdict().get("address", "")
            return Unclear("perhaps-gm", with_days(told.replace("{address}", address or ""), around))
    return None


def _plain(words: str | None) -> str:
    """ "two more days" as a length is two days, "another day" one."""
    counted = re.sub(r"\banother\s+(?=\w+\s+(?:days?|hours?|weeks?))", "", words or "", flags=re.IGNORECASE)
    return re.sub(r"\banother\b|\ban?\b(?= (?:day|hour|week))", "one", re.sub(r"\b(?:more|extra)\s+", "", counted))
