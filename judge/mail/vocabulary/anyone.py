"""Verbs for everybody: questions, and what concerns one's own person."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from judge.board.model import Board
from judge.game.settings.spans import read_zone
from judge.mail.queries import PersonRequest, Query
from judge.mail.vocabulary.account import Confirm, Deny, MyZone, Register
from judge.mail.vocabulary.clauses import alone, known_game, missing, no_more, plain, read_game
from judge.mail.vocabulary.model import ANYONE, EVERYWHERE, BodyRule, Clause, Heading, Reading, Secret, Unclear, Verb
from judge.mail.vocabulary.powers import read_power
from judge.rules.spoken import read_phase


@dataclass(frozen=True, slots=True)
class Help(Query):
    """The help letter; `topic` is a verb's name, a topic that the service knows, or empty for the overview."""

    enclosed: ClassVar[bool] = True
    once: ClassVar[bool] = True
    public: ClassVar[bool] = True

    topic: str = ""


@dataclass(frozen=True, slots=True)
class ListGames(Query):
    """The list of openings and running games."""

    enclosed: ClassVar[bool] = True
    once: ClassVar[bool] = True
    public: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class ShowStatus(Query):
    """What is going on in a game: phase, deadline, own orders on file. Empty: the game of the address."""

    enclosed: ClassVar[bool] = True
    once: ClassVar[bool] = True
    public: ClassVar[bool] = True

    game: str = ""


@dataclass(frozen=True, slots=True)
class History(Query):
    """Results of past phases. `since` and `until` are phase codes or years ("S1901M", "1903"); empty: open ended."""

    enclosed: ClassVar[bool] = True
    once: ClassVar[bool] = True
    public: ClassVar[bool] = True

    game: str = ""
    since: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Resend(Query):
    """Send a letter again; `what` is a phase code, or empty for the latest report."""

    once: ClassVar[bool] = True

    what: str = ""


@dataclass(frozen=True, slots=True)
class Verify(Query):
    """Is this copy of a letter or an order mail the one on record (B10)? `proof` is the proof code, where given."""

    proof: str = ""


@dataclass(frozen=True, slots=True)
class ReportForgery(PersonRequest):
    """A mail that pretends to come from the judge or the Gamemaster; `text`: what was pasted of it, if anything."""

    text: str = ""


_RANGE = re.compile(r"\b(?:from|since|between|to|until|till|and|through)\b|\.\.+|[–—-]", re.IGNORECASE)
_YEAR = re.compile(r"\d{4}")
_PROOF = re.compile(r"[0-9a-f]{4}-?[0-9a-f]{4}", re.IGNORECASE)
_CODE = re.compile(r"[A-Za-z0-9-]{4,40}")


_FILES: Mapping[str, str] = {
    **dict.fromkeys(("package", "flist", "list", "files", "index", "info", "infopak", "help", "guide"), ""),
    **dict.fromkeys(("form", "registration", "register"), "register"),
    **dict.fromkeys(("rules", "houserules", "house rules"), "house rules"),
}
"""Files that the older judges sent on `get`, and our help on what stood in them."""


def _help(clause: Clause) -> Reading:
    topic = plain(clause.rest).lower().removeprefix("on ").removeprefix("with ").removeprefix("about ")
    if clause.word == "get":
        topic = _FILES.get(topic, topic)
    if len(topic.split()) > 3:
        return Unclear("too-much", "`help` takes one topic, such as `help press`.", ("help",))
    return Help(topic)


_LISTED = frozenset(("all", "the", "of", "open", "full", "games", "openings", "please"))


def _list(clause: Clause) -> Reading:
    if all(word in _LISTED for word in plain(clause.rest).lower().split()):
        return ListGames()
    game = read_game(clause.rest, clause.around, "status")
    return game if isinstance(game, Unclear) else ShowStatus(game)


def _status(clause: Clause) -> Reading:
    if no_more(clause.rest):
        return ShowStatus(clause.around.game)
    game = read_game(clause.rest.removeprefix("of "), clause.around, "status")
    return game if isinstance(game, Unclear) else ShowStatus(game)


def _history(clause: Clause) -> Reading:
    game, rest = _leading_game(clause)
    bounds = [plain(part) for part in _RANGE.split(rest) if plain(part)]
    if len(bounds) == 1 and len(words := bounds[0].split()) == 2 and all(_bound(word, clause) for word in words):
        bounds = words
    read = [_bound(part, clause) for part in bounds]
    if len(read) > 2 or not all(read):
        return Unclear(
            "no-phase",
            f'"{plain(rest)}" is no stretch of phases; write one like S1901 to F1903.',
            ("history S1901 to F1903",),
        )
    if not read or len(read) == 2:
        return History(game, *read)
    if re.match(r"\s*(?:to|until|till|through)\b", rest, re.IGNORECASE):
        return History(game, "", read[0])
    since = re.match(r"\s*(?:from|since)\b", rest, re.IGNORECASE)
    return History(game, read[0], "" if since else read[0])


