"""Who is speaking, what proves it, and what that suffices for: one table, which is read here, printed by `help proof`,
and stands in the handbook.

One table says what the proofs suffice for (`trust.authority`).

It is read here, printed by `help proof`, and stands in the handbook.

A row names a kind of act, the sets of proofs with which it is done at once, and those with which it is done after a
yes. What has none of these waits for that yes, and nothing in its mail is done meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from judge.game.core.commands import Create, Leave, Role, Submit
from judge.game.core.evolve import REGISTRY
from judge.game.office.undoing import GRAVE_ACTS
from judge.mail.envelope import Envelope
from judge.mail.noise import undetailed
from judge.mail.queries import ForPerson, Query
from judge.mail.tokens import Purpose, Token, looks_like_token, read_token
from judge.mail.vocabulary.account import DropAddress, ForgetMe, MyData, NewAddress, NewPassword
from judge.mail.vocabulary.founding import DeclineInvitation, DryCreate, InviteByAddress
from judge.mail.vocabulary.gm import VacateByAddress
from judge.mail.vocabulary.tournament import AnnounceTournament, InviteToTournament, LeadTournament
from judge.service.core.directory import DirectoryPage
from judge.service.core.judge import Judge
from judge.store import Transaction, View
from judge.store.errors import NoSuchRow
from judge.store.people import alike
from judge.store.rows import LetterRow, Mail, Person, SeatRow


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


_LARGEST = 2**62
"""Letters have no higher numbers; a database takes no larger ones."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """The author of a mail as far as it can be known.

    `person`: whom the header From belongs to. `seat`: the seat whose live token the mail was sent to, and `holder`
    the person heard there. `game`: the game that the recipients name. `confirmed`: a confirmation came back.
    `password`: a right password line.
    """

    address: str | None
    person: Person | None = None
    seat: SeatRow | None = None
    holder: Person | None = None
    letter: bool = False
    """Sent to the address of a letter to somebody without a seat; `holder` is the person who got it."""
    game: str = ""
    vouched: bool = False
    """Our server vouches for From, and its owner addressed the mail to us."""
    elsewhere: bool = False
    """Our server vouches for From, but its owner wrote to somebody else: the mail was passed on, or is a blind copy."""
    confirmed: bool = False
    password: bool = False
    wrong_password: bool = False
    denied: bool = False
    """Our server says that From is forged."""
    lent: frozenset[Proof] = frozenset()
    """Proofs of the mail that said yes to this one."""
    tokens: tuple[Token, ...] = ()
    """Every genuine token among the recipients."""

    @property
    def foreign(self) -> bool:
        """Sent to a token of ours from an address that is not its holder's."""
        if self.seat is not None:
            return self.person is None or self.person.id != self.seat.person_id
        return self.letter and (self.person is None or self.holder is None or self.person.id != self.holder.id)

    @property
    def claimed(self) -> Person | None:
        """The person in whose name the mail acts: the seat's holder, else who wrote."""
        return self.holder if self.seat is not None or self.letter else self.person

    @property
    def acting(self) -> Person | None:
        """The person whose acts these are: in whose name it acts, once consent is given; until then who wrote."""
        return self.claimed if self.confirmed else self.person

    @property
    def proofs(self) -> frozenset[Proof]:
        """What proves this mail. A token or a password with a foreign From proves nothing."""
        found = set(self.lent)
        if self.confirmed:
            found.add(Proof.YES)
        if self.person is None or self.foreign:
            return frozenset(found)
        if self.vouched:
            found.add(Proof.WORD)
        if self.seat is not None or self.letter:
            found.add(Proof.TOKEN)
        if self.password:
            found.add(Proof.PASSWORD)
        return frozenset(found)

    @property
    def proved(self) -> bool:
        """Whether anything proves that the mail is its author's."""
        return bool(self.proofs)

    def may(self, act: ActKind) -> bool:
        """Whether the proofs are enough for an act."""
        return suffices(act, self.proofs, denied=self.denied)

    def with_password(self, *, right: bool) -> Speaker:
        """The same, after the password line was checked."""
        return replace(self, password=right, wrong_password=not right)


def prove(judge: Judge, view: View | Transaction, people: DirectoryPage, mail: Mail, envelope: Envelope) -> Speaker:
    """Who wrote this mail, by its recipients and its From."""
    config, secret = judge.config, judge.store.secret
    address = envelope.from_address
    person = people.owner(address) if address else None
    seat: SeatRow | None = None
    answered: LetterRow | None = None
    game = ""
    tokens: list[Token] = []
    for detail in details(mail, envelope, config.domain, config.local_part):
        token = read_token(detail, secret)
        if token is not None:
            tokens.append(token)
        if token is not None and token.purpose is Purpose.SEAT:
            seat = seat or people.seat(token.reference)
        elif token is not None and token.purpose is Purpose.LETTER:
            answered = answered or _letter(view, token.reference)
        elif not looks_like_token(detail) and view.games.find(detail) is not None:
            game = game or detail
    confirmed = mail.confirmed_at is not None
    holder = person
    reader = seat.person_id if seat is not None else answered.person_id if answered is not None else None
    if (seat or answered) and (person is None or person.id != reader):
        holder = view.people.get(reader) if reader else None
    vouched = envelope.auth == "pass"
    speaker = Speaker(
        address=_as_kept(people, person, address) if person and address else address,
        person=person,
        seat=seat,
        holder=holder if seat or answered else None,
        letter=answered is not None,
        game=seat.game if seat else game or (answered.game or "" if answered else ""),
        denied=envelope.auth == "fail",
        confirmed=confirmed,
        elsewhere=vouched and not _is_to_us(judge, envelope),
        tokens=tuple(tokens),
    )
    by_token = (seat is not None or answered is not None) and person is not None and not speaker.foreign
    elsewhere = speaker.elsewhere and not by_token
    return replace(speaker, elsewhere=elsewhere, vouched=vouched and not elsewhere)


def _is_to_us(judge: Judge, envelope: Envelope) -> bool:
    """Whether its author addressed a mail to the judge: who signs a letter to somebody else says nothing to us. A mail
    that is not read because of its form, so that nothing in it is carried out, is answered all the same.
    """
    return bool(envelope.unsafe) or any(
        undetailed(address) in judge.site.own_addresses for address in envelope.addressed
    )


def _as_kept(people: DirectoryPage, person: Person, address: str) -> str:
    """The address as it is on file for this person, who may have written it in other letters: to both, each letter
    would go twice.
    """
    return next(
        (row.address for row in people.addresses(person.id) if row.address == address or alike(row.address, address)),
        address,
    )


def _letter(view: View | Transaction, reference: str) -> LetterRow | None:
    """The letter to a person whom we know, whose own address this is."""
    try:
        letter = view.letters.get(min(int(reference, 16), _LARGEST))
    except NoSuchRow:
        return None
    return letter if letter.person_id else None


def details(mail: Mail, envelope: Envelope, domain: str, local_part: str) -> tuple[str, ...]:
    """The plus-details that the mail was sent to at our address, envelope recipients first, lower case."""
    found: list[str] = []
    for address in mail.rcpts:
        local, _, host = address.lower().rpartition("@")
        name, _, detail = local.partition("+")
        if host == domain and name == local_part and detail:
            found.append(detail)
    found += [detail for name, detail in envelope.addressed_to(domain) if name == local_part and detail]
    return tuple(dict.fromkeys(found))
