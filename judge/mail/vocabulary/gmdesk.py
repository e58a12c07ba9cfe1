"""Verbs of the Gamemaster's desk: orders and rulings for powers, trying before doing, taking back, editors.

Verbs about what was wrong: results taken back, phases ordered again, positions corrected.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from judge.game.core.commands import Role, SendPress
from judge.game.office.rulings import Disqualify, Headline, ImportPosition, Reveal
from judge.game.repair.correcting import CorrectPosition
from judge.game.repair.rewriting import Amend, Reopen, RollBack, RollForward
from judge.game.table.vacancies import Disorder, Revive
from judge.languages import tell
from judge.mail.queries import PersonRequest, Query
from judge.mail.vocabulary.clauses import ADDRESS, alone, missing, plain, split_reason
from judge.mail.vocabulary.model import (
    GMS,
    PLAYERS,
    BodyRule,
    Clause,
    Heading,
    Reading,
    Secret,
    Unclear,
    Verb,
    VerbOfGm,
    named,
)
from judge.mail.vocabulary.powers import read_power
from judge.rules.calendar import read_phase

_BARE_REASON = re.compile(r"(\S+?)\s*[:,;]?\s+(.+)", re.DOTALL)


_FROM = re.compile(r"^\s*(?:the\s+)?(?:results\s+of|to|of|phase)\b", re.IGNORECASE)


def _phase_and_reason(clause: Clause, verb: str) -> tuple[str, str] | Unclear:
    head, reason = split_reason(clause.rest)
    head = plain(_FROM.sub("", head))
    if not head:
        return "", reason
    phase = clause.around.phase_in(head)
    if phase is None and not reason and (match := _BARE_REASON.fullmatch(head)):
        phase, reason = clause.around.phase_in(match[1]), match[2].strip(" -")
    if phase is None:
        return Unclear(
            "no-phase",
            tell('"{head}" is not a phase, so I did nothing. Write one like F1905M.', head=head[:60]),
            (verb,),
        )
    return phase, reason


_BACK = re.compile(r"(\d{1,3})(?:\s+(?:turns?|phases?))?(?:\s+back)?")
"""How the older judges count back."""


def _rollback(clause: Clause) -> Reading:
    """`rollback PHASE`; one back is the last results, further back the phase must be named."""
    head, reason = split_reason(clause.rest)
    if match := _BACK.fullmatch(plain(head).lower()):
        if int(match[1]) == 1:
            return RollBack("", reason)
        return Unclear("older-word", tell("Name the phase to go back to; phases are not counted here."), ("history",))
    found = _phase_and_reason(clause, "rollback")
    return found if isinstance(found, Unclear) else RollBack(*found)


_OUTCOME = re.compile(
    r"(?:^|\s)[AF]\s+\w{3}.*?(?:-|\b(?:[SHCR]|to|succeeds?|fails?|bounces?|moves|holds)\b)"
    r"|\b(?:succeeds?|should have|bounced|dislodged|stands? off)\b",
)
"""What names an order or its outcome, where a reason may stand."""


def _amend(clause: Clause) -> Reading:
    """`amend [PHASE reason ...]`; a line that gives an order another outcome is told the way that works."""
    if _OUTCOME.search(split_reason(clause.rest)[0]):
        return Unclear(
            "no-outcome",
            tell(
                "Nothing was done: `amend` plays a phase again from its orders, and gives none "
                "another outcome. An order that was read wrongly: `amend as POWER`, the right order "
                "below, then `amend PHASE`. A unit in the wrong place: `correct position A Mun at "
                "Bur`."
            ),
        )
    found = _phase_and_reason(clause, "amend")
    return found if isinstance(found, Unclear) else Amend(*found)


def _correct(clause: Clause) -> Reading:
    """`correct position [PHASE:] CHANGE; CHANGE reason ...`."""
    head, reason = split_reason(clause.rest)
    phase = ""
    first, sign, rest = head.partition(":")
    if not sign:
        first, _, rest = head.partition(" ")
    if re.fullmatch(r"\s*(?:[A-Za-z]\d{4}[A-Za-z]?|[A-Za-z]+\s+\d{4}\s*[a-z]*)\s*", first):
        found = clause.around.phase_in(plain(first))
        phase, head = (found, rest) if found else ("", head)
    if not plain(head):
        return missing(tell("The change"), "correct position A Bur at Gas")
    return CorrectPosition(plain(head.lstrip(": ")), phase, reason)


def _amend_as(clause: Clause) -> Reading:
    """The lines below put right what was read wrongly of a power's orders."""
    found = order_as(replace(clause, rest=re.sub(r"^\s*of\b", "", clause.rest, flags=re.IGNORECASE)))
    return replace(found, amends=True) if isinstance(found, Heading) else found


