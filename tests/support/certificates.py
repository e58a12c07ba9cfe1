"""Throw-away keys and certificates for tests, made by nothing but this file: no command, no package, no waiting list.

    key = make_key()
    key.pem()                                # an RSA key (RFC 8017, A.1.2)
    self_signed(key, "localhost", "127.0.0.1")   # a certificate that vouches for itself (RFC 5280)

Good for a test on this machine and for nothing else: the arithmetic takes no care to be secret.
"""

from __future__ import annotations

import hashlib
import math
import secrets
from base64 import encodebytes
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address

_SHA256_RSA = "1.2.840.113549.1.1.11"
_RSA = "1.2.840.113549.1.1.1"
_COMMON_NAME = "2.5.4.3"
_SUBJECT_KEY, _KEY_USAGE, _NAMES, _CONSTRAINTS = "2.5.29.14", "2.5.29.15", "2.5.29.17", "2.5.29.19"
_SHA256_PREFIX = bytes.fromhex("3031300d060960864801650304020105000420")
_SMALL = [number for number in range(3, 2000, 2) if all(number % small for small in range(3, number, 2))]


@dataclass(frozen=True, repr=False)
class RsaKey:
    """An RSA key."""

    n: int
    e: int
    d: int
    p: int
    q: int

    def pem(self) -> str:
        """The private key, in the traditional form."""
        parts = (0, self.n, self.e, self.d, self.p, self.q, self.d % (self.p - 1), self.d % (self.q - 1))
        return _pem("RSA PRIVATE KEY", _sequence(*map(_integer, (*parts, pow(self.q, -1, self.p)))))

    def public(self) -> bytes:
        """The public key as certificates and name servers hold it (SubjectPublicKeyInfo, DER)."""
        numbers = _sequence(_integer(self.n), _integer(self.e))
        return _sequence(_sequence(_oid(_RSA), _der(0x05, b"")), _bits(numbers))

    def sign(self, octets: bytes) -> bytes:
        """A signature by SHA-256 (RFC 8017, 8.2)."""
        size = (self.n.bit_length() + 7) // 8
        digest = _SHA256_PREFIX + hashlib.sha256(octets).digest()
        padded = b"\x00\x01" + b"\xff" * (size - len(digest) - 3) + b"\x00" + digest
        return pow(int.from_bytes(padded, "big"), self.d, self.n).to_bytes(size, "big")


@cache
def make_key(bits: int = 2048) -> RsaKey:
    """A key; the same one whenever this process asks, for making it takes a second."""
    e = 65_537
    while True:
        p, q = _prime(bits // 2), _prime(bits // 2)
        if p != q and math.gcd(e, (p - 1) * (q - 1)) == 1:
            return RsaKey(p * q, e, pow(e, -1, math.lcm(p - 1, q - 1)), p, q)


def self_signed(key: RsaKey, *names: str) -> str:
    """A certificate for hosts by name or address, good for this century, as PEM."""
    algorithm = _sequence(_oid(_SHA256_RSA), _der(0x05, b""))
    common = _sequence(_der(0x31, _sequence(_oid(_COMMON_NAME), _der(0x0C, names[0].encode()))))
    validity = _sequence(_der(0x17, b"000101000000Z"), _der(0x18, b"20991231235959Z"))
    extensions = (
        _extension(_CONSTRAINTS, _sequence(_der(0x01, b"\xff")), critical=True),
        _extension(_KEY_USAGE, _der(0x03, b"\x02\xa4"), critical=True),  # signatures, key exchange, certificates
        _extension(_SUBJECT_KEY, _der(0x04, hashlib.sha256(key.public()).digest()[:20])),
        _extension(_NAMES, _sequence(*map(_host, names))),
    )
    body = _sequence(
        _der(0xA0, _integer(2)), _integer(secrets.randbits(63) | 1), algorithm, common, validity, common,
        key.public(), _der(0xA3, _sequence(*extensions)),
    )  # fmt: skip
    return _pem("CERTIFICATE", _sequence(body, algorithm, _bits(key.sign(body))))


def _prime(bits: int) -> int:
    while True:
        number = secrets.randbits(bits) | 3 << (bits - 2) | 1
        if all(number % small for small in _SMALL) and _is_prime(number):
            return number


def _is_prime(number: int, rounds: int = 20) -> bool:
    """Miller and Rabin's test."""
    twos = (number - 1 & 1 - number).bit_length() - 1
    odd = number - 1 >> twos
    for _ in range(rounds):
        power = pow(secrets.randbelow(number - 3) + 2, odd, number)
        if power in (1, number - 1):
            continue
        if all((power := power * power % number) != number - 1 for _ in range(twos - 1)):
            return False
    return True


def _extension(oid: str, value: bytes, *, critical: bool = False) -> bytes:
    return _sequence(_oid(oid), *([_der(0x01, b"\xff")] if critical else []), _der(0x04, value))


def _host(name: str) -> bytes:
    try:
        return _der(0x87, ip_address(name).packed)
    except ValueError:
        return _der(0x82, name.encode("ascii"))


def _der(tag: int, content: bytes) -> bytes:
    """One value in DER (X.690): tag, length, content."""
    size = len(content)
    if size < 0x80:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def _sequence(*values: bytes) -> bytes:
    return _der(0x30, b"".join(values))


def _integer(number: int) -> bytes:
    return _der(0x02, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def _bits(octets: bytes) -> bytes:
    return _der(0x03, b"\x00" + octets)


def _oid(dotted: str) -> bytes:
    first, second, *rest = map(int, dotted.split("."))
    octets = bytearray([40 * first + second])
    for number in rest:
        groups = [number & 0x7F]
        while number := number >> 7:
            groups.append(number & 0x7F | 0x80)
        octets.extend(reversed(groups))
    return _der(0x06, bytes(octets))


def _pem(label: str, octets: bytes) -> str:
    text = encodebytes(octets).decode("ascii").replace("\n", "")
    lines = [text[start : start + 64] for start in range(0, len(text), 64)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""])
