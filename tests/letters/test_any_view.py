"""Whatever a view says - long names, wide letters, control characters, forged headers - the mail stays in shape."""

from __future__ import annotations

import json
import re
from email import message_from_bytes, policy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from judge.mail.letters import Composed, Posting, Printer, compose
from judge.mail.letters.layout import columns
from judge.report.core.letter import Letter
from tests.support.builders import START
from tests.support.gallery import gallery

ROOT = Path(__file__).parents[2]
PRESS = Printer(ROOT / "templates")
NAMES = sorted(path.stem for path in (Path(__file__).parent / "golden").glob("*.mail"))
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]")
HEADERS = {
    "from", "to", "reply-to", "subject", "date", "message-id", "in-reply-to", "references", "auto-submitted",
    "precedence", "x-auto-response-suppress", "x-judge-loop", "x-judge-kind", "list-id", "list-help", "mime-version",
    "content-type", "content-transfer-encoding",
}  # fmt: skip
FOR_MACHINES = {"due_at", "kind", "turn", "page", "role", "terrain", "coasts", "base64"}
"""Fields that we write and a program reads."""
EVIL = "x\r\nBcc: thief@evil.test\r\n\r\nFrom me"


@cache
def letters() -> dict[str, Letter]:
    return gallery(ROOT / "maps")


def scrambled(value: Any, texts: list[str], dice: Random) -> Any:
    """A view in words with some of its texts exchanged for others."""
    if isinstance(value, dict) and value.keys() & {"zone", "what"}:
        return value  # a moment or a person of the game: codes, which nobody else writes
    if isinstance(value, dict):
        return {key: item if key in FOR_MACHINES else scrambled(item, texts, dice) for key, item in value.items()}
    if isinstance(value, list):
        items = [scrambled(item, texts, dice) for item in value]
        return items * (3 if dice.random() < 0.1 else 1)
    if isinstance(value, str) and texts and dice.random() < 0.5:
        return dice.choice(texts)
    return value


def printed(name: str, texts: list[str], dice: Random) -> Composed:
    letter = letters()[name]
    view = scrambled(PRESS.spoken(letter.view), texts, dice)
    fresh = Letter(letter.kind, letter.idem_key, view, letter.game, topic=letter.topic, thread=letter.thread)
    name = texts[0] if texts else ""
    posting = Posting("a@b.test", name, "judge@judge.test", "judge@judge.test", START, "judge.test", b"k")
    return compose(letter.kind, letter.idem_key, json.loads(fresh.frozen()), posting, PRESS)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(NAMES), st.lists(st.text(max_size=200), max_size=5), st.integers(0, 2**32))
@example("results-fall-1902", [EVIL], 1)
@example("press-black", ["日本語の長い名前" * 20], 2)
@example("receipt-correction", ["w" * 500], 3)
def test_a_letter_is_in_shape_whatever_it_says(name: str, texts: list[str], seed: int) -> None:
    mail = printed(name, texts, Random(seed))
    assert all(columns(line) <= 78 for line in mail.text.split("\n"))
    assert not CONTROL.search(mail.text)
    assert all(len(line) <= 998 for line in mail.mime.split(b"\r\n"))
    assert b"\n" not in mail.mime.replace(b"\r\n", b"")
    head = mail.mime.partition(b"\r\n\r\n")[0].decode("ascii")
    assert {line.partition(":")[0].lower() for line in head.split("\r\n") if line[0] not in " \t"} <= HEADERS
    parsed = message_from_bytes(mail.mime, policy=policy.default)
    assert not parsed.defects
    body = parsed.get_body(("plain",))
    assert body is not None
    assert body.get_content().replace("\r\n", "\n").rstrip("\n") == mail.text.rstrip("\n")
