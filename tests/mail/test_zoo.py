"""The zoo: hostile, broken and merely odd mails, each with everything that must come of it (see zoo/README.md)."""

import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from judge.mail.envelope import Envelope, TrustedSite, read_envelope
from judge.mail.noise import Blame, MachineSign
from judge.mail.quoting import LineKind

ZOO = Path(__file__).parent / "zoo"
RECEIVED_AT = datetime(2026, 5, 4, 18, 0, tzinfo=UTC)
SITE = TrustedSite(
    authserv_id="mx.judge.test",
    trusted_mx=frozenset({"mx.judge.test", "192.0.2.25"}),
    own_addresses=frozenset({"judge@judge.test"}),
    instance="judge-test",
)
FAMILIES = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(ZOO.glob("*.toml"))}
CASES = [(family, name) for family, mails in FAMILIES.items() for name in mails]

# What a table may say beside the lines of each kind, and what it means when it says nothing.
ALWAYS: dict[str, Any] = {
    "from": "",
    "noise": "none",
    "auth": "none",
    "defects": [],
    "unsafe": False,
    "attachments": [],
}
WHERE_SAID = (
    *("from_name", "from_problem", "subject", "topic", "message_id", "in_reply_to", "references", "date", "zone"),
    *("arrived", "recipients", "return_path", "addressed", "reason", "failures", "about", "auth_reason", "lines_cut"),
)
HOW_IT_CAME = ("what", "rcpt", "mail_from", "peer")


def read(family: str, name: str) -> Envelope:
    """The Envelope of one mail of the zoo, received as its table says."""
    case = FAMILIES[family][name]
    raw = (ZOO / family / f"{name}.eml").read_bytes()
    return read_envelope(
        raw,
        RECEIVED_AT,
        rcpt=case.get("rcpt"),
        mail_from=case.get("mail_from"),
        peer=case.get("peer"),
        trusted=SITE,
    )


def shown(envelope: Envelope) -> dict[str, Any]:
    """An Envelope in the notation of the tables."""
    noise: MachineSign = envelope.noise
    return {
        "from": envelope.from_address or "",
        "from_name": envelope.from_name,
        "from_problem": envelope.from_problem,
        "subject": envelope.subject,
        "topic": envelope.topic,
        "message_id": envelope.message_id or "",
        "in_reply_to": envelope.in_reply_to or "",
        "references": list(envelope.references),
        "date": envelope.date_claimed.isoformat() if envelope.date_claimed else "",
        "zone": str(envelope.zone_claimed) if envelope.zone_claimed is not None else "",
        "arrived": envelope.arrived_at.isoformat(),
        "recipients": list(envelope.recipients),
        "return_path": "unknown" if envelope.return_path is None else envelope.return_path,
        "addressed": [f"{local}+{detail}" for local, detail in envelope.addressed_to("judge.test")],
        "noise": noise.kind.value,
        "reason": noise.reason,
        "failures": [f"{f.recipient} {_weight(f.blame)} {f.status}".rstrip() for f in noise.failures],
        "about": noise.about or "",
        "auth": envelope.auth,
        "auth_reason": envelope.auth_reason,
        "defects": list(envelope.defects),
        "unsafe": envelope.unsafe,
        "lines_cut": envelope.lines_cut,
        "attachments": [f"{one.name} {one.kind}" for one in envelope.attachments],
    }


@pytest.mark.parametrize(("family", "name"), CASES, ids=[f"{family}/{name}" for family, name in CASES])
def test_mail_of_the_zoo(family: str, name: str) -> None:
    case = FAMILIES[family][name]
    envelope = read(family, name)
    facts = shown(envelope)
    expected = ALWAYS | {key: case[key] for key in (*ALWAYS, *WHERE_SAID) if key in case}
    assert {key: facts[key] for key in expected} == expected, case["what"]
    for kind in LineKind:
        lines = [line.text for line in envelope.text_lines if line.kind is kind and line.text.strip()]
        assert lines == case.get(kind.value, []), f"{kind.value} lines: {case['what']}"


def test_every_mail_has_its_table_and_every_table_its_mail() -> None:
    assert sorted(CASES) == sorted((path.parent.name, path.stem) for path in ZOO.glob("*/*"))
    assert len(CASES) >= 150


def test_tables_use_known_words_only() -> None:
    known = {*ALWAYS, *WHERE_SAID, *HOW_IT_CAME, *(kind.value for kind in LineKind)}
    for family, name in CASES:
        assert set(FAMILIES[family][name]) <= known, f"{family}/{name}"


@pytest.mark.parametrize(("family", "name"), CASES, ids=[f"{family}/{name}" for family, name in CASES])
def test_every_line_is_in_one_record(family: str, name: str) -> None:
    lines = read(family, name).text_lines
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))


def _weight(blame: Blame) -> str:
    return "hard" if blame is Blame.MAILBOX else "soft"