def _reopen(clause: Clause) -> Reading:
    found = _phase_and_reason(clause, "reopen")
    return found if isinstance(found, Unclear) else Reopen(*found)


def order_as(clause: Clause) -> Reading:
    """The lines below are for a power."""
    name = plain(re.sub(r"^\s*(?:for|as|power)\b", "", clause.rest, flags=re.IGNORECASE)).rstrip(":")
    if not name:
        return missing(tell("The power"), "order as France")
    power = read_power(name, clause.around.board)
    return power if isinstance(power, Unclear) else Heading(power=power)


REPAIRING: tuple[Verb, ...] = (
    VerbOfGm(
        "rollback",
        words=("rollback", "roll back", "take back"),
        summary="Results no longer count; the game goes back to where it was, and waits.",
        usage=("rollback", 'rollback PHASE reason "..."'),
        example='rollback F1905M reason "a support was judged wrongly"',
        read=_rollback,
        risky=True,
        topic="errors",
    ),
    VerbOfGm(
        "rollforward",
        words=("rollforward", "roll forward", "play again", "reprocess"),
        summary="Process what was taken back, with the same orders.",
        usage=("rollforward",),
        example="rollforward",
        read=alone(RollForward(), "rollforward"),
        risky=True,
        topic="errors",
    ),
    VerbOfGm(
        "reopen",
        words=("reopen", "re-open", "open again"),
        summary="Results no longer count, and everybody may give new orders for that phase; all are told.",
        usage=('reopen PHASE reason "..."',),
        example='reopen F1905M reason "three mails were lost"',
        read=_reopen,
        risky=True,
        topic="errors",
    ),
    VerbOfGm(
        "amend as",
        words=("amend as", "amend orders", "amend orders for"),
        summary="Put right what was read wrongly of a power's orders, in a phase that was taken back.",
        usage=("amend as POWER",),
        example="amend as France",
        read=_amend_as,
        risky=True,
        topic="errors",
    ),
    VerbOfGm(
        "amend",
        words=("amend", "amend results", "amend the results"),
        summary="Take the last results back and process them again at once; they become a new version.",
        usage=("amend", 'amend PHASE reason "..."'),
        example='amend F1905M reason "error of the judge"',
        read=_amend,
        risky=True,
        topic="errors",
    ),
    VerbOfGm(
        "correct position",
        words=("correct position", "correct the position", "correct"),
        summary="Put units or centres right, until the next results are out.",
        usage=("correct position CHANGE; CHANGE", "correct position PHASE: CHANGE"),
        example="correct position A Bur at Gas",
        read=_correct,
        risky=True,
        topic="errors",
    ),
)
"""The rows, in the order in which help prints them."""


@dataclass(frozen=True, slots=True)
class EditorByAddress(PersonRequest):
    """Game command `NameEditor`, or with `on` false `DismissEditor`, once the person is known; `who`: an address, of
    one who is dismissed a name too, "" where there is but one.
    """

    who: str
    on: bool = True


_OFF = re.compile(r"^(?:off|no more|remove|drop)\b|\b(?:off|no more|no longer)$", re.IGNORECASE)


