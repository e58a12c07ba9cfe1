"""Verbs of those at no seat: watching, waiting, standing by, being left alone; signing on; and the form in which
letters come.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from judge.board.model import Board
from judge.board.spelling import allowance, slips
from judge.game.core.commands import Role
from judge.game.settings.bundles import PRESETS
from judge.languages import tell
from judge.mail.queries import PersonRequest, Query
from judge.mail.vocabulary.account import ForgetMe, MyName, Reminders
from judge.mail.vocabulary.clauses import alone, known_game, missing, no_more, plain, read_game
from judge.mail.vocabulary.model import Clause, Heading, Reading, Unclear, Verb, VerbOfAll, named
from judge.mail.vocabulary.powers import is_power_word, read_power


@dataclass(frozen=True, slots=True)
class Observe(PersonRequest):
    """Get what a game publishes. `what`: "report" (everything that is for all), "results", or "digest"."""

    game: str
    what: str = "report"

    @property
    def about(self) -> str:
        return self.game


@dataclass(frozen=True, slots=True)
class Unobserve(PersonRequest):
    """Stop observing a game. Empty: the game of the address."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class Queue(PersonRequest):
    """Wait for a game of a preset to open; it opens when enough wait. Without `on`, wait no more."""

    preset: str = "standard"
    on: bool = True


_WHAT = {
    "report": "report", "reports": "report", "everything": "report", "all": "report",
    "results": "results", "result": "results",
    "digest": "digest", "weekly": "digest", "digests": "digest",
}  # fmt: skip
_SMALL_WORDS = frozenset({"every", "the", "as", "only", "game", "please", "a"})
_LONGEST = 60


def read_observe(clause: Clause) -> Reading:
    """`observe GAME [report|results|digest]`."""
    words = [word for word in plain(clause.rest).split() if word.lower() not in _SMALL_WORDS]
    what = next((_WHAT[word.lower()] for word in words if word.lower() in _WHAT), "report")
    names = [word for word in words if word.lower() not in _WHAT]
    if not names and clause.around.game:
        return Observe(clause.around.game, what)
    if not names:
        return missing(tell("The game"), "observe tannenburg results")
    game = read_game(names[0], clause.around, "observe")
    return game if isinstance(game, Unclear) else Observe(game, what)


def read_unobserve(clause: Clause) -> Reading:
    rest = re.sub(r"^\s*(?:me|us)\b|\bfrom (?:this|the|your) (?:game|list|mailing list|letters)\b", "", clause.rest)
    clause = replace(clause, rest=rest)
    if no_more(clause.rest):
        return Unobserve(clause.around.game)
    game = read_game(clause.rest, clause.around, "unobserve")
    return game if isinstance(game, Unclear) else Unobserve(game)


def _queue(clause: Clause) -> Reading:
    word = re.sub(r"^(?:for|a|game|of)\b", "", plain(clause.rest).lower()).strip() or "standard"
    if word in ("off", "no more", "leave"):
        return Queue(on=False)
    if word not in PRESETS:
        names = tuple(f"queue {name}" for name in PRESETS if slips(word, name, allowance(word)) is not None)
        known = ", ".join(PRESETS)
        return Unclear(
            "no-preset",
            tell('There is no kind of game called "{word}"; there are {known}.', word=word[:40], known=known),
            names,
        )
    return Queue(word)


def _name(clause: Clause) -> Reading:
    name = " ".join(plain(re.sub(r"^\s*(?:is|to)\b", "", clause.rest).strip("=: ")).strip("\"'").split())
    if not name:
        return missing(tell("The name"), "my name Jane Doe")
    if len(name) > _LONGEST or "@" in name:
        return Unclear(
            "bad-name",
            tell("A name has at most {longest} characters and is no address: my name Jane Doe", longest=_LONGEST),
        )
    return MyName(name)


