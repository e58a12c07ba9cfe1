"""What is offered instead of a command that was not understood, for every verb and every kind of slip behind it.

An offer is a whole line that its author may send, understood if it is sent, and holds no moment, number, phase or
address that they did not write: an answer by number must never do what nobody meant.
"""

from __future__ import annotations

import re

import pytest

from judge.mail.script import ScriptContext
from judge.mail.vocabulary import BY_NAME
from tests.script.conftest import ReadMail

_SLIPS = (
    "", "xyzzy", "Frnace", "S19O1M", "99", "-3", "tomorow", "on", "off", "x = y", "grace", "to Fance", "bob@example",
    "until next blue moon", "standrad", "prss none",
)  # fmt: skip


@pytest.mark.parametrize("verb", BY_NAME)
def test_an_offer_can_be_sent_and_makes_nothing_up(
    verb: str, mail: ReadMail, player: ScriptContext, gm: ScriptContext
) -> None:
    for author in (player, gm):
        for word in BY_NAME[verb].words[:2]:
            for slip in _SLIPS:
                line = f"{word} {slip}".strip()
                for unread in mail(line, to=author).unread:
                    for offer in unread.candidates:
                        made_up = [part for part in re.findall(r"\S*[\d@]\S*", offer) if part not in line]
                        assert not made_up, f"{line} -> {offer}"
                        below = "\nhello" if unread.verb == "press" else ""
                        script = mail(offer + below, to=author)
                        heads = [ignored.why for ignored in script.ignored if ignored.line == 1]
                        assert offer == "help" or script.said or heads == ["heading"], f"{line} -> {offer}"


def test_no_example_of_ours_is_done_by_its_number(mail: ReadMail, player: ScriptContext, gm: ScriptContext) -> None:
    for author in (player, gm):
        for verb in BY_NAME.values():
            for unread in mail(verb.words[0], to=author).unread:
                assert verb.example not in unread.candidates or verb.example == verb.words[0], verb.name
