"""`judge init`, `judge files` and `judge dns`: from nothing to a judge that can be started, the files that its machine
needs beside it, and what its domain has to publish.

They ship in deploy/, with `@WORD@` where a name or a port of this site belongs.
"""

from __future__ import annotations

import base64
import ipaddress
import json
import os
import pwd
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import click

from judge.cli.common import be_private, become, configured, must_reach, read_configuration, table
from judge.config import SYSTEM_CONFIG, Config, find_config, load_config
from judge.mail.raw.addresses import read_address
from judge.resources import folder
from judge.service.core.judge import open_judge
from judge.service.core.persons import add_gm
from judge.store.files import private_file, private_folder, public_file, public_folder
from judge.transport.listener import read_endpoint

_SECTION = re.compile(r"(?:# )?\[\[?(?P<name>\w+)\]\]?")
_KEY = re.compile(r"(?:# )?(?P<name>\w+) = (?P<value>\S.*?)?(?P<remark> {2,}#.*)?")


def with_settings(documented: str, settings: Mapping[str, Mapping[str, Any]]) -> str:
    """The text of `documented` with these keys set, by section. A key that it does not document is a KeyError.

    >>> print(with_settings("[relay]\\n# The host.\\n# host = \\"\\"\\n", {"relay": {"host": "mx.example.org"}}))
    [relay]
    # The host.
    host = "mx.example.org"
    <BLANKLINE>
    """
    left = {(section, key): value for section, keys in settings.items() for key, value in keys.items()}
    section, lines = "", []
    for line in documented.split("\n"):
        if (found := _SECTION.fullmatch(line)) is not None:
            section = found["name"]
            lines.append(line.removeprefix("# ") if section in settings else line)
            continue
        found = _KEY.fullmatch(line)
        if found is None or (section, found["name"]) not in left:
            lines.append(line)
            continue
        value = left.pop((section, found["name"]))
        lines.append(f"{found['name']} = {_written(value)}{found['remark'] or ''}")
    if left:
        raise KeyError(", ".join(".".join(each) for each in left))
    return "\n".join(lines)


def _written(value: Any) -> str:
    """A value as TOML has it; for text, numbers, truth and lists that is JSON."""
    return json.dumps(value, ensure_ascii=False)


_DOMAIN = re.compile(r"(?!-)[A-Za-z0-9-]{1,63}(?:\.(?!-)[A-Za-z0-9-]{1,63})*")
KEY, PASSWORD = "dkim.pem", "mail-password"
SELECTOR = "judge"
LMTP, HEALTH, RELAY_PORT = "127.0.0.1:8024", "127.0.0.1:8026", 10026


@dataclass(frozen=True, slots=True)
class Site:
    """What a judge's operator says of the place."""

    domain: str
    host: str
    operator: str
    way: str
    imap: str
    relay: str


WAYS = {
    "postfix": "a Postfix on this machine hands it over",
    "imap": "it is fetched from a mailbox at any provider",
    "local": "a judge to try: programs of this machine hand it over, and letters stay here",
}
"""How mail comes to a judge, and goes."""


