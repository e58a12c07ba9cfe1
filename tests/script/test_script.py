"""What a script says beside the requests: secrets, texts, line numbers, changed forms."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.board.model import Board
from judge.game.core.commands import OrderLine, Role, Submit
from judge.mail.envelope.reader import topic_of
from judge.mail.quoting import classify_lines
from judge.mail.script import Script, ScriptContext, Unasked, read_script
from judge.mail.vocabulary import VERBS, Verb
from tests.script.conftest import NOON, ReadMail
from tests.script.test_own_words import SENTENCES


def test_numbers_are_those_of_the_mail(mail: ReadMail) -> None:
    script = mail("Hi,\n\nA Par - Bur\nwait\nF Bre - Mid")
    orders, wait = script.said
    assert orders.request == Submit((OrderLine(3, "A Par - Bur"), OrderLine(5, "F Bre - Mid")))
    assert (orders.lines, orders.verb, orders.text) == ((3, 5), "orders", "A Par - Bur\nF Bre - Mid")
    assert (wait.lines, wait.verb, wait.game) == ((4,), "wait", "tannenburg")
    assert script.accounts() == {0: "blank", 1: "courtesy", 2: "blank", 3: "said", 4: "said", 5: "said"}


@pytest.mark.parametrize(
    "line",
    [
        "password xyzzy42",
        "PASSWORD: xyzzy42",
        "pin=xyzzy42",
        "my pasword is xyzzy42",
        "pw xyzzy42",
        "password, xyzzy42",
        "sign on: france@tannenburg xyzzy42",
        "signon ftannenburg xyzzy42",
    ],
)
def test_a_password_is_taken_and_never_shown(line: str, mail: ReadMail) -> None:
    script = mail(f"{line}\npress to England\nxyzzy42, and hello\nENDPRESS\nstatsu xyzzy42")
    assert script.secrets == ("xyzzy42",)
    assert "xyzzy42" not in repr(script)


def test_a_quoted_password_proves_nothing_and_is_not_shown_either(mail: ReadMail) -> None:
    script = mail("status\n> password xyzzy42\n> xyzzy42 was it")
    assert script.secrets == ()
    assert "xyzzy42" not in repr(script)


def test_only_a_few_passwords_are_tried(mail: ReadMail) -> None:
    assert len(mail("\n".join(f"password guess{number}" for number in range(100))).secrets) == 3


def test_a_secret_is_no_part_of_the_press_around_it(mail: ReadMail) -> None:
    (said,) = mail("press to England\nHello\npassword xyzzy42\nSee you").said
    assert getattr(said.request, "text", "") == "Hello\nSee you"
    assert said.lines == (1, 2, 4)


def test_a_changed_line_of_our_form_counts_as_typed(mail: ReadMail) -> None:
    script = mail(
        "On Tue, 24 Nov 2026 at 11:00, Judge <judge@judge.test> wrote:\n> A Paris - Picardy\n> F Brest - ______",
        form=("A Paris - ______", "F Brest - ______"),
    )
    (said,) = script.said
    assert said.request == Submit((OrderLine(2, "A Paris - Picardy"),))
    assert (said.notes, script.edited) == (("form",), (2,))


def test_without_a_form_no_quoted_line_counts(mail: ReadMail) -> None:
    assert mail("> A Paris - Picardy\n> leave\n> press to England: hello").empty


@pytest.mark.parametrize("mark", ["RE:", "Re[2]:", "AW:", "SV:", "Antw: Re:", "Fwd: RE:"])
def test_what_mail_programs_put_before_a_subject_says_nothing(mark: str, mail: ReadMail) -> None:
    script = mail("", subject=f"{mark} A Par - Bur")
    assert topic_of(f"{mark} A Par - Bur") == "A Par - Bur"
    assert not script.unread
    assert mail("", subject=f"{mark} [tannenburg] S1901 Moves: orders due").empty


@pytest.mark.parametrize("verb", [verb for verb in VERBS if "\n" not in verb.example], ids=lambda verb: verb.name)
def test_a_command_that_is_the_subject_too_is_one(
    verb: Verb, mail: ReadMail, player: ScriptContext, gm: ScriptContext
) -> None:
    to = player if Role.PLAYER in verb.roles else gm
    alone, headed = mail(verb.example, to=to), mail(verb.example, to=to, subject=verb.example)
    assert [one.request for one in headed.said] == [one.request for one in alone.said]
    assert [one.reason for one in headed.unread] == [one.reason for one in alone.unread]


def test_the_turn_of_the_letter_is_the_turn_of_the_orders_unless_a_heading_names_one(mail: ReadMail) -> None:
    script = mail("A Par - Bur\nfor F1901:\nA Bur - Mun\nverdun:\nA Par - Pic", turn="S1901M")
    assert [(orders.turn, len(orders.lines)) for orders in script.orders] == [("S1901M", 1), ("F1901M", 1), ("", 1)]


def test_a_phase_without_its_kind_is_the_current_one(mail: ReadMail) -> None:
    (orders,) = mail("Spring 1901\nA Par - Bur").orders
    assert orders.turn == "S1901M"


def test_an_unread_line_says_what_to_send_instead(mail: ReadMail) -> None:
    (unread,) = mail("exetnsion 48h").unread
    assert (unread.line, unread.candidates) == (1, ("extension 48h",))
    assert unread.sentence == "I do not know this command, though it is close to one that I know. Nothing was done."


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb.risky], ids=lambda verb: verb.name)
def test_what_cannot_be_taken_back_is_never_abbreviated(verb: object, mail: ReadMail, gm: ScriptContext) -> None:
    words = [word for word in getattr(verb, "words") if " " not in word and len(word) > 4]  # noqa: B009
    for word in words:
        short = mail(word[:-1], to=gm)
        assert all(said.verb != getattr(verb, "name") for said in short.said), word  # noqa: B009


def test_a_long_mail_of_unknown_words_is_left_after_five_failures(mail: ReadMail, stranger: ScriptContext) -> None:
    script = mail("\n".join(f"frobnicate {number}" for number in range(50)), to=stranger)
    assert len(script.unread) == 5
    assert sum(ignored.why is Unasked.AFTER_FAILURES for ignored in script.ignored) == 45


# --- any mail whatsoever ----------------------------------------------------------------------------------------

_WORDS = sorted({word for verb in VERBS for word in (*verb.words, verb.example)})
_LINES = st.one_of(
    st.sampled_from(_WORDS),
    st.sampled_from(_WORDS).map(str.upper),
    st.sampled_from(
        (
            *(
                "",
                "A Par - Bur",
                "F Bre - Mid; A Mar H",
                "> A Paris - Picardy",
                "> A Paris - ______",
                "-- ",
                "END",
                "1",
                "7",
            ),
            *("press to England", "press to FRA: x", "press to Rusisa", "ENDPRESS", "end note", "password hunter22"),
            *(
                "tannenburg france F1901",
                "for S1902: A Par - Bur",
                "ENGLAND   A Lon - Nth   ok",
                "nmr = hold",
                "foo = bar",
            ),
            *(
                "[tannenburg] FALL 1902 - MOVE RESULTS",
                "Your check phrase: x",
                "On Tue, X wrote:",
                "Thanks,",
                "create x y",
            ),
        )
    ),
    st.sampled_from(SENTENCES),
    st.sampled_from(SENTENCES),
    st.text(max_size=60),
    st.builds("{} {}".format, st.sampled_from(_WORDS), st.text(max_size=40)),
)
_CONTEXTS = st.fixed_dictionaries(
    {
        "role": st.sampled_from([Role.PLAYER, Role.GM, Role.STRANGER]),
        "known": st.booleans(),
        "form": st.sampled_from([(), ("A Paris - ______",), ("A Paris - Picardy", "BUILD ______")]),
        "choices": st.sampled_from([(), ("A Par - Bur",), ("status", "1")]),
    }
)


def _context(drawn: dict[str, object], board: Board) -> ScriptContext:
    known = bool(drawn["known"])
    return ScriptContext(
        now=NOON,
        zone=NOON.tzinfo,  # type: ignore[arg-type]
        role=drawn["role"],  # type: ignore[arg-type]
        game="tannenburg" if known else "",
        board=board if known else None,
        powers=("FRANCE",) if drawn["role"] is Role.PLAYER else (),
        games={"tannenburg": board},
        form=drawn["form"],  # type: ignore[arg-type]
        choices=drawn["choices"],  # type: ignore[arg-type]
    )


def _accounted(script: Script) -> list[int]:
    """The lines of which something is said; one that asks for several things is said once for each of them."""
    numbers = [number for said in script.said for number in said.lines]
    numbers += [number for unread in script.unread for number in unread.lines]
    return sorted({*numbers, *(ignored.line for ignored in script.ignored)})


@settings(max_examples=150, deadline=None)
@given(lines=st.lists(_LINES, max_size=25), subject=_LINES, drawn=_CONTEXTS)
def test_any_mail_is_read_and_each_line_accounted_for(
    board: Board, lines: list[str], subject: str, drawn: dict[str, object]
) -> None:
    text = classify_lines([part for line in lines for part in (line.splitlines() or [""])])
    script = read_script(text, subject=subject, context=_context(drawn, board))
    assert _accounted(script) == list(range(len(text) + 1))
    assert "hunter22" not in repr(script)


def test_no_sentence_is_lost_whoever_writes_it_and_whatever_stands_beside_it(
    mail: ReadMail, player: ScriptContext, gm: ScriptContext, stranger: ScriptContext
) -> None:
    """Each line is answered, asked back, or named as passed over."""
    beside = ("", "status", "A Par - Bur", "Thanks for all of it", "set moves 3d, zone Europe/Berlin")
    for number, text in enumerate(SENTENCES):
        for speaker in (player, gm, stranger):
            lines = [text, beside[number % len(beside)], text]
            assert _accounted(mail("\n".join(lines), to=speaker)) == list(range(4)), lines


def test_a_wish_is_never_passed_over_as_chatter(mail: ReadMail, player: ScriptContext, gm: ScriptContext) -> None:
    """So that no answer says that all was done above it."""
    for speaker, told in ((player, "frobnicate my orders please"), (gm, "frobnicate the game please")):
        for beside in ("status", "help press", "A Par - Bur", "due", "list", "moves = 3d", "preview"):
            script = mail(f"{beside}\n{told}\n{beside}\n", to=speaker)
            assert 2 in [number for one in script.unread for number in one.lines], (beside, told)
