"""Verbs about what was wrong: results taken back, phases ordered again, positions corrected."""

from __future__ import annotations

import re
from dataclasses import replace

from judge.game.repair.correcting import CorrectPosition
from judge.game.repair.reopening import Reopen
from judge.game.repair.rewriting import Amend, RollBack, RollForward
from judge.languages import tell
from judge.mail.vocabulary.clauses import alone, missing, plain, split_reason
from judge.mail.vocabulary.model import Clause, Heading, Reading, Unclear, Verb, VerbOfGm
from judge.mail.vocabulary.powers import read_power

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


VERBS: tuple[Verb, ...] = (
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