@dataclass(frozen=True, slots=True)
class StandBy(PersonRequest):
    """Take a seat that falls vacant, in one game or (empty) in any; or, without `on`, no more."""

    game: str = ""
    on: bool = True


@dataclass(frozen=True, slots=True)
class PracticeGame(PersonRequest):
    """A practice game, as the power named ("France", in the writer's words) or as one by lot."""

    power: str = ""


@dataclass(frozen=True, slots=True)
class TourLetter(Query, enclosed=True, once=True, public=True):
    """One of the letters that show what the judge can do, by its number."""

    number: int = 1


STOPS = 10
"""Letters of the tour."""

_OFF = re.compile(r"\b(?:off|no more|no longer|stop|end)\b", re.IGNORECASE)
_FILLERS = re.compile(r"^(?:(?:for|in|on|any(?: game)?|all(?: games)?)\b\s*)+", re.IGNORECASE)


def _stand_by(clause: Clause) -> Reading:
    """`standby`, `standby tannenburg`, `standby off`."""
    off = clause.word in _DOWN or _OFF.search(clause.rest) is not None
    rest = _FILLERS.sub("", plain(_OFF.sub(" ", clause.rest)))
    if no_more(rest):
        return StandBy(on=not off)
    game = read_game(rest, clause.around, "standby")
    return game if isinstance(game, Unclear) else StandBy(game, on=not off)


def _practice(clause: Clause) -> Reading:
    """`practice`, `practice as France`."""
    rest = re.sub(r"^(?:(?:a|game|as|with|please)\b\s*)+", "", plain(clause.rest), flags=re.IGNORECASE)
    return PracticeGame("" if no_more(rest) else rest[:40])


def _tour(clause: Clause) -> Reading:
    """`tour`, `tour 4`."""
    rest = re.sub(r"^(?:letter|stop|part|number|no\.?|please)\b\s*", "", plain(clause.rest), flags=re.IGNORECASE)
    if no_more(rest):
        return TourLetter()
    if rest.isdecimal() and len(rest) < 4 and 1 <= int(rest) <= STOPS:
        return TourLetter(int(rest))
    return Unclear("no-stop", tell("The tour has {stops} letters, 1 to {stops}.", stops=STOPS), ("tour",))


_DOWN = ("stand down", "no standby")


def _sign_on(clause: Clause) -> Reading:
    """`sign on FTANNENBURG word` and `sign on FRANCE@TANNENBURG word`: the older judges' way to say who one is."""
    name, _, secret = clause.rest.strip().partition(" ")
    around = clause.around
    power_word, at, game_word = name.partition("@")
    if not at and known_game(name.lstrip("?"), around):
        power_word, game_word = "", name
    elif not at:
        power_word, game_word = name[:1], name[1:]
    game = read_game(game_word or name, around, "status")
    board = None if isinstance(game, Unclear) else around.games.get(game)
    if isinstance(game, Unclear) or board is None:
        return (
            replace(game, candidates=())
            if isinstance(game, Unclear)
            else missing(tell("The game"), "status tannenburg")
        )
    secret = secret.strip().partition(" ")[0]
    if power_word.lower() in _WATCHES and around.role is Role.STRANGER and not is_power_word(power_word, board):
        return Heading(game=game, secret=secret, then=Observe(game))
    power = _signing(power_word, board)
    return power if isinstance(power, Unclear) else Heading(game=game, power=power, secret=secret)


_WATCHES = ("o", "observer")


def _signing(word: str, board: Board) -> str | Unclear:
    """The power of a sign-on; "" for one that names none: observers, the Gamemaster, somebody who joins."""
    if word.lower() in ("", "?", "o", "observer", "m", "master", "gm"):
        return ""
    power = read_power(word, board)
    return replace(power, candidates=()) if isinstance(power, Unclear) else power


