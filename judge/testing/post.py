"""A post office in memory: keeps every letter that leaves the house, and may be told to refuse or defer some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from judge.testing.letters import ReceivedLetter
from judge.transport.ports import Fate, Handed, Parcel, PauseQueue, Sent


class MemoryPost:
    """A `judge.transport.ports.Courier`. `letters`: what was delivered, in order; `tried`: every parcel handed over.

    post.answers["france@players.test"] = Deferred(451, "try later")
    """

    def __init__(self) -> None:
        self.letters: list[ReceivedLetter] = []
        self.tried: list[Parcel] = []
        self.answers: dict[str, Fate] = {}
        """What becomes of parcels by address in lower case, where they are not delivered."""
        self.strike = ""
        """Why the relay rejects everything of ours; "" while it does not."""

    def to(self, address: str) -> list[ReceivedLetter]:
        """All letters delivered to an address."""
        return [letter for letter in self.letters if letter.to == address.lower()]

    def deliver(self, batch: Iterable[Parcel], /) -> Iterator[Handed]:
        """Take parcels as a relay would."""
        for parcel in batch:
            if self.strike:
                yield Handed(parcel, {address: PauseQueue(self.strike) for address in parcel.rcpt_to})
                return
            self.tried.append(parcel)
            yield Handed(parcel, {address: self._take(parcel, address.lower()) for address in parcel.rcpt_to})

    def close(self) -> None:
        """Nothing is kept open."""

    def _take(self, parcel: Parcel, address: str) -> Fate:
        fate = self.answers.get(address, Sent(250, "kept in memory"))
        if isinstance(fate, Sent):
            self.letters.append(ReceivedLetter(len(self.letters) + 1, address, parcel.data))
        return fate
