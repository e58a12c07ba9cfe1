"""Verbs with which a game is made: created, set up, opened and begun.

Verbs with which a table is filled and guarded: invitations, approval, pass phrase, news of games.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from judge.board.spelling import allowance, slips
from judge.game.core.commands import ChangeSettings, Create, Open, Role, Start
from judge.game.settings.bundles import PRESETS
from judge.game.table.deciding import TakePreset
from judge.game.table.filling import Advertise
from judge.languages import tell
from judge.mail.queries import PersonRequest, Query
from judge.mail.raw.addresses import read_address
from judge.mail.vocabulary.account import own_zone
from judge.mail.vocabulary.clauses import alone, missing, no_more, plain, read_first_deadline, read_game, split_reason
from judge.mail.vocabulary.gm import read_deadline
from judge.mail.vocabulary.model import (
    ANYONE,
    BodyRule,
    Clause,
    HelpTopic,
    Part,
    Reading,
    Unclear,
    Verb,
    VerbOfAll,
    VerbOfGm,
)
from judge.mail.vocabulary.settings_text import Pairs, read_all_below, read_inline, settings_in, split_setting


@dataclass(frozen=True, slots=True)
class InviteByAddress(PersonRequest):
    """`invite ADDRESS ...`: a letter to each; `wrong`: words that were to be addresses, as written; `words`: the
    Gamemaster's own, for the letter."""

    addresses: tuple[str, ...]
    wrong: tuple[str, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class DeclineInvitation(PersonRequest):
    """Decline an invitation to a game ("": the game of the address). `ticket`: that of the letter that is answered, ""
    if none is; `never`: refuse all later invitations too.
    """

    game: str = ""
    ticket: str = ""
    never: bool = False


@dataclass(frozen=True, slots=True)
class ApproveByName(PersonRequest):
    """Game command `Approve`, for whoever has this name, number or address."""

    who: str


@dataclass(frozen=True, slots=True)
class RefuseByName(PersonRequest):
    """Game command `TurnAway`, for whoever has this name, number or address."""

    who: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RemoveByName(PersonRequest):
    """Before the start: game command `Vacate` for whoever has joined, `TurnAway` for who waits."""

    who: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PassPhrase(PersonRequest):
    """Game command `SetPhrase`; "": none any more."""

    words: str


@dataclass(frozen=True, slots=True)
class HearOfGames(PersonRequest):
    """Get a letter when a Gamemaster looks for players; or, without `on`, no more."""

    on: bool = True


_QUOTED = re.compile(r"[\"“„”]([^\"“”„]{1,20000})[\"“”]")
_ADDRESS_LIKE = re.compile(r"[^\s<>,;()\[\]\"]*@[^\s<>,;()\[\]\"]*")
_DOTTED = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+")
LONGEST_WORDS = 600
"""Characters of a Gamemaster's own words in an invitation or a nudge."""


_BEHIND = re.compile(r"(.*@[^\s:]+)\s*:\s+([^@\"“„«]*\w[^@\"“„«]*)")


def _invite(clause: Clause) -> Reading:
    """`invite ADDRESS ...`, on the line and the lines below it. In quotation marks, or behind the last address and a
    colon, stands what the letter shall say.
    """
    behind = _BEHIND.fullmatch(clause.rest)
    text = f"{behind[1] if behind else clause.rest}\n{clause.body}"
    words = " ".join(" ".join([behind[2] if behind else "", *_QUOTED.findall(text)]).split())
    named = _QUOTED.sub(" ", text)
    found = [word.strip(".:'") for word in _ADDRESS_LIKE.findall(named)]
    read = [(word, read_address(word)) for word in found]
    good = tuple(dict.fromkeys(address for _, address in read if address and "." in address.rpartition("@")[2]))
    bad = [word for word, address in read if address is None or "." not in address.rpartition("@")[2]]
    bad += _DOTTED.findall(_ADDRESS_LIKE.sub(" ", clause.rest))
    if not good and not bad:
        return missing("An address", "invite anna@players.test, bert@players.test")
    if opened := re.search(r"[\"“„](.*)", named):
        sentence = tell(
            'The quotation mark in front of "{opened}" is not closed; nobody was invited.',
            opened=opened[1].strip()[:40],
        )
        return Unclear("open-quotation", sentence)
    if len(words) > LONGEST_WORDS:
        sentence = tell(
            "Your words have {words} characters; {longest_words} is the most. Nobody was invited.",
            words=len(words),
            longest_words=LONGEST_WORDS,
        )
        return Unclear("too-long", sentence)
    return InviteByAddress(good, tuple(dict.fromkeys(bad)), words)


def _decline(clause: Clause) -> Reading:
    rest = plain(re.sub(r"^(?:the\s+)?(?:invitation)?\s*(?:to|for)?\s*", "", clause.rest, flags=re.IGNORECASE))
    if no_more(rest):
        return DeclineInvitation(clause.around.game)
    game = read_game(rest, clause.around, "decline")
    return game if isinstance(game, Unclear) else DeclineInvitation(game)


def _named(clause: Clause) -> tuple[str, str]:
    head, reason = split_reason(clause.rest)
    head = re.sub(r"^(?:player|applicant|number|no\.)\s+", "", plain(head), flags=re.IGNORECASE)
    return head.strip("<>#\"'"), reason


def _approve(clause: Clause) -> Reading:
    who, _ = _named(clause)
    return ApproveByName(who) if who else missing(tell("The player"), "approve Jane Doe")


def _refuse(clause: Clause) -> Reading:
    who, reason = _named(clause)
    return RefuseByName(who, reason) if who else missing(tell("The player"), 'refuse Jane Doe reason "..."')


def _remove(clause: Clause) -> Reading:
    who, reason = _named(clause)
    return RemoveByName(who, reason) if who else missing(tell("The player"), 'remove Jane Doe reason "..."')


def _phrase(clause: Clause) -> Reading:
    words = " ".join(plain(re.sub(r"^\s*(?:is\b|to\b|[=:])", "", clause.rest)).strip("\"'“”").split())
    if not words:
        return missing(tell("The pass phrase"), "pass phrase copper kettle")
    return PassPhrase("" if words.lower() in ("none", "off") else words[:200])


_OFF = re.compile(r"\b(?:off|no more|no longer|stop)\b", re.IGNORECASE)


def _hear(clause: Clause) -> Reading:
    return HearOfGames(on=clause.word.split()[0] not in ("no", "stop") and _OFF.search(clause.rest) is None)


GATHERING: tuple[Verb, ...] = (
    VerbOfGm(
        "invite",
        words=("invite", "invite players", "set approved"),
        summary="Send somebody a letter to which they answer one word to get a seat; they need not be known here.",
        usage=("invite ADDRESS ...", 'invite ADDRESS ... "YOUR WORDS"'),
        example='invite anna@players.test, bert@players.test "Friends of the club, as last year."',
        read=_invite,
        body=BodyRule.PARAGRAPH,
        risky=True,
        topic="filling",
    ),
    VerbOfGm(
        "approve",
        words=("approve", "admit", "let in"),
        summary="Give a seat to somebody who has asked for one, or whom you had refused or removed.",
        usage=("approve NAME", "approve NUMBER"),
        example="approve Jane Doe",
        read=_approve,
        risky=True,
        topic="filling",
    ),
    VerbOfGm(
        "refuse",
        words=("refuse", "refuse player", "turn away"),
        summary="Say no to somebody who has asked for a seat, or waits for one; they read your reason.",
        usage=('refuse NAME reason "..."', "refuse NAME"),
        example='refuse Jane Doe reason "all seats are promised"',
        read=_refuse,
        risky=True,
        topic="filling",
    ),
    VerbOfGm(
        "remove",
        words=("remove", "kick", "kick out", "throw out", "unseat"),
        summary="Before the start: take somebody off the list of those who have joined; they read your reason.",
        usage=("remove NAME", 'remove NAME reason "..."'),
        example='remove Jane Doe reason "no word for a week"',
        read=_remove,
        risky=True,
        after_orders=True,
        topic="filling",
    ),
    VerbOfGm(
        "pass phrase",
        words=("pass phrase", "passphrase", "phrase", "set phrase", "set pass phrase", "set passphrase"),
        summary="Players need these words to join. You tell your players; none of my letters does.",
        usage=("pass phrase WORDS", "pass phrase none"),
        example="pass phrase copper kettle",
        read=_phrase,
        risky=True,
        topic="filling",
    ),
    VerbOfGm(
        "advertise",
        words=("advertise", "advertise game", "advertise the game"),
        summary="Tell all who wish to hear of games that yours looks for players.",
        usage=("advertise",),
        example="advertise",
        read=alone(Advertise(), "advertise"),
        risky=True,
        topic="filling",
    ),
    VerbOfAll(
        "decline",
        words=("decline", "decline invitation", "decline the invitation"),
        summary="Say no to an invitation.",
        usage=("decline GAME",),
        example="decline tannenburg",
        read=_decline,
        names_game=True,
        topic="joining",
    ),
    VerbOfAll(
        "hear of games",
        words=("hear of games", "tell me of games", "news of games", "no news of games", "stop news of games"),
        summary="Get a letter when a Gamemaster looks for players.",
        usage=("hear of games", "hear of games off"),
        example="hear of games",
        read=_hear,
        topic="joining",
    ),
)
"""The rows, in the order in which help prints them."""

TOPICS = (
    HelpTopic(
        "filling",
        "Filling a game, and who may join it",
        Part.GAMEMASTER,
        asks="invitation, invitations, private game, private games, private, approval, fill a table, fill a game, "
        "players wanted, find players, reserve list, applicants, applicant",
        more=("starting", "settings joining", "lateness"),
        after="starting",
        paged=True,
    ),
)


@dataclass(frozen=True, slots=True)
class DryCreate(Query):
    """What would come of making a game; nothing is made."""

    command: Create


_KEY = re.compile(r"[A-Za-z][A-Za-z0-9-]{1,31}")


def _create(clause: Clause) -> Reading:
    """`create NAME [PRESET] [NAME=VALUE ...]`, and NAME = VALUE on the lines below.

    "standard" behind the name is the board alone, and decides nothing; `preset standard` means the bundle.
    """
    rest, inline = read_inline(clause.rest)
    if isinstance(inline, Unclear):
        return inline
    game = _A_GAME.match(rest)
    rest, said = _settings_behind(_COURTESY.sub(" ", rest[game.end() :] if game else rest))
    inline = (*inline, *settings_in((game and game["kind"]) or ""), *said)
    words = plain(rest).split()
    bundle = "preset" in [word.lower() for word in words]
    words = [word for word in words if word.lower() not in _JOINING]
    if not words:
        return missing(tell("The name of the game"), "create tannenburg standard")
    key = words[0].lstrip("?").strip("\"'")
    if not _KEY.fullmatch(key) or len(words) > 2:
        return Unclear(
            "bad-name",
            tell("A game's name is one word of letters, digits and dashes; a preset may follow."),
            _called(rest) or _joined(words),
        )
    pairs = tuple(pair for line in clause.body.splitlines() for pair in read_all_below(line))
    preset = words[1].lower() if len(words) > 1 else ""
    return Create(key.lower(), "" if preset == "standard" and not bundle else preset, inline + pairs)


def _called(rest: str) -> tuple[str, ...]:
    """The line for "a game for our club on Fridays, called lisbon"."""
    found = re.search(r"\b(?:called|named)\s+[\"']?([\w-]+)", rest, re.IGNORECASE)
    return (f"create {found[1].lower()}",) if found and _KEY.fullmatch(found[1]) else ()


def _joined(words: list[str]) -> tuple[str, ...]:
    """Words that cannot be a name, made one: a line to send instead."""
    key = re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")
    return (f"create {key}",) if _KEY.fullmatch(key) else ()


_A_GAME = re.compile(
    r"^\s*(?:(?:an?|another|my)\s+)?(?:new\s+)?(?P<kind>(?:private|public|anonymous|gunboat|unlisted)\s+(?=game))?"
    r"game\b(?:\s+of\s+diplomacy\b)?",
    re.IGNORECASE,
)
_COURTESY = re.compile(r"\b(?:for\s+(?:me|us|my\s+friends|our\s+club)|please|thanks|thank\s+you)\b[.!]*", re.IGNORECASE)
"""What "create a new game called lisbon for me, please" says beside the name."""
_JOINING = ("preset", "called", "named", "with")
"""Words between a game's name and its preset."""


def _settings_behind(rest: str) -> tuple[str, Pairs]:
    """`NAME preset PRESET players 8 private`: the words of the name and the preset, and the settings behind them."""
    words = rest.split()
    named = 0
    for at, word in enumerate(words):
        if named and (found := settings_in(" ".join(words[at:]))):
            return " ".join(words[:at]), found
        named += word.lower() not in (*_JOINING, "game", "a")
    return rest, ()


def _dry_create(clause: Clause) -> Reading:
    """`dry run create ...`, as `create` is written."""
    found = _create(clause)
    return DryCreate(found) if isinstance(found, Create) else found


def _preset(clause: Clause) -> Reading:
    """`preset NAME`."""
    name = re.sub(r"^(?:to|is|of)\s+", "", plain(clause.rest).lower())
    if not name:
        return missing(tell("The name of the preset"), f"preset {next(iter(PRESETS))}")
    if name not in PRESETS:
        lines = tuple(f"preset {known}" for known in PRESETS if slips(name, known, allowance(name)) is not None)
        return Unclear(
            "no-preset",
            tell('There is no preset "{name}"; there are {presets}.', name=name[:40], presets=", ".join(PRESETS)),
            lines,
        )
    return TakePreset(name)


def _set(clause: Clause) -> Reading:
    """`set NAME VALUE`; `set deadline DATE`; from a player only `set zone ZONE`, which is their own."""
    if re.match(r"\s*deadline\b", clause.rest, re.IGNORECASE):
        rest = re.sub(r"^\s*deadline\b[\s:=]*", "", clause.rest, flags=re.IGNORECASE)
        return read_deadline(Clause("deadline", rest, clause.around))
    if not plain(clause.rest):
        return missing(tell("The setting"), "set press white")
    found = split_setting(clause.rest)
    if isinstance(found, Unclear):
        return found
    if clause.around.role is Role.PLAYER and found[0] == "zone":
        return own_zone(Clause(clause.word, found[1], clause.around))
    return ChangeSettings(*found)


def _start(clause: Clause) -> Reading:
    when = read_first_deadline(clause, "start")
    return when if isinstance(when, Unclear) else Start(when)


VERBS: tuple[Verb, ...] = (
    VerbOfAll(
        "create",
        words=("create", "create game", "new game"),
        summary="Make a game; settings may follow, one on a line. A preset decides all that must be decided.",
        usage=("create NAME", "create NAME preset PRESET", "NAME = VALUE"),
        example="create tannenburg standard",
        read=_create,
        body=BodyRule.SETTINGS,
        names_game=True,
        risky=True,
        topic="starting",
    ),
    VerbOfAll(
        "dry-run create",
        words=("dry-run create", "dry run create", "dryrun create", "preview create"),
        summary="See what game `create` would make, without making it.",
        usage=("dry-run create NAME", "NAME = VALUE"),
        example="dry-run create tannenburg press=white",
        read=_dry_create,
        body=BodyRule.SETTINGS,
        names_game=True,
        topic="starting",
    ),
    VerbOfGm(
        "preset",
        words=("preset", "take preset", "set preset", "use preset"),
        summary="Take all settings of a preset, before the game opens.",
        usage=("preset NAME",),
        example="preset houserules-003",
        read=_preset,
        topic="starting",
    ),
    VerbOfGm(
        "open",
        words=("open", "open game", "open the game", "publish"),
        summary="Put the game on the list, so that players can join.",
        usage=("open",),
        example="open",
        read=alone(Open(), "open"),
        risky=True,
        topic="starting",
    ),
    VerbOfGm(
        "start",
        words=("start", "start game", "start the game", "begin"),
        summary="Draw the powers and begin.",
        usage=("start", "start deadline DATE"),
        example="start deadline 8 Jan 2027 23:59",
        read=_start,
        risky=True,
        topic="starting",
    ),
    Verb(
        "set",
        words=("set", "change"),
        summary="Change a setting.",
        usage=("set NAME VALUE",),
        example="set press white",
        read=_set,
        roles=ANYONE,
        topic="settings",
    ),
    *GATHERING,
)
"""The rows, in the order in which help prints them."""
