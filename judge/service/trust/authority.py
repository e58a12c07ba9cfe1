"""Who may do what: one table. It is read here, printed by `help proof`, and stands in the handbook.

A row names a kind of act, the sets of proofs with which it is done at once, and those with which it is done after a
yes. What has none of these waits for that yes, and nothing in its mail is done meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from judge.game.core.commands import Create, Leave, Role, Submit
from judge.game.core.registry import REGISTRY
from judge.game.office.undoing import GRAVE_ACTS
from judge.mail.queries import ForPerson, Query
from judge.mail.vocabulary.account import DropAddress, ForgetMe, MyData, NewAddress, NewPassword
from judge.mail.vocabulary.founding import DeclineInvitation, DryCreate, InviteByAddress
from judge.mail.vocabulary.gm import VacateByAddress
from judge.mail.vocabulary.tournament import AnnounceTournament, InviteToTournament, LeadTournament


class Proof(StrEnum):
    """What can prove that a mail is its author's."""

    WORD = "W"
    TOKEN = "T"
    PASSWORD = "P"
    YES = "C"


W, T, P, C = Proof.WORD, Proof.TOKEN, Proof.PASSWORD, Proof.YES

MEANING: Mapping[Proof, str] = MappingProxyType(
    {
        W: "our own mail server's word that the mail comes from where its From says, an address that is on file",
        T: "the reply address of a letter of mine (Reply-To), used from an address that is on file",
        P: "a line `password WORD` with the right word, from an address that is on file",
        C: "a yes to the letter that I send to the address of record: confirm",
    }
)
"""The proofs in words."""


class ActKind(StrEnum):
    """The kinds of acts."""

    QUESTION = "question"
    PLAY = "play"
    GOVERN = "govern"
    OUTSIDE = "outside"
    ACCEPT = "accept"
    LEAD = "lead"
    CLOSE = "close"
    GRAVE = "grave"
    ACCOUNT = "account"
    LEAVE = "leave"
    DATA = "data"


Sets = tuple[frozenset[Proof], ...]


@dataclass(frozen=True, slots=True)
class AuthorityRow:
    """One row of the table. `at_once`: any of these sets of proofs suffices at once; `after_yes`: with a yes, any of
    these. `denied_token`: whether the reply address counts although our server denies the From. `otherwise`: what
    happens to a mail that has none of them; `undone`: what takes the act back.
    """

    what: str
    at_once: Sets
    after_yes: Sets
    otherwise: str
    undone: str
    denied_token: bool = True


def _any(*sets: tuple[Proof, ...]) -> Sets:
    return tuple(frozenset(each) for each in sets)


_ONE = _any((W,), (T,), (P,))
_TWO, _WITH_YES = _any((W, T), (W, P), (T, P)), _any((W, C), (T, C), (P, C))

TABLE: Mapping[ActKind, AuthorityRow] = MappingProxyType(
    {
        ActKind.QUESTION: AuthorityRow("questions about public facts", _any(()), _any((C,)), "-", "-"),
        ActKind.PLAY: AuthorityRow(
            "a player's orders, votes, press, extensions", _ONE, _any((C,)), "held until C",
            "a later mail; `undo`; `recall` for press",
        ),
        ActKind.GOVERN: AuthorityRow(
            "a Gamemaster's acts that `undo` takes back", _ONE, _any((C,)), "held until C", "`undo`", denied_token=False
        ),
        ActKind.OUTSIDE: AuthorityRow(
            "a Gamemaster's letters: invite, advertise, nudge", _ONE, _any((C,)), "held until C",
            "`undo`, for an invitation; a letter that has been read stays read", denied_token=False,
        ),
        ActKind.ACCEPT: AuthorityRow(
            "an answer to an invitation", _ONE, _any((C,)),
            "nobody is seated; a reply to the invitation itself from the address invited counts as C",
            "`leave`; of a no: another invitation",
        ),
        ActKind.LEAD: AuthorityRow(
            "a tournament's director: create, invite, seed, start", _ONE, _any((C,)), "held until C",
            "another `seed`, until the round begins; what has begun stays", denied_token=False,
        ),
        ActKind.CLOSE: AuthorityRow(
            "a tournament's director: remove a player, end it", _TWO, _WITH_YES,
            "held until C, which needs one of W, T, P beside it", "nothing", denied_token=False,
        ),
        ActKind.GRAVE: AuthorityRow(
            GRAVE_ACTS, _TWO, _WITH_YES, "held until C, which needs one of W, T, P beside it",
            "little of it: `rollback`, `assign`", denied_token=False,
        ),
        ActKind.ACCOUNT: AuthorityRow(
            "addresses, password, forget me", (), _any((C,)), "held until C",
            "`undo`, in answer to the letter to the old address",
        ),
        ActKind.DATA: AuthorityRow(
            "my data", _ONE, _any((C,)), "held until C", "nothing; it goes to the address of record alone",
            denied_token=False,
        ),
        ActKind.LEAVE: AuthorityRow(
            "giving up a seat", (), _any((C,)), "you are asked first (`leave for good`: like orders)",
            "`claim`, until somebody else has the seat",
        ),
    }
)  # fmt: skip
"""Who may do what."""

_ACCOUNT = (NewAddress, DropAddress, NewPassword, ForgetMe)


def act_of(request: Any, role: Role) -> ActKind:
    """Which row a request belongs to, from somebody in this role. `leave` is asked about by the game itself, whoever
    has proved that they may say it; so it counts as a player's word here (`judge.game.core.commands.Question`).
    """
    if isinstance(request, Query) and request.public:
        return ActKind.QUESTION
    if isinstance(request, _ACCOUNT):
        return ActKind.ACCOUNT
    if isinstance(request, LeadTournament) and request.act in ("remove", "end"):
        return ActKind.CLOSE
    if isinstance(request, (AnnounceTournament, InviteToTournament, LeadTournament)):
        return ActKind.LEAD
    if isinstance(request, MyData):
        return ActKind.DATA
    if isinstance(request, (Create, DryCreate)):
        return ActKind.GOVERN
    if isinstance(request, DeclineInvitation):
        return ActKind.ACCEPT
    if isinstance(request, Leave) or role is not Role.GM:
        return ActKind.PLAY
    if isinstance(request, (*REGISTRY.outside, InviteByAddress)):
        return ActKind.OUTSIDE
    amends = isinstance(request, Submit) and request.amends
    command = request.command if isinstance(request, ForPerson) else request
    return ActKind.GRAVE if amends or isinstance(command, (*REGISTRY.grave, VacateByAddress)) else ActKind.GOVERN


def suffices(act: ActKind, proofs: frozenset[Proof], *, denied: bool = False) -> bool:
    """Whether these proofs are enough for an act. `denied`: our server says that From is forged.

    >>> suffices(ActKind.GRAVE, frozenset({T})), suffices(ActKind.GRAVE, frozenset({T, C}))
    (False, True)
    """
    row = TABLE[act]
    counted = proofs - {T} if denied and not row.denied_token else proofs
    return any(needed <= counted for needed in (*row.at_once, *row.after_yes))


def lines() -> tuple[tuple[str, str, str, str], ...]:
    """The table in words: act, at once with, else, taken back by."""
    return tuple((row.what, _said(row.at_once), row.otherwise, row.undone) for row in TABLE.values())


def _said(sets: Sets) -> str:
    if not sets:
        return "-"
    if frozenset() in sets:
        return "nothing"
    if sets == _TWO:
        return "two of W, T and P"
    return " or ".join(" and ".join(proof for proof in Proof if proof in each) for each in sets)
