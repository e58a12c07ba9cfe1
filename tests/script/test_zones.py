"""Whoever names a time zone, however they write it: what is kept is a zone, or it is asked back with those near it.

A zone that is none would break every letter in which a time stands, and the mails of its owner with it.
"""

from __future__ import annotations

import re

import pytest

from judge.game.core.commands import ChangeSettings
from judge.mail.script import ScriptContext
from judge.pace import read_zone
from tests.script.conftest import ReadMail

FORMS = (
    "set zone {}", "set zone = {}", "zone = {}", "SET ZONE {}", "zone {}", "my zone {}", "my time zone is {}",
    "timezone: {}", "register name Jane zone {}", "join verdun zone {}", "set my zone {}", "set timezone {}",
)  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_no_zone_that_is_none_is_kept(
    form: str, mail: ReadMail, player: ScriptContext, stranger: ScriptContext
) -> None:
    for author in (player, stranger):
        for word in ("Berlin", "Atlantis", "EET/DST", "my own", "Europe/Berlinn"):
            script = mail(form.format(word), to=author)
            kept = [zone for said in script.said if (zone := getattr(said.request, "zone", ""))]
            assert [read_zone(zone) for zone in kept] == kept, (form, word)
            offered = [match[1] for one in script.unread for line in one.candidates
                       if (match := re.match(r"my zone (\S+)$", line))]  # fmt: skip
            assert [read_zone(zone) for zone in offered] == offered and all(word in zone for zone in offered)


@pytest.mark.parametrize("form", FORMS)
def test_a_zone_is_kept(form: str, mail: ReadMail, player: ScriptContext) -> None:
    script = mail(form.format("Europe/Berlin"), to=player)
    said = [one.request for one in script.said if not isinstance(one.request, ChangeSettings)]
    assert [getattr(one, "zone", "") for one in said] == ["Europe/Berlin"] and not script.unread