def _editor(clause: Clause) -> Reading:
    """`editor ADDRESS`, `editor off ADDRESS`."""
    said = plain(clause.rest)
    who = plain(_OFF.sub("", said)).strip(" :,")
    match = ADDRESS.search(who)
    if clause.word.split()[0] in ("remove", "drop", "dismiss") or _OFF.search(said):
        return EditorByAddress(match[1] if match else who, on=False)
    return EditorByAddress(match[1]) if match else missing(tell("The address"), "editor olga@zine.test")


@dataclass(frozen=True, slots=True)
class DryRun(Query):
    """What a command of the Gamemaster would do; nothing is changed. `verb`: its name in the table."""

    request: Any
    verb: str


@dataclass(frozen=True, slots=True)
class UndoAct(PersonRequest):
    """Take the Gamemaster's last act back."""


NOTHING_TRIED = "nothing-tried"
"""The reason for which nothing below a line is read: its author meant to try it, and would have done it."""


def _disqualify(clause: Clause) -> Reading:
    head, reason = split_reason(clause.rest)
    if not head:
        return missing(tell("The power"), 'disqualify Germany reason "forged press"')
    words = head.split()
    power = read_power(head, clause.around.board)
    if isinstance(power, Unclear) and len(words) > 1 and not reason:
        power, reason = read_power(words[0], clause.around.board), " ".join(words[1:])
    return power if isinstance(power, Unclear) else Disqualify(power, reason)


def _disorder(clause: Clause) -> Reading:
    power = (
        read_power(plain(clause.rest), clause.around.board)
        if clause.rest
        else missing(tell("The power"), "disorder Italy")
    )
    return power if isinstance(power, Unclear) else Disorder(power)


def _revive(clause: Clause) -> Reading:
    power = (
        read_power(plain(clause.rest), clause.around.board)
        if clause.rest
        else missing(tell("The power"), "revive Italy")
    )
    return power if isinstance(power, Unclear) else Revive(power)


def _headline(clause: Clause) -> Reading:
    text = clause.rest.strip().lstrip(":=").strip().strip('"“”')
    if not text:
        return missing(tell("The headline"), "headline: Quiet in the west")
    return Headline("" if text.lower().rstrip(".") in ("none", "off") else text)


def _import(clause: Clause) -> Reading:
    """`import position PHASE`, and below it a line of units for each power, or a whole results letter."""
    first, _, rest = clause.rest.partition("\n")
    named = plain(re.sub(r"^(?:results|position|report)\b", "", first, flags=re.IGNORECASE).rstrip(":"))
    phase = read_phase(named, clause.around.calendar) if named else ""
    if phase is None or not (phase or rest.strip() or clause.body.strip()):
        return missing(tell("The phase"), "import position S1903M")
    return ImportPosition(phase, "\n".join(part for part in (rest, clause.body) if part.strip()))


def dry_run(clause: Clause) -> Reading:
    """`dry-run: COMMAND`, any of the Gamemaster's."""
    rest = clause.rest.strip().lstrip(":").strip()
    if not rest:
        sentence = tell("`dry-run` tries the command behind it, on the same line; of the lines below I did nothing.")
        return Unclear(NOTHING_TRIED, sentence)
    match = clause.around.find(rest)
    if match is None or Role.GM not in match.verb.roles or match.verb.name in ("preview", "dry-run"):
        sentence = tell('"{rest}" is not a command of the Gamemaster, so I tried nothing.', rest=rest[:60])
        return Unclear("no-command", sentence)
    found = match.verb.read(Clause(match.word, match.rest, clause.around, clause.body))
    if isinstance(found, (Heading, Secret)):
        return Unclear("no-command", tell("Orders are tried with `preview`, once they are filed."), ("preview",))
    return found if isinstance(found, Unclear) else DryRun(found, match.verb.name)


