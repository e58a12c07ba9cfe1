"""A press with the project's templates, and letters composed for the same reader at the same moment."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.mail.letters import Composed, Posting, Printer, compose
from judge.report.core.letter import Letter
from tests.support.builders import START

ROOT = Path(__file__).parents[2]

Post = Callable[..., Composed]


@pytest.fixture(scope="session")
def press() -> Printer:
    """The templates of the checkout."""
    return Printer(ROOT / "templates")


@pytest.fixture
def post(press: Printer) -> Post:
    """Compose a letter; keywords go into its Posting."""

    def of(letter: Letter, **changes: Any) -> Composed:
        facts: dict[str, Any] = {
            "to": "cleo@players.test",
            "to_name": "Cleo",
            "from_address": "judge@judge.test",
            "reply_to": "judge+kq7wseat@judge.test",
            "date": START,
            "domain": "judge.test",
            "secret": b"a key for tests",
        }
        return compose(
            letter.kind, letter.idem_key, json.loads(letter.frozen()), Posting(**{**facts, **changes}), press
        )

    return of
