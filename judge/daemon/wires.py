"""The wires of a running judge: listeners, sources and the courier, made from the configuration."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from judge.config import Config, read_secret
from judge.service.core.judge import Judge
from judge.service.intake.door import Door
from judge.service.posting.outgoing import OneClick
from judge.store.files import private_file
from judge.transport.imap_in import ImapAccount, ImapHabits, ImapSource
from judge.transport.listener import CannotListen, Endpoint, Listener, ListenerLimits, read_endpoint
from judge.transport.maildir import MaildirCourier, MaildirSource
from judge.transport.pace import TokenBucket
from judge.transport.ports import Courier, MailSource
from judge.transport.smtp_in import lmtp_listener, smtp_listener
from judge.transport.smtp_out import RelayServer, SmtpCourier
from judge.transport.web import http_listener


@dataclass
class Wires:
    """What is connected to the outside. `endpoints`: name -> where it listens, once started."""

    listeners: dict[str, Listener] = field(default_factory=dict)
    sources: list[MailSource] = field(default_factory=list)
    endpoints: dict[str, Endpoint] = field(default_factory=dict)

    def start(self, config: Config) -> None:
        """Open the listeners and write where they listen to var/listen.json. Raises CannotListen, with the setting."""
        for name, listener in self.listeners.items():
            try:
                self.endpoints[name] = listener.start()
            except CannotListen as error:
                where = f" in {config.file}" if config.file else ""
                raise CannotListen(f"{error} (the setting is {name}.listen{where})") from error
        places = {name: str(endpoint) for name, endpoint in self.endpoints.items()}
        private_file(config.var / "listen.json").write_text(json.dumps(places) + "\n", encoding="utf-8")

    def stop(self, *, grace: float) -> None:
        """Close the listeners; mails in hand are finished first."""
        for listener in self.listeners.values():
            listener.stop(grace=grace)


def make_wires(judge: Judge, door: Door) -> Wires:
    """All wires that the configuration asks for, not yet started."""
    config, now = judge.config, judge.clock.now
    wires = Wires()
    limits = ListenerLimits(message=config.max_bytes)
    if config.smtp_listen:
        wires.listeners["smtp"] = smtp_listener(
            door, read_endpoint(config.smtp_listen), now=now, hostname=config.domain, limits=limits
        )
    if config.lmtp_listen:
        wires.listeners["lmtp"] = lmtp_listener(
            door, read_endpoint(config.lmtp_listen), now=now, hostname=config.domain, limits=limits
        )
    if config.http_listen:
        where = read_endpoint(config.http_listen)
        wires.listeners["http"] = http_listener(OneClick(judge, door), where, title=config.name)
    if config.maildir:
        folder = (config.var / config.maildir).resolve()
        wires.sources.append(MaildirSource(folder, door, now=now, max_bytes=config.max_bytes, oversize=door.oversize))
    for account in _accounts(config):
        habits = ImapHabits(max_bytes=config.max_bytes)
        wires.sources.append(ImapSource(account, door, now=now, habits=habits, oversize=door.oversize))
    return wires


def _accounts(config: Config) -> list[ImapAccount]:
    return [
        ImapAccount(
            name=box.name,
            host=box.host,
            user=box.user,
            password=read_secret(box.password_file, config.var),
            port=box.port,
            tls=box.tls,
            folder=box.folder,
            processed=box.processed,
            quarantine=box.quarantine,
        )
        for box in config.imap
    ]


def make_courier(config: Config, senders: Callable[[], int] = lambda: 1) -> Courier:
    """Letters go to the relay, or into local Maildirs under var/mail when none is configured. `senders`: how many
    daemons send at present, which keep to the relay's rate together.
    """
    relay = config.relay
    if not relay.host:
        return MaildirCourier(config.var / "mail")
    password = read_secret(relay.password_file, config.var) if relay.password_file else ""
    to = RelayServer(relay.host, relay.port, relay.user, password, relay.tls)
    carry = partial(SmtpCourier, lambda domain: to, helo=config.domain, connections=relay.connections)
    if not relay.rate:
        return carry()
    pace = TokenBucket(
        per_second=relay.rate,
        burst=max(1, relay.rate),
        monotonic=time.monotonic,
        sleep=time.sleep,
        sharers=senders,
    )
    return carry(pace=pace)
