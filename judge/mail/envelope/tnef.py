"""The plain text inside Outlook's winmail.dat, where a mail has no other text (MS-OXTNEF)."""

import struct

from judge.mail.raw.charsets import decode_text

_SIGNATURE = 0x223E9F78
_BODY = 0x0002800C
_HEAD = struct.Struct("<BII")


def tnef_text(octets: bytes) -> str:
    """The attribute attBody as text; '' if there is none or the bytes are no TNEF stream. Never raises.

    >>> tnef_text(b"not a TNEF stream")
    ''
    """
    if len(octets) < 6 or struct.unpack_from("<I", octets)[0] != _SIGNATURE:
        return ""
    at = 6
    while at + _HEAD.size <= len(octets):
        _, attribute, length = _HEAD.unpack_from(octets, at)
        start = at + _HEAD.size
        if attribute == _BODY:
            return decode_text(octets[start : start + length].rstrip(b"\0"))[0]
        at = start + length + 2
    return ""
