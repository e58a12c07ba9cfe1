"""Coverage-guided fuzzing of the mail reader. Not part of any test set; needs atheris (python -m pip install atheris).

Run: python -m tests.mail.fuzz_envelope -max_total_time=300 CORPUS tests/mail/zoo/hostile tests/mail/zoo/structure
CORPUS is an empty folder outside the checkout: the fuzzer writes what it finds into the first folder named.
"""

import sys
from datetime import UTC, datetime
from importlib import import_module

from judge.mail.envelope import TrustedSite, read_envelope

_NOW = datetime(2026, 5, 4, tzinfo=UTC)
_SITE = TrustedSite(authserv_id="mx.judge.test", trusted_mx=frozenset({"mx.judge.test"}), instance="judge-test")


def read_one(raw: bytes) -> None:
    """Read a mail; any failure that the last net of the reader caught is an error here."""
    envelope = read_envelope(raw, _NOW, peer="mx.judge.test", trusted=_SITE)
    if any(defect.startswith("reader-failed") for defect in envelope.defects):
        raise RuntimeError(envelope.defects)
    if [line.number for line in envelope.text_lines] != list(range(1, len(envelope.text_lines) + 1)):
        raise RuntimeError("a line lacks its record")


def main() -> None:
    """Hand the reader to atheris."""
    atheris = import_module("atheris")
    atheris.instrument_all()
    atheris.Setup(sys.argv, read_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
