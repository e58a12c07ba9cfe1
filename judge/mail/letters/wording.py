"""Header values as ASCII: words that are not are encoded (RFC 2047), long values are folded, addresses are quoted."""

from __future__ import annotations

import re
from base64 import b64encode

from judge.mail.headers import LONGEST, clean_header

LINE = 76
_PHRASE = re.compile(r"[A-Za-z0-9 !#$%&'*+/=?^_`{|}~-]*")
_LOCAL = r"(?:[^\s<>\"(),:;\[\]\\@]+|\"[^\"\\\r\n]*\")"
_ADDRESS = re.compile(rf"{_LOCAL}@(?:[^\s<>\"(),:;\[\]\\@\x80-\U0010ffff]+|\[[0-9A-Za-z:.]+\])")


def encode_header(name: str, value: str) -> str:
    """A cleaned value fit to stand after "Name: ": folded where it is long, encoded where it is not ASCII.

    >>> encode_header("Subject", "Grüße")
    '=?utf-8?b?R3LDvMOfZQ==?='
    """
    clean = _tame(value)
    if clean.isascii():
        return _fold(name, clean)
    return "\r\n ".join(f"=?utf-8?b?{b64encode(chunk.encode()).decode('ascii')}?=" for chunk in _chunks(clean))


def _tame(value: str, longest: int = LONGEST) -> str:
    """A cleaned value in which nothing looks like an encoded word: some readers decode what they find, and again."""
    return clean_header(value, longest=longest).replace("=?", "= ?")


def _chunks(text: str) -> list[str]:
    """Pieces of at most 39 octets of UTF-8 (an encoded word has 75 characters), never inside a character."""
    chunks = [""]
    for char in text:
        if len((chunks[-1] + char).encode()) > 39:
            chunks.append("")
        chunks[-1] += char
    return chunks


def _fold(name: str, value: str) -> str:
    """Break a long ASCII value at blanks into lines of at most 76 characters where that is possible."""
    lines = [""]
    room = LINE - len(name) - 2
    for word in value.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > room:
            lines.append(word)
            room = LINE - 1
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return "\r\n ".join(lines)


def _as_people_write(address: str) -> str:
    """An address whose local part is international, with its domain as people write it, not as Punycode."""
    local, _, domain = address.rpartition("@")
    if local.isascii():
        return address
    try:
        return f"{local}@{domain.encode('ascii').decode('idna')}"
    except UnicodeError:
        return address


def address_field(name: str, address: str) -> str:
    """A name and an address as one mailbox; raises ValueError for what is no address of the form name@domain.

    An international local part stands as it is: only a relay that knows SMTPUTF8 takes such a letter (RFC 6532).

    >>> address_field("France via Judge tannenburg", "judge@judge.test")
    'France via Judge tannenburg <judge@judge.test>'
    """
    unclean = clean_header(address).replace(" ", "") != address.replace(" ", "")
    if unclean or _ADDRESS.fullmatch(address) is None:
        raise ValueError("a letter needs an address of the form name@domain")
    display, address = _tame(name, longest=60), _as_people_write(address)
    if not display:
        return address
    if not display.isascii():
        return f"{encode_header('From', display)}\r\n <{address}>"
    if _PHRASE.fullmatch(display):
        return f"{display} <{address}>"
    quoted = display.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}" <{address}>'
