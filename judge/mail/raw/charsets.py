"""From bytes to text: transfer encodings and the charset ladder.

The charset is the sender's word, so only an allow-list is honoured (a mail must not choose `utf-7` or
`unicode_escape`); then strict UTF-8, then Windows-1252, then Latin-1, which reads anything. Statistical guessing is
not used: on texts as short as orders it is wrong more often than right.
"""

import binascii
import re
import unicodedata

_ALLOWED = (
    {f"iso8859{n}" for n in range(1, 17) if n != 12}
    | {f"windows{n}" for n in range(1250, 1259)}
    | {f"cp{n}" for n in (*range(1250, 1259), 437, 850, 852, 858, 866, 874, 932, 936, 949, 950)}
    | {"utf8", "utf16", "utf16le", "utf16be", "usascii", "ascii", "koi8r", "koi8u", "macintosh", "macroman"}
    | {"gb2312", "gbk", "gb18030", "big5", "big5hkscs", "shiftjis", "sjis", "iso2022jp", "eucjp", "euckr", "tis620"}
)
_MEANT = {  # what writers of these names mean: the superset that their systems use
    "iso88591": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shiftjis": "cp932",
    "sjis": "cp932",
    "euckr": "cp949",
    "macintosh": "mac_roman",
    "macroman": "mac_roman",
}
_LADDER = ("utf-8", "cp1252", "latin-1")
_ASCII_KIN = frozenset({"", "usascii", "ascii"})
_WINDOWS = frozenset({"iso88591", "cp1252", "windows1252"})

_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_JUNK = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufff9-\ufffb]"
)
_LONGEST_PILE = 8
_DIGITS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_NO_DIGITS = bytes(set(range(256)) - set(_DIGITS))


def decode_text(octets: bytes, charset: str = "") -> tuple[str, bool]:
    """The text of `octets`, and whether the declared charset could be honoured.

    "iso-8859-1" is read as Windows-1252 and "us-ascii" by the ladder, because that is what their writers mean.

    >>> decode_text(b"T\\xfcrkei \\x96 ok", "iso-8859-1")
    ('Türkei – ok', True)
    """
    if not charset and octets.isascii():
        return octets.decode("ascii"), True  # nearly every header
    name = re.sub(r"[^a-z0-9]", "", charset.lower()[:40])
    if name in _ASCII_KIN:
        return _ladder(octets), octets.isascii() or not name
    if name not in _ALLOWED or (name.startswith("utf16") and b"\0" not in octets):
        return _ladder(octets), False
    try:
        return octets.decode(_MEANT.get(name, charset.strip().lower())), True
    except (UnicodeError, LookupError, ValueError):
        return _ladder(octets), name in _WINDOWS


def _ladder(octets: bytes) -> str:
    for name in _LADDER:
        try:
            return octets.decode(name)
        except UnicodeDecodeError:
            continue
    raise AssertionError("latin-1 reads every byte")


def undo_transfer(octets: bytes, encoding: str) -> tuple[bytes, bool]:
    """`octets` without their Content-Transfer-Encoding, and whether that was sound.

    Broken base64 is read as far as it goes; an unknown encoding is left as it is.
    """
    name = encoding.strip().lower()
    if name in ("", "7bit", "8bit", "binary"):
        return octets, True
    if name == "quoted-printable":
        return binascii.a2b_qp(octets), True
    if name == "base64":
        return unbase64(octets)
    return octets, False


def unbase64(octets: bytes) -> tuple[bytes, bool]:
    """Base64 read forgivingly: foreign characters skipped, missing padding supplied, a torn end given up."""
    digits = octets.partition(b"=")[0].translate(None, _NO_DIGITS)
    sound = not octets.translate(None, _DIGITS + b"= \t\n\r")
    if len(digits) % 4 == 1:
        digits, sound = digits[:-1], False
    return binascii.a2b_base64(digits + b"=" * (-len(digits) % 4)), sound


def tidy(text: str) -> str:
    """`text` with one kind of line break, composed letters (NFC), and neither control nor direction characters."""
    text = _BREAKS.sub("\n", text)
    text = _JUNK.sub("", text)
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _without_piles(text)).replace("\u00a0", " ").replace("\u202f", " ")


def _without_piles(text: str) -> str:
    """At most a few combining marks on a letter: longer piles are a joke or an attack (they sort slowly)."""
    kept: list[str] = []
    pile = 0
    for letter in text:
        pile = pile + 1 if unicodedata.combining(letter) else 0
        if pile <= _LONGEST_PILE:
            kept.append(letter)
    return "".join(kept)
