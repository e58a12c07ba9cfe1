"""The container files: every instruction is one that there is, every file that they take is given out, and the command
that they run is the judge's.
"""

import re
from pathlib import Path

import click

from judge.cli import cli
from judge.cli.init import SHIPPED

CONTAINER = Path(__file__).resolve().parents[2] / "deploy" / "container"
INSTRUCTIONS = {"FROM", "RUN", "COPY", "ENV", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "CMD"}


def _containerfile() -> str:
    return (CONTAINER / "Containerfile").read_text()


def instructions() -> list[tuple[str, str]]:
    text = _containerfile().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in lines]


def test_every_instruction_is_one_that_builders_know() -> None:
    assert {name for name, _ in instructions()} <= INSTRUCTIONS


def test_every_file_that_is_taken_is_given_out() -> None:
    given = {Path(each.name).name for each in SHIPPED}
    taken = [word for name, words in instructions() if name == "COPY" for word in words.split()[:-1]]
    assert [name for name in taken if name not in given and not name.endswith(".whl")] == []


def test_the_commands_of_the_judge_are_commands() -> None:
    runs = [words for name, words in instructions() if name == "CMD" and '"judge"' in words]
    asks = re.findall(r"healthcheck: .*", (CONTAINER / "compose.yaml").read_text())
    typed = re.findall(r"^#   podman (?:exec|run .*--volume judge:/data) judge judge (\w+)", _containerfile(), re.M)
    assert (len(runs), len(asks)) == (1, 1) and len(typed) > 3
    for command in typed + [re.findall(r'"judge", "(\w+)"', words)[0] for words in runs + asks]:
        assert cli.get_command(click.Context(cli), command) is not None, command


def test_compose_builds_what_the_containerfile_has() -> None:
    stages = set(re.findall(r" AS (\w+)$", "\n".join(words for name, words in instructions() if name == "FROM"), re.M))
    text = (CONTAINER / "compose.yaml").read_text()
    assert set(re.findall(r"target: (\w+)", text)) == stages
    assert all((CONTAINER / name).is_file() for name in re.findall(r"dockerfile: ([^ ,]+)", text))
    kept = {words for name, words in instructions() if name == "VOLUME"}
    assert set(re.findall(r'volumes: \["\w+:([^"]+)"\]', text)) == kept, "what a container keeps lies in a volume"
    volumes = text.partition("\nvolumes:")[2]
    for volume in re.findall(r'volumes: \["(\w+):', text):
        assert f"\n  {volume}:" in volumes