@click.command("init")
@click.option("--domain", help="The judge's mail domain: it gets the mail to judge@DOMAIN.")
@click.option("--operator", help="Who is told when something needs a human being.")
@click.option("--gm", help="The first Gamemaster, who may create games.")
@click.option(
    "--mail", "way", type=click.Choice(list(WAYS)), help=" ".join(f"{name}: {what}." for name, what in WAYS.items()),
)  # fmt: skip
@click.option("--host", default="", help="postfix: this machine's name in the DNS (default: as the system has it).")
@click.option("--imap", default="", metavar="HOST", help="imap: where the mailbox is.")
@click.option("--relay", default="", metavar="HOST", help="imap: what takes our letters, by STARTTLS at port 587.")
@click.option("--user", default="judge", show_default=True, help="If root asks: the user that the judge runs as.")
@click.pass_context
def init_command(context: click.Context, /, user: str, **said: str | None) -> None:
    """Write a commented judge.toml, make the judge's folder and database, and the first Gamemaster.

    What no option says is asked for. Root writes /etc/judge/judge.toml and /var/lib/judge, everybody else ./var.
    """
    be_private()
    file, var = _places(context.find_root().obj)
    if file.exists():
        raise click.ClickException(f"there is a configuration already: {file}; nothing was touched")
    owner = _owner(user) if _is_system(file) else None  # before anybody answers questions in vain
    site, gm = _ask(said)
    if owner is not None:
        must_reach(owner.pw_uid)
    _write(file, var, site, owner)
    if owner is not None:
        become(owner.pw_uid)
    signs = site.way != "postfix" or _make_key(var / KEY)
    config = load_config(file)
    home = open_judge(config, upgrade=True)
    try:
        added = add_gm(home, gm)
    finally:
        home.close()
    click.echo(f"Wrote {file}; every setting is explained in it.")
    click.echo(f"{added.address} may create and run games. Password (shown this once): {added.password}")
    if not signs:
        click.echo(f"There is no openssl here: put an RSA key (PEM) into {var / KEY}, or empty relay.dkim_selector.")
    for line in _what_next(site, var):
        click.echo(line)


def _places(given: str | None) -> tuple[Path, Path]:
    """Where the configuration goes, and the judge's folder."""
    if given or os.environ.get("JUDGE_CONFIG"):
        file = find_config(given)
        assert file is not None
        return file.resolve(), Path("/var/lib/judge") if _is_system(file.resolve()) else file.resolve().parent
    if os.geteuid() == 0:
        return SYSTEM_CONFIG, Path("/var/lib/judge")
    return Path("var/judge.toml").resolve(), Path("var").resolve()


def _is_system(file: Path) -> bool:
    return file == SYSTEM_CONFIG and os.geteuid() == 0


def _ask(said: dict[str, str | None]) -> tuple[Site, str]:
    """The site and the first Gamemaster: from options, else from whoever sits there."""
    domain = said["domain"] or click.prompt("The judge's mail domain, as in judge.example.org")
    if not _DOMAIN.fullmatch(domain):
        raise click.BadParameter(f'"{domain}" is not a mail domain', param_hint="--domain")
    way = said["way"]
    if not way:
        click.echo("\n".join(f"  {name:<8} {what}" for name, what in WAYS.items()))
        way = click.prompt("How does mail come", type=click.Choice(list(WAYS)), default="postfix")
    host = said["host"] or ""
    if way == "postfix" and not host:
        host = _host(domain)
    if way == "postfix" and host.lower() == domain.lower():
        raise click.BadParameter(
            f"the machine needs a name of its own, such as mx.{domain}; mail to {domain} is all the judge's",
            param_hint="--host",
        )
    imap = relay = ""
    if way == "imap":
        imap = said["imap"] or click.prompt("The host of the mailbox")
        relay = said["relay"] or click.prompt("The host that takes our letters", default=imap)
    operator = _address(
        said["operator"] or click.prompt("Your own address, for what needs a human being"), "--operator"
    )
    gm = _address(said["gm"] or click.prompt("The first Gamemaster's address", default=operator), "--gm")
    return Site(domain, host, operator, way, imap, relay), gm


def _address(text: str, option: str) -> str:
    address = read_address(text)
    if address is None:
        raise click.BadParameter(f'"{text}" is not a mail address', param_hint=option)
    return address


def _host(domain: str) -> str:
    """This machine's name, or one that it should have."""
    name = socket.getfqdn().lower().rstrip(".")
    proper = "." in name and not name.startswith(("localhost", "127.")) and name != domain.lower()
    return str(click.prompt("This machine's name in the DNS", default=name if proper else f"mx.{domain}"))


def _owner(user: str) -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(user)
    except KeyError:
        raise click.ClickException(
            f'there is no user "{user}" here; first: judge files judge.sysusers > /etc/sysusers.d/judge.conf && '
            "systemd-sysusers"
        ) from None


