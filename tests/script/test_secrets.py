"""No password is shown again, in whatever form of whatever judge it was written (4.9)."""

from __future__ import annotations

import pytest

from judge.mail.script import ScriptContext
from tests.script.conftest import ReadMail

SECRET = "quiet-heron-41"
_FORMS = (
    "password {}", "PASSWORD: {}", "pw {}", "my password is {}", "set password {}", "SET PASSWORD {}",
    "new password {}", "change password to {}", "sign on ftannenburg {}", "SIGN ON ftannenburg {}",
    "signon france@tannenburg {}",
    "SIGN ON ?tannenburg {} standard", "SIGN ON ? {}", "SIGN ON otannenburg {}", "sign on france@nowhere {}",
    "LOGIN ftannenburg {}", "HELLO ftannenburg {}", "CREATE ?marne {} standard", "create marne {}",
    "OBSERVE tannenburg {}", "WATCH tannenburg {}", "OBSERVE jane@tannenburg {}", "MONITOR jane@tannenburg {}",
    "JOIN tannenburg {}",
    "JOIN FRANCE@tannenburg {}", "RESIGN FRANCE@tannenburg {}", "TAKEOVER FRANCE@tannenburg {}", "claim Russia {}",
    "TAKEOVER MASTER@tannenburg {}", "RESIGN FRANCE {}", "REVIVE FRANCE {}", "DUMMY FRANCE {}",
    "INVEST FRANCE@tannenburg {}",
    "withdraw FRANCE@tannenburg {}",
)  # fmt: skip
_PLAIN = (
    "observe tannenburg results",
    "join tannenburg prefer F E zone Europe/Berlin name Jane",
    "claim tannenburg France",
    "register name Hugo",
    "register zone Europe/Berlin",
    "create a private game named x",
    "create game named x, private, no press",
    "create a game for 5 players named dusk",
    "create sunrise private, moves 3d",
    "leave me alone",
)


@pytest.mark.parametrize("who", ["player", "gm", "stranger"])
@pytest.mark.parametrize("form", _FORMS)
@pytest.mark.parametrize("word", [SECRET, "secret", "Xyzzy99"])
def test_a_password_is_nowhere_in_what_is_shown(
    form: str, who: str, word: str, mail: ReadMail, request: pytest.FixtureRequest
) -> None:
    context: ScriptContext = request.getfixturevalue(who)
    for text, subject in ((form.format(word), ""), ("list", form.format(word))):
        script = mail(text, to=context, subject=subject)
        shown = [said.text for said in script.said] + [ignored.text for ignored in script.ignored]
        for unread in script.unread:
            shown += [unread.text, unread.sentence, *unread.candidates]
        assert not any(word in one for one in shown), shown


@pytest.mark.parametrize("line", _PLAIN)
def test_what_is_no_password_is_shown(line: str, mail: ReadMail) -> None:
    script = mail(line)
    assert [*(said.text for said in script.said), *(unread.text for unread in script.unread)] == [line]


def test_the_word_behind_password_is_hidden_in_a_sentence_too(mail: ReadMail, gm: ScriptContext) -> None:
    for line in ("create sunrise private password {} moves 3d", "create a private game named dusk with password {}"):
        script = mail(line.format("tiger-41"), to=gm)
        shown = [one.text for one in script.said]
        shown += [part for one in script.unread for part in (one.text, one.sentence, *one.candidates)]
        assert shown and not any("tiger" in part for part in shown), shown
