"""Questions in plain words: what they ask us becomes one of our own questions.

A sentence is compared as a whole with the tables (`phrases/asked.py`), without the greeting before it and the thanks
behind it: what has more in it than a row expects says something else, and is left to the other readers.

Wishes in plain words: each is answered with the line of ours that does it, and nothing is done by it.

"Please hold the game until Sunday, Germany is in hospital" offers `hold until Sunday`: its author confirms it by its
number, so a sentence misread costs a mail and never a game. Only more time, asked for beyond doubt, is taken as asked.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from judge.board.model import Board
from judge.board.names import gazetteer_of
from judge.board.phase import PhaseKind
from judge.game.core.commands import Role
from judge.game.core.parts import NOT_OUR_WORDS
from judge.languages import tell, together, told_later
from judge.mail.queries import Query
from judge.mail.script.bidding import speaks_of_game, words_in
from judge.mail.script.doubtful import WRITE_IT_SO
from judge.mail.script.phrases import asked, is_question, meant, patterns, taken, wished
from judge.mail.script.phrases.answers import SAID, with_days
from judge.mail.script.phrases.ideas import idea_in
from judge.mail.script.phrases.words import SOMEBODY
from judge.mail.script.sentences import core, single_sentences, tails
from judge.mail.vocabulary import BY_NAME, Around, Clause, Unclear, find_verb, may_use
from judge.mail.vocabulary.clauses import known_game
from judge.mail.vocabulary.help import is_asked
from judge.orders.spelled import listed
from judge.pace import read_span

_EXAMPLES = {
    PhaseKind.MOVES: "A Paris - Burgundy", PhaseKind.RETREATS: "A Paris R Gascony",
    PhaseKind.ADJUSTMENTS: "build A Paris",
}  # fmt: skip

_BELOW = told_later("Nothing was done yet. The line below does that.")


def wish_in(sentence: str, around: Around) -> Unclear | None:
    """What to say to a player's wish that would change something: which line does that, and that nothing was done."""
    text = core(sentence)
    if not text or patterns.CONDITION.search(text.partition(":")[0]):
        return told_to_anybody(sentence, around) if text else None
    return (
        _players_wish(sentence, text, around)
        or offered_to_anybody(sentence, around)
        or told_to_anybody(sentence, around)
    )


def wish_of_a_player(sentence: str, around: Around) -> Unclear | None:
    """What to say to a Gamemaster whose wish is for players to write."""
    found = _players_wish(sentence, core(sentence), replace(around, role=Role.PLAYER, phase=None))
    if found is None or found.reason == "perhaps-prefer":
        return None
    if found.reason == "perhaps-away":
        return Unclear("perhaps-told", with_days(SAID["gm: away"], around))
    if not found.candidates:
        return Unclear("not-for-you", tell("Nothing was done. Only players may write that."))
    lines = listed((f"`{line}`" for line in found.candidates), "or")
    return Unclear("not-for-you", tell("Nothing was done. Only players may write {lines}.", lines=lines))


def wish_by_its_ideas(line: str, around: Around) -> Unclear | None:
    """What to say to a wish in words that no table has, by the ideas in one of its sentences."""
    for sentence in single_sentences(line):
        idea = idea_in(sentence, around)
        if idea is None or idea.kind == "ask" or "<" in idea.line:
            continue
        if idea.kind == "say":
            return _said(idea.line, sentence, around)
        if offers := _sound(idea.line, around):
            return Unclear("perhaps-line", tell(_BELOW), offers)
    return None


def _said(what: str, sentence: str, around: Around) -> Unclear:
    """What is said to a sentence, with the days that it names."""
    if what == "away":
        return _to_be_away(sentence, around)
    if what == "substitute":
        return _to_be_replaced(sentence, around)
    return Unclear("perhaps-told", with_days(SAID[what], around))


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
    return Unclear("perhaps-near", tell("I am not sure what is meant, so nothing was done. {told}", told=told))


def named_near(line: str, around: Around) -> str:
    """The commands that have to do with the words of a line, in a sentence; "" where there are none."""
    words = set(words_in(line))
    counted = [(len(words & about), verbs) for about, verbs in _NEAR]
    ranked = sorted((pair for pair in counted if pair[0]), key=lambda pair: -pair[0])
    verbs = {verb.name: verb for _, near in ranked for verb in near if may_use(verb, around.role)}
    if around.role is not Role.GM:
        verbs.pop("set", None)  # which players may write for words of other judges alone
    told = [f"`{verb.usage[0]}` ({tell(verb.summary).rstrip('.')})" for verb in list(verbs.values())[:_MOST_NEAR]]
    return tell("Near it: {told}.", told="; ".join(told)) if told else ""


