"""Sentences of newcomers: a question becomes one of ours, a wish that acts is asked back (`sayings.py` and
`wishes.py` have the tables).

A sentence is compared as a whole, without the greeting before it and the thanks behind it: what has more in it than a
row expects says something else, and is left to the other readers. Nothing here changes anything; where a sentence
would, its author is told which line does it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from judge.board.names import gazetteer_of
from judge.board.phase import PhaseKind
from judge.game.core.commands import Role
from judge.game.core.parts import NOT_OUR_WORDS
from judge.mail.script import sayings, wishes
from judge.mail.script.bidding import speaks_of_game, words_in
from judge.mail.script.ideas import idea_in, with_apostrophes
from judge.mail.script.lines import is_question
from judge.mail.script.told import SAID, with_days
from judge.mail.vocabulary import BY_NAME, Around, Clause, Unclear, find_verb, may_use
from judge.mail.vocabulary.clauses import known_game

_LONGEST = 200
_ASKS_ON = r",? and (?=(?:who|when|what|how|where|which|can|may|is)\b)"
_SENTENCE = re.compile(rf"(?:(?!{_ASKS_ON})[^.!?]|\.(?=\w))+(?:[.!?]+|{_ASKS_ON}|$)", re.IGNORECASE)
_GREETINGS = (
    r"hi|hello|hey|dear|good (?:morning|day|evening|afternoon)|guten (?:tag|morgen|abend)|hallo|bonjour|hola|ciao"
)
_BEFORE = re.compile(
    rf"(?:(?:{_GREETINGS})(?: (?:judge|sir|all|there|everybody|everyone))?|please|pls|sorry|excuse me|judge|and|but|so"
    r"|also|ok|well|oh|now|then|by the way|btw|besides|one more thing|another question|one question|a question"
    r"|quick question|question|just wondering|tell me|can you tell me"
    r"|could you tell me|do you know|unfortunately|sadly"
    r"|tell (?:everybody|everyone|all|the others)(?: that)?)\b[\s,:!–—-]*",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"[\s,]*\b(?:please|pls|thanks?|thank you|thx|again|now|judge|then|sorry|everyone|everybody)$", re.IGNORECASE
)
_IN_FULL = (
    (re.compile(r"\b(i|we|they|you)'m\b", re.IGNORECASE), r"\1 am"),
    (re.compile(r"\b(i|we|they|you)'(?:ll)\b", re.IGNORECASE), r"\1 will"),
    (re.compile(r"\b(i|we|they|you)'d\b", re.IGNORECASE), r"\1 would"),
    (re.compile(r"\b(what|who|where|when|it|this|that)'s\b", re.IGNORECASE), r"\1 is"),
)

_ASKED = {line: sayings.says(rows) for line, rows in sayings.ASKED.items()}
_IN_NEED = {line: sayings.says(rows) for line, rows in sayings.IN_NEED.items()}
_FOR_A_DRAW = sayings.says(wishes.FOR_A_DRAW)
_OFFERED = {line: sayings.says(rows) for line, rows in wishes.OFFERED.items()}
_TAKEN_OVER = {line: sayings.ways(rows) for line, rows in wishes.TAKEN_OVER.items()}
_TOLD = {told: sayings.ways(rows) for told, rows in wishes.TOLD.items()}
_FOR_A_SUBSTITUTE = sayings.says(wishes.FOR_A_SUBSTITUTE)
_TO_TAKE_BACK = sayings.says(wishes.TO_TAKE_BACK)
_TO_LEAVE = sayings.says(wishes.TO_LEAVE)
_TO_BE_AWAY = sayings.says(wishes.TO_BE_AWAY)
_TO_ORDER = sayings.says(wishes.TO_ORDER)
_EXAMPLES = {
    PhaseKind.MOVES: "A Paris - Burgundy", PhaseKind.RETREATS: "A Paris R Gascony",
    PhaseKind.ADJUSTMENTS: "build A Paris",
}  # fmt: skip
_TO_BE = sayings.says(wishes.TO_BE)
_TO_JOIN = sayings.says(wishes.TO_JOIN)
_SOMEBODY_WORDS = """
    him her them me us ally allies capital border front neighbour neighbor neighbours everything both two all"""
_SOMEBODY = frozenset(_SOMEBODY_WORDS.split())
_WITHOUT_A_UNIT = sayings.says(wishes.WITHOUT_A_UNIT)

_WHEN_AWAY = re.compile(
    r".*?\b(?:from|between|starting|until|till|on the|is|are|away|holidays?|vacation|abroad|offline|town)\b "
    r"(?:from |between )?(?:the )?(?P<a>.+?) ?"
    r"(?:\bto\b|\buntil\b|\btill\b|\bthrough\b|\band\b|-|–) ?(?:the )?(?P<b>[^,;(]+).*",
    re.IGNORECASE,
)
_GOES = re.compile(
    r"where (?:can|could|may|might|will|does|do) (?:my |the |a |an )?(?:army|fleet|unit|a|f)? ?(?:in |at |of |from )?"
    r"(?P<place>[\w .()/-]+?) (?:go|move|reach|attack|get|sail|march)(?: to| from there| next)?",
    re.IGNORECASE,
)
_RETREATS = re.compile(
    r"where (?:can|could|may|might|do|does|must|shall|should) (?:i|we|it|(?:my |the )?(?:army|fleet|unit))"
    r"\b[\w ]{0,40}?(?:go|move|retreat|withdraw|escape)(?: to)?|(?:what|which) (?:retreats|places|options)\b.{0,40}",
    re.IGNORECASE,
)
_JOINT = re.compile(r",\s(?:and |but |so |therefore )?|\s(?:and|but|so|therefore)\s", re.IGNORECASE)
_NEXT_GAME = re.compile(
    r"(?:when|where|how soon)\b.{0,30}\b(?:next|another|new) (?:game|match|one)\b.{0,20}\b(?:start|begin|open|join)",
    re.IGNORECASE,
)
_OF_UNITS = re.compile(r"\b(?:arm(?:y|ies)|fleets?|builds?|units?)\b", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:if|unless)\b", re.IGNORECASE)
_FOR_A_WHILE = re.compile(
    r"\b(?:week|today|tonight|tomorrow|until|till|weekend|month|days?|right now)\b", re.IGNORECASE
)


def sentences(line: str) -> Iterator[str]:
    """The sentences of a line with their closing marks; none of a line that is too long for that."""
    if len(line) <= 2 * _LONGEST:
        found = (re.sub(r",? and\s*$", "", match[0]).strip() for match in _SENTENCE.finditer(line))
        yield from filter(None, found)


def core(sentence: str) -> str:
    """A sentence without greeting, thanks and marks, for comparison.

    >>> core("Hello judge, when’s the deadline, please?"), core("Sorry, but I quit!")
    ('when is the deadline', 'I quit')
    """
    text = " ".join(with_apostrophes(sentence.replace("’", "'")).split()).strip(' .!?,;:"()*_-')
    while (match := _BEFORE.match(text)) and match.end() < len(text):
        text = text[match.end() :]
    while (match := _BEHIND.search(text)) and match.start():
        text = text[: match.start()]
    for short, whole in _IN_FULL:
        text = short.sub(whole, text)
    return text if len(text) <= _LONGEST else ""


def question_in(sentence: str, around: Around) -> str:
    """Our question that a sentence asks, "" where it asks none.

    >>> from datetime import UTC, datetime
    >>> here = Around(datetime(1901, 3, 1, tzinfo=UTC), UTC, game="baltic")
    >>> question_in("Can I still change my orders?", here), question_in("When does the train start to leave?", here)
    ('help changing', '')
    """
    text = re.sub(r'[()"“”]', "", core(sentence))  # what a letter prints may be quoted: (VIII), "void"
    if around.phase is not None and around.phase.kind is PhaseKind.RETREATS and _RETREATS.fullmatch(text):
        return "status"
    if (match := _GOES.fullmatch(text)) and around.board is not None:
        place = match["place"].strip()
        return f"help {place}" if len(gazetteer_of(around.board).places(place)) == 1 else ""
    if _NEXT_GAME.match(text):
        return "list"
    games = [word for word in text.split() if known_game(word, around)]
    line = _row_of(_ASKED, " ".join("game" if word in games else word for word in text.split()))
    if line not in ("status", "due", "centres to win") or (around.game and not games):
        return line
    return f"status {games[0].lower()}" if len(games) == 1 else "list"


def need_in(sentence: str) -> str:
    """Our question that answers somebody who says that they are new, or lost; "" for any other sentence."""
    return _row_of(_IN_NEED, core(sentence))


def wish_to_join(sentence: str, around: Around) -> str:
    """The line for a wish of somebody who has no seat: "join baltic prefer Italy", or "list" where the wish is a
    question or names no game that there is; "" for any other sentence.
    """
    text = core(sentence)
    if around.role is not Role.STRANGER or not (says(_TO_JOIN, text) or _power_wished_for(text, around)):
        return ""
    if re.search(r"\btournaments?\b", text, re.IGNORECASE):
        return "tournaments"
    words = [word.strip(",;:()\"'[]") for word in text.split()]
    games = list(dict.fromkeys(filter(None, (known_game(word, around) for word in words))))
    if len(games) != 1 or is_question(sentence) or _CONDITION.search(text):
        return "list"
    names = gazetteer_of(around.games[games[0]])
    powers = [word for before, word in pairwise(words) if before == "as" and names.power(word)]
    return f"join {games[0]}" + (f" prefer {powers[0]}" if powers else "")


def wish_in(sentence: str, around: Around) -> Unclear | None:
    """What to say to a player's wish that would change something: which line does that, and that nothing was done."""
    text = core(sentence)
    if not text or _CONDITION.search(text.partition(":")[0]):
        return told_of(sentence, around) if text else None
    return _players_wish(sentence, text, around) or offered_to_anybody(sentence, around) or told_of(sentence, around)