def _bound(text: str, clause: Clause) -> str:
    return text if _YEAR.fullmatch(text) else read_phase(text, clause.around.calendar) or ""


def _leading_game(clause: Clause) -> tuple[str, str]:
    word, _, rest = clause.rest.strip().partition(" ")
    game = read_game(word, clause.around, "history") if word else Unclear("", "")
    return (clause.around.game, clause.rest) if isinstance(game, Unclear) else (game, rest)


def _resend(clause: Clause) -> Reading:
    rest = re.sub(r"\b(?:to me|please|the|report|results|letter|last|latest|of)\b", " ", clause.rest, flags=re.I)
    if not plain(rest):
        return Resend()
    phase = clause.around.phase_in(plain(rest))
    if phase is None:
        return Unclear("no-phase", f'"{plain(rest)}" is no phase; write one like F1901.', ("resend F1901M", "resend"))
    return Resend(phase)


def _verify(clause: Clause) -> Reading:
    proof = plain(clause.rest).lower().removeprefix("proof ")
    if proof and not _PROOF.fullmatch(proof):
        return Unclear(
            "no-proof", "A proof looks like 7c1e-9a42; it stands at the end of each receipt.", ("help verify",)
        )
    return Verify(proof)


_ASSENT = frozenset(
    (
        *(
            "ok",
            "okay",
            "yes",
            "confirm",
            "confirmed",
            "agreed",
            "i",
            "agree",
            "it",
            "that",
            "this",
            "is",
            "right",
            "all",
        ),
        *("please", "do", "go", "ahead", "thanks", "thank", "you", "fine", "sure", "correct", "my", "address", "yes"),
        *("to", "for", "the", "draw", "a"),
    )
)


def _confirm(clause: Clause) -> Reading:
    code = plain(clause.rest)
    if all(word in _ASSENT for word in re.findall(r"\w+", code.lower())):
        return Confirm()
    if clause.word in ("yes", "ok") and code.isdigit():
        return Unclear("two-readings", f"To vote, write `aye {code}`.", (f"aye {code}", "confirm"))
    if not _CODE.fullmatch(code) or not any(sign.isdigit() for sign in code):
        return Unclear("too-much", "To agree, answer with `confirm` alone on a line.", ("confirm",))
    return Confirm(code)


_FIELD = re.compile(r"\b(name|zone|time ?zone)\b\s*[:=]?\s*", re.IGNORECASE)


def read_person(text: str) -> tuple[str, str] | Unclear:
    """(name, zone) from "name Jane Doe zone Europe/Berlin", in any order; a text without field words is the name."""
    parts = _FIELD.split(text)
    found = {"name": plain(parts[0]), "zone": ""}
    for field, value in zip(parts[1::2], parts[2::2], strict=True):
        found["name" if field.lower() == "name" else "zone"] = plain(value).strip("\"'")
    if not found["zone"]:
        return found["name"][:100], ""
    try:
        return found["name"][:100], read_zone(found["zone"])
    except ValueError as error:
        return Unclear("no-zone", f"{str(error).rstrip('.')}.", ("my zone Europe/Berlin",))


def _register(clause: Clause) -> Reading:
    person = read_person(clause.rest)
    return person if isinstance(person, Unclear) else Register(*person)


def _zone(clause: Clause) -> Reading:
    text = plain(clause.rest.removeprefix("to ").removeprefix("is ")).strip("=: ")
    if not text:
        return missing("The zone", "my zone Europe/Berlin")
    try:
        return MyZone(read_zone(text))
    except ValueError as error:
        return Unclear("no-zone", f"{str(error).rstrip('.')}.", ("my zone Europe/Berlin",))


def _password(clause: Clause) -> Reading:
    value = clause.rest.strip().lstrip(":=").strip().removeprefix("is ").strip()
    if not value or len(value.split()) > 1:
        return Unclear("no-password", "A password line holds one word after `password`.")
    return Secret(value)


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
        return replace(game, candidates=()) if isinstance(game, Unclear) else missing("The game", "status tannenburg")
    power = _signing(power_word, board)
    return power if isinstance(power, Unclear) else Heading(game=game, power=power, secret=secret.strip())


def _signing(word: str, board: Board) -> str | Unclear:
    """The power of a sign-on; "" for one that names none: observers, the Gamemaster, somebody who joins."""
    if word.lower() in ("", "?", "o", "observer", "m", "master", "gm"):
        return ""
    power = read_power(word, board)
    return replace(power, candidates=()) if isinstance(power, Unclear) else power


