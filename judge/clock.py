"""The only file that asks the time. Everything else is handed a Clock or a moment.

All moments are aware datetimes in UTC; a local zone appears only when something is rendered.
"""

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Something that knows what time it is."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        ...


class CorrectedClock:
    """The clock of the machine, set right by another one that is `ahead` of it by so much: a database's."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)
