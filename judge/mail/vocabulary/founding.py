"""Verbs with which a game is made: created, set up, opened and begun."""

from __future__ import annotations

import re
from dataclasses import dataclass

from judge.board.spelling import allowance, slips
from judge.game.core.commands import ChangeSettings, Create, Open, Role, Start
from judge.game.settings.bundles import PRESETS
from judge.game.table.deciding import TakePreset
from judge.languages import tell
from judge.mail.queries import Query
from judge.mail.vocabulary.account import own_zone
from judge.mail.vocabulary.clauses import alone, missing, plain, read_first_deadline
from judge.mail.vocabulary.gm import read_deadline
from judge.mail.vocabulary.model import ANYONE, BodyRule, Clause, Reading, Unclear, Verb, VerbOfAll, VerbOfGm
from judge.mail.vocabulary.settings_text import Pairs, read_all_below, read_inline, settings_in, split_setting


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
)
"""The rows, in the order in which help prints them."""
