"""The wheel works outside the checkout: maps, templates and migrations travel with it."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from judge.release import release

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    wheels = tmp_path_factory.mktemp("wheels")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(wheels), str(ROOT)]
    subprocess.run(build, check=True, timeout=900)
    return next(wheels.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the unpacked wheel."""
    site = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    return site


def judge(site: Path, folder: Path, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the wheel's own command far from the checkout."""
    program = "import judge, judge.cli; assert 'site' in judge.__file__, judge.__file__; judge.cli.main()"
    return subprocess.run(
        [sys.executable, "-c", program, "--config", str(folder / "judge.toml"), *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(site)},
        input=stdin,
        capture_output=True,
        timeout=300,
    )


def test_it_bears_a_name_of_its_own_and_brings_the_command(installed: Path) -> None:
    (facts,) = installed.glob("*.dist-info")
    metadata = (facts / "METADATA").read_text()
    assert "\nName: diplomacy-judge\n" in metadata, "on the package index, judge is somebody else's"
    assert "judge = judge.cli:main" in (facts / "entry_points.txt").read_text()
    assert sorted(path.name for path in installed.iterdir() if path != facts) == ["judge"]


def test_it_knows_from_which_commit_it_comes(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "judge.toml").write_text("")
    said = judge(installed, tmp_path, "--version").stdout.decode().strip()
    assert said == f"judge {release()}", "what the checkout says"


def test_a_mail_is_answered_by_the_installed_judge(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "judge.toml").write_text('[judge]\ndomain = "judge.test"\n')
    mail = b"From: ada@players.test\nTo: judge@judge.test\nSubject: help\n\nhelp\n"
    done = judge(installed, tmp_path, "feed", "--dry-run", "--sender", "ada@players.test", stdin=mail)
    assert done.returncode == 0, done.stderr.decode()
    assert b"A Marseilles - Burgundy" in done.stdout


def test_a_map_is_drawn_with_the_fonts_and_the_picture_that_travel_with_it(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "judge.toml").write_text("")
    for name in ("standard.png", "standard.pdf"):
        done = judge(installed, tmp_path, "map", "draw", "standard", name)
        assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / "standard.png").stat().st_size > 80_000, "without names or geography it would be smaller"
    fonts = installed / "judge" / "draw" / "fonts"
    assert {"OFL.txt", "Alegreya-Bold.ttf"} <= {path.name for path in fonts.iterdir()}
    assert (installed / "judge" / "_data" / "maps" / "standard" / "picture" / "topology.json").is_file()


def test_the_boards_are_there_and_right(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "judge.toml").write_text("")
    done = judge(installed, tmp_path, "map", "lint", "standard")
    assert done.returncode == 0, done.stderr.decode() + done.stdout.decode()
    assert b"504" in done.stdout


TOOLS = {"pipx": ["pipx", "install"], "uv": ["uv", "tool", "install", "--python", sys.executable]}


@pytest.mark.parametrize("tool", TOOLS)
def test_tools_that_install_programs_take_the_wheel_with_everything_in_it(
    tool: str, wheel: Path, tmp_path: Path
) -> None:
    """The tool itself is fetched for the test; where no index is in reach, that is said."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "v")], check=True, timeout=300)
    bin_ = tmp_path / "v" / "bin"
    fetch = [sys.executable, "-m", "pip", "--python", str(bin_ / "python"), "install", "-q", tool]
    fetched = subprocess.run(fetch, capture_output=True, text=True, timeout=600)
    if fetched.returncode:
        pytest.skip(f"{tool} WAS NOT TRIED: it could not be fetched ({fetched.stderr.strip()[-200:]})")
    places = {name: str(tmp_path / name) for name in ("PIPX_HOME", "PIPX_BIN_DIR", "UV_TOOL_DIR", "UV_TOOL_BIN_DIR")}
    command = [str(bin_ / TOOLS[tool][0]), *TOOLS[tool][1:], str(wheel)]
    subprocess.run(command, check=True, env={**os.environ, **places}, cwd=tmp_path, capture_output=True, timeout=600)
    program = Path(places["PIPX_BIN_DIR" if tool == "pipx" else "UV_TOOL_BIN_DIR"]) / "judge"
    for words, said in ((["--version"], f"judge {release()}"), (["map", "lint", "global2"], "right")):
        done = subprocess.run([str(program), *words], cwd=tmp_path, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0 and said in done.stdout
