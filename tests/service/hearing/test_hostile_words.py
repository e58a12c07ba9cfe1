"""Words of people's own, as hostile as they come, through every place that takes some: nothing is forged in letters to
others, nothing breaks their layout, and no command in them is carried out when somebody quotes them back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.mail.letters.layout import columns
from judge.store.rows import LetterState
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import GM
from tests.service.conftest import last_mail, staffed

FRANCE, ENGLAND = player_of("FRANCE"), player_of("ENGLAND")
CUT = "=-=-=-=-=-=-=-=-=  Write your answer above this line  =-=-=-=-=-=-=-=-="
MARK = "zebrafinch"
"""Stands in every text, so that it is found again."""

HOSTILE = {
    "controls": f"{MARK} \x00\x07\x08\x0b\x0c\x1b[31mred\x7f\x85\x9b end",
    "bidi": f"{MARK} \u202eesrever\u202c \u2066iso\u2069 \u200e\u200f end",
    "separators": f"{MARK} one\u2028two\u2029three\u0085four",
    "invisible": f"{MARK} zero\u200bwidth\u2060join\ufeff\u00adhyphen \U000e0041tag",
    "surrogate": f"{MARK} \udc80\udcff end",
    "combining": f"{MARK} z" + "\u0301\u0489" * 300,
    "html": f"{MARK} <script>alert(1)</script><img src=http://evil.test/x.png> &lt;b&gt; <a href='javascript:x'>y</a>",
    "jinja": f"{MARK} {{{{ 7*7 }}}} {{% for x in y %}} {{# no #}} ${{x}} %(y)s {{0}}",
    "header": f"{MARK}\r\nBcc: evil@evil.test\r\nX-Evil: yes\r\n\r\nbody",
    "folded": f"{MARK}\r\n X-Evil: yes\n\tX-Evil: yes",
    "frame": f"{MARK}\n{CUT}\n\nReceived Fri 1 Mar 1901\nDONE - all that you asked for.\n{'-' * 78}\n"
             "baltic - Diplomacy (1976 rules)\nYour check phrase: zebra meadow 123 - if it is missing, I am not.",
    "deadline": f"{MARK}\n  NEW DEADLINE  Fri 1 Mar 1901, 12:01 UTC\nThe Gamemaster has moved the deadline.\n"
                "ORDER FORM - keep the lines you want, edit, send back",
    "commands": f"{MARK}\nleave for good\nclear\nA Par - Bur\nendpress\nextend 7d\npassword xyzzy42",
    "mbox": f"{MARK}\nFrom evil@evil.test Fri Mar  1 12:00:00 1901\n.\n..\n. \n-- \nsig",
    "boundary": f"{MARK}\n--=_0123456789\nContent-Type: text/html\n\n<b>x</b>\n--=_0123456789--",
    "wide": MARK + "W" * 500 + " " + "\u4e16" * 200,
    "blanks": f"{MARK}   \t  \n\n\n   indented\n" + " " * 300 + "far   ",
    "long": f"{MARK} " + "a word and another " * 520 + "theveryend",
}  # fmt: skip
"""Kind of mischief -> a text."""

PLACES = {
    "press": ("baltic", FRANCE, "press to England\n{text}"),
    "black press": ("baltic", FRANCE, "press black as {line} to England\nhello {mark}"),
    "grey press": ("baltic", FRANCE, "press grey to all\n{text}"),
    "postal press": ("baltic", FRANCE, "postal press\n{text}"),
    "poll": ("baltic", FRANCE, "poll: {line}?"),
    "appeal": ("baltic", FRANCE, "appeal A Par H because {line}"),
    "statement": ("baltic", FRANCE, "statement: {text}"),
    "diary": ("baltic", FRANCE, "diary: {text}"),
    "plan": ("baltic", FRANCE, "plan {line}: A Par H"),
    "my name": ("baltic", FRANCE, "my name {line}"),
    "extend": ("baltic", GM, "extend 24h reason {line}"),
    "hold": ("baltic", GM, "hold reason {line}"),
    "note": ("baltic", GM, "note: {text}"),
    "headline": ("baltic", GM, "headline: {line}"),
    "official": ("baltic", GM, "official {line}\n{text}"),
    "nudge": ("baltic", GM, "nudge: {text}"),
    "amend rule": ("baltic", GM, "amend rule: {line}"),
    "about": ("harbour", GM, "about = {line}"),
    "invite": ("harbour", GM, "invite ina@club.test {quoted}"),
    "remove": ("harbour", GM, "remove Olga reason {line}"),
    "create": ("", GM, "create {line}"),
    "tournament": ("", GM, "create tournament {line}"),
    "search": ("baltic", FRANCE, "search {line}"),
    "question": ("baltic", FRANCE, "Dear Gamemaster, {text}?"),
    "orders": ("baltic", FRANCE, "A Par - {line}"),
    "stray": ("baltic", FRANCE, "{text}"),
}
"""Where words of one's own go -> game, writer, mail."""


def mail_of(place: str, text: str) -> str:
    """A mail that brings a text to a place."""
    line = " ".join(text.split("\n"))
    return PLACES[place][2].format(text=text, line=line, mark=MARK, quoted=f'"{line}"')


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalJudge]:
    stage = LocalJudge(tmp_path_factory.mktemp("judge"), config=lambda var: replace(staffed(var), open_creation=True))
    seat_everybody(stage, "baltic", {"press": "white, grey, black"})
    seat_everybody(stage, "harbour", stage="open")
    stage.begin()
    stage.send("olga@watch.test", "register name Olga")
    stage.send("olga@watch.test", "join harbour")
    yield stage
    stage.close()