def wish_of_a_player(sentence: str, around: Around) -> Unclear | None:
    """What to say to a Gamemaster whose wish is for players to write."""
    found = _players_wish(sentence, core(sentence), replace(around, role=Role.PLAYER, phase=None))
    if found is None or found.reason == "perhaps-prefer":
        return None
    if found.reason == "perhaps-away":
        return Unclear("perhaps-told", with_days(SAID["gm: away"], around))
    lines = " or ".join(f"`{line}`" for line in found.candidates)
    return Unclear("not-for-you", f"Nothing was done. Only players may write {lines or 'that'}.")


def wish_by_its_ideas(line: str, around: Around) -> Unclear | None:
    """What to say to a wish in words that no table has, by the ideas in one of its sentences."""
    for sentence in sentences(line):
        idea = idea_in(sentence, around)
        if idea is None or idea.kind == "ask" or "<" in idea.line:
            continue
        if idea.kind == "say":
            return Unclear("perhaps-told", idea.line)
        if offers := _sound(idea.line, around):
            return Unclear("perhaps-line", "Nothing was done yet. The line below does that.", offers)
    return None


_MOST_NEAR = 3
_FEWEST = 3
_MOST_WORDS = 16


def near_it(line: str, around: Around) -> Unclear | None:
    """What to say to a question of a mail that asks nothing we know: the commands that have to do with it."""
    words = words_in(line)
    if around.role not in (Role.PLAYER, Role.GM) or not _FEWEST <= len(words) <= _MOST_WORDS:
        return None
    if not is_question(line) or not (told := named_near(line, around)):
        return None
    return Unclear("perhaps-near", f"I am not sure what is meant, so nothing was done. {told}")