def _write(file: Path, var: Path, site: Site, owner: pwd.struct_passwd | None) -> None:
    """The configuration, readable by the judge; the folder, the judge's alone."""
    documented = (folder("deploy") / "judge.toml").read_text(encoding="utf-8")
    settings = _settings(site)
    if var != file.parent:
        settings["paths"] = {"var": str(var)}
    text = with_settings(documented, settings)
    file.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    if owner is not None:
        file.parent.chmod(0o755)
    private_folder(var)
    private_file(file).write_text(text, encoding="utf-8")
    if owner is not None:
        file.chmod(0o640)
        os.chown(file, 0, owner.pw_gid)
        os.chown(var, owner.pw_uid, owner.pw_gid)


def _settings(site: Site) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {"judge": {"domain": site.domain, "operator": site.operator}}
    if site.way != "local":
        found["health"] = {"listen": HEALTH}
    if site.way == "postfix":
        found["smtp"] = {"listen": ""}
        found["lmtp"] = {"listen": LMTP}
        found["relay"] = {
            "host": "127.0.0.1", "port": RELAY_PORT, "dkim_selector": SELECTOR, "dkim_key_file": KEY,
        }  # fmt: skip
        found["mail"] = {"authserv_id": site.host, "verdicts": "below", "trusted_mx": [site.host]}
    if site.way == "imap":
        user = f"judge@{site.domain}"
        found["smtp"] = {"listen": ""}
        found["imap"] = {
            "name": "main", "host": site.imap, "port": 993, "tls": "tls", "user": user,
            "password_file": PASSWORD, "folder": "INBOX", "processed": "Processed", "quarantine": "Quarantine",
        }  # fmt: skip
        found["relay"] = {
            "host": site.relay, "port": 587, "tls": "starttls", "user": user, "password_file": PASSWORD,
        }  # fmt: skip
    return found


def _make_key(path: Path) -> bool:
    """An RSA key to sign letters with; False where nobody can make one."""
    if path.exists():
        return True
    openssl = shutil.which("openssl")
    if openssl is None:
        return False
    made = subprocess.run([openssl, "genrsa", "-traditional", "2048"], capture_output=True, check=False)
    if made.returncode != 0:
        made = subprocess.run([openssl, "genrsa", "2048"], capture_output=True, check=False)
    if made.returncode != 0:
        return False
    private_file(path).write_bytes(made.stdout)
    return True


def _what_next(site: Site, var: Path) -> list[str]:
    if site.way == "local":
        return ["Start it: judge run", f"Read its letters: judge inbox {site.operator}"]
    secret = f"Put the mailbox's password into {var / PASSWORD}; nobody but the judge may read it."
    steps = [] if site.way == "postfix" else [secret]
    return [*steps, "What the DNS has to say: judge dns", "Whether all is well: judge doctor"]


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
    from judge.service.posting.composing import read_key

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


class Shipped(NamedTuple):
    """A file of deploy/ and where it belongs on a Debian machine."""

    name: str
    belongs: str


SHIPPED = (
    Shipped("systemd/judge.service", "/etc/systemd/system/judge.service"),
    Shipped("systemd/judge.sysusers", "/etc/sysusers.d/judge.conf"),
    Shipped("systemd/judge-backup.service", "/etc/systemd/system/judge-backup.service"),
    Shipped("systemd/judge-backup.timer", "/etc/systemd/system/judge-backup.timer"),
    Shipped("postfix/main.cf", "/etc/postfix/main.cf"),
    Shipped("postfix/master.cf", "at the end of /etc/postfix/master.cf"),
    Shipped("opendkim/opendkim.conf", "/etc/opendkim.conf"),
    Shipped("opendkim/opendmarc.conf", "/etc/opendmarc.conf"),
    Shipped("dovecot/judge.conf", "/etc/dovecot/conf.d/99-judge.conf (Dovecot 2.3)"),
    Shipped("dovecot/judge-2.4.conf", "/etc/dovecot/conf.d/99-judge.conf (Dovecot 2.4)"),
    Shipped("nginx/judge.conf", "/etc/nginx/snippets/judge.conf"),
    Shipped("monitoring/prometheus.yml", "a job of /etc/prometheus/prometheus.yml"),
    Shipped("monitoring/alerts.yml", "the rules of your Prometheus"),
    Shipped("monitoring/grafana.json", "a dashboard of your Grafana"),
    Shipped("container/Containerfile", "a folder, with the wheel"),
    Shipped("container/compose.yaml", "the same folder"),
    Shipped("RUNBOOK.md", "where you find it on a bad day"),
    Shipped("CAPACITY.md", "beside RUNBOOK.md"),
    Shipped("judge.toml", "/etc/judge/judge.toml"),
)
_WORD = re.compile(r"@([A-Z_]+)@")
_GROWTH = 4096
"""Bytes that the fields of our own mail server may add to a mail on its way to the judge."""


