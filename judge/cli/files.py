"""`judge files`: the files that a judge's machine needs beside the judge, filled in with what its configuration says.

They ship in deploy/, with `@WORD@` where a name or a port of this site belongs.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import click

from judge.cli.common import read_configuration, table
from judge.config import Config
from judge.config_file import find_config
from judge.resources import folder
from judge.store.files import public_file, public_folder
from judge.transport.listener import read_endpoint


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
