"""No forged Authentication-Results proves anything, wherever in a mail its author puts it.

The model: an outsider writes any header at all and hands the mail to our server. That one writes its Received line on
top and its verdict above or below that; a second server of ours may add a line of its own. Whatever the outsider
wrote, the judge believes what our server said, and nothing else.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.envelope import TrustedSite, read_envelope

NOW = datetime(2026, 5, 4, 18, 0, tzinfo=UTC)
NAME, INNER, MX, OUTSIDE = "mx.judge.test", "192.0.2.26", "192.0.2.25", "203.0.113.9"
PASS = "dmarc=pass header.from=players.test"

FORGED = st.sampled_from(
    [
        f"Authentication-Results: {NAME}; {PASS}",
        f'Authentication-Results: "{NAME}"; {PASS}',
        f"Authentication-Results: (x) {NAME}; {PASS}",
        f"AUTHENTICATION-RESULTS: {NAME.upper()}; {PASS}",
        f"Authentication-Results:\r\n {NAME};\r\n {PASS}",
        f"Authentication-Results : {NAME}; {PASS}",
        f"ARC-Authentication-Results: i=1; {NAME}; {PASS}",
        f"Authentication-Results: other.test; {PASS}",
        f"Received: from {NAME} ({NAME} [{MX}]) by {NAME} with ESMTP; Mon, 4 May 2026 17:50:00 +0000",
        f"Received: from [{INNER}] (unknown [{INNER}]) by {NAME}; Mon, 4 May 2026 17:50:00 +0000",
        f"Received: by {NAME} (Postfix, from userid 0); Mon, 4 May 2026 17:50:00 +0000",
        "Received: ",
        "Return-Path: <anna@players.test>",
        f"Delivered-To: judge@{NAME}",
        "X-Anything: at all",
    ]
)
HELO = st.sampled_from(["mail.players.test", NAME, f"[{MX}]", "[127.0.0.1]", INNER, "localhost", "x" * 4000])
VERDICTS = {"pass": f"{NAME}; {PASS}", "fail": f"{NAME}; dmarc=fail header.from=players.test", "none": f"{NAME}; none"}
SITES = {
    "no servers named": frozenset[str](),
    "one server named": frozenset({NAME, MX}),
    "two servers named": frozenset({NAME, MX, INNER}),
}


def ours(fields: list[str]) -> list[str]:
    """What a server that removes forged verdicts takes out: any form of its own name, as RFC 8601 demands."""
    return [one for one in fields if not (one.lower().startswith("authentication-results") and NAME in one.lower())]


def received(helo: str, client: str) -> str:
    return f"Received: from {helo} (unknown [{client}]) by {NAME} with ESMTP id 4X; Mon, 4 May 2026 17:55:00 +0000"


@pytest.mark.parametrize("trusted", SITES.values(), ids=SITES)
@given(forged=st.lists(FORGED, max_size=8), helo=HELO, says=st.sampled_from([*VERDICTS, ""]), hop=st.booleans())
@pytest.mark.parametrize("below", [False, True])
def test_only_the_word_of_our_own_server_counts(
    *, trusted: frozenset[str], forged: list[str], helo: str, says: str, hop: bool, below: bool
) -> None:
    verdict = [f"Authentication-Results: {VERDICTS[says]}"] if says else []
    line = received(helo, OUTSIDE)
    own = [line, *verdict] if below else [*verdict, line]
    if hop and INNER in trusted:
        own = [received(NAME, MX), *own]
    theirs = [*(ours(forged) if below else forged), "From: anna@players.test", *forged[:2]]
    theirs = ours(theirs) if below else theirs
    raw = "\r\n".join([*own, *theirs, "", "A PAR - BUR", ""]).encode()
    site = TrustedSite(authserv_id=NAME, trusted_mx=trusted, verdicts_below=below)
    assert read_envelope(raw, NOW, peer="127.0.0.1", trusted=site).auth == (says or "none")


@given(fields=st.lists(FORGED, max_size=8), peer=st.sampled_from([OUTSIDE, "players.test", "2001:db8::9"]))
def test_a_mail_that_an_outsider_hands_straight_to_the_judge_proves_nothing(fields: list[str], peer: str) -> None:
    raw = "\r\n".join([*fields, "From: anna@players.test", "", "A PAR - BUR", ""]).encode()
    for trusted in SITES.values():
        for below in (False, True):
            site = TrustedSite(authserv_id=NAME, trusted_mx=trusted, verdicts_below=below)
            assert read_envelope(raw, NOW, peer=peer, trusted=site).auth == "none"