def named_near(line: str, around: Around) -> str:
    """The commands that have to do with the words of a line, in a sentence; "" where there are none."""
    words = set(words_in(line))
    counted = [(len(words & about), verbs) for about, verbs in _NEAR]
    ranked = sorted((pair for pair in counted if pair[0]), key=lambda pair: -pair[0])
    verbs = {verb.name: verb for _, near in ranked for verb in near if may_use(verb, around.role)}
    if around.role is not Role.GM:
        verbs.pop("set", None)  # which players may write for words of other judges alone
    told = [f"`{verb.usage[0]}` ({verb.summary.rstrip('.')})" for verb in list(verbs.values())[:_MOST_NEAR]]
    return f"Near it: {'; '.join(told)}." if told else ""


_NEAR = [(frozenset(about.split()), [BY_NAME[name] for name in names]) for about, names in wishes.NEAR]


def offered_to_anybody(sentence: str, around: Around) -> Unclear | None:
    """The line that fulfils a wish of anybody, with the words that the sentence has for it; None if it is none that
    its author may send.
    """
    text = re.sub(r":(?=\s)", " :", f" {core(sentence)}")
    matches = ((line, way.fullmatch(text)) for line, ways in _TAKEN_OVER.items() for way in ways)
    for line, match in matches:
        taken = _taken_over(match) if match else None
        for offer in _sound(line.format(**taken), around) if taken is not None else ():
            return Unclear("perhaps-line", "Nothing was done yet. The line below does that.", (offer,))
    return None


