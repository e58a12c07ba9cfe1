"""Passwords are kept as salted scrypt hashes, never as they are.

The kept text names its own parameters, so that they can be raised later without asking anybody for a new password.
"""

import hashlib
import hmac
from base64 import b64decode, b64encode

_COST = 2**14
_BLOCK = 8
_LANES = 1
_LENGTH = 32
_MEMORY = 64 * 1024 * 1024


def hash_password(password: str, *, salt: bytes) -> str:
    """The text to keep for a password; give every password 16 fresh random bytes as its salt."""
    if len(salt) < 16:
        raise ValueError("a salt has at least 16 bytes")
    derived = _derive(password, salt, _COST, _BLOCK, _LANES)
    return "$".join(("scrypt", str(_COST), str(_BLOCK), str(_LANES), _text(salt), _text(derived)))


def check_password(password: str, kept: str) -> bool:
    """Whether this is the password that `kept` was made from; False as well for a kept text that is none.

    >>> check_password("copper heron", hash_password("copper heron", salt=bytes(16)))
    True
    >>> check_password("copper herring", hash_password("copper heron", salt=bytes(16)))
    False
    """
    try:
        scheme, cost, block, lanes, salt, derived = kept.split("$")
        if scheme != "scrypt":
            return False
        found = _derive(password, b64decode(salt), int(cost), int(block), int(lanes))
        return hmac.compare_digest(found, b64decode(derived))
    except ValueError:
        return False


def _derive(password: str, salt: bytes, cost: int, block: int, lanes: int) -> bytes:
    secret = password.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(secret, salt=salt, n=cost, r=block, p=lanes, maxmem=_MEMORY, dklen=_LENGTH)


def _text(data: bytes) -> str:
    return b64encode(data).decode("ascii")