VERBS: tuple[Verb, ...] = (
    Verb(
        "help",
        words=("help", "help me", "commands", "info", "get"),
        summary="What I understand, or all about one word.",
        usage=("help", "help TOPIC"),
        example="help press",
        read=_help,
        roles=ANYONE,
        places=EVERYWHERE,
    ),
    Verb(
        "version",
        words=("version",),
        summary="What I am and what I can do: the same as `help`.",
        usage=("version",),
        example="version",
        read=alone(Help(), "version"),
        roles=ANYONE,
        places=EVERYWHERE,
        whole=True,
    ),
    Verb(
        "list",
        words=("list", "list games", "games", "openings"),
        summary="Games that look for players, and games that run.",
        usage=("list",),
        example="list",
        read=_list,
        roles=ANYONE,
        places=EVERYWHERE,
        names_game=True,
    ),
    Verb(
        "status",
        words=("status", "stat", "who", "whogame"),
        summary="The phase, the deadline and your orders on file.",
        usage=("status", "status GAME"),
        example="status",
        read=_status,
        roles=ANYONE,
        places=EVERYWHERE,
        names_game=True,
    ),
    Verb(
        "history",
        words=("history", "summary"),
        summary="The results of past phases.",
        usage=("history", "history PHASE to PHASE"),
        example="history S1901 to F1903",
        read=_history,
        roles=ANYONE,
        places=EVERYWHERE,
        names_game=True,
    ),
    Verb(
        "resend",
        words=("resend", "send again", "repeat"),
        summary="Get a report again.",
        usage=("resend", "resend PHASE"),
        example="resend F1901M",
        read=_resend,
        roles=ANYONE,
    ),
    Verb(
        "verify",
        words=("verify", "check proof"),
        summary="Whether a copy of your orders is what I received; quote it, or give its proof.",
        usage=("verify", "verify PROOF"),
        example="verify 7c1e-9a42",
        read=_verify,
        roles=ANYONE,
        places=EVERYWHERE,
    ),
    Verb(
        "report forgery",
        words=("report forgery", "report forged mail", "report fake", "forgery", "this is a forgery"),
        summary="A mail that pretends to be mine or the Gamemaster's: quote it below, and it is filed and looked into.",
        usage=("report forgery",),
        example="report forgery",
        read=lambda clause: ReportForgery("\n".join(part for part in (clause.rest.strip(" :"), clause.body) if part)),
        roles=ANYONE,
        places=EVERYWHERE,
        body=BodyRule.TEXT,
        ends=("endreport", "end report"),
    ),
    Verb(
        "confirm",
        words=("confirm", "ok", "okay", "yes", "agreed", "i confirm", "i agree", "confirmed"),
        summary="Agree to what the letter that you answer asked.",
        usage=("confirm",),
        example="confirm",
        read=_confirm,
        roles=ANYONE,
        places=EVERYWHERE,
    ),
    Verb(
        "no",
        words=("no", "no thanks", "no thank you", "no sorry", "i disagree", "i do not agree", "i don't agree"),
        summary="Say no to what the letter that you answer asked.",
        usage=("no",),
        example="no",
        read=alone(Deny(), "no"),
        roles=ANYONE,
        places=EVERYWHERE,
    ),
    Verb(
        "register",
        words=("register", "my name is"),
        summary="Tell me your name and your time zone.",
        usage=("register name NAME zone ZONE",),
        example="register name Jane Doe zone Europe/Berlin",
        read=_register,
        roles=ANYONE,
        places=EVERYWHERE,
    ),
    Verb(
        "my zone",
        words=("my zone", "zone", "timezone", "time zone", "my time zone", "my timezone", "set my zone"),
        summary="The time zone in which I print times for you.",
        usage=("my zone ZONE",),
        example="my zone Europe/Berlin",
        read=_zone,
        roles=ANYONE,
        places=EVERYWHERE,
    ),
    Verb(
        "password",
        words=("password", "pin", "pw", "passwd", "my password", "my pin"),
        summary="Prove who you are when you write from another address. I never repeat it.",
        usage=("password WORD",),
        example="password xyzzy42",
        read=_password,
        roles=ANYONE,
        places=EVERYWHERE,
        risky=True,
    ),
    Verb(
        "sign on",
        words=("sign on", "signon", "login", "log in"),
        summary="Name the game and the power that the lines below are for.",
        usage=("sign on POWER@GAME", "sign on LETTERGAME WORD"),
        example="sign on france@tannenburg",
        read=_sign_on,
        roles=ANYONE,
        places=EVERYWHERE,
        risky=True,
        names_game=True,
    ),
)
"""The rows, in the order in which help prints them."""
