"""Subjects are whole: with the longest names that there are, less important words go, and nothing is cut."""

from __future__ import annotations

import copy
import itertools
import re
from datetime import UTC, datetime
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest

from judge.mail.envelope import read_envelope
from judge.mail.letters import Printer
from tests.support.gallery import gallery

ROOT = Path(__file__).parents[2]
GAMES = ("ab", "vistula", "a-game-of-20-letters", "x" * 32)
"""Up to the longest name that a game may have."""
POWERS = ("Italy", "Austria-Hungary")
PHASES = ("S1901 Moves", "F1901 Retreats", "W1901 Builds")
WHENS = (("Fri 8 Jan 23:59 EST", "Fri 8 Jan"), ("Wed 10 Feb 23:59 UTC+10:30", "Wed 10 Feb"))
TASKS = ("orders by {}", "retreat by {}", "build 2 by {}", "nothing due; next {}", "nothing due; grace ends {}")


@pytest.fixture(scope="module")
def letters() -> dict[str, Any]:
    return dict(gallery(ROOT / "maps"))


@pytest.mark.parametrize("kind", ["started", "takeover", "reminder"])
def test_no_subject_is_cut_however_long_the_names(letters: dict[str, Any], kind: str) -> None:
    press = Printer(ROOT / "templates")
    for game, power, phase, (when, day), task in itertools.product(GAMES, POWERS, PHASES, WHENS, TASKS):
        view = copy.deepcopy(dict(letters[kind].view))
        view["frame"] = {**view["frame"], "game": game, "phase": phase, "to": power}
        view["desk"] = {**view["desk"], "todo": task.format(when), "brief": task.partition(";")[0].format(day)}
        view["power"] = power
        subject = press.print(kind, view).subject
        assert len(subject) <= 78 and not subject.endswith("..."), subject
        assert subject.startswith(f"[{game}] {phase}: ")
        if kind != "takeover":
            assert view["desk"]["brief"] in subject, "who looks at the list of mails alone misses nothing that is due"


def test_the_usual_subject_says_all_of_it(letters: dict[str, Any]) -> None:
    view = copy.deepcopy(dict(letters["started"].view))
    view["frame"] = {**view["frame"], "game": "vistula", "phase": "F1907 Moves", "to": "Austria-Hungary"}
    for todo, brief, wanted in (
        ("orders by Fri 10 Jan 23:59 EST", "orders by Fri 10 Jan", "Austria-Hungary - orders by Fri 10 Jan 23:59 EST"),
        ("nothing due; next Fri 10 Jan 23:59 EST", "nothing due", "Austria-Hungary - nothing due"),
    ):
        view["desk"] = {**view["desk"], "todo": todo, "brief": brief}
        assert Printer(ROOT / "templates").print("started", view).subject.endswith(wanted)


def test_an_answer_to_any_letter_of_ours_is_a_persons() -> None:
    """Whatever stands in our subjects, the tag of a game like a ticket's or `Fall 1901` like a case's: an answer keeps
    it, and is no program's for that.
    """
    noon = datetime(2031, 1, 7, 12, tzinfo=UTC)
    wrong = []
    for letter in sorted((Path(__file__).parent / "golden").glob("*.mail")):
        subject = str(message_from_bytes(letter.read_bytes(), policy=policy.default)["Subject"])
        for tag, season in (("vistula", "Fall"), ("club-2031", "Winter"), ("case-12", "Spring"), ("fall-1901", "Fall")):
            answered = re.sub(r"Spring|Summer|Fall|Winter", season, re.sub(r"^\[[a-z0-9-]+\]", f"[{tag}]", subject))
            raw = f"From: anna@players.test\nTo: judge@judge.test\nSubject: Re: {answered}\n\nA Par - Bur\n"
            if (envelope := read_envelope(raw.encode(), noon)).noise.is_noise:
                wrong.append((answered, envelope.noise))
    assert not wrong
