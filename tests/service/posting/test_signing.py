"""Letters may be signed by ourselves: once, over everything that a reader sees, so that the stored bytes verify."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import dkim
import pytest

from judge.config import Config, ConfigError, Relay
from judge.service.posting.composing import make_signer
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.under_test import rehearsal_config
from tests.support.certificates import make_key
from tests.support.fates import DEFERRED

FRANCE = player_of("FRANCE")


def signing(var: Path) -> Config:
    """The rehearsal's configuration with a selector and a key."""
    key = var / "dkim.pem"
    if not key.exists():
        key.write_text(make_key().pem())
    return replace(rehearsal_config(var), relay=Relay(dkim_selector="judge1", dkim_key_file="dkim.pem"))


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[LocalJudge]:
    stage = LocalJudge(tmp_path, config=signing)
    seat_everybody(stage, "baltic")
    stage.begin()
    yield stage
    stage.close()


def verified(mime: bytes) -> bool:
    def name_server(name: bytes, timeout: int = 5) -> bytes | None:
        key = b"v=DKIM1; k=rsa; p=" + b64encode(make_key().public())
        return key if name == b"judge1._domainkey.judge.test." else None

    return bool(dkim.verify(mime, dnsfunc=name_server))


def test_every_letter_verifies_and_a_changed_one_does_not(stage: LocalJudge) -> None:
    stage.send(player_of("ENGLAND"), "press to France\nGünther says hello.", subject="baltic")
    letters = stage.inbox(FRANCE)
    assert letters and all(verified(letter.raw) for letter in letters)
    assert not verified(letters[-1].raw.replace(b"hello", b"jello"))
    assert not verified(letters[-1].raw.replace(b"Subject: ", b"Subject: not "))


def test_the_ways_to_unsubscribe_are_signed(stage: LocalJudge) -> None:
    sign = make_signer(stage.judge.config)
    assert sign is not None
    ways = "List-Unsubscribe: <mailto:a@judge.test>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"
    signed = sign(f"From: judge@judge.test\r\n{ways}List-Id: <baltic.judge.test>\r\n\r\nHello\r\n".encode())
    assert verified(signed)
    for name in (b"List-Unsubscribe: ", b"List-Unsubscribe-Post: ", b"List-Id: "):
        assert not verified(signed.replace(b"\r\n" + name, b"\r\n" + name + b"x"))


def test_each_attempt_carries_the_same_signature(stage: LocalJudge) -> None:
    stage.post.answers[FRANCE] = DEFERRED
    stage.send(player_of("ENGLAND"), "press to France\nHello", subject="baltic")
    stage.advance(to=stage.now.replace(hour=13))
    tried = [parcel.data for parcel in stage.post.tried if b"Hello" in parcel.data]
    assert len(tried) > 1 and len(set(tried)) == 1 and tried[0].startswith(b"DKIM-Signature:")


def test_without_a_selector_nothing_is_signed(tmp_path: Path) -> None:
    assert make_signer(rehearsal_config(tmp_path)) is None


@pytest.mark.parametrize(("content", "said"), [(None, "cannot be read"), (b"no key", "holds no RSA key")])
def test_a_missing_or_broken_key_is_named(tmp_path: Path, content: bytes | None, said: str) -> None:
    if content is not None:
        (tmp_path / "dkim.pem").write_bytes(content)
    config = replace(rehearsal_config(tmp_path), relay=Relay(dkim_selector="judge1", dkim_key_file="dkim.pem"))
    with pytest.raises(ConfigError, match=said):
        make_signer(config)
