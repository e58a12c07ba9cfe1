"""The files that `judge files` gives to an operator: all of deploy/ that a site needs, with nothing left to fill in."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.cli.init import SHIPPED, facts_of, filled
from judge.config import Config, Relay

ROOT = Path(__file__).resolve().parents[2]
OURS = {"README.md", "spring-1902.png", "constraints.txt", "build_hook.py", "run", "test", "venv.sh"}
"""What those need who work on the judge, not those who run it."""

SITE = (
    '[judge]\ndomain = "judge.example.org"\n[mail]\nauthserv_id = "mx.example.org"\n[lmtp]\nlisten = "127.0.0.1:8024"\n'
)


def invoke(folder: Path, *words: str, settings: str = SITE) -> str:
    (folder / "judge.toml").write_text(settings)
    result = CliRunner().invoke(cli, ["--config", str(folder / "judge.toml"), *words])
    assert result.exit_code == 0, result.output
    return result.output


def test_every_file_of_the_folder_is_given_out() -> None:
    there = {path.relative_to(ROOT / "deploy").as_posix() for path in (ROOT / "deploy").rglob("*") if path.is_file()}
    assert {each.name for each in SHIPPED} == {name for name in there - OURS if "__pycache__" not in name}


@pytest.mark.parametrize("name", [each.name for each in SHIPPED])
def test_nothing_is_left_to_fill_in(name: str, tmp_path: Path) -> None:
    text = invoke(tmp_path, "files", name)
    assert text and not re.search(r"@[A-Z_]+@", text)


def test_names_and_ports_are_those_of_the_site(tmp_path: Path) -> None:
    text = invoke(tmp_path, "files", "main.cf")
    assert "\nmyhostname = mx.example.org\n" in text
    assert "transport_maps = inline:{ { judge.example.org = judge:inet:127.0.0.1:8024 } }" in text
    text = invoke(tmp_path, "files", "main.cf", "--host", "mail.example.org")
    assert "\nmyhostname = mail.example.org\n" in text


def test_monitoring_asks_where_the_judge_answers(tmp_path: Path) -> None:
    text = invoke(tmp_path, "files", "prometheus.yml", settings=SITE + '[health]\nlisten = "127.0.0.1:9477"\n')
    assert '["127.0.0.1:9477"]' in text


def test_all_can_be_written_at_once_and_are_for_everybody(tmp_path: Path) -> None:
    invoke(tmp_path, "files", "--to", str(tmp_path / "out"))
    for each in SHIPPED:
        assert (tmp_path / "out" / each.name).stat().st_mode & 0o777 == 0o644


def test_what_root_asks_for_goes_where_root_may_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def become(_var: Path) -> None:
        raise PermissionError("the judge's user may not write there")

    monkeypatch.setattr("judge.cli.common.act_as_owner", become)
    invoke(tmp_path, "files", "--to", str(tmp_path / "out"))
    invoke(tmp_path, "manual", "--format", "man", str(tmp_path / "book"))


def test_without_a_configuration_nothing_is_filled_in_with_guesses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_CONFIG", raising=False)
    monkeypatch.setattr("judge.config.SYSTEM_CONFIG", tmp_path / "none.toml")
    assert CliRunner().invoke(cli, ["files", "judge.sysusers"]).exit_code == 0, "the same everywhere"
    for words in (["main.cf"], ["--to", "out"]):
        done = CliRunner().invoke(cli, ["files", *words])
        assert done.exit_code == 1 and "judge init" in done.output


def test_a_judge_at_a_unix_socket_is_found_there() -> None:
    config = Config(domain="judge.example.org", lmtp_listen="unix:/run/judge/lmtp")
    assert "judge:unix:/run/judge/lmtp" in filled("postfix/main.cf", facts_of(config, host="mx.example.org"))


def test_the_relay_of_the_configuration_is_the_one_that_postfix_opens() -> None:
    config = Config(domain="judge.example.org", relay=Relay(host="127.0.0.1", port=10099))
    text = filled("postfix/master.cf", facts_of(config, host="mx.example.org"))
    assert re.search(r"^127.0.0.1:10099 inet n - n - - smtpd$", text, re.MULTILINE)
