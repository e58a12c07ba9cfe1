"""Verbs with which a table is filled and guarded: invitations, approval, pass phrase, news of games."""

from __future__ import annotations

import re
from dataclasses import dataclass

from judge.game.table.filling import Advertise
from judge.languages import tell
from judge.mail.queries import PersonRequest
from judge.mail.raw.addresses import read_address
from judge.mail.vocabulary.clauses import alone, missing, no_more, plain, read_game, split_reason
from judge.mail.vocabulary.model import BodyRule, Clause, HelpTopic, Part, Reading, Unclear, Verb, VerbOfAll, VerbOfGm


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


VERBS: tuple[Verb, ...] = (
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
