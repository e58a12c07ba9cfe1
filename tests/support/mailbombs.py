"""Mails that are too large or too vicious to keep as files: each made hang or break some well-known mail reader."""

from collections.abc import Callable

MEGABYTE = 1 << 20

_HEAD = b"From: anna@players.test\r\nTo: judge@judge.test\r\nMessage-ID: <bomb@players.test>\r\n"


def _body(kind: bytes, body: bytes) -> bytes:
    return _HEAD + b"Content-Type: " + kind + b"\r\n\r\n" + body


def _fill(unit: bytes) -> bytes:
    """A megabyte of `unit`, less room for a header."""
    return unit * ((MEGABYTE - 1024) // len(unit))


def _html(unit: bytes) -> Callable[[], bytes]:
    return lambda: _body(b"text/html", _fill(unit))


def _text(unit: bytes) -> Callable[[], bytes]:
    return lambda: _body(b"text/plain; charset=utf-8", _fill(unit))


def _field(name: bytes, value: bytes) -> Callable[[], bytes]:
    return lambda: name + b": " + value + b"\r\n\r\nA PAR - BUR\r\n"


def _nested(count: int) -> bytes:
    level = b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n'
    return b"".join(level % (n, n) for n in range(count)) + b"\r\nA PAR - BUR\r\n"


def _recipients(count: int) -> bytes:
    to = b",\r\n ".join(b"u%d@players.test" % n for n in range(count))
    return b"From: anna@players.test\r\nTo: " + to + b"\r\n\r\nA PAR - BUR\r\n"


def _delivery_status(count: int) -> bytes:
    block = b"Final-Recipient: rfc822; gone@players.test\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"
    kind = b"multipart/report; report-type=delivery-status; boundary=b"
    return _body(kind, b"--b\r\nContent-Type: message/delivery-status\r\n\r\n" + block * count + b"--b--\r\n")


def _daemon(prose: bytes) -> Callable[[], bytes]:
    return lambda: b"From: MAILER-DAEMON@mx.test\r\nReturn-Path: <>\r\n\r\n" + prose


BOMBS: dict[str, Callable[[], bytes]] = {
    "from-of-brackets": _field(b"From", b"(" * 3000),
    "from-of-a-megabyte": _field(b"From", b"<" * MEGABYTE),
    "from-of-dots": _field(b"From", b"." * 30_000),
    "message-id-of-brackets": _field(b"Message-ID", b"<" * 100_000),
    "subject-of-words": _field(b"Subject", b"=?utf-8?q?a" * 90_000),
    "subject-of-replies": _field(b"Subject", b"Re: " * 2000),
    "twenty-thousand-recipients": lambda: _recipients(20_000),
    "field-flood": lambda: b"X: y\r\n" * 150_000 + b"\r\nA PAR - BUR\r\n",
    "verdict-of-brackets": lambda: b"Authentication-Results: mx.judge.test; " + b"(" * 4000 + b"\r\n\r\nx\r\n",
    "verdict-of-properties": lambda: (
        b"Authentication-Results: mx.judge.test; " + b"dkim=pass; " * 360 + b"\r\n\r\nx\r\n"
    ),
    "multiparts-a-thousand-deep": lambda: _nested(1000),
    "multiparts-to-the-limit": lambda: _nested(15_000),
    "multipart-of-one-name": lambda: b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n' * 18_000,
    "mails-three-thousand-deep": lambda: b"Content-Type: message/rfc822\r\n\r\n" * 3000 + b"A PAR - BUR\r\n",
    "fifty-thousand-parts": lambda: _body(b"multipart/mixed; boundary=b", b"--b\r\n\r\nx\r\n" * 50_000 + b"--b--\r\n"),
    "false-boundaries": lambda: _body(b"multipart/mixed; boundary=b", _fill(b"--bx\r\n")),
    "boundary-of-dashes": lambda: _body(b'multipart/mixed; boundary="-"', _fill(b"-")),
    "empty-lines": _text(b"\n"),
    "one-line": _text(b"x"),
    "one-line-of-spaces": _text(b" "),
    "one-line-of-marks": _text(b">"),
    "marked-lines": _text(b">\n"),
    "order-lines": _text(b"A PAR - BUR\n"),
    "non-ascii-lines": _text("ü\n".encode()),
    "zero-bytes": _text(b"\0"),
    "tabs": _text(b"\t"),
    "combining-marks": _text("\u0315\u0300".encode()),
    "attributions": _text(b"On 1 May 2026 x wrote:\n> a\n"),
    "label-blocks": _text(b"From: a\nDate: 1\nTo: b\n> x\n"),
    "labels": _text(b"From: a\n"),
    "signature-marks": _text(b"--\n"),
    "list-footers": _text(b"to unsubscribe x\n\n"),
    "device-lines": _text(b"sent from x\n"),
    "armour": _text(b"-----BEGIN PGP SIGNATURE-----\n"),
    "flowed-words": lambda: _body(b"text/plain; format=flowed", _fill(b"x ")),
    "flowed-lines": lambda: _body(b"text/plain; format=flowed", _fill(b"x" * 70 + b" \n")),
    "quoted-printable-signs": lambda: _body(b"text/plain\r\nContent-Transfer-Encoding: quoted-printable", _fill(b"=")),
    "base64-junk": lambda: _body(b"text/plain\r\nContent-Transfer-Encoding: base64", _fill(b"A!")),
    "html-less-than": _html(b"<"),
    "html-open-tags": _html(b"<a"),
    "html-comments": _html(b"<!--"),
    "html-declarations": _html(b"<!"),
    "html-styles": _html(b"<style>"),
    "html-quotations": _html(b"<blockquote>x"),
    "html-closing-tags": _html(b"</div>"),
    "html-lines": _html(b"<div>a</div>"),
    "html-breaks": _html(b"<br>"),
    "html-open-quotes": _html(b"<a x='"),
    "html-attributes": lambda: _body(b"text/html", _fill(b"<div " + b"class=" * 600 + b">")),
    "html-number": lambda: _body(b"text/html", b"&#" + _fill(b"9") + b";"),
    "html-entities": _html(b"&amp;"),
    "html-nested-lists": _html(b"<ul><li>"),
    "delivery-status-blocks": lambda: _delivery_status(12_000),
    "daemon-brackets": _daemon(b"<" * 60_000),
    "daemon-addresses": _daemon(b"x <a@b.test> unknown\r\n" * 2900),
    "daemon-short-lines": _daemon(b"(\r\n" * 20_000),
}
"""Name of a bomb to the function that builds its bytes (up to a megabyte each)."""