_NEAR = [(frozenset(about.split()), [BY_NAME[name] for name in names]) for about, names in wished.NEAR]


def offered_to_anybody(sentence: str, around: Around) -> Unclear | None:
    """The line that fulfils a wish of anybody, with the words that the sentence has for it; None if it is none that
    its author may send.
    """
    for line, words in taken(wished.TAKEN_OVER, _colons_apart(core(sentence))):
        if "address" in words:
            found = patterns.ADDRESS.search(words["address"])
            if found is None:
                continue
            words["address"] = found[0]
        for offer in _sound(line.format(**words), around):
            return Unclear("perhaps-line", tell(_BELOW), (offer,))
    return None


def _colons_apart(text: str) -> str:
    return re.sub(r":(?=\s)", " :", text)


def _sound(line: str, around: Around) -> tuple[str, ...]:
    """A line, if it is a command that its author may write; else what it is offered to be: "my zone Europe/London"."""
    match = find_verb(line)
    if match is None or not may_use(match.verb, around.role):
        return ()
    found = match.verb.read(Clause(match.word, match.rest, around, "text"))
    if not isinstance(found, Unclear):
        return (line,)
    return tuple(one for one in found.candidates if found.reason == "no-zone")


def told_to_anybody(sentence: str, around: Around) -> Unclear | None:
    """What is said to a wish that no line fulfils by itself."""
    names = gazetteer_of(around.board) if around.board is not None else None
    for told, words in taken(wished.TOLD, _colons_apart(core(sentence))):
        if "power" not in words or (names is not None and names.power(words["power"])):
            return Unclear("perhaps-told", tell(SAID[told]))
    return None


def is_sound(line: str, around: Around) -> bool:
    """Whether a line is a command that its author may write."""
    return _sound(line, around) == (line,)


def _players_wish(sentence: str, text: str, around: Around) -> Unclear | None:
    if around.role is not Role.PLAYER:
        return None
    if wished.FOR_A_DRAW.says(text):
        told = tell("No vote was called. The line below calls one; the game ends if every active player then says aye.")
        return Unclear("perhaps-draw", told, ("draw",))
    if wished.TO_TAKE_BACK.says(text):
        told = tell(
            "Nothing was changed: a vote that is called stays open until it is decided. The line below votes no."
        )
        return Unclear("perhaps-take-back", told, ("nay",))
    if wished.FOR_A_SUBSTITUTE.says(text):
        return _to_be_replaced(sentence, around)
    if not is_question(sentence) and (line := meant(wished.OFFERED, text.replace(":", "").replace(",", ""))):
        return Unclear("perhaps-line", tell(_BELOW), (line,))
    leaves = any(wished.TO_LEAVE.says(one) for one in tails(text))
    if leaves and not is_question(sentence) and not patterns.FOR_A_WHILE.search(text):
        if around.phase is None:
            told = tell("Nothing was changed: you are still in the game. To give up your seat, write `leave`.")
            return Unclear("perhaps-leave", told)
        return Unclear("perhaps-leave", tell(SAID["leave"]))
    if (power := power_wished_for(text, around)) and around.phase is None:
        told = tell("Powers are drawn by lot when the game begins. To say which you would like, send the line below.")
        return Unclear("perhaps-prefer", told, (f"prefer {power}",))
    if wished.TO_BE_AWAY.says(text) and not is_question(sentence):
        return _to_be_away(sentence, around)
    return None


def perhaps_orders(line: str, around: Around) -> Unclear | None:
    """What to say to "I'd like to build a fleet in Brest and an army in Paris": how orders are written."""
    if around.board is None or around.phase is None or around.role is not Role.PLAYER:
        return None
    builds = around.phase.kind is PhaseKind.ADJUSTMENTS
    said = (core(sentence) for sentence in single_sentences(line))
    wishes = [text for text in said if wished.TO_ORDER.says(text) or (builds and patterns.OF_UNITS.search(text))]
    names = gazetteer_of(around.board)
    if not any(names.places(word.strip(",.;:")) for text in wishes for word in text.split() if len(word) > 2):
        return None
    example = _EXAMPLES[around.phase.kind]
    told = tell(
        "If that was meant as orders, I could not read them. Write each on a line of its own, like this: {example}",
        example=example,
    )
    return Unclear("perhaps-orders", told)


