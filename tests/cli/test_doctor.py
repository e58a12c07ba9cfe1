"""`judge doctor` finds what people forget, says how to mend it, and finds nothing where all is well."""

from __future__ import annotations

import base64
import json
import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import cli, doctor, mailways
from judge.cli.init import public_key, records
from judge.cli.mailways import Diagnosis, Health
from judge.config import Config, Imap, Relay, load_config
from judge.daemon.continuity import Alone, lock_of
from judge.service.core.judge import Judge, open_judge
from judge.service.intake.door import new_mail
from judge.service.upkeep.backups import HEARTBEAT
from judge.store.backup import TAKEN_AT
from judge.testing.sink import SinkServer
from judge.transport.ports import Arrival
from tests.support.nameserver import NameServer, Zone

HOST, DOMAIN = "mx.example.org", "judge.example.org"


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A judge behind a Postfix, as `judge init` makes it."""
    words = [
        "init",
        "--domain",
        DOMAIN,
        "--host",
        HOST,
        "--mail",
        "postfix",
        "--operator",
        "o@x.test",
        "--gm",
        "g@x.test",
    ]
    made = CliRunner().invoke(cli, ["--config", str(tmp_path / "judge.toml"), *words])
    assert made.exit_code == 0, made.output
    tmp_path.chmod(0o700)
    return load_config(tmp_path / "judge.toml")


@pytest.fixture
def judge(config: Config) -> Iterator[Judge]:
    with closing(open_judge(config)) as opened:
        yield opened


def one(found: Iterator[Diagnosis] | list[Diagnosis], what: str) -> Diagnosis:
    (finding,) = (each for each in found if each.what == what)
    return finding


# --- names --------------------------------------------------------------------------------------------------------


def published(config: Config) -> dict[tuple[str, str], list[str]]:
    """What `judge dns` says, as if somebody had pasted it."""
    zone: dict[tuple[str, str], list[str]] = {}
    for each in records(config, HOST):
        if each.kind == "TXT":
            pieces = [each.value[at : at + 200] for at in range(0, len(each.value), 200)]
            zone.setdefault((each.name, "TXT"), []).append(" ".join(f'"{piece}"' for piece in pieces))
        elif each.kind == "MX":
            zone[each.name, "MX"] = [each.value]
    return zone | {(HOST, "A"): ["192.0.2.1"], ("1.2.0.192.in-addr.arpa", "PTR"): [f"{HOST}."]}


def examine(config: Config, zone: Zone) -> dict[str, Diagnosis]:
    with NameServer(zone) as server:
        found = mailways.names(config, mailways.resolver(server.address), anyway=True)
        return {finding.what: finding for finding in found}


def test_what_judge_dns_prints_is_what_the_doctor_looks_for(config: Config) -> None:
    found = examine(config, published(config))
    assert {what: finding.health for what, finding in found.items()} == dict.fromkeys(
        ["mx", "spf", "dkim", "dmarc", "reverse dns"], Health.OK
    ), found


def test_the_key_that_is_published_is_the_one_that_openssl_sees(config: Config) -> None:
    asked = ["openssl", "rsa", "-in", str(config.var / "dkim.pem"), "-pubout", "-outform", "DER"]
    seen = subprocess.run(asked, capture_output=True, check=True).stdout
    assert public_key(config) == base64.b64encode(seen).decode()


DKIM = (f"judge._domainkey.{DOMAIN}", "TXT")
REVERSE = ("1.2.0.192.in-addr.arpa", "PTR")
FORGOTTEN = [
    ("mx", {(DOMAIN, "MX"): None}, Health.WRONG, "no MX"),
    ("mx", {(DOMAIN, "MX"): ["10 gone.example.org."]}, Health.WRONG, "no address"),
    ("mx", {(DOMAIN, "MX"): ["10 b.example.org."], ("b.example.org", "A"): ["192.0.2.9"]}, Health.LOOK, HOST),
    ("spf", {(DOMAIN, "TXT"): None}, Health.WRONG, "no SPF"),
    ("spf", {(DOMAIN, "TXT"): ['"v=spf1 -all"']}, Health.WRONG, "nobody"),
    ("spf", {(DOMAIN, "TXT"): ['"v=spf1 mx +all"']}, Health.WRONG, "anybody"),
    ("spf", {(DOMAIN, "TXT"): ['"v=spf1 mx -all"', '"v=spf1 a -all"']}, Health.WRONG, "two"),
    ("dkim", {DKIM: None}, Health.WRONG, "no key"),
    ("dkim", {DKIM: ['"v=DKIM1; k=rsa; p=MIIBIjANBgkq"']}, Health.WRONG, "another key"),
    ("dmarc", {(f"_dmarc.{DOMAIN}", "TXT"): None}, Health.WRONG, "no DMARC"),
    ("reverse dns", {REVERSE: None}, Health.WRONG, "called nothing"),
    ("reverse dns", {REVERSE: ["pool-7.provider.example."]}, Health.WRONG, "pool-7.provider.example"),
    ("reverse dns", {(HOST, "A"): None}, Health.WRONG, "no address"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "change", "health", "word"), FORGOTTEN)
def test_what_is_forgotten_is_found(
    config: Config, what: str, change: dict[tuple[str, str], list[str] | None], health: Health, word: str
) -> None:
    zone = {key: values for key, values in (published(config) | change).items() if values is not None}
    found = examine(config, zone)[what]
    assert found.health is health and word in found.say, found
    assert found.mend


def test_the_policy_of_a_parent_domain_counts(config: Config) -> None:
    zone = published(config)
    del zone[f"_dmarc.{DOMAIN}", "TXT"]
    found = examine(config, zone | {("_dmarc.example.org", "TXT"): ['"v=DMARC1; p=none"']})
    assert found["dmarc"].health is Health.OK


def test_a_name_server_that_does_not_answer_is_told(config: Config) -> None:
    def silent(name: str, kind: str, /) -> list[str]:
        raise mailways.Unanswered("timed out")

    found = list(mailways.names(config, silent, anyway=True))
    assert len(found) == 5 and all(each.health is Health.WRONG and "timed out" in each.say for each in found)


def test_a_domain_that_is_none_of_the_internet_is_not_looked_up() -> None:
    def never(name: str, kind: str, /) -> list[str]:
        raise AssertionError(name)

    for domain in ("localhost", "judge.test", "judge.localhost", "judge.example.org"):
        (found,) = mailways.names(Config(domain=domain), never)
        assert found.health is Health.OK


# --- the machine --------------------------------------------------------------------------------------------------


def test_a_healthy_machine_has_nothing_wrong(config: Config) -> None:
    found = [*doctor.python(), *doctor.boards(config), *doctor.fonts(), *doctor.files(config)]
    assert [each for each in found if each.health is not Health.OK] == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_in_other_hands_is_named(config: Config) -> None:
    os.chown(config.var / "judge.db", 12345, 12345)
    found = one(list(doctor.files(config)), "owner")
    assert found.health is Health.WRONG and "judge.db" in found.say and "chown" in found.mend


@pytest.mark.parametrize(("free", "health"), [(10_000_000, "WRONG"), (600_000_000, "look"), (50_000_000_000, "ok")])
def test_a_disk_that_fills_is_told_before_it_is_full(config: Config, free: int, health: str) -> None:
    assert doctor.disk(config, usage=lambda _: (10**12, 0, free)).health == health


def test_a_clock_that_nobody_sets_is_told() -> None:
    found = doctor.clock(asked=lambda: 5, contained=lambda: False)
    assert found.health is Health.LOOK and found.mend.startswith("apt install")
    inside = doctor.clock(asked=lambda: 5, contained=lambda: True)
    assert inside.mend.startswith("on the machine that runs this container"), "a container has no clock of its own"
    assert doctor.clock(asked=lambda: 0).health is Health.OK


def test_fonts_that_are_missing_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.raster._FONT_FILES", [])
    (found,) = doctor.fonts()
    assert found.health is Health.WRONG


# --- the database -------------------------------------------------------------------------------------------------


def test_nobody_runs_and_no_backup_are_told_and_are_not_wrong(config: Config) -> None:
    found = list(doctor.database(config, trust=False))
    assert one(found, "heartbeat").health is Health.LOOK
    assert one(found, "backup").health is Health.LOOK


@pytest.mark.parametrize(("ago", "health"), [(20, Health.OK), (900, Health.WRONG), (-900, Health.WRONG)])
def test_a_judge_that_runs_but_does_not_sweep_is_told(config: Config, judge: Judge, ago: int, health: Health) -> None:
    with judge.store.write() as unit:
        unit.meta.set(HEARTBEAT, (judge.clock.now() - timedelta(seconds=ago)).isoformat())
    running = Alone(lock_of(config))
    running.take()
    os.utime(lock_of(config), (1e9, 1e9))  # it began long ago
    try:
        assert one(list(doctor.database(config, trust=False)), "heartbeat").health is health
    finally:
        running.free()


@pytest.mark.parametrize(("hours", "health"), [(5, Health.OK), (100, Health.WRONG)])
def test_a_backup_that_is_old_is_told(config: Config, judge: Judge, hours: int, health: Health) -> None:
    with judge.store.write() as unit:
        unit.meta.set(TAKEN_AT, (judge.clock.now() - timedelta(hours=hours)).isoformat())
    assert one(list(doctor.database(config, trust=False)), "backup").health is health


# --- the ways of the mail -----------------------------------------------------------------------------------------

RECEIVED = f"Received: from their.example (their.example [192.0.2.7]) by {HOST} (Postfix) with ESMTP; x"
PASS = f"Authentication-Results: {HOST}; dmarc=pass header.from=players.test"


def receive(judge: Judge, *fields: str, number: int = 1) -> None:
    """A mail as it comes in by LMTP."""
    raw = "\r\n".join([*fields, "From: a@players.test", f"Message-ID: <{number}@players.test>", "", "help", ""])
    arrival = Arrival(
        raw.encode(), "lmtp", f"k{number}", "a@players.test", (judge.config.address,), judge.clock.now(), "127.0.0.1"
    )
    with judge.store.write() as unit:
        unit.inbox.put(new_mail(judge, arrival))


def test_before_any_mail_has_come_nobody_can_tell(judge: Judge) -> None:
    (found,) = mailways.verdicts(judge)
    assert found.health is Health.LOOK


def test_a_verdict_where_it_is_looked_for_is_well(judge: Judge) -> None:
    receive(judge, RECEIVED, PASS)
    assert {each.health for each in mailways.verdicts(judge)} == {Health.OK}


@pytest.mark.parametrize(
    ("fields", "what", "word"),
    [
        ((RECEIVED,), "verdicts", "none of the last 1 mails bears a verdict"),
        ((RECEIVED, PASS.replace(HOST, "filter.example.org")), "verdicts", "filter.example.org"),
        ((RECEIVED.replace(f"by {HOST}", "by other.example.org"), PASS), "trusted relays", "other.example.org has"),
    ],
    ids=["no filter", "another name", "another server"],
)
def test_what_really_comes_is_held_against_the_settings(
    judge: Judge, fields: tuple[str, ...], what: str, word: str
) -> None:
    receive(judge, *fields)
    found = one(list(mailways.verdicts(judge)), what)
    assert found.health is Health.WRONG and word in found.say and found.mend


def test_verdicts_in_the_other_place_are_seen_there(config: Config, judge: Judge) -> None:
    receive(judge, RECEIVED, PASS)
    above = replace(judge, config=replace(config, verdicts="above"))
    found = one(list(mailways.verdicts(above)), "verdicts")
    assert found.health is Health.WRONG and 'mail.verdicts = "below"' in found.mend


def relay_at(config: Config, sink: SinkServer) -> Config:
    return replace(config, relay=Relay("127.0.0.1", sink.port))


def test_a_relay_is_greeted(config: Config) -> None:
    with SinkServer() as sink:
        assert mailways.relay(relay_at(config, sink)).health is not Health.WRONG
        gone = relay_at(config, sink)
    assert mailways.relay(gone).health is Health.WRONG


def test_a_mail_to_ourselves_that_comes_back_is_seen(config: Config, judge: Judge) -> None:
    with SinkServer() as sink:
        home = replace(judge, config=relay_at(config, sink))

        def carry(_seconds: float) -> None:
            for mail in sink.mails:
                arrival = Arrival(mail.data, "lmtp", "back", "", (config.address,), judge.clock.now(), "127.0.0.1")
                with judge.store.write() as unit:
                    unit.inbox.put(new_mail(judge, arrival))

        found = mailways.round_trip(home, patience=timedelta(seconds=20), pause=carry)
        assert found.health is Health.OK, found
        (mail,) = sink.mails
        assert mail.rcpt_to == (config.address,)


def test_a_mail_to_ourselves_that_is_lost_is_told(config: Config, judge: Judge) -> None:
    with SinkServer() as sink:
        home = replace(judge, config=relay_at(config, sink))
        found = mailways.round_trip(
            home, patience=timedelta(seconds=1), pause=lambda _: None, tick=iter(range(9)).__next__
        )
    assert found.health is Health.WRONG and "has not come back" in found.say


# --- the command --------------------------------------------------------------------------------------------------


def test_the_command_says_all_of_it_and_ends_as_it_found(config: Config) -> None:
    words = ["--config", str(config.file), "doctor"]
    done = CliRunner().invoke(cli, [*words, "--offline", "--json"])
    found = {line["what"]: line for line in map(json.loads, done.output.splitlines())}
    assert done.exit_code == 0, done.output
    assert {"python", "fonts", "disk", "clock", "database", "heartbeat", "backup", "verdicts"} <= set(found)
    assert found["backup"]["health"] == "look" and found["backup"]["ok"] and "judge backup" in found["backup"]["mend"]
    with NameServer({}) as server:
        done = CliRunner().invoke(cli, [*words, "--nameserver", server.address])
    assert done.exit_code == 1
    assert "WRONG  mx:" in done.output and "       mend: judge dns" in done.output


def test_a_mailbox_says_in_the_words_of_its_server_why_it_lets_nobody_in(tmp_path: Path) -> None:
    (tmp_path / "imap.password").write_text("wrong")
    (tmp_path / "imap.password").chmod(0o600)
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_refuse_login, args=(server,), daemon=True).start()
        box = Imap("main", "127.0.0.1", "judge", "imap.password", port=server.getsockname()[1], tls="none")
        (found,) = mailways.mailboxes(Config(var=tmp_path, imap=(box,)))
    assert found.health is Health.WRONG
    assert found.say == "127.0.0.1: [AUTHENTICATIONFAILED] No such luck."


def _refuse_login(server: socket.socket) -> None:
    """An IMAP server that knows nobody (RFC 5530)."""
    line, _ = server.accept()
    with line, line.makefile("rwb", buffering=0) as talk:
        talk.write(b"* OK here\r\n")
        for said in talk:
            tag, command = said.split()[:2]
            if command.upper() == b"CAPABILITY":
                talk.write(b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK done\r\n")
            else:
                talk.write(tag + b" NO [AUTHENTICATIONFAILED] No such luck.\r\n")
