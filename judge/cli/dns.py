"""`judge dns`: what a judge's domain has to publish, as lines for its name server."""

from __future__ import annotations

import base64
import ipaddress
import socket
from collections.abc import Iterator
from typing import NamedTuple

import click

from judge.cli.common import configured
from judge.config import Config


class Published(NamedTuple):
    """One record: the name that has it (without the last dot), its type and value, and what it is good for."""

    name: str
    kind: str
    value: str
    why: str


@click.command("dns")
@click.option("--host", default="", help="This machine's name (else mail.authserv_id, else as the system has it).")
@click.pass_context
def dns_command(context: click.Context, host: str) -> None:
    """Print the records that the judge's domain needs: MX, SPF, DKIM and DMARC, and the address of the machine."""
    config = configured(context)
    fetched = is_fetched(config) and not host
    host = host or host_of(config)
    for each in records(config, host):
        if fetched and each.kind in ("MX", "A", "AAAA"):
            continue
        click.echo(f"; {each.why}")
        click.echo(f"{each.name}.\tIN\t{each.kind}\t{_value(each)}")
    if fetched:
        click.echo("; MX: as whoever has the mailbox tells you; SPF and DKIM: as whoever takes the letters does")
        return
    click.echo(f"; Where you rent the address, not here: the name of that address (reverse DNS) is {host}")


def records(config: Config, host: str) -> Iterator[Published]:
    """What the domain and the host have to publish. Raises ConfigError for a key that cannot be read."""
    yield Published(config.domain, "MX", f"10 {host}.", "where mail for the judge goes")
    senders = "mx" if _is_here(config.relay.host) else f"mx a:{config.relay.host}"
    yield Published(config.domain, "TXT", f"v=spf1 {senders} -all", "SPF: which hosts send the judge's letters")
    if config.relay.dkim_selector:
        name = f"{config.relay.dkim_selector}._domainkey.{config.domain}"
        yield Published(name, "TXT", f"v=DKIM1; k=rsa; p={public_key(config)}", "DKIM: the key of its signatures")
    policy = "v=DMARC1; p=quarantine; adkim=s; aspf=s"
    yield Published(f"_dmarc.{config.domain}", "TXT", policy, "DMARC: what others do with mail that only claims to be")
    for address in _addresses(host) or ["192.0.2.1 ; the address of this machine instead"]:
        yield Published(host, "AAAA" if ":" in address else "A", address, "the machine that takes and sends")


def is_fetched(config: Config) -> bool:
    """Whether all mail comes from mailboxes elsewhere, so that no mail server of ours has a name to publish."""
    return bool(config.imap) and not config.authserv_id and not config.lmtp_listen


def host_of(config: Config) -> str:
    """The name of the machine that takes the judge's mail, as far as it is known."""
    return config.authserv_id or socket.getfqdn()


def public_key(config: Config) -> str:
    """The public half of the key that letters are signed with, as DKIM publishes it. Raises ConfigError."""
    from judge.service.posting.signing import read_key

    key = read_key(config)
    numbers = b"".join(_der(2, _unsigned(key[part])) for part in ("modulus", "publicExponent"))
    algorithm = _der(0x30, bytes.fromhex("06092a864886f70d0101010500"))  # rsaEncryption, NULL
    return base64.b64encode(_der(0x30, algorithm + _der(3, b"\0" + _der(0x30, numbers)))).decode("ascii")


def _unsigned(number: int) -> bytes:
    return number.to_bytes(number.bit_length() // 8 + 1, "big")


def _der(tag: int, content: bytes) -> bytes:
    """One value in DER (X.690, 8.1)."""
    size = len(content)
    if size < 128:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def _value(record: Published) -> str:
    """The value as a zone file has it: text in quotes, in pieces of at most 255 octets (RFC 1035, 3.3)."""
    if record.kind != "TXT":
        return record.value
    pieces = [record.value[at : at + 250] for at in range(0, len(record.value), 250)]
    quoted = " ".join(f'"{piece}"' for piece in pieces)
    return quoted if len(pieces) == 1 else f"( {quoted} )"


def _is_here(host: str) -> bool:
    return host in ("", "localhost", "127.0.0.1", "::1")


def _addresses(host: str) -> list[str]:
    """The public addresses of a name, as this machine sees them."""
    try:
        found = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)}
    except OSError:
        return []
    return sorted(address for address in found if ipaddress.ip_address(address).is_global)
