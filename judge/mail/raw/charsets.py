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
    | {
        "utf8",
        "utf16",
        "utf16le",
        "utf16be",
        "utf32",
        "utf32le",
        "utf32be",
        "usascii",
        "ascii",
        "koi8r",
        "koi8u",
        "macintosh",
        "macroman",
    }
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
_MARKS = ((b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
"""Byte order marks, the longer first."""
_ENDED = frozenset({"utf16le", "utf16be", "utf32le", "utf32be"})
_ASCII_KIN = frozenset({"", "usascii", "ascii"})
_WINDOWS = frozenset({"iso88591", "cp1252", "windows1252"})

_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_JUNK = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
    "|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0000-\U000e007f]+"
)
"""Signs that nobody sees: controls, directions, and tags, by which words are hidden in words. Behind a black flag tags
say whose it is: England's, Scotland's.
"""
_PILED = frozenset({"Mn", "Me"})
_LONGEST_PILE = 8
_DIGITS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_GLUED = re.compile(rb"^(?:[ \t]{0,3}[_*~#-]{5,}[ \t]*$|[^\n]{0,200}?[^\s][ \t]+[^\s])", re.MULTILINE)
_NO_DIGITS = bytes(set(range(256)) - set(_DIGITS))


def decode_text(octets: bytes, charset: str = "") -> tuple[str, bool]:
    """The text of `octets`, and whether the declared charset could be honoured.

    "iso-8859-1" is read as Windows-1252 and "us-ascii" by the ladder, because that is what their writers mean; UTF-8
    or UTF-16 under these names is read as what it is.

    >>> decode_text(b"T\\xfcrkei \\x96 ok", "iso-8859-1")
    ('Türkei – ok', True)
    """
    if not charset and octets.isascii() and b"\0" not in octets:
        return octets.decode("ascii"), True  # nearly every header
    name = re.sub(r"[^a-z0-9]", "", charset.lower()[:40])
    wide = _wide(octets) if name not in _ENDED else None
    if wide is not None:
        return wide, name in ("utf16", "utf32")
    if name in _ASCII_KIN:
        return _ladder(octets), octets.isascii() or not name
    if name not in _ALLOWED or (name.startswith(("utf16", "utf32")) and b"\0" not in octets):
        return _ladder(_unmarked(octets)), False
    if name in _WINDOWS and not octets.isascii() and (text := _as_utf8(octets)) is not None:
        return text, False
    try:
        return octets.decode(_MEANT.get(name, charset.strip().lower())), True
    except (UnicodeError, LookupError, ValueError):
        return _ladder(octets), name in _WINDOWS


def _wide(octets: bytes) -> str | None:
    """UTF-16 or UTF-32 under another name, by its byte order mark or by where its zeros stand; None for other text."""
    for mark, codec in _MARKS:
        if octets.startswith(mark):
            bare = octets[len(mark) :]
            return _ladder(bare) if bare.isascii() and b"\0" not in bare else octets.decode(codec, "replace")
    if len(octets) < 4 or octets.count(0) * 3 < len(octets):
        return None
    zeros = [octets[at::4].count(0) * 2 > len(octets[at::4]) for at in range(4)]
    by_zeros = _BY_ZEROS.get("".join("0" if zero else "x" for zero in zeros))
    return octets.decode(by_zeros, "replace") if by_zeros else None


_BY_ZEROS = {"x0x0": "utf-16-le", "0x0x": "utf-16-be", "x000": "utf-32-le", "000x": "utf-32-be"}
"""Where zeros are the rule among four bytes of Latin text."""


def _unmarked(octets: bytes) -> bytes:
    """UTF-16 that lost its zeros on the way without its byte order mark, which would spoil the first line."""
    bare = octets[2:] if octets.startswith((b"\xff\xfe", b"\xfe\xff")) else octets
    return bare if bare.isascii() else octets


def _as_utf8(octets: bytes) -> str | None:
    """The text, if these bytes beyond ASCII are UTF-8, which no other writing looks like by accident."""
    try:
        return octets.decode("utf-8")
    except UnicodeDecodeError:
        return None


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
    """Base64 read forgivingly: foreign characters skipped, missing padding supplied, a torn end given up.

    What a mailing list appended behind it is no base64: a line with a blank between words, or drawn across the page.
    """
    glued = _GLUED.search(octets)
    if glued and glued.start():
        return unbase64(octets[: glued.start()])[0], False
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
        pile = pile + 1 if unicodedata.category(letter) in _PILED else 0
        if pile <= _LONGEST_PILE:
            kept.append(letter)
    return "".join(kept)
