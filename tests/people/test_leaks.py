"""What gives an author away in words that go out without his name."""

import pytest

from judge.people.leaks import giveaways

NAMES, ADDRESSES = ["Amélie de la Montagne", "Judge Player"], ["amelie.m@players.test", "lamont42@home.test"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Nothing to see here.", ()),
        ("Write to Amelie.M@Players.TEST!", ("amelie.m@players.test",)),
        ("-- Amelie", ("Amélie",)),
        ("AMÉLIE was here", ("Amélie",)),
        ("I am a montagnard, not a name", ()),
        ("The Montagne stands", ("Montagne",)),
        ("ask lamont at home", ("lamont",)),
        ("a player and a judge, de la", ()),
        ("France attacks with her army", ()),
    ],
)
def test_giveaways(text: str, found: tuple[str, ...]) -> None:
    assert giveaways(text, NAMES, ADDRESSES) == found


def test_a_short_name_gives_nothing_away() -> None:
    assert giveaways("Jo and Ed agree", ["Jo Ed"], ["jo@x.test"]) == ()
