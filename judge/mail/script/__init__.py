"""What a mail asks for: `read_script(lines, subject=..., context=ScriptContext(...)) -> Script`."""

from judge.mail.script.builder import HIDDEN, secret_words, without_secrets
from judge.mail.script.headings import answered_turn
from judge.mail.script.model import SUBJECT, Ignored, ReadRequest, Script, ScriptContext, Unasked, Unread
from judge.mail.script.reader import read_script

__all__ = [
    "HIDDEN",
    "SUBJECT",
    "Ignored",
    "ReadRequest",
    "Script",
    "ScriptContext",
    "Unasked",
    "Unread",
    "answered_turn",
    "read_script",
    "secret_words",
    "without_secrets",
]
