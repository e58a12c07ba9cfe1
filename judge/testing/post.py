"""A post office in memory: keeps every letter that leaves the house, and may be told to refuse or defer some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from judge.testing.letters import ReceivedLetter
from judge.transport.ports import Deferred, Fate, Handed, Parcel, PauseQueue, Refused, Sent


class MemoryPost:
    """A `judge.transport.ports.Courier`. `letters`: what was delivered, in order; `tried`: every parcel handed over.

    post.answer("france@players.test", Deferred(451, "try later"))      # until post.accept("france@players.test")
    """

    def __init__(self) -> None:
        self.letters: list[ReceivedLetter] = []
        self.tried: list[Parcel] = []
        self._answers: dict[str, Fate] = {}
        self._strike = ""

    def answer(self, address: str, fate: Fate) -> None:
        """Answer every parcel to an address with this fate from now on."""
        self._answers[address.lower()] = fate

    def refuse(self, address: str) -> None:
        """The mailbox does not exist."""
        self.answer(address, Refused(550, "5.1.1 no such mailbox"))

    def defer(self, address: str) -> None:
        """The mailbox cannot be reached at present."""
        self.answer(address, Deferred(451, "4.3.0 try again later"))

    def accept(self, address: str) -> None:
        """Deliver to an address again."""
        self._answers.pop(address.lower(), None)

    def strike(self, reason: str) -> None:
        """The relay rejects everything of ours; "" ends the strike."""
        self._strike = reason

    def to(self, address: str) -> list[ReceivedLetter]:
        """All letters delivered to an address."""
        return [letter for letter in self.letters if letter.to == address.lower()]

    def deliver(self, batch: Iterable[Parcel], /) -> Iterator[Handed]:
        """Take parcels as a relay would."""
        for parcel in batch:
            if self._strike:
                yield Handed(parcel, {address: PauseQueue(self._strike) for address in parcel.rcpt_to})
                return
            self.tried.append(parcel)
            yield Handed(parcel, {address: self._take(parcel, address.lower()) for address in parcel.rcpt_to})

    def close(self) -> None:
        """Nothing is kept open."""

    def _take(self, parcel: Parcel, address: str) -> Fate:
        fate = self._answers.get(address, Sent(250, "kept in memory"))
        if isinstance(fate, Sent):
            self.letters.append(ReceivedLetter(len(self.letters) + 1, address, parcel.data))
        return fate
