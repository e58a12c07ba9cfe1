"""Processor time for the worst mails. Run: python -m tests.bench.envelope. Exit 1 if one takes a second or more."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

from judge.mail.envelope import TrustedSite, read_envelope
from tests.support.mailbombs import BOMBS

_ZOO = Path(__file__).parent.parent / "mail" / "zoo"
_NOW = datetime(2026, 5, 4, tzinfo=UTC)
_SITE = TrustedSite(authserv_id="mx.judge.test")
_ALLOWED_SECONDS = 1.0


def _seconds(raw: bytes) -> float:
    start = process_time()
    read_envelope(raw, _NOW, trusted=_SITE)
    return process_time() - start


def main() -> int:
    """Print the ten slowest bombs and the mean of the zoo; the exit code."""
    times = sorted(((_seconds(build()), name) for name, build in BOMBS.items()), reverse=True)
    for seconds, name in times[:10]:
        print(f"{seconds * 1000:8.1f} ms  {name}")
    zoo = [path.read_bytes() for path in _ZOO.glob("*/*.eml")]
    start = process_time()
    for raw in zoo:
        read_envelope(raw, _NOW, trusted=_SITE)
    print(f"{(process_time() - start) * 1000 / len(zoo):8.2f} ms  mean of {len(zoo)} mails of the zoo")
    return int(times[0][0] >= _ALLOWED_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