@click.command("files")
@click.argument("name", required=False)
@click.option("--to", type=click.Path(file_okay=False, path_type=Path), help="Write all of them into this folder.")
@click.option("--host", default="", help="This machine's name (else mail.authserv_id, else as the system has it).")
@click.pass_context
def files_command(context: click.Context, name: str | None, to: Path | None, host: str) -> None:
    """Print file NAME for this judge's machine, filled in: of Postfix, OpenDKIM, systemd and others.

    Without NAME: which files there are, and where each belongs.
    """
    if name is None and to is None:
        table([(each.name, each.belongs) for each in SHIPPED], ("file", "belongs to"))
        return
    if name is not None and not _WORD.search(text := as_shipped(_one(name))):
        click.echo(text, nl=False)  # the same everywhere: needed before there is a configuration
        return
    if find_config(context.find_root().obj) is None:
        raise click.ClickException("there is no configuration yet to fill this in from; first: judge init")
    facts = facts_of(read_configuration(context), host=host)
    if name is not None:
        click.echo(filled(_one(name), facts), nl=False)
        return
    assert to is not None
    for each in SHIPPED:
        path = public_folder((to / each.name).parent) / Path(each.name).name
        public_file(path).write_text(filled(each.name, facts), encoding="utf-8")
    click.echo(f"{len(SHIPPED)} files written to {to}")


def filled(name: str, facts: Mapping[str, str]) -> str:
    """The text of a file of deploy/ with what belongs in it. Raises KeyError for a word that no fact fills."""
    return _WORD.sub(lambda word: facts[word[1]], as_shipped(name))


def as_shipped(name: str) -> str:
    """The text of a file of deploy/ as it ships."""
    return (folder("deploy") / name).read_text(encoding="utf-8")


def facts_of(config: Config, *, host: str = "") -> dict[str, str]:
    """What a judge's configuration says of its site: the words of the files, and what stands for them."""
    lmtp = read_endpoint(config.lmtp_listen or "127.0.0.1:8024")
    relay = config.relay.port if config.relay.host and config.relay.port != 25 else 10026
    return {
        "HOST": host or config.authserv_id or socket.getfqdn(),
        "DOMAIN": config.domain,
        "LMTP": str(lmtp) if lmtp.path else f"inet:{lmtp}",
        "MX": "smtp",
        "RELAY": f"127.0.0.1:{relay}",
        "RELAY_PORT": str(relay),
        "SIZE": str(max(config.max_bytes - _GROWTH, 1)),
        "MILTERS": "inet:127.0.0.1:8891, inet:127.0.0.1:8893",
        "CERTIFICATE": "/etc/ssl/certs/ssl-cert-snakeoil.pem",
        "KEY": "/etc/ssl/private/ssl-cert-snakeoil.key",
        "SELECTOR": config.relay.dkim_selector or "judge",
        "HEALTH": config.health_listen or "127.0.0.1:8026",
        "HTTP": config.http_listen or "127.0.0.1:8080",
    }


def _one(name: str) -> str:
    """The shipped file of this name; its last part will do where that is one file's alone."""
    fitting = [each.name for each in SHIPPED if name in (each.name, Path(each.name).name)]
    if len(fitting) != 1:
        raise click.ClickException(f"there is no file {name}; see: judge files")
    return fitting[0]
