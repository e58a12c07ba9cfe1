"""Addresses in header fields (RFC 5322, 3.4), read by one pass over the characters.

Reading is strict because identity depends on it: a field that can be read in two ways names nobody.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase

import idna

from judge.mail.raw.fields import decode_words

_ATOM = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u00a1-\uffff-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u00a1-\uffff-]+)*")
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_DOMAIN = re.compile(rf"(?:{_LABEL})(?:\.{_LABEL})*\.?|\[[0-9a-f:.]{{2,45}}\]|\[ipv6:[0-9a-f:.]{{2,45}}\]")
_RUN = re.compile(r'[^\\()",;:<>]+')
_QUOTED = re.compile(r'"(?:[^"\\\x00-\x1f\x7f]|\\[ -~])*"')
_UNSEEN = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U000e0000-\U000e0fff]"
)
"""Signs that nobody sees and that UTS 46 lets vanish: a name that holds one looks like another name."""
_ASCII_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


@dataclass(frozen=True, slots=True)
class Mailbox:
    """One entry of an address list. `address` is None where it is no sound addr-spec; `raw` is what stood there."""

    name: str
    address: str | None
    raw: str


def read_address(spec: str) -> str | None:
    """`local@domain` in the form in which the judge compares addresses, or None if it is not exactly one addr-spec.

    The domain is lowered (ASCII; an international one as UTS 46 has it, non-transitional, as Punycode) and loses a
    final dot. The local part keeps its case, and loses quotes that change nothing (RFC 5321, 4.1.2).

    >>> read_address("Anna+x@Players.TEST"), read_address('"anna"@players.test')
    ('Anna+x@players.test', 'anna@players.test')
    >>> read_address("bob@stra\xdfe.test"), read_address("bob@strasse.test")
    ('bob@xn--strae-oqa.test', 'bob@strasse.test')
    >>> read_address("a@b@c") is None
    True
    """
    spec = spec.strip()
    local, at, domain = spec.rpartition("@")
    if not at or len(spec) > 320 or len(local) > 64 * 4:
        return None
    if not (_ATOM.fullmatch(local) or _QUOTED.fullmatch(local)):
        return None
    domain = _ascii_domain(domain)
    return f"{_plain_local(local)}@{domain}" if domain else None


def _plain_local(local: str) -> str:
    """A local part composed (NFC, RFC 6532), and without quotes and backslashes that mean nothing."""
    local = unicodedata.normalize("NFC", local)
    if not local.startswith('"'):
        return local
    said = re.sub(r"\\(.)", r"\1", local[1:-1])
    return said if _ATOM.fullmatch(said) else '"' + re.sub(r'(["\\])', r"\\\1", said) + '"'


def _ascii_domain(domain: str) -> str:
    if not domain.isascii():
        if len(domain) > 253 or _UNSEEN.search(domain):
            return ""
        try:
            domain = idna.encode(domain, uts46=True, transitional=False, std3_rules=True).decode("ascii")
        except (idna.IDNAError, UnicodeError):
            return ""
    domain = domain.translate(_ASCII_LOWER)
    if len(domain) > 254 or not _DOMAIN.fullmatch(domain):
        return ""
    return domain.rstrip(".")


def read_mailboxes(value: str, most: int = 1000) -> tuple[Mailbox, ...]:
    """Every entry of an address field, at most `most` of them. Groups are opened; empty entries are skipped.

    >>> [m.address for m in read_mailboxes('"A, B" <a@x.test>, b@x.test (Bob)')]
    ['a@x.test', 'b@x.test']
    """
    return _read_mailboxes(value, most) if len(value) > _LONGEST_KEPT else _known_mailboxes(value, most)


def _read_mailboxes(value: str, most: int) -> tuple[Mailbox, ...]:
    found: list[Mailbox] = []
    for entry in _entries(value):
        mailbox = _mailbox(entry)
        if mailbox is not None:
            found.append(mailbox)
        if len(found) == most:
            break
    return tuple(found)


_LONGEST_KEPT = 200
_known_mailboxes = lru_cache(maxsize=1024)(_read_mailboxes)
"""Several readers ask for the sender of one mail, and the next mail often has the same."""


@dataclass(slots=True)
class _Entry:
    """One entry while it is read: outside text, text in angle brackets (None: there were none), and its soundness."""

    outside: list[str]
    inside: list[str] | None
    raw: list[str]
    sound: bool = True
    closed: bool = False


def _entries(value: str) -> list[_Entry]:
    """The entries between commas, semicolons and group names, with comments taken out and quotes respected."""
    entries: list[_Entry] = []
    entry = _Entry([], None, [])
    depth = 0
    at = 0
    while at < len(value):
        sign = value[at]
        step = 1
        if sign == "\\" and depth:
            step = 2
        elif sign == "(":
            depth += 1
        elif sign == ")":
            entry.sound = entry.sound and depth > 0
            depth = max(0, depth - 1)
        elif depth:
            pass
        elif sign == '"':
            step = _quoted(value, at, entry)
        elif sign in ",;" and (entry.inside is None or entry.closed):
            entries.append(entry)
            entry = _Entry([], None, [])
        elif sign == ":" and entry.inside is None:
            entry = _Entry([], None, [])
        else:
            run = _RUN.match(value, at)
            step = run.end() - at if run else 1
            _put(entry, value[at : at + step])
        entry.raw.append(value[at : at + step])
        at += step
    entry.sound = entry.sound and depth == 0
    entries.append(entry)
    return entries


def _quoted(value: str, at: int, entry: _Entry) -> int:
    """Take the quoted string that begins at `at`; the number of characters that it covers."""
    end = at + 1
    while end < len(value) and value[end] != '"':
        end += 2 if value[end] == "\\" else 1
    entry.sound = entry.sound and end < len(value)
    target = entry.outside if entry.inside is None or entry.closed else entry.inside
    target.append(value[at : end + 1])
    return end + 1 - at


def _put(entry: _Entry, sign: str) -> None:
    """Take an angle bracket, another single sign, or a run of signs that mean nothing but themselves."""
    if sign == "<":
        entry.sound = entry.sound and entry.inside is None
        entry.inside = []
    elif sign == ">":
        entry.sound = entry.sound and entry.inside is not None and not entry.closed
        entry.closed = True
    elif entry.inside is None:
        entry.outside.append(sign)
    elif entry.closed:
        entry.sound = entry.sound and not sign.strip(" \t")
    else:
        entry.inside.append(sign)


def _mailbox(entry: _Entry) -> Mailbox | None:
    raw = "".join(entry.raw).strip(" \t,;")
    outside = "".join(entry.outside).strip()
    if not raw:
        return None
    if entry.inside is None:
        address = read_address(outside) if entry.sound else None
        return Mailbox("", address, raw)
    sound = entry.sound and entry.closed
    address = read_address(_unrouted("".join(entry.inside))) if sound else None
    return Mailbox(decode_words(re.sub(r"\\(.)", r"\1", outside.replace('"', ""))).strip(), address, raw)


def _unrouted(spec: str) -> str:
    """Drop an obsolete source route: `<@a,@b:c@d>` means c@d."""
    return spec.rpartition(":")[2] if spec.startswith("@") else spec