def _taken_over(match: re.Match[str]) -> dict[str, str] | None:
    """The words that a row takes over; of an address what is one, and None where none is."""
    words = match.groupdict()
    if "address" not in words:
        return words
    found = re.search(r"[^\s<>@,;:\"]+@[^\s<>@,;:\"]+\.[^\s<>@,;:\"]*\w", words["address"])
    return {**words, "address": found[0]} if found else None


def _sound(line: str, around: Around) -> tuple[str, ...]:
    """A line, if it is a command that its author may write; else what it is offered to be: "my zone Europe/London"."""
    match = find_verb(line)
    if match is None or not may_use(match.verb, around.role):
        return ()
    found = match.verb.read(Clause(match.word, match.rest, around, "text"))
    if not isinstance(found, Unclear):
        return (line,)
    return tuple(one for one in found.candidates if found.reason == "no-zone")


def told_of(sentence: str, around: Around) -> Unclear | None:
    """What is said to a wish that no line fulfils by itself."""
    text = re.sub(r":(?=\s)", " :", f" {core(sentence)}")
    names = gazetteer_of(around.board) if around.board is not None else None
    for told, ways in _TOLD.items():
        for way in ways:
            match = way.fullmatch(text)
            power = match.groupdict().get("power") if match else None
            if match and (power is None or (names is not None and names.power(power))):
                return Unclear("perhaps-told", told)
    return None


def is_sound(line: str, around: Around) -> bool:
    """Whether a line is a command that its author may write."""
    return _sound(line, around) == (line,)


def _players_wish(sentence: str, text: str, around: Around) -> Unclear | None:
    if around.role is not Role.PLAYER:
        return None
    if says(_FOR_A_DRAW, text):
        told = "No vote was called. The line below calls one; the game ends if every active player then says aye."
        return Unclear("perhaps-draw", told, ("draw",))
    if says(_TO_TAKE_BACK, text):
        told = "Nothing was changed: a vote that is called stays open until it is decided. The line below votes no."
        return Unclear("perhaps-take-back", told, ("nay",))
    if says(_FOR_A_SUBSTITUTE, text):
        line = _substitute_line(sentence, around)
        return Unclear("perhaps-substitute", with_days(SAID["substitute"], around), (line,) if line else ())
    if not is_question(sentence) and (line := _row_of(_OFFERED, text.replace(":", "").replace(",", ""))):
        return Unclear("perhaps-line", "Nothing was done yet. The line below does that.", (line,))
    leaves = any(says(_TO_LEAVE, one) for one in _tails(text))
    if leaves and not is_question(sentence) and not _FOR_A_WHILE.search(text):
        if around.phase is None:
            told = "Nothing was changed: you are still in the game. To give up your seat, write `leave`."
            return Unclear("perhaps-leave", told)
        return Unclear("perhaps-leave", SAID["leave"])
    if (power := _power_wished_for(text, around)) and around.phase is None:
        told = "Powers are drawn by lot when the game begins. To say which you would like, send the line below."
        return Unclear("perhaps-prefer", told, (f"prefer {power}",))
    if says(_TO_BE_AWAY, text) and not is_question(sentence):
        return _to_be_away(text, around)
    return None


def perhaps_orders(line: str, around: Around) -> Unclear | None:
    """What to say to "I'd like to build a fleet in Brest and an army in Paris": how orders are written."""
    if around.board is None or around.phase is None or around.role is not Role.PLAYER:
        return None
    builds = around.phase.kind is PhaseKind.ADJUSTMENTS
    said = (core(sentence) for sentence in sentences(line))
    wishes = [text for text in said if says(_TO_ORDER, text) or (builds and _OF_UNITS.search(text))]
    names = gazetteer_of(around.board)
    if not any(names.places(word.strip(",.;:")) for text in wishes for word in text.split() if len(word) > 2):
        return None
    example = _EXAMPLES[around.phase.kind]
    told = f"If that was meant as orders, I could not read them. Write each on a line of its own, like this: {example}"
    return Unclear("perhaps-orders", told)


