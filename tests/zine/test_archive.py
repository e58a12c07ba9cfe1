"""The static archive: its pages are sound, and what is embargoed or anonymous never gets in."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path, PurePosixPath
from random import Random
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

import pytest
from justhtml import JustHTML

from judge import resources
from judge.draw import Picture
from judge.game.core.model import Stage
from judge.game.settings.values import SYSTEM_NAMES
from judge.raster import plain_png
from judge.testing.casting import seat_everybody
from judge.testing.local import LocalJudge
from judge.zine import figures
from judge.zine.archive import LIST, GatheredArchive, gathered, write
from judge.zine.public import opened, standing
from judge.zine.site import AtomFeed, FeedEntry, atom
from tests.zine.played import EDITOR, GUNBOAT, QUICK, found_zine, play, player

TEMPLATES = (resources.folder("templates"),)
ZINE = "judge+zine-protocol@judge.test"
ATOM = "{http://www.w3.org/2005/Atom}"


def archive(stage: LocalJudge, base: str = "") -> GatheredArchive:
    with stage.judge.store.read() as view:
        return gathered(stage.judge, view, resources.folder("maps"), base)


def drawn(picture: Picture) -> bytes:
    """A stand-in for pixels that holds all words of a picture."""
    return picture.svg().encode()


def exported(stage: LocalJudge, folder: Path) -> dict[str, bytes]:
    write(archive(stage), folder, TEMPLATES, drawn)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module", autouse=True)
def cheap_pictures() -> Iterator[None]:
    """The maps of issues have tests of their own, and take seconds."""
    with pytest.MonkeyPatch.context() as patched:
        small = plain_png('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"/>', 4)
        patched.setattr("judge.zine.archive.pictures_of", lambda *given, **_: dict.fromkeys(given[2].pictures, small))
        yield


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalJudge]:
    """A judge with a game that is over, one that runs, one that takes players, and one that is not public."""
    under_test = LocalJudge(tmp_path_factory.mktemp("judge"))
    under_test.begin()
    seat_everybody(under_test, "ended", {**QUICK, "end_after": "F1901"}, who=player)
    seat_everybody(under_test, "running", QUICK, who=player)
    seat_everybody(under_test, "secluded", {**QUICK, "listed": "no"}, who=player)
    seat_everybody(under_test, "opening", QUICK, stage="open")
    under_test.send(player("FRANCE"), "press to all:\n<script>alert(1)</script> & \x01 more", subject="running")
    for number, (key, turns) in enumerate((("ended", 5), ("running", 2), ("secluded", 1))):
        play(under_test, key, turns, Random(number))
    assert under_test.game("ended").stage is Stage.ENDED
    found_zine(under_test, ("ended", "running"))
    under_test.send(
        player("FRANCE"), "article The Coastal Crawl\nA [line](https://elsewhere.test/) of *words*.", to=ZINE
    )
    under_test.send(EDITOR, "zine approve 96")
    yield under_test
    under_test.stop()


@pytest.fixture(scope="module")
def site(stage: LocalJudge, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return exported(stage, tmp_path_factory.mktemp("site"))


# --- sound pages ----------------------------------------------------------------------------------------------------


def pages(site: Mapping[str, bytes]) -> dict[str, JustHTML]:
    return {
        path: JustHTML(text.decode(), strict=True, sanitize=False)
        for path, text in site.items()
        if path.endswith(".html")
    }


def is_issue(path: str) -> bool:
    """Whether a page is an issue, which is printed by a face of its own."""
    return bool(re.fullmatch(r"zine/[a-z-]+/\d+/index\.html", path))


def all_of(page: JustHTML, selector: str, attribute: str) -> list[str]:
    """What the elements say in an attribute, "" where they have none."""
    return [(node.attrs or {}).get(attribute) or "" for node in page.query(selector)]


def targets(page: JustHTML) -> Iterator[str]:
    for selector, attribute in (("a", "href"), ("link", "href"), ("img", "src"), ("script", "src")):
        yield from all_of(page, selector, attribute)


def test_every_page_is_html_that_a_strict_parser_takes(site: dict[str, bytes]) -> None:
    for path, page in pages(site).items():
        assert all_of(page, "html", "lang") == ["en"], path
        assert len(page.query("h1")) == len(page.query("head title")) == 1, path
        assert is_issue(path) or len(page.query("main")) == 1, path
        assert all(all_of(page, "img", "alt")), path
        marks = all_of(page, "[id]", "id")
        assert len(marks) == len(set(marks)), path
        assert all(all_of(page, "th", "scope")), path
        assert is_issue(path) or not (page.query("[style]") or page.query("style")), path
        assert all(all_of(page, "script", "src")), path


def test_every_link_leads_to_a_file_of_the_archive(site: dict[str, bytes]) -> None:
    met = {"index.html"}
    for path, page in pages(site).items():
        for target in targets(page):
            parts = urlsplit(target)
            if is_issue(path) and parts.scheme in ("https", "mailto"):
                continue  # words of others may lead elsewhere
            assert not parts.scheme and not parts.netloc and not parts.path.startswith("/"), (path, target)
            led = f"{PurePosixPath(path).parent / unquote(parts.path)}" if parts.path else path
            led = re.sub(r"[^/]+/\.\./", "", re.sub(r"[^/]+/\.\./", "", led))
            assert led in site, (path, target)
            assert not parts.fragment or page.query(f"[id={parts.fragment}]"), (path, target)
            met.add(led)
    assert {*site} - met == {LIST}


def test_the_phases_of_a_game_are_a_chain(site: dict[str, bytes]) -> None:
    found, at = ["index.html"], "index.html"
    known = pages(site)
    while links := all_of(known[f"games/ended/{at}"], 'link[rel="next"]', "href"):
        at = links[0]
        found.append(at)
    assert found == ["index.html", "S1901M.html", "F1901M.html", "F1901R.html", "W1901A.html", "now.html"]
    back = [all_of(known[f"games/ended/{name}"], 'link[rel="prev"]', "href")[0] for name in found[1:]]
    assert back == found[:-1]


def test_nothing_is_fetched_from_elsewhere_and_no_script_is_needed(site: dict[str, bytes]) -> None:
    for path, text in site.items():
        if path.endswith(".html") and not is_issue(path):
            assert b"default-src 'none'" in text, path
        if path.endswith((".html", ".css", ".js")) and not is_issue(path):
            assert not re.search(rb"(?:src|href|url)\s*[=(]\s*[\"']?(?:https?:)?//", text), path


def test_words_of_players_are_words(site: dict[str, bytes]) -> None:
    page = site["games/running/S1901M.html"].decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp;" in page
    assert "\x01" not in page


def test_a_deadline_is_told_by_the_clocks_of_its_game(stage: LocalJudge) -> None:
    """Midnight belongs to the day that ends, wherever the game is played."""
    with stage.judge.store.read() as view:
        one = opened(stage.judge, view, "running", None)
    assert one is not None and one.game.deadline is not None
    deadline = replace(one.game.deadline, at=datetime(2027, 1, 9, 5, tzinfo=UTC))
    for zone, day in (("America/New_York", "Friday 8 January"), ("UTC", "Saturday 9 January")):
        game = replace(one.game, deadline=deadline, settings=replace(one.game.settings, zone=zone))
        assert f", due {day} 2027." in standing(stage.judge, replace(one, game=game))


def test_the_same_facts_give_the_same_bytes_and_only_new_maps_are_drawn(stage: LocalJudge, tmp_path: Path) -> None:
    first, asked = exported(stage, tmp_path), []

    def no_more(picture: Picture) -> bytes:
        asked.append(picture)
        return b""

    write(archive(stage), tmp_path, TEMPLATES, no_more)
    assert not asked
    again = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert again == first


def test_what_is_no_longer_public_is_taken_away_and_files_of_others_stay(stage: LocalJudge, tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_text("mine")
    whole = archive(stage)
    write(whole, tmp_path, TEMPLATES, drawn)
    less = replace(
        whole, site=replace(whole.site, games=whole.site.games[1:]),
        made=tuple(one for one in whole.made if "/ended/" not in one.path),
    )  # fmt: skip
    write(less, tmp_path, TEMPLATES, drawn)
    assert not (tmp_path / "games" / "ended").exists()
    assert (tmp_path / "robots.txt").read_text() == "mine"
    assert (tmp_path / "games" / "running" / "index.html").is_file()


def test_an_issue_stands_there_in_every_face_and_names_nobodys_address(site: dict[str, bytes]) -> None:
    names = {path.rpartition("/")[2] for path in site if path.startswith("zine/protocol/96/")}
    assert {"index.html", "protocol-96.txt", "protocol-96.pdf", "protocol-96.epub"} <= names
    for name in ("index.html", "protocol-96.txt"):
        text = site[f"zine/protocol/96/{name}"].decode()
        assert "The Coastal Crawl" in text and "Eric Brosius" in text
        assert not re.search(r"[\w.]+@(?:zine|hidden)\.test", text), name


def test_a_correction_stands_in_the_issue_and_makes_its_entry_later(stage: LocalJudge, tmp_path: Path) -> None:
    before = ET.fromstring(exported(stage, tmp_path)["zine/protocol/feed.atom"])
    stage.advance(timedelta(hours=1))
    stage.send(EDITOR, "zine errata 96 The crawl was allowed in 1961.")
    files = exported(stage, tmp_path)
    after = ET.fromstring(files["zine/protocol/feed.atom"])
    entry = f"{ATOM}entry/{ATOM}"
    assert (
        before.findtext(f"{entry}id")
        == after.findtext(f"{entry}id")
        == "tag:judge.test,1901-03-01:zine/protocol/issue/96"
    )
    assert before.findtext(f"{entry}published") == after.findtext(f"{entry}published")
    assert (before.findtext(f"{entry}updated") or "") < (after.findtext(f"{entry}updated") or "")
    assert b"The crawl was allowed in 1961." in files["zine/protocol/96/index.html"]


# --- feeds and files for programs -----------------------------------------------------------------------------------


def test_a_feed_has_an_entry_for_each_phase_the_newest_first(site: dict[str, bytes]) -> None:
    feed = ET.fromstring(site["games/ended/feed.atom"])
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]
    assert ids == [f"tag:judge.test,1901-03-01:game/ended/{code}" for code in ("W1901A", "F1901R", "F1901M", "S1901M")]
    moments = [entry.findtext(f"{ATOM}updated") or "" for entry in feed.iter(f"{ATOM}entry")]
    assert feed.findtext(f"{ATOM}updated") == max(moments)
    links = [link.attrib["href"] for link in feed.iter(f"{ATOM}link") if link.attrib["rel"] == "alternate"]
    assert all(f"games/ended/{link}" in site for link in links if link != "./")
    assert feed.findtext(f"{ATOM}author/{ATOM}name")


def test_what_a_gamemaster_puts_right_is_told_on_its_page_and_in_the_feed(stage: LocalJudge, tmp_path: Path) -> None:
    def updated(files: Mapping[str, bytes]) -> dict[str, str]:
        entries = ET.fromstring(files["games/running/feed.atom"]).iter(f"{ATOM}entry")
        return {one.findtext(f"{ATOM}id") or "": one.findtext(f"{ATOM}updated") or "" for one in entries}

    before = exported(stage, tmp_path)
    stage.advance(timedelta(minutes=5))
    game = stage.game("running")
    assert game.position is not None
    unit = game.position.of("FRANCE")[0]
    stage.send("gm@players.test", f'correct position {unit} at ENG reason "a slip"', subject="running")
    stage.send("gm@players.test", "confirm", subject="running")
    after = exported(stage, tmp_path)
    changed = {one for one, moment in updated(after).items() if moment != updated(before)[one]}
    assert changed == {"tag:judge.test,1901-03-01:game/running/F1901M"}
    assert b"put right afterwards (a slip)" in after["games/running/F1901M.html"]


def test_a_correction_makes_an_entry_later_and_keeps_its_id() -> None:
    first, then = datetime(2027, 1, 8, tzinfo=UTC), datetime(2027, 1, 9, tzinfo=UTC)
    entry = FeedEntry("F1901M", "Fall", "F1901M.html", first, first)
    feed = AtomFeed("judge.test", "game/verdun", date(2027, 1, 1), "VERDUN", "./", "feed.atom", "Judge", (entry,))
    corrected = replace(feed, entries=(replace(entry, updated=then),))
    before, after = ET.fromstring(atom(feed)), ET.fromstring(atom(corrected))
    for path in (f"{ATOM}id", f"{ATOM}entry/{ATOM}id", f"{ATOM}entry/{ATOM}published"):
        assert before.findtext(path) == after.findtext(path)
    assert after.findtext(f"{ATOM}entry/{ATOM}updated") == after.findtext(f"{ATOM}updated") == "2027-01-09T00:00:00Z"


def test_files_for_programs_have_the_shape_that_is_written_down(site: dict[str, bytes]) -> None:
    games = json.loads(site["games.json"])
    assert (games["format"], games["version"], games["since"]) == ("judge-games", 1, None)
    assert [game["game"] for game in games["games"]] == ["ended", "running"]
    ended = games["games"][0]
    assert {*ended["points"]} == {*SYSTEM_NAMES} and ended["result"]["how"] == "limit"
    assert sum(ended["years"]["1901"].values()) == len(ended["owners"]["1901"])
    orders = {one["power"]: one["orders"] for one in ended["openings"]}
    rows = {
        row["power"]: row for row in csv.DictReader(io.StringIO(site["games.csv"].decode())) if row["game"] == "ended"
    }
    assert orders and all(rows[power]["opening"].endswith(", ".join(given)) for power, given in orders.items())
    ratings = json.loads(site["ratings.json"])
    assert (ratings["format"], ratings["games"], len(ratings["methods"])) == ("judge-ratings", 1, 12)
    for name, head in (("games.csv", "game"), ("ratings.csv", "method")):
        head_line, *lines = csv.reader(io.StringIO(site[name].decode()))
        assert head_line[0] == head and ", ".join(head_line) in " ".join((figures.__doc__ or "").split())
        assert lines and all(len(line) == len(head_line) for line in lines)


def test_every_field_of_the_json_is_in_its_description(site: dict[str, bytes]) -> None:
    told = figures.__doc__ or ""
    for name in ("games.json", "ratings.json"):
        for one in fields(json.loads(site[name])):
            assert f'"{one}"' in told, one


def fields(value: object) -> Iterator[str]:
    """The names of an object's fields, but for those that are powers, centres, years or systems."""
    if isinstance(value, list):
        for one in value:
            yield from fields(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name not in SYSTEM_NAMES and not name.isupper() and not name.isdigit():
                yield name
            yield from fields(one)


# --- what never gets in ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_nobody_is_named_and_nothing_told_before_its_time(seed: int, tmp_path: Path) -> None:
    """Robots play without names and write black press; press to some, press that is recalled or waits for the report,
    diaries, statements and a game that is not public: no byte of the archive tells of any.
    """
    chance = Random(seed)
    under_test = LocalJudge(tmp_path / "judge")
    under_test.begin()
    seat_everybody(under_test, "verdun", GUNBOAT, who=player)
    seat_everybody(under_test, "secluded", {**QUICK, "listed": "no"}, who=player)
    play(under_test, "verdun", 2 + seed, chance, black=True)
    power = chance.choice(sorted(under_test.game("verdun").seats))
    under_test.send("gm@players.test", f"vacate {power}: REASON-SECRET", subject="verdun")
    author = next(one for one in sorted(under_test.game("verdun").board.powers) if one != power)
    for words in (
        "press to FRANCE, ITALY: PARTIAL-SECRET", "postal press to all: POSTAL-SECRET", "diary: DIARY-SECRET",
        "statement: STATEMENT-SECRET", "press to all: PENDING-SECRET", "black press to GM: GM-SECRET",
    ):  # fmt: skip
        under_test.send(player(author), words, subject="verdun")
    found_zine(under_test, ("verdun",))
    under_test.send(EDITOR, "zine approve 96")
    files = exported(under_test, tmp_path / "site")
    under_test.stop()
    assert b"VERDUN" in files["zine/protocol/96/protocol-96.txt"]
    assert any(b"BLACK-S1901M" in text for text in files.values())
    secrets = [b"SECRET", b"secluded", b"hidden.test"]
    for key, one in under_test.game("verdun").board.powers.items():
        secrets += [player(key).partition("@")[0].encode(), f"Player {one.name}".encode()]
    found = [(path, word) for path, text in files.items() for word in secrets if word in text]
    assert not found


def test_statements_are_told_when_they_have_gone_round_and_not_before(tmp_path: Path) -> None:
    under_test = LocalJudge(tmp_path / "judge")
    under_test.begin()
    seat_everybody(under_test, "verdun", {**GUNBOAT, "end_after": "F1901"}, who=player)
    under_test.send(player("FRANCE"), "statement: A FINE GAME", subject="verdun")
    play(under_test, "verdun", 5, Random(4))
    assert under_test.game("verdun").stage is Stage.ENDED
    sealed = exported(under_test, tmp_path / "site")
    under_test.advance(timedelta(days=15))
    told = exported(under_test, tmp_path / "site")
    under_test.stop()
    assert not any(b"A FINE GAME" in text for text in sealed.values())
    assert b"A FINE GAME" in told["games/verdun/index.html"]
    assert b"Player France" in told["games/verdun/index.html"]