def order_without_unit(line: str, around: Around) -> Unclear | None:
    """What to ask of "Support my ally." and "Swap my two armies": the word of an order, and no unit that does it."""
    text = core(line)
    if around.role is not Role.PLAYER or around.board is None or not wished.WITHOUT_A_UNIT.says(text):
        return None
    words = words_in(text)
    if line.rstrip().endswith(("?", ":")) or not (speaks_of_game(words, around) or not SOMEBODY.isdisjoint(words)):
        return None
    swapped = text.split()[0].lower() in ("swap", "exchange", "switch")
    why = tell("Two units cannot simply change places.") if swapped else ""
    return Unclear("no-unit", together(why, tell(WRITE_IT_SO)))


def without_its_unit(word: str) -> Unclear:
    """What to ask of a player's "hold" and "remove REMOVE ______": orders that name no unit of theirs."""
    if word == "hold":
        return Unclear(
            NOT_OUR_WORDS, tell("Which units hold? If you mean all of them, write: all hold."), ("all hold",)
        )
    return Unclear(
        NOT_OUR_WORDS, tell("I could not read which unit is meant. Write it like this: {word} A Paris.", word=word)
    )


def power_wished_for(text: str, around: Around) -> str:
    """The power that "Can I be France?" names, in a game whose board is known; "" for any other sentence."""
    words = text.split()
    names = gazetteer_of(around.board) if around.board is not None and len(words) > 2 else None
    if names is None or len(words[-1]) < 3 or not wished.TO_BE.says(" ".join(words[:-1])):
        return ""
    found = names.power(words[-1])
    return names.board.powers[found[0]].name if len(found) == 1 else ""


def preference_in(line: str, around: Around) -> str:
    """The line for a wish to play certain powers, in a game that has not begun: "prefer Russia, Turkey" for "I'd like
    Russia or Turkey best"; "" for any other line. Powers are taken in the order in which they are named.
    """
    forming = around.board is not None and bool(around.game) and around.phase is None
    if not forming or around.role not in (Role.PLAYER, Role.STRANGER) or len(line) > _LONGEST_WISH:
        return ""
    assert around.board is not None
    wishes = [one for one in single_sentences(line) if patterns.PREFERS.search(one)]
    if len(wishes) != 1 or patterns.PREFERS_NOT.search(line) or is_question(wishes[0]):
        return ""
    names = gazetteer_of(around.board)
    said = (names.power(word.strip(",.;:!()\"'")) for word in re.split(r"[\s/]+", wishes[0]) if len(word) > 2)
    powers = dict.fromkeys(found[0] for found in said if len(found) == 1)
    return f"prefer {', '.join(around.board.powers[key].name for key in powers)}" if powers else ""


def _to_be_away(sentence: str, around: Around) -> Unclear:
    if line := _away_line(sentence, around):
        said = tell("Nothing was noted yet. To be spared deadlines while you are away, send the line below.")
        return Unclear("perhaps-away", said, (line,))
    said = tell(
        "Nothing was noted yet. To be spared deadlines while you are away, write both days, like this: `{line}`",
        line="away {first} to {last}",
    )
    return Unclear("perhaps-away", with_days(said, around))


def _to_be_replaced(sentence: str, around: Around) -> Unclear:
    if line := _substitute_line(sentence, around):
        said = tell("Nothing was changed: your seat stays yours. The line below asks the standbys to play for you.")
        return Unclear("perhaps-substitute", said, (line,))
    return Unclear("perhaps-substitute", with_days(SAID["substitute"], around))


def _substitute_line(sentence: str, around: Around) -> str:
    """The line that looks for a substitute until the day that a sentence names, or for so long from now; "" if it names
    neither.
    """
    if (long := patterns.FOR_SO_LONG.search(sentence)) and not patterns.STARTING.search(sentence):
        last = around.now.astimezone(around.zone) + read_span(long["span"])
        return _first_sound((f"substitute wanted until {last.day} {last:%b}",), around)
    return _first_sound((f"substitute wanted until {day}" for day in _days_behind(patterns.UNTIL, sentence)), around)


