"""DKIM signatures by ourselves (RFC 6376), for sites whose relay does not sign: off unless a selector is configured.

A letter is signed once, when it is composed, and its signed bytes are stored: every attempt carries the same ones.
"""

from __future__ import annotations

from collections.abc import Callable

from judge.config import Config, ConfigError

Sign = Callable[[bytes], bytes]

SIGNED = (
    "From", "To", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "Auto-Submitted",
    "List-Id", "List-Help", "List-Unsubscribe", "List-Unsubscribe-Post", "MIME-Version", "Content-Type",
    "Content-Transfer-Encoding",
)  # fmt: skip
"""Header fields that a signature covers, as far as a letter has them (the ways to unsubscribe: RFC 8058, 4)."""


def make_signer(config: Config) -> Sign | None:
    """What signs a finished mail, None if we do not sign. Raises ConfigError when the key is missing."""
    relay = config.relay
    if not relay.dkim_selector:
        return None
    import dkim  # only those who sign pay for it

    read_key(config)
    key = (config.var / relay.dkim_key_file).read_bytes()
    selector, domain = relay.dkim_selector.encode("ascii"), config.domain.encode("ascii")

    def sign(mime: bytes) -> bytes:
        head = mime.partition(b"\r\n\r\n")[0].lower().split(b"\r\n")
        covered = [
            name.encode() for name in SIGNED if any(line.startswith(name.lower().encode() + b":") for line in head)
        ]
        signature: bytes = dkim.sign(
            mime, selector, domain, key, canonicalize=(b"relaxed", b"relaxed"), include_headers=covered
        )
        return signature + mime

    return sign


def read_key(config: Config) -> dict[str, int]:
    """The numbers of the RSA key that letters are signed with (modulus, publicExponent ...). Raises ConfigError."""
    import dkim

    file = config.var / config.relay.dkim_key_file
    try:
        key: dict[str, int] = dkim.parse_pem_private_key(file.read_bytes())
    except OSError as error:
        raise ConfigError(f"relay.dkim_key_file: {file} cannot be read ({error.strerror})") from error
    except (dkim.KeyFormatError, dkim.crypto.UnparsableKeyError) as error:
        raise ConfigError(f"relay.dkim_key_file: {file} holds no RSA key in PEM form") from error
    return key
