"""Recognising one mail that came by two routes."""

import hashlib
import re

from judge.mail.raw.fields import Fields

_WRITTEN_BY_AUTHOR = (
    *("from", "sender", "reply-to", "to", "cc", "subject", "date", "message-id", "in-reply-to", "references"),
    *("mime-version", "content-type", "content-transfer-encoding", "content-disposition"),
)


def content_hash(fields: Fields, body: bytes) -> str | None:
    """SHA-256 (hex) over what the author's program wrote; None unless there are a Message-ID and a Date.

    Trace fields (Received, Delivered-To, verdicts, spam marks) differ between routes, so only fields that the author's
    program writes are counted. Line ends and empty space at the ends of lines and of the mail do not count: relays
    change them.
    """
    if not fields.first("message-id") or not fields.first("date"):
        return None
    digest = hashlib.sha256()
    for name in _WRITTEN_BY_AUTHOR:
        for value in fields.all(name):
            digest.update(f"{name}:{' '.join(value.split())}\n".encode("utf-8", "replace"))
    digest.update(b"\n")
    digest.update(re.sub(rb"[ \t]+(?=\n|\Z)", b"", body).rstrip(b"\n"))
    return digest.hexdigest()