def _away_line(sentence: str, around: Around) -> str:
    """The line that announces an absence for the time that a sentence names: from one day to another, for so long
    from a day or from now, next week, until a day; "" if it names none.
    """
    if line := _first_sound(_from_to(sentence), around):
        return line
    if long := patterns.FOR_SO_LONG.search(sentence):
        if patterns.STARTING.search(sentence):
            begins = _days_behind(patterns.STARTING, sentence)
            return _first_sound((f"away {day} for {long['span']}" for day in begins), around)
        return _first_sound((f"away for {long['span']}",), around)
    if patterns.NEXT_WEEK.search(sentence):
        return _first_sound((_next_week(around),), around)
    return _first_sound((f"away until {day}" for day in _days_behind(patterns.UNTIL, sentence)), around)


def _from_to(sentence: str) -> Iterator[str]:
    said = sentence.rstrip(" .!?")
    for mark in patterns.AWAY_FROM.finditer(said):
        if (match := patterns.TO_A_DAY.fullmatch(said, mark.end())) is None:
            continue
        first, last = match["a"].strip(), match["b"].strip()
        if re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)?", first) and (month := re.search(r"[A-Za-z]{3,}\.?$", last)):
            first = f"{first} {month[0]}"
        yield f"away {first} to {last}"


def _next_week(around: Around) -> str:
    today = around.now.astimezone(around.zone)
    first = today + timedelta(days=7 - today.weekday())
    last = first + timedelta(days=6)
    return f"away {first.day} {first:%b} to {last.day} {last:%b}"


_LONGEST_DAY = 4
"""Words of a day: "the 3rd of December"."""


def _days_behind(mark: re.Pattern[str], sentence: str) -> Iterator[str]:
    """What may be a day behind a mark: its next words, as many as may be first."""
    for match in mark.finditer(sentence):
        words = re.split(r"[,;!?]|\.(?:\s|$)", sentence[match.end() :])[0].split()[:_LONGEST_DAY]
        yield from (" ".join(words[:count]) for count in range(len(words), 0, -1))


def _first_sound(lines: Iterable[str], around: Around) -> str:
    return next((line for line in lines if is_sound(line, around)), "")


def for_a_power(line: str, around: Around) -> Unclear | None:
    """What to say to "Tell France that I agree" and "Could you let everybody know?": nobody is written to without a
    line that says so.
    """
    match = None
    if around.board is not None and around.role is Role.PLAYER:
        if (headed := patterns.HEADED.fullmatch(line)) is not None:
            return _unsent(_addressees(headed["names"], around.board, around))
        match = patterns.MESSAGE.fullmatch(line) or patterns.CALLED.fullmatch(line)
    if match is None or around.board is None:
        return None
    if patterns.LETS_WIN.search(line):
        return None
    return _unsent(_addressees(match["name"], around.board, around))


def _unsent(to: Sequence[tuple[str, str]]) -> Unclear | None:
    """What to say to words for somebody: (as people call them, as `press to` does) for each; None for nobody."""
    if not to:
        return None
    return Unclear(
        "for-others",
        tell(
            "Nothing was sent to anybody. To write to {to}, begin with `press to {to2}`, and "
            "write your words below it.",
            to=listed([name for name, _ in to]),
            to2=", ".join(word for _, word in to),
        ),
    )


def _addressees(names: str, board: Board, around: Around) -> list[tuple[str, str]]:
    """All whom "Turkey and Austria" names; nobody if one of them is no power, or the author's own."""
    found = [_addressed(" ".join(name.split()), board, around) for name in patterns.AND.split(names.strip())]
    return [one for one in found if one] if all(found) else []


def _addressed(name: str, board: Board, around: Around) -> tuple[str, str] | None:
    """Whom words are for, as people and as `press to` call them; None for nobody but their author."""
    if patterns.EVERYBODY.fullmatch(name):
        return "everybody", "all"
    found = gazetteer_of(board).power(re.sub(r"^the\s+", "", name, flags=re.IGNORECASE)) if len(name) > 1 else ()
    if len(found) != 1 or found[0] in around.powers:
        return None
    return board.powers[found[0]].name, board.powers[found[0]].name


