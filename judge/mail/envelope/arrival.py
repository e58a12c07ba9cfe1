"""When a mail reached our site, and what its sender claims about the time."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_tz

from judge.mail.raw.fields import Fields
from judge.mail.raw.trace import by_host

_CLOCK_SLACK = timedelta(minutes=5)
_LONGEST_QUEUE = timedelta(days=7)


def arrival(fields: Fields, received_at: datetime, peer: str | None, trusted_mx: frozenset[str]) -> datetime:
    """When our site received the mail: the deadline is judged by this.

    If the peer that handed us the mail is one of our own mail servers, the date of the topmost Received field counts,
    provided that one of our servers wrote it; fields below it may be forged. In all other cases the moment at
    which this program was handed the mail counts. A date after that moment, or more than a week before it, is an error.
    """
    hosts = {host.lower().strip("[]") for host in trusted_mx}
    if peer is None or peer.lower().strip("[]") not in hosts:
        return received_at
    topmost = fields.first("received")
    if by_host(topmost) not in hosts:
        return received_at
    moment, _ = read_date(topmost.rpartition(";")[2])
    if moment is None or not received_at - _LONGEST_QUEUE <= moment <= received_at + _CLOCK_SLACK:
        return received_at
    return min(moment, received_at)


def read_date(value: str) -> tuple[datetime | None, timedelta | None]:
    """(moment in UTC, zone offset) of a date as mails write it (RFC 5322, 3.3); None for what cannot be read.

    The zone is None where the date says `-0000` or nothing.

    >>> read_date("Fri, 1 Mar 1901 13:00:00 +0100")[0].isoformat()
    '1901-03-01T12:00:00+00:00'
    """
    try:
        fields = parsedate_tz(value.strip()[:120])
        if fields is None:
            return None, None
        offset = timedelta(seconds=fields[9] or 0)
        if abs(offset) >= timedelta(hours=24):
            return None, None
        moment = datetime(*fields[:6], tzinfo=UTC) - offset
    except (ValueError, TypeError, IndexError, OverflowError):
        return None, None
    return moment, None if fields[9] is None else offset
