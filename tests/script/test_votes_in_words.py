"""A yes or a no as a vote: what counts, in answer to the call and without it, and what is asked back."""

from __future__ import annotations

import pytest

from judge.game.talk.ballots import Vote
from judge.mail.assent import AGAINST, AGREES, FOR, NO, REFUSES, YES
from judge.mail.script import Script
from tests.script.conftest import ReadMail


def votes(script: Script) -> list[Vote]:
    return [said.request for said in script.said if isinstance(said.request, Vote)]


@pytest.mark.parametrize("line", sorted(FOR))
def test_every_phrase_for_is_an_aye_in_answer_to_the_call(mail: ReadMail, line: str) -> None:
    for written in (line, f"{line.capitalize()}.", f"Hello,\n\n{line}!\n\nThanks,\nBob"):
        assert votes(mail(written, votes=(3,), called=3)) == [Vote(aye=True, vote=3)], written


@pytest.mark.parametrize("line", sorted(AGAINST))
def test_every_phrase_against_is_a_nay_in_answer_to_the_call(mail: ReadMail, line: str) -> None:
    assert votes(mail(f"{line.capitalize()}.", votes=(3,), called=3)) == [Vote(aye=False, vote=3)]


@pytest.mark.parametrize("line", sorted((YES | NO) - FOR - AGAINST))
def test_a_word_about_who_wrote_a_mail_is_no_vote(mail: ReadMail, line: str) -> None:
    assert not votes(mail(line, votes=(3,), called=3))


@pytest.mark.parametrize(
    "text",
    [
        "Yes?",
        "aye?",
        "yes, if Germany does",
        "I never said yes",
        "Maybe",
        "yes\nno",
        "Agreed\nNot me\nnay",
        "Yes but no",
    ],
)
def test_a_question_half_a_yes_and_both_words_cast_none_and_are_asked_back(mail: ReadMail, text: str) -> None:
    script = mail(text, votes=(3,), called=3)
    assert not votes(script)
    assert {"aye 3", "nay 3"} <= {line for unread in script.unread for line in unread.candidates}


@pytest.mark.parametrize("line", ["yes", "No.", "I agree", "Yes, please", "no thanks"])
def test_a_plain_word_of_its_own_counts_where_one_vote_is_open(mail: ReadMail, line: str) -> None:
    assert len(votes(mail(f"A Par - Bur\n{line}", votes=(3,)))) == 1
    assert not votes(mail(line)), "no vote is open"
    assert not votes(mail(line, votes=(3,), free=False)), "it may answer what that letter asks"
    assert not votes(mail(line, votes=(3, 4)))


@pytest.mark.parametrize("line", ["ok", "sure", "Of course", "fine", "correct", "go ahead", "si"])
def test_a_word_that_may_be_about_anything_counts_only_in_answer_to_the_call(mail: ReadMail, line: str) -> None:
    assert not votes(mail(f"A Par - Bur\n{line}", votes=(3,)))


def test_with_several_votes_open_the_number_is_asked_for(mail: ReadMail) -> None:
    several = mail("yes", votes=(3, 4), called=4)
    assert not several.said and several.unread[0].candidates == ("aye 3", "aye 4")


@pytest.mark.parametrize("open_now", [(), (4,), (4, 5)])
def test_a_word_to_a_closed_vote_is_for_that_one_and_for_no_other(mail: ReadMail, open_now: tuple[int, ...]) -> None:
    for line, aye in (("no", False), ("yes please", True), ("I agree", True)):
        assert votes(mail(line, votes=open_now, called=3)) == [Vote(aye=aye, vote=3)]


_CALL = ("> Germany proposes a draw.", ">   Reply with:    AYE 3", ">   or with:       NAY 3", "> Your check phrase")


@pytest.mark.parametrize(
    ("text", "aye"),
    [
        ("\n".join((_CALL[0], _CALL[1], _CALL[3])), True),
        ("\n".join((_CALL[0], _CALL[2], _CALL[3])), False),
        (_CALL[1], True),
        ("Thanks,\nBob\n\n" + "\n".join((*_CALL[1:2], _CALL[3])), True),
        ("Reply with:    AYE 3", True),
        ("\n".join(_CALL), None),
        ("\n".join(_CALL[:2]), None),  # the mail program cut the quotation off there
        ("I do not know.\n" + "\n".join((_CALL[0], _CALL[1], _CALL[3])), None),
        ("\n".join((_CALL[0], "> Reply with: AYE 4", _CALL[3])), None),
    ],
)
def test_the_one_ballot_left_of_the_letter_counts(mail: ReadMail, text: str, *, aye: bool | None) -> None:
    assert votes(mail(text, votes=(3,), called=3)) == ([] if aye is None else [Vote(aye=aye, vote=3)])
    assert not votes(mail(text, votes=(3,))), "it answers no call"


def test_the_vocabularies_do_not_overlap() -> None:
    assert not FOR & AGAINST
    assert AGREES <= YES and REFUSES <= NO


_WAVERING = """Wait, no.|Actually, forget that.|Das war ich nicht!|Please ignore my vote.|I did not write this!
I take that back.|This is an automatic reply.|But only if Italy says aye too.|if Germany votes aye as well
Unless Russia objects, of course."""
_BESIDE = "Thanks,|A Par - Bur|I cannot write before Sunday.|Not that it matters.|Greetings, Bob|When is the deadline?"


def test_a_vote_whose_author_wavers_in_the_next_words_is_not_counted_and_other_words_leave_it(mail: ReadMail) -> None:
    for vote in ("aye", "nay 3", "vote aye 3", "I vote for it"):
        for words in _WAVERING.replace("\n", "|").split("|"):
            script = mail(f"{vote}\n\n{words}", votes=(3,), called=3)
            assert not votes(script), (vote, words)
            assert {"aye 3", "nay 3"} <= {line for unread in script.unread for line in unread.candidates}
        for words in _BESIDE.split("|"):
            assert len(votes(mail(f"{vote}\n\n{words}", votes=(3,), called=3))) == 1, (vote, words)


@pytest.mark.parametrize(
    "line",
    ["If I say aye, Turkey must too.", "I would never vote aye.", "He said aye", "Germany said aye, so shall I?",
     "aye when pigs fly", "No aye from me", "vote aye? never!", "vote aye 3 if Italy agrees", "Don't count my aye"],
)  # fmt: skip
def test_a_sentence_about_an_aye_is_none(mail: ReadMail, line: str) -> None:
    for called in (0, 3):
        assert not votes(mail(line, votes=(3,), called=called))