def gm_wish_in(sentence: str, around: Around) -> Unclear | None:
    """The line of ours that a Gamemaster's sentence asks for, to be offered; None for any other sentence.

    >>> from datetime import UTC, datetime
    >>> gm = Around(datetime(1901, 3, 1, tzinfo=UTC), UTC, game="baltic", role=Role.GM)
    >>> gm_wish_in("Please hold the game until 10 March, Germany is in hospital.", gm).candidates
    ('hold until 10 March',)
    """
    if around.role is not Role.GM or not around.game or len(sentence) > _LONGEST_WISH:
        return None
    text = " ".join(sentence.replace("’", "'").split()).strip(' .!?"()*_')
    while match := patterns.TO_A_GM_OPENING.match(text):
        text = text[match.end() :]
    text = patterns.TO_A_GM_ENDING.sub("", text)
    for line, words in taken(wished.OF_A_GAMEMASTER, text):
        counted = {name: _as_length(said) for name, said in words.items()}
        offer = " ".join(line.format_map(defaultdict(str, counted)).split())
        if is_sound(offer, around):
            return Unclear("perhaps-gm", tell(_TO_CONFIRM), (offer,))
    for told, words in taken(wished.TOLD_THE_GAMEMASTER, text):
        said = tell(SAID[told]).replace("{address}", words.get("address", ""))
        return Unclear("perhaps-gm", with_days(said, around))
    return None


_TO_CONFIRM = told_later("Nothing was done yet. To do it, answer with the number, or send the line below.")


def _as_length(words: str) -> str:
    """ "two more days" as a length is two days, "another day" one."""
    counted = re.sub(r"\banother\s+(?=\w+\s+(?:days?|hours?|weeks?))", "", words, flags=re.IGNORECASE)
    return re.sub(r"\banother\b|\ban?\b(?= (?:day|hour|week))", "one", re.sub(r"\b(?:more|extra)\s+", "", counted))


_LONGEST_WISH = 300


def more_time(line: str) -> tuple[timedelta | None] | None:
    """A request for an extension in free words, as the length that it names; None where there is none.

    >>> more_time("I can't make it this week, could I have two more days please?")
    (datetime.timedelta(days=2),)
    >>> more_time("Could I have some more time please?"), more_time("I don't need an extension")
    ((None,), None)
    """
    if len(line) > _LONGEST_WISH:
        return None
    if "deadline" in line.lower() and (pushed := patterns.DEADLINE_PUSHED.search(line)) is not None:
        return (_length(pushed[1] or ""),)
    if not patterns.MORE.search(line):
        return None
    match = (
        patterns.TIME_ASKED.search(line)
        or patterns.TIME_WISHED.search(line)
        or patterns.TIME_GRANTED.search(line)
        or patterns.TIME_IN_SHORT.match(line)
    )
    if match is None or not patterns.MORE.search(match[0]):
        return None
    return (_length(next(filter(None, match.groups()), "")),)


def near_more_time(line: str) -> Unclear | None:
    """What to ask of a line that speaks of an extension and does not ask for one beyond doubt.

    >>> near_more_time("My mother is ill, and I thought of an extension.").candidates
    ('extension',)
    >>> near_more_time("I propose an extension of 7 days for everybody.").candidates
    ('extension vote 7 days',)
    >>> near_more_time("I need no extension.") is None
    True
    """
    if len(line) > _LONGEST_WISH or not patterns.NEAR_TIME.search(line) or patterns.NOT_WANTED.search(line):
        return None
    if patterns.FOR_ALL.search(line):
        span = patterns.A_SPAN.search(line)
        told = tell("More time for everybody is voted upon; no vote was called yet. The line below calls one.")
        return Unclear("perhaps-time", told, (f"extension vote {span[0]}" if span else "extension vote",))
    return Unclear(
        "perhaps-time", tell("If you would like more time, say so; nothing was changed yet."), ("extension",)
    )


def _length(words: str) -> timedelta | None:
    try:
        return read_span(_as_length(words)) or None
    except ValueError:
        return None  # "a few days"


_LONGEST = 200

_FEW_WORDS = 12


def our_question(line: str, around: Around) -> str:
    """Our own question that a line asks in free words: "due" for "When is the deadline?"; "" where it asks none.

    >>> from datetime import UTC, datetime
    >>> here = Around(datetime(1901, 3, 1, tzinfo=UTC), UTC, game="baltic")
    >>> [our_question(text, here) for text in ("When are orders due?", "Shall I quit?")]
    ['due', '']
    """
    if len(line) > _LONGEST:
        return ""
    if ours := question_in(line, around) or wish_to_join(line, around):
        return ours
    if patterns.ASKS_DUE.fullmatch(line):
        return "due" if around.game else "status"
    if is_question(line) and asks_help(line):
        return f"help {line}"
    match = patterns.FETCHES.fullmatch(line)
    if match and (fetched := _fetched(match["what"], around)):
        return fetched
    idea = idea_in(line, around)
    return idea.line if idea is not None and idea.kind == "ask" else ""


