"""Letters, their copies for each address and their pictures, as the store hands them out."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class LetterState(StrEnum):
    """Where a letter stands before it can be sent."""

    COMPOSING = "composing"  # a frozen view, no bytes yet
    READY = "ready"  # bytes stored; its deliveries may go
    BROKEN = "broken"  # it could not be composed; the operator was told
    WITHDRAWN = "withdrawn"  # recalled before anything was sent


class DeliveryState(StrEnum):
    """Where one recipient's copy stands."""

    READY = "ready"
    LEASED = "leased"  # a worker has it in hand
    SENT = "sent"
    DEFERRED = "deferred"  # a temporary refusal; will be tried again
    FAILED = "failed"  # refused for good, given up, or bounced later
    HELD = "held"


@dataclass(frozen=True, slots=True)
class NewLetter:
    """A letter as a transaction decides on it: facts only, no bytes.

    `idem_key` says what the letter is ("g17/S1902M/results/r1/austria"): a second letter with the same key is the
    same letter. `recipients` are envelope addresses, each with a delivery of its own. `not_before` delays it
    (anonymous press, the recall window).
    """

    idem_key: str
    message_id: str
    kind: str
    view: str
    recipients: tuple[str, ...]
    created_at: datetime
    game: str | None = None
    seat: str | None = None
    person_id: int | None = None
    mail_id: int | None = None
    not_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class LetterRow:
    """One row of the letters, without its bytes. `subject` is known once it is composed."""

    id: int
    idem_key: str
    message_id: str
    kind: str
    view: str
    created_at: datetime
    game: str | None
    seat: str | None
    person_id: int | None
    mail_id: int | None
    not_before: datetime | None
    state: LetterState
    subject: str | None
    attempts: int
    error: str | None


@dataclass(frozen=True, slots=True)
class Delivery:
    """One recipient's copy.

    `next_try` is the moment at which it is looked at again: when it is due, or, while it is leased, when the lease
    lapses; None while its letter is being composed, while it is held, and once it is done.
    """

    id: int
    letter_id: int
    address: str
    state: DeliveryState
    attempts: int
    next_try: datetime | None
    first_try: datetime | None
    lease_owner: str | None
    done_at: datetime | None
    last_code: int | None
    last_text: str | None


@dataclass(frozen=True, slots=True)
class ParcelRow:
    """A delivery in a worker's hand, with all that it takes to send it."""

    delivery: Delivery
    message_id: str
    kind: str
    game: str | None
    seat: str | None
    mime: bytes = field(repr=False)
    asked_at: datetime | None = None
    """When the mail arrived that it answers."""


@dataclass(frozen=True, slots=True)
class OutboxLine:
    """What `judge outbox list` shows of one delivery."""

    delivery: Delivery
    kind: str
    game: str | None
    seat: str | None
    subject: str | None
    message_id: str
    letter_state: LetterState
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PictureRow:
    """A picture drawn once per game, phase and kind."""

    game: str
    phase: str
    kind: str
    media_type: str
    data: bytes = field(repr=False)