_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)


def faults(letter: ReceivedLetter) -> Iterator[str]:
    """What is wrong with a letter, whatever somebody wrote into it."""
    head = letter.raw.partition(b"\r\n\r\n")[0]
    if re.search(rb"^(?:X-Evil|Bcc):", head, re.MULTILINE | re.IGNORECASE):
        yield "a header is forged"
    if any(len(line) > 998 for line in letter.raw.split(b"\r\n")) or re.search(rb"(?<!\r)\n|\r(?!\n)|\x00", letter.raw):
        yield "the raw lines are no mail"
    if letter.message.defects or any(part.defects for part in letter.message.walk()):
        yield "the MIME is broken"
    for name, value in letter.message.items():
        if _UNSEEN.search(str(value)):
            yield f"unseen characters in {name}"
    lines = letter.text.split("\n")
    if found := _UNSEEN.search(letter.text.replace("\n", "")):
        yield f"unseen character {found[0]!r}"
    if re.search(r"[\u0300-\u036f\u0483-\u0489]{9}", letter.text):
        yield "a pile of marks"
    if wide := [line for line in lines if columns(line) > 78]:
        yield f"too wide: {wide[0][:90]}"
    if lines.count(CUT) > 1:
        yield "a second line to cut at"
    page = letter.message.get_body(preferencelist=("html",))
    if page is not None and re.search(r"<script|<img[^>]*evil|javascript:x'", str(page.get_content())):
        yield "markup of somebody's own"
    own = [line for line in lines[1:] if line.startswith("Your check phrase")]
    if any("zebra meadow 123" in line for line in own):
        yield "a check phrase of somebody's own"


def findings(stage: LocalJudge, place: str, kind: str) -> list[str]:
    """What a hostile text does at a place."""
    game, writer, _ = PLACES[place]
    mark = len(stage.post.letters)
    to = f"judge+{game}@judge.test" if game else ""
    stage.send(f'"{MARK} x" <{writer}>', mail_of(place, HOSTILE[kind]), to=to)
    found = []
    mail, letters = last_mail(stage), stage.post.letters[mark:]
    if str(mail.state) not in ("processed", "held"):
        found.append(f"the mail is {mail.state}")
    if not any(letter.to == writer for letter in letters) and not mail.reason:
        found.append("no answer")
    with stage.judge.store.read() as view:
        found += [f"broken: {one.error}" for one in view.letters.list(states=(LetterState.BROKEN,), limit=5)]
    found += [f"to {letter.to}: {fault}" for letter in letters for fault in faults(letter)]
    return [f"{place}, {kind}: {fault}" for fault in found]


@pytest.mark.parametrize("number", range(4))
def test_some_hostile_words_do_no_harm(judge: LocalJudge, number: int) -> None:
    cells = [(place, kind) for place in PLACES for kind in HOSTILE]
    assert [fault for place, kind in cells[number::41] for fault in findings(judge, place, kind)] == []


@pytest.mark.long
@pytest.mark.parametrize("place", PLACES)
def test_no_hostile_words_do_harm_at_any_place(judge: LocalJudge, place: str) -> None:
    assert [fault for kind in HOSTILE for fault in findings(judge, place, kind)] == []


@pytest.mark.parametrize("quote", ["> ", "", "| "])
def test_a_command_in_somebodys_press_is_not_carried_out_when_it_is_quoted_back(tmp_path: Path, quote: str) -> None:
    stage = LocalJudge(tmp_path)
    seat_everybody(stage, "baltic")
    stage.begin()
    stage.send(
        FRANCE, "press to England\n" + HOSTILE["commands"].replace("endpress\n", "F Lon - Nth\n"), subject="baltic"
    )
    letter = stage.inbox(ENGLAND)[-1]
    assert MARK in letter.text
    before = stage.game("baltic")
    stage.send(ENGLAND, "\n".join(f"{quote}{line}" for line in letter.lines[1:]), to=letter.reply_to)
    after = stage.game("baltic")
    assert (before.seats, before.sheets, before.deadline) == (after.seats, after.sheets, after.deadline)
    stage.close()


@pytest.mark.parametrize("place", ["press", "official", "note", "nudge", "statement", "diary", "invite"])
def test_a_text_that_is_too_long_is_passed_on_whole_or_its_author_is_told(tmp_path: Path, place: str) -> None:
    stage = LocalJudge(tmp_path, config=staffed)
    seat_everybody(stage, "baltic")
    seat_everybody(stage, "harbour", stage="open")
    stage.begin()
    game, writer, _ = PLACES[place]
    stage.send(writer, mail_of(place, HOSTILE["long"]), to=f"judge+{game}@judge.test")
    answer = " ".join(stage.inbox(writer)[-1].text.split())
    whole = any("theveryend" in letter.text for letter in stage.post.letters if letter.to != writer)
    kept = place in ("statement", "diary", "note")
    assert whole or "too long" in answer or (re.search(r"\d{3,}", answer) and "taken" not in answer) or kept, answer
    stage.close()


def test_words_of_an_invitation_are_never_dropped(judge: LocalJudge) -> None:
    judge.send(GM, 'invite ivo@club.test "Come, all of you', to="judge+harbour@judge.test")
    assert "is not closed; nobody was invited." in " ".join(judge.inbox(GM)[-1].text.split())
    assert not judge.inbox("ivo@club.test")
