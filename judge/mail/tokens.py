"""Capability addresses: "judge+TOKEN@domain". Whoever can write to one has read mail that we sent to its owner.

A token is one byte of version and purpose, eight bytes of reference and ten bytes of HMAC-SHA256, in lower-case
base32 (31 letters, so that the local part stays far below 64 octets and survives case folding). The reference of a
seat is its nonce: a new nonce revokes every token written before. A token for one purpose is worthless for another.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

_VERSION = 1
_REFERENCE = 8
_MAC = 10
_LENGTH = 31

_SHAPE = re.compile(r"[a-z2-7]{31}")


class Purpose(IntEnum):
    """What a token is good for."""

    SEAT = 1
    """Orders, press and commands from one seat, for one tenure."""
    CONFIRM = 2
    """Releases one held mail, or confirms an address."""
    BOUNCE = 3
    """Envelope sender of one delivery (VERP)."""
    UNSUBSCRIBE = 4
    LETTER = 5
    """Answers one letter to a person who reads it without a seat: it says whose letter it was, and about which game."""


@dataclass(frozen=True, slots=True)
class Token:
    """A genuine token: its purpose and its reference (16 hex digits)."""

    purpose: Purpose
    reference: str


def mint(purpose: Purpose, reference: str, secret: bytes) -> str:
    """The token's text. `reference`: 16 hex digits.

    >>> len(mint(Purpose.SEAT, "00" * 8, b"secret"))
    31
    """
    head = bytes([_VERSION << 4 | purpose]) + bytes.fromhex(reference)
    if len(head) != 1 + _REFERENCE:
        raise ValueError("a token's reference is 16 hex digits")
    return base64.b32encode(head + _mac(head, secret)).decode("ascii").rstrip("=").lower()


def read_token(text: str, secret: bytes) -> Token | None:
    """The token that a text is, or None if it is none of ours (wrong shape, wrong key, tampered with)."""
    return _read(text.strip().lower(), secret)


@lru_cache(4096)
def _read(text: str, secret: bytes) -> Token | None:
    if _SHAPE.fullmatch(text) is None:
        return None
    try:
        data = base64.b32decode(text.upper() + "=")
    except (binascii.Error, ValueError):
        return None
    head, mac = data[: 1 + _REFERENCE], data[1 + _REFERENCE :]
    if not hmac.compare_digest(mac, _mac(head, secret)):
        return None
    if head[0] >> 4 != _VERSION or (head[0] & 15) not in Purpose._value2member_map_:
        return None
    return Token(Purpose(head[0] & 15), head[1:].hex())


def looks_like_token(text: str) -> bool:
    """Whether a sub-address has the shape of a token, genuine or not; such text is never written to a log."""
    return _SHAPE.fullmatch(text.strip().lower()) is not None


def _mac(head: bytes, secret: bytes) -> bytes:
    return hmac.digest(secret, b"judge capability address\0" + head, hashlib.sha256)[:_MAC]
