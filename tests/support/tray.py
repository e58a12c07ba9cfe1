"""A judge for the wires of tests."""

import threading
from collections.abc import Callable

from judge.transport.ports import Arrival, TemporaryTrouble


class Tray:
    """A judge for the wires of tests: knows whom it is told to know, keeps what it takes, has trouble on demand."""

    def __init__(self, *, knows: Callable[[str], bool] = lambda recipient: True) -> None:
        self._knows = knows
        self.arrivals: list[Arrival] = []
        self.trouble_for: Callable[[Arrival], bool] = lambda mail: False
        self._lock = threading.Lock()

    def knows(self, recipient: str, /) -> bool:
        """As told; everybody by default."""
        return self._knows(recipient)

    def answers(self, sender: str, /) -> bool:
        """Everybody."""
        return True

    def take(self, mail: Arrival, /) -> bool:
        """Keep the mail once per transport key, or have trouble with it."""
        if self.trouble_for(mail):
            raise TemporaryTrouble("the tray was told to have trouble")
        with self._lock:
            if any(mail.transport_key == kept.transport_key for kept in self.arrivals):
                return False
            self.arrivals.append(mail)
            return True
