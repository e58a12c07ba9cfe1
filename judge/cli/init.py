"""`judge init`: from nothing to a judge that can be started: configuration, folder, database, key, a Gamemaster."""

from __future__ import annotations

import json
import os
import pwd
import re
import shutil
import socket
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from judge.cli.common import be_private, become, must_reach
from judge.config_file import SYSTEM_CONFIG, find_config, load_config
from judge.mail.raw.addresses import read_address
from judge.resources import folder
from judge.service.core.house import open_house
from judge.service.core.persons import add_gm
from judge.store.files import private_file, private_folder

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
    home = open_house(config, upgrade=True)
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
