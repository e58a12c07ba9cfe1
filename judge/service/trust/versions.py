"""What to say of a mail whose text and HTML ask for different things: the text was taken, and its author is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.game.core.decision import Status, Verdict
from judge.mail.envelope import Envelope
from judge.mail.quoting import classify_lines
from judge.mail.script import ScriptContext, read_script


def two_versions(envelope: Envelope, context: ScriptContext, number: int) -> Iterator[Verdict]:
    """A verdict, under this line number, for each version that asks for something of which the other has nothing.

    Versions that differ in a greeting or a name are no matter.
    """
    if unread := _asking(envelope.only_in_html, context):
        sentence = "stands only in the HTML of your mail, not in its text; where the two differ, I read the text alone"
        yield Verdict(number, unread, Status.IGNORED, reason="two-versions", sentence=sentence)
    if taken := _asking(envelope.only_in_text, context):
        sentence = "stands only in the text of your mail, not in its HTML; where the two differ, I read the text alone"
        yield Verdict(number, taken, Status.IGNORED, reason="two-versions", sentence=sentence)


def _asking(lines: Sequence[str], context: ScriptContext) -> str:
    """The first of these lines that is an order or a command by itself; "" if none is."""
    script = read_script(classify_lines(lines), subject="", context=context) if lines else None
    return _first_line(script.said[0].text) if script and script.said else ""


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