@dataclass(frozen=True, slots=True)
class MyFormat(PersonRequest):
    """What is to come with the text of letters ("page", "pictures", "calendar"), yes or no; how it is put ("manner":
    "spoken", "terse" or ""), on which ground pictures are ("face": "dark" or ""), whether outcomes are explained
    ("explain"); the rest stays as it is.
    """

    changes: tuple[tuple[str, bool | str], ...] = ()


@dataclass(frozen=True, slots=True)
class MyLanguage(PersonRequest):
    """In which language letters are to come, as it was named; "" asks which one it is."""

    wanted: str = ""


_PARTS: Mapping[str, str] = {
    **dict.fromkeys(("html", "page", "pages"), "page"),
    **dict.fromkeys(("map", "maps", "picture", "pictures", "images"), "pictures"),
    **dict.fromkeys(("calendar", "calendars", "ics"), "calendar"),
    **dict.fromkeys(("explain", "explained", "explanations"), "explain"),
    **dict.fromkeys(("njudge", "jdip", "realpolitik", "floc"), "njudge"),
}
_MANNERS: Mapping[str, str] = {
    **dict.fromkeys(("spoken", "sentences", "accessible"), "spoken"),
    **dict.fromkeys(("terse", "short", "brief"), "terse"),
    **dict.fromkeys(("usual", "normal", "default", "tables"), ""),
}
_FACES: Mapping[str, str] = {"dark": "dark", "night": "dark", "light": "", "bright": ""}
_NO, _YES = frozenset(("no", "without", "not", "off")), frozenset(("with", "and", "yes", "on"))
_TEXT = frozenset(("text", "plain", "txt"))
_ALONE = frozenset(("only", "alone", "just"))


def _my_format(clause: Clause) -> Reading:
    changes: dict[str, bool | str] = {}
    wanted = True
    words = plain(re.sub(r"[=:,;]", " ", clause.rest)).lower().split()
    for place, word in enumerate(words, 1):
        if changes and (word in ("off", "on") or (word in ("no", "yes") and place == len(words))):
            _put_last(changes, on=word in _YES)
        elif word in _NO or word in _YES:
            wanted = word in _YES
        elif word in _TEXT:
            changes |= {"page": False, "pictures": False}
        elif word in _PARTS:
            changes[_PARTS[word]] = wanted
            if _PARTS[word] == "page" and wanted:
                changes.setdefault("pictures", True)
        elif word in _FACES:
            changes["face"] = _FACES[word] if wanted else ""
        elif word in _MANNERS:
            changes["manner"] = _MANNERS[word] if wanted else ""
        elif word in _ALONE and "page" in changes:
            changes["calendar"] = False
        else:
            return Unclear(
                "no-format",
                tell(
                    '"{word}" is not a form of a letter; there are text, html, maps, calendar, spoken, '
                    "terse, usual, explain and njudge.",
                    word=word,
                ),
                ("my format text", "my format html", "my format no maps", "my format spoken"),
            )
    return MyFormat(tuple(changes.items()))


def _my_language(clause: Clause) -> Reading:
    return MyLanguage(plain(clause.rest).strip(" .=:\"'")[:40])


def _put_last(changes: dict[str, bool | str], *, on: bool) -> None:
    """Apply a yes or no that follows the thing it is about to the last of the changes."""
    name, value = next(reversed(changes.items()))
    changes[name] = on if isinstance(value, bool) else (value if on else "")