def order_without_unit(line: str, around: Around) -> Unclear | None:
    """What to ask of "Support my ally." and "Swap my two armies": the word of an order, and no unit that does it."""
    text = core(line)
    if around.role is not Role.PLAYER or around.board is None or not says(_WITHOUT_A_UNIT, text):
        return None
    words = words_in(text)
    if line.rstrip().endswith(("?", ":")) or not (speaks_of_game(words, around) or not _SOMEBODY.isdisjoint(words)):
        return None
    swapped = text.split()[0].lower() in ("swap", "exchange", "switch")
    why = "Two units cannot simply change places. " if swapped else ""
    told = f"{why}If that was meant as an order, I could not read it. Please write it like this: A Paris - Burgundy."
    return Unclear("no-unit", told)


def without_its_unit(word: str) -> Unclear:
    """What to ask of a player's "hold" and "remove REMOVE ______": orders that name no unit of theirs."""
    if word == "hold":
        return Unclear(NOT_OUR_WORDS, "Which units hold? If you mean all of them, write: all hold.", ("all hold",))
    return Unclear(NOT_OUR_WORDS, f"I could not read which unit is meant. Write it like this: {word} A Paris.")


def _tails(text: str) -> Iterator[str]:
    """A sentence, and what stands behind each of its joints: "I'm sorry but work is wild and I have to quit"."""
    yield text
    yield from (text[match.end() :] for match in _JOINT.finditer(text))


def says(rows: re.Pattern[str], text: str) -> bool:
    """Whether a sentence, as `core` leaves it, is one of the rows of a table."""
    return bool(text) and rows.fullmatch(f" {text}") is not None


def _row_of(table: dict[str, re.Pattern[str]], text: str) -> str:
    return next((line for line, rows in table.items() if says(rows, text)), "")


def _power_wished_for(text: str, around: Around) -> str:
    """The power that "Can I be France?" names, in a game whose board is known; "" for any other sentence."""
    words = text.split()
    names = gazetteer_of(around.board) if around.board is not None and len(words) > 2 else None
    if names is None or len(words[-1]) < 3 or not says(_TO_BE, " ".join(words[:-1])):
        return ""
    found = names.power(words[-1])
    return names.board.powers[found[0]].name if len(found) == 1 else ""


def _to_be_away(text: str, around: Around) -> Unclear:
    told = "Nothing was noted yet. To be spared deadlines while you are away, "
    if line := _away_line(text, around):
        return Unclear("perhaps-away", f"{told}send the line below.", (line,))
    return Unclear("perhaps-away", with_days(f"{told}write both days, like this: away {{first}} to {{last}}", around))


_UNTIL = re.compile(r"\b(?:until|till|up to|through)\s+(?P<day>[^,;.!?]+)", re.IGNORECASE)


def _substitute_line(sentence: str, around: Around) -> str:
    """The line that looks for a substitute until the day that a sentence names; "" if it names none."""
    found = _UNTIL.search(sentence)
    line = f"substitute wanted until {found['day'].strip()}" if found is not None else ""
    verb = find_verb(line) if line else None
    read = verb.verb.read(Clause(verb.word, verb.rest, around)) if verb is not None else Unclear("", "")
    return "" if isinstance(read, Unclear) else line


def _away_line(text: str, around: Around) -> str:
    """The line that announces an absence from the first to the last day that a sentence names; "" if it names none."""
    match = _WHEN_AWAY.fullmatch(text)
    if match is None:
        return ""
    first, last = match["a"].strip(), match["b"].strip()
    if re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)?", first) and (month := re.search(r"[A-Za-z]{3,}\.?$", last)):
        first = f"{first} {month[0]}"
    line = f"away {first} to {last}"
    verb = find_verb(line)
    read = verb.verb.read(Clause(verb.word, verb.rest, around)) if verb else Unclear("", "")
    return "" if isinstance(read, Unclear) else line