def _official(clause: Clause) -> Reading:
    text = "\n".join(part for part in (clause.rest.strip().lstrip(":").strip(), clause.body) if part.strip())
    return SendPress(text, everyone=True) if text else missing(tell("The text"), "official The site moves on Friday")


VERBS: tuple[Verb, ...] = (
    VerbOfGm(
        "dry-run",
        words=("dry-run", "dry run", "dryrun"),
        summary="See what a command would do, without doing it.",
        usage=("dry-run: COMMAND",),
        example="dry-run: extend 24h",
        read=dry_run,
        topic="looking",
    ),
    Verb(
        "order as",
        words=("order as", "orders as", "become", "order for", "act as"),
        summary="The orders below are for a power (of which a player needs the proxy); its player gets a copy.",
        usage=("order as POWER",),
        example="order as France",
        read=order_as,
        roles=PLAYERS | GMS,
        risky=True,
        topic="errors",
    ),
    *REPAIRING,
    VerbOfGm(
        "disqualify",
        words=("disqualify", "ban"),
        summary="Take a power from its player for misconduct. It stays on record.",
        usage=('disqualify POWER reason "..."',),
        example='disqualify Germany reason "forged press"',
        read=_disqualify,
        risky=True,
        topic="lateness",
    ),
    VerbOfGm(
        "disorder",
        words=("disorder", "civil disorder", "put into disorder"),
        summary="Put a power without a player in civil disorder; the game no longer waits for it.",
        usage=("disorder POWER",),
        example="disorder Italy",
        read=_disorder,
        risky=True,
        topic="lateness",
    ),
    VerbOfGm(
        "revive",
        words=("revive",),
        summary="End the civil disorder of a power: a player is wanted for it again.",
        usage=("revive POWER",),
        example="revive Italy",
        read=_revive,
        topic="lateness",
    ),
    VerbOfGm(
        "reveal",
        words=("reveal", "reveal players", "lift the veil"),
        summary="Tell everybody who plays what in an anonymous game.",
        usage=("reveal",),
        example="reveal",
        read=alone(Reveal(), "reveal"),
        risky=True,
        topic="telling",
    ),
    VerbOfGm(
        "official",
        words=("official", "announce", "announcement"),
        summary="A message from the Gamemaster to everybody, under a title.",
        usage=("official TITLE", "official: TEXT"),
        example="official The site moves on Friday",
        read=_official,
        topic="telling",
        body=BodyRule.TEXT,
        ends=("endofficial", "end official", "endpress", "end press", "endbroadcast"),
    ),
    VerbOfGm(
        "headline",
        words=("headline", "set headline"),
        summary="A neutral line at the top of the next report.",
        usage=("headline: TEXT", "headline none"),
        example="headline: Quiet in the west",
        read=_headline,
        topic="telling",
    ),
    VerbOfGm(
        "editor",
        words=named(
            "editor, add editor, make editor, appoint editor, name editor, remove editor, drop editor, dismiss editor"
        ),
        summary="Somebody who prints the game in a zine: gets what is public, with reports in a form to print.",
        usage=("editor ADDRESS", "editor off ADDRESS"),
        example="editor olga@zine.test",
        read=_editor,
        topic="editors",
    ),
    VerbOfGm(
        "take that back",
        words=("take that back", "undo that", "undo last", "undo my last act"),
        summary="Undo your last act as Gamemaster, where that can be done.",
        usage=("take that back",),
        example="take that back",
        read=alone(UndoAct(), "take that back"),
        risky=True,
        topic="looking",
    ),
    VerbOfGm(
        "import position",
        words=("import position", "import results", "import", "set position"),
        summary="Begin with the units and centres of a game that was run by hand.",
        usage=("import position PHASE", "import results"),
        example="import position S1903M",
        read=_import,
        body=BodyRule.TEXT,
        ends=("endimport", "end import"),
        verbatim=True,
        risky=True,
        topic="by hand",
    ),
)
"""The rows, in the order in which help prints them."""