VERBS: tuple[Verb, ...] = (
    VerbOfAll(
        "standby",
        words=("standby", "stand by", "set standby", "i stand by", *_DOWN),
        summary="Hear of seats that fall vacant, in one game or in any, to take one over.",
        usage=("standby", "standby GAME", "standby off"),
        example="standby tannenburg",
        read=_stand_by,
        names_game=True,
        topic="seats",
    ),
    VerbOfAll(
        "practice",
        words=("practice", "practise", "practice game"),
        summary="A game of three phases for you alone, with explanations; it counts nowhere.",
        usage=("practice", "practice as POWER"),
        example="practice as France",
        read=_practice,
        topic="practice",
    ),
    VerbOfAll(
        "tour",
        words=("tour", "the tour", "guided tour", "show me around"),
        summary="Ten short letters that show what I can do, each with something to try.",
        usage=("tour", "tour NUMBER"),
        example="tour",
        read=_tour,
        topic="practice",
    ),
    VerbOfAll(
        "observe",
        words=("observe", "watch", "monitor"),
        summary="Get what a game publishes: every report, results only, or now and then a digest of all your games.",
        usage=("observe GAME", "observe GAME results", "observe GAME digest"),
        example="observe tannenburg results",
        read=read_observe,
        names_game=True,
        topic="observing",
    ),
    VerbOfAll(
        "unobserve",
        words=("unobserve", "stop watching", "unwatch"),
        summary="Get no more letters about a game that you observe.",
        usage=("unobserve GAME",),
        example="unobserve tannenburg",
        read=read_unobserve,
        names_game=True,
        topic="observing",
    ),
    VerbOfAll(
        "queue",
        words=("queue", "wait for a game", "waiting list"),
        summary="Wait for a game; it opens when enough players wait for one of its kind.",
        usage=("queue", "queue PRESET", "queue off"),
        example="queue standard",
        read=_queue,
        risky=True,
        topic="joining",
    ),
    VerbOfAll(
        "my name",
        words=("my name", "change my name", "set my name", "call me"),
        summary="The name under which other players know you.",
        usage=("my name NAME",),
        example="my name Jane Doe",
        read=_name,
        topic="account",
    ),
    VerbOfAll(
        "pause my reminders",
        words=("pause my reminders", "no reminders", "stop reminders", "reminders off"),
        summary="Get no more reminders before deadlines; late notices come all the same.",
        usage=("pause my reminders",),
        example="pause my reminders",
        read=alone(Reminders(on=False), "pause my reminders"),
        topic="letters",
    ),
    VerbOfAll(
        "resume my reminders",
        words=("resume my reminders", "reminders on", "send reminders"),
        summary="Get reminders again.",
        usage=("resume my reminders",),
        example="resume my reminders",
        read=alone(Reminders(on=True), "resume my reminders"),
        topic="letters",
    ),
    VerbOfAll(
        "forget me",
        words=("forget me", "delete my account", "erase me"),
        summary="Erase your name, addresses and settings. The records of games keep what was played, without you.",
        usage=("forget me",),
        example="forget me",
        read=alone(ForgetMe(), "forget me"),
        risky=True,
        topic="account",
    ),
    VerbOfAll(
        "sign on",
        words=("sign on", "signon", "login", "log in"),
        summary="Name the game and the power that the lines below are for.",
        usage=("sign on POWER@GAME", "sign on LETTERGAME WORD"),
        example="sign on france@tannenburg",
        read=_sign_on,
        risky=True,
        names_game=True,
        topic="proof",
    ),
    VerbOfAll(
        "my format",
        words=("my format", "format", "mail format", "set format", "set my format", "my pictures"),
        summary="In what form letters come: text alone, or html too; with or without maps, these dark or light; with "
        "deadlines for a calendar; in sentences to be read aloud (spoken), short (terse) or as usual; with what failed "
        "explained; with the results once more in njudge's layout, for its tools.",
        usage=named(
            "my format text, my format html, my format no maps, my format no calendar, my format spoken, "
            "my format terse, my format usual, my format explain, my format njudge, my pictures dark, my format"
        ),
        example="my format no maps",
        read=_my_format,
        topic="letters",
    ),
    VerbOfAll(
        "my language",
        words=("my language", "language", "set language", "set my language", "meine sprache", "sprache", "mijn taal"),
        summary="In which language I write to you. Orders and commands are read in English all the same.",
        usage=named("my language Deutsch, my language English"),
        example="my language Deutsch",
        read=_my_language,
        topic="letters",
    ),
)
"""The rows, in the order in which help prints them."""
