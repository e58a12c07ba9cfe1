"""Only what its author sees is read of a mail, and what they wrote is not passed over for where it stands."""

from datetime import UTC, datetime

import pytest

from judge.mail.envelope import read_envelope
from judge.mail.html import html_to_text

NOW = datetime(2026, 5, 4, 18, 0, tzinfo=UTC)
HEAD = b"From: anna@players.test\r\nTo: judge@judge.test\r\nSubject: x\r\nMIME-Version: 1.0\r\n"
ORDERS = "A PAR - BUR"


@pytest.mark.parametrize(
    "hidden",
    [
        '<div style="display:none">{}</div>',
        '<div style="DISPLAY : none !important"><div>{}</div>{}</div>',
        "<p hidden>{}<p>",
        '<span style="font-size:0">{}<b>{}</b></span>',
        '<span style="font-size:0px; color:red">{}</span>',
        '<div><span style="visibility:hidden">{}</div>',
        "<table><tr><td style='display:none'>{}<td></table>",
        "<ul><li style='display:none'>{}<li></ul>",
        '<p style="mso-hide:all">{}</p>',
        '<div style="max-height:0; overflow:hidden">{}</div>',
        '<div style="overflow: hidden; line-height: 1; height:0px">{}</div>',
        "<s>{}</s>",
        "<del>{}</del>",
        '<span style="text-decoration:line-through">{}</span>',
    ],
)
def test_hidden_and_crossed_out_text_is_not_read(hidden: str) -> None:
    text = html_to_text(f"<p>before</p>{hidden.replace('{}', ORDERS)}<p>after</p>")
    assert ORDERS not in text
    assert text.split()[0] == "before"
    assert text.split()[-1] == "after"


@pytest.mark.parametrize(
    "shown",
    [
        '<p style="font-size:0.9em">{}</p>',
        '<div style="font-size:0"><span style="font-size:12px">{}</span></div>',
        '<div class="hidden-xs">{}</div>',
        '<input type="hidden" value="x">{}<br>',
        '<img hidden style="display:none">{}',
        '<p style="opacity:0.8">{}</p>',
    ],
)
def test_what_is_seen_is_read(shown: str) -> None:
    assert ORDERS in html_to_text(shown.replace("{}", ORDERS))


def _with_file(body: str, file: str) -> bytes:
    return (
        HEAD
        + (
            'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n'
            f'{body}\r\n--b\r\nContent-Type: text/plain; name="orders.txt"\r\n'
            f'Content-Disposition: attachment; filename="orders.txt"\r\n\r\n{file}\r\n--b--\r\n'
        ).encode()
    )


@pytest.mark.parametrize(
    "body", ["", "Orders attached.", "-- \r\nAnna", "Befehle im Anhang", "Please see attached.\r\n\r\n-- \r\nA"]
)
def test_a_body_that_only_covers_its_attachment_does_not_hide_it(body: str) -> None:
    """4.5."""
    envelope = read_envelope(_with_file(body, ORDERS), NOW)
    assert ORDERS in [line.text for line in envelope.text_lines]
    assert "text-from-attachment" in envelope.defects


@pytest.mark.parametrize(
    "body", ["A PAR H", "The map of last turn.", "Attached you find my map of the last turn\r\nA PAR H"]
)
def test_a_body_of_its_own_is_what_is_read(body: str) -> None:
    envelope = read_envelope(_with_file(body, ORDERS), NOW)
    assert ORDERS not in [line.text for line in envelope.text_lines]


@pytest.mark.parametrize(("kind", "defect"), [("signed-data", "signed-opaque"), ("enveloped-data", "encrypted")])
def test_a_signature_around_the_text_is_called_a_signature(kind: str, defect: str) -> None:
    raw = HEAD + f"Content-Type: application/pkcs7-mime; smime-type={kind}\r\n\r\nMIIB\r\n".encode()
    found = set(read_envelope(raw, NOW).defects)
    assert found & {"signed-opaque", "encrypted"} == {defect}


@pytest.mark.parametrize(
    ("above", "line"),
    [
        ("On Tue, 7 Jan 2031 at 10:00, Germany &lt;g@x.test&gt; wrote:", "> A Mar - Spa"),
        ("Am 07.01.2031 um 10:00 schrieb Germany:", "> A Mar - Spa"),
        ("As I wrote:", "A Mar - Spa"),
        ("My orders:", "A Mar - Spa"),
    ],
)
def test_what_is_set_in_below_the_name_of_its_author_is_theirs(above: str, line: str) -> None:
    set_in = '<blockquote style="margin: 0 0 0 40px; border: none; padding: 0px;">A Mar - Spa</blockquote>'
    assert html_to_text(f"<div>A Par - Bur</div><div>{above}</div>{set_in}").splitlines()[-1] == line
