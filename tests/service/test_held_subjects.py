"""Every letter about a mail that waits names the game in its subject, wherever the mail itself has named it."""

from __future__ import annotations

import pytest

from judge.testing.casting import player_of
from judge.testing.stage import Playhouse
from judge.testing.theatre import GM

FRANCE, ELSEWHERE = player_of("FRANCE"), "somebody@else.test"
WHERE = {
    "address": ("judge+baltic@judge.test", "orders", ""),
    "subject": ("judge@judge.test", "baltic", ""),
    "subject with more": ("judge@judge.test", "orders for baltic", ""),
    "answer's subject": ("judge@judge.test", "Re: [baltic] S1901 Moves: reminder", ""),
    "first line": ("judge@judge.test", "", "baltic\n"),
    "nowhere": ("judge@judge.test", "", ""),
}
"""Where a mail says for which game it is: recipient, subject, what stands ahead of its text. "nowhere": its author has
but one."""
HELD = {
    "orders without proof": (FRANCE, "A Par - Bur", False),
    "press without proof": (FRANCE, "press to England\nHello there.", False),
    "a wrong password": (FRANCE, "password wrong-horse-battery\nA Par - Bur", False),
    "what is asked once more": (FRANCE, "resign", True),
    "what is asked once more, without proof": (FRANCE, "resign", False),
    "a grave act": (GM, 'rollback S1901M reason "an error"', True),
    "a Gamemaster's command without proof": (GM, "extend 24h", False),
    "the end of the game": (GM, "end game", False),
}
"""What makes a mail wait: who writes, what, and whether our own server vouches for them."""


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("held", HELD)
def test_the_letter_about_a_held_mail_names_its_game(table: Playhouse, where: str, held: str) -> None:
    writer, text, vouched = HELD[held]
    to, subject, ahead = WHERE[where]
    mark = len(table.post.letters)
    table.send(writer, ahead + text, to=to, subject=subject, vouched=vouched)
    letters = [one for one in table.post.letters[mark:] if one.to == writer]
    assert letters and [one.subject for one in letters if not one.subject.startswith("[baltic] ")] == []


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("held", ["orders without proof", "what is asked once more", "the end of the game"])
def test_so_do_the_answers_to_what_is_said_to_it(table: Playhouse, where: str, held: str) -> None:
    """Neither yes nor no; a yes, which may not be enough; a yes to what is settled."""
    writer, text, vouched = HELD[held]
    to, subject, ahead = WHERE[where]
    table.send(writer, ahead + text, to=to, subject=subject, vouched=vouched)
    asked = table.inbox(writer)[-1].reply_to
    for number, word in enumerate(("Well, perhaps.", "yes", "yes", "no")):
        mark = len(table.post.letters)
        table.send(writer, word, to=asked, subject=f"Re: {number}", vouched=False)
        letters = [one.subject for one in table.post.letters[mark:] if one.to == writer]
        assert [one for one in letters if not one.startswith("[baltic] ")] == []


@pytest.mark.parametrize("where", WHERE)
def test_so_does_the_letter_that_too_many_came(table: Playhouse, where: str) -> None:
    to, subject, ahead = WHERE[where]
    for number in range(30):
        table.send(
            FRANCE, f"{ahead}A Par - Bur\npress to England\nNumber {number}", to=to, subject=subject, vouched=False
        )
    subjects = [one.subject for one in table.inbox(FRANCE)]
    assert [one for one in subjects if "too many" in one] == ["[baltic] too many mails without proof"]
