"""Letters as mail: views laid out by templates, headers written by our own code, bytes built once."""

from judge.mail.letters.compose import Composed, Posting, compose, files_of, message_id, message_ids
from judge.mail.letters.rendering import Printer, TemplateError

__all__ = ["Composed", "Posting", "Printer", "TemplateError", "compose", "files_of", "message_id", "message_ids"]