def question_in(sentence: str, around: Around) -> str:
    """Our question that a sentence asks, "" where it asks none.

    >>> from datetime import UTC, datetime
    >>> here = Around(datetime(1901, 3, 1, tzinfo=UTC), UTC, game="baltic")
    >>> question_in("Can I still change my orders?", here), question_in("When does the train start to leave?", here)
    ('help changing', '')
    """
    text = re.sub(r'[()"“”]', "", core(sentence))  # what a letter prints may be quoted: (VIII), "void"
    if around.phase is not None and around.phase.kind is PhaseKind.RETREATS and patterns.ASKS_RETREATS.fullmatch(text):
        return "status"
    if (match := patterns.ASKS_WAYS.fullmatch(text)) and around.board is not None:
        place = match["place"].strip()
        return f"help {place}" if len(gazetteer_of(around.board).places(place)) == 1 else ""
    if patterns.NEXT_GAME.match(text):
        return "list"
    games = [word for word in text.split() if known_game(word, around)]
    line = meant(asked.ASKED, " ".join("game" if word in games else word for word in text.split()))
    if line not in ("status", "due", "centres to win") or (around.game and not games):
        return line
    return f"status {games[0].lower()}" if len(games) == 1 else "list"


def need_in(sentence: str) -> str:
    """Our question that answers somebody who says that they are new, or lost; "" for any other sentence."""
    return meant(asked.IN_NEED, core(sentence))


def wish_to_join(sentence: str, around: Around) -> str:
    """The line for a wish of somebody who has no seat: "join baltic prefer Italy", or "list" where the wish is a
    question or names no game that there is; "" for any other sentence.
    """
    text = core(sentence)
    if around.role is not Role.STRANGER or not (wished.TO_JOIN.says(text) or power_wished_for(text, around)):
        return ""
    if re.search(r"\btournaments?\b", text, re.IGNORECASE):
        return "tournaments"
    words = [word.strip(",;:()\"'[]") for word in text.split()]
    games = list(dict.fromkeys(filter(None, (known_game(word, around) for word in words))))
    if len(games) != 1 or is_question(sentence) or patterns.CONDITION.search(text):
        return "list"
    names = gazetteer_of(around.games[games[0]])
    powers = [word for before, word in pairwise(words) if before == "as" and names.power(word)]
    return f"join {games[0]}" + (f" prefer {powers[0]}" if powers else "")


def asks_help(line: str) -> bool:
    """Whether a line is a question to the help, though it does not say so: "How do I build?", "What is a convoy?"."""
    match = patterns.ASKS_HELP.match(line) if len(line) <= _LONGEST else None
    if (
        match is None
        or patterns.ASKS_DUE.fullmatch(line)
        or re.search(patterns.GAMEMASTER + r"\b", line, re.IGNORECASE)
    ):
        return False
    asked = patterns.HERE.sub("", line[match.end() :])
    return is_asked(asked, whole=not match["how"])


def _fetched(what: str, around: Around) -> str:
    """ "the map", "the rules of the game": the line that asks for it, if it only asks."""
    plain = re.sub(r"^(?:the|a|an|my|current|latest|last|that|this)\s+", "", what.strip(" ?.!"), flags=re.IGNORECASE)
    for words in (what.strip(" ?.!"), plain):
        match = find_verb(words)
        found = match.verb.read(Clause(match.word, match.rest, around)) if match else None
        if isinstance(found, Query) and not isinstance(found, Unclear):
            return words
    return ""


def asks_for_own_orders(line: str) -> bool:
    """Whether a line asks in free words what is on file.

    >>> asks_for_own_orders("what orders do you have on file for me?"), asks_for_own_orders("Show me what I sent")
    (True, True)
    >>> asks_for_own_orders("What orders did Germany send you?"), asks_for_own_orders("What a turn!")
    (False, False)
    """
    if re.search(r"\babout me\b", line, re.IGNORECASE):
        return False
    if len(line) > _LONGEST or len(line.split()) > _FEW_WORDS or patterns.ASKS_FOR_OWN.fullmatch(line) is None:
        return False
    return (
        patterns.OF_WHAT_WAS_SENT.search(line) is not None
        and re.search(r"\b(?:i|i've|me|my|file)\b", line, re.IGNORECASE) is not None
    )
