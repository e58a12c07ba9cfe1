"""The configuration file is the manual of configuration, and a misspelt key is never ignored."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from judge.config import SECTIONS, Config, ConfigError, Imap, load_config

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "deploy" / "judge.toml").read_text(encoding="utf-8")


def test_the_document_as_it_stands_is_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "judge.toml"
    path.write_text(DOCUMENT)
    assert load_config(path) == Config(file=path.resolve(), var=tmp_path.resolve())


NO_DEFAULT = {"imap.host", "imap.user", "imap.password_file", "relay.warm_up"}
"""Keys that a section must have, and the day that cannot be written as "none"."""


def written(mark: str) -> dict[str, str]:
    """SECTION.KEY -> the line that sets it, of those behind a mark; of keys that are set all the same."""
    found, section = {}, ""
    for line in DOCUMENT.splitlines():
        if named := re.fullmatch(r"(?:# )?\[\[?(\w+)\]\]?", line):
            section = named[1]
        elif key := re.fullmatch(rf"(?:{mark})(\w+) = \S.*", line):
            found[f"{section}.{key[1]}"] = line.removeprefix("#").removeprefix("   Example:").strip()
    return found


def test_every_key_is_documented_with_its_default_or_as_one_that_has_none() -> None:
    known = {f"{section}.{key}" for section, keys in SECTIONS.items() for key in keys}
    assert {*written("# |"), *written("#   Example: ")} == known
    assert NO_DEFAULT - {*written("# |")} == {"relay.warm_up"}


def test_every_value_that_the_document_shows_as_the_default_is_the_default(tmp_path: Path) -> None:
    """Taking the mark of a comment away from any line, or from all of them, changes nothing."""
    path = tmp_path / "judge.toml"
    usual = Config(file=path.resolve(), var=tmp_path.resolve())
    for name, line in written("# |").items():
        section = name.partition(".")[0]
        if section == "imap":
            continue
        path.write_text(f"[{section}]\n{line}\n")
        assert load_config(path) == usual, line
    box = "\n".join(line for name, line in written("# ").items() if name.startswith("imap."))
    path.write_text(f"[[imap]]\n{box}\n")
    (found,) = load_config(path).imap
    assert found == Imap(name=found.user, host=found.host, user=found.user, password_file=found.password_file)


def test_every_example_of_the_document_is_a_value_and_no_default(tmp_path: Path) -> None:
    path = tmp_path / "judge.toml"
    for folder in ("maps", "templates"):
        (tmp_path / folder).mkdir()
    usual = Config(file=path.resolve(), var=tmp_path.resolve())
    lines = written("#   Example: ")
    for name, line in lines.items():
        also = lines["http.url" if name == "http.listen" else "http.listen"] if name.startswith("http.") else ""
        path.write_text(f"[{name.partition('.')[0]}]\n{line}\n{also}\n")
        assert load_config(path) != usual, line


def test_what_the_judge_keeps_lies_in_var_however_its_path_is_written(tmp_path: Path) -> None:
    """The rule at the top of the document: the paths of boards and templates count from the file, others from var."""
    home, path = tmp_path / "home", tmp_path / "etc" / "judge.toml"
    (path.parent / "boards").mkdir(parents=True)
    head = f'[paths]\nvar = "{home}"\nmaps = "boards"\n[store]\nurl = '
    for written_url, meant in (
        ("sqlite:///judge.db", f"sqlite:///{home}/judge.db"),
        ("sqlite+pysqlite:///sub/j.db", f"sqlite+pysqlite:///{home}/sub/j.db"),
        ("sqlite:////srv/judge.db", "sqlite:////srv/judge.db"),
        ("postgresql+psycopg://judge@localhost/judge", "postgresql+psycopg://judge@localhost/judge"),
    ):
        path.write_text(f'{head}"{written_url}"\n')
        config = load_config(path)
        assert (config.database, config.maps) == (meant, path.parent / "boards")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[judge]\nopen_creation = "yes"', "judge.open_creation must be true or false"),
        ("[judge]\ndomain = 5", "judge.domain must be text in quotes"),
        ('[judge]\ngms = "x@y.test"', "judge.gms must be a list of texts"),
        ("[judge]\ngms = [1]", "judge.gms must be a list of texts"),
        ("judge = 5", "judge: write a section [judge]"),
        ("[paths]\nmaps = 1", "paths.maps must be text in quotes"),
        ('[paths]\nmaps = "nowhere"', "paths.maps: there is no folder /"),
        (
            '[smtp]\nlisten = "25"',
            'smtp.listen: "25" is not a place to listen: write HOST:PORT',
        ),
        ("[mail]\nmax_bytes = 0", "mail.max_bytes must be 1 or more"),
        ('[mail]\nverdicts = "left"', 'mail.verdicts: write "above" or "below": where the verdicts stand'),
        ('[log]\nformat = "xml"', "log.format must be one of text, json"),
        ('[time]\nbacklog_window = "soon"', 'time.backlog_window: "soon" is not a length of time'),
        ('[time]\ndigest = "daily"', "time.digest: "),
        ('[relay]\nhsot = "x"', "relay.hsot is no key; did you mean host?"),
        ("[relay]\nport = 70000", "relay.port must be a number from 1 to 65535"),
        ("[relay]\nport = true", "relay.port must be a number"),
        ("[relay]\nrate = -1", "relay.rate must be 0 (no limit) or more"),
        ('[relay]\ntls = "ssl"', "relay.tls must be one of none, starttls, tls"),
        ("[limits]\ncommands = 0", "limits.commands must be 1 or more"),
        ("imap = [1]", "imap: write a section [imap]"),
        ("[imap]", "imap: write one [[imap]] section for each mailbox"),
        ('[[imap]]\nhost = "a.test"', "[[imap]] lacks user, password_file"),
        ('[[imap]]\nhost = "a.test"\nuser = "j"\npassword_file = "p"\nport = 0', ".port must be a number from 1 to"),
    ],
)
def test_each_mistake_has_a_sentence_of_its_own(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "judge.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert said in str(caught.value)


def test_all_mistakes_are_told_at_once_with_their_mends(tmp_path: Path) -> None:
    path = tmp_path / "judge.toml"
    path.write_text('[judge]\ndomian = "x"\nopen_creation = "yes"\n[tiem]\nzone = "UTC"\n[time]\nzone = "Atlantis"\n')
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    text = str(caught.value)
    assert "judge.domian is no key; did you mean domain?" in text
    assert "judge.open_creation must be true or false" in text
    assert "[tiem] is no section; did you mean time?" in text
    assert "time.zone" in text and "Atlantis" in text


def test_two_mailboxes_of_one_name_would_take_each_others_mails_for_known(tmp_path: Path) -> None:
    path = tmp_path / "judge.toml"
    box = '[[imap]]\nhost = "{}"\nuser = "judge"\npassword_file = "p"\n'
    path.write_text(box.format("a.test") + box.format("b.test"))
    with pytest.raises(ConfigError, match=r'two .* bear the name "judge": give each a name of its own'):
        load_config(path)
    path.write_text(box.format("a.test") + box.format("b.test") + 'name = "other"\n')
    assert [account.name for account in load_config(path).imap] == ["judge", "other"]


def test_mails_are_kept_for_a_span_or_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "judge.toml"
    for text, span in (("365d", timedelta(days=365)), ("", None)):
        path.write_text(f'[mail]\nkeep_raw = "{text}"\n')
        assert load_config(path).keep_raw == span
    path.write_text('[mail]\nkeep_raw = "a while"\n')
    with pytest.raises(ConfigError, match=r"mail\.keep_raw"):
        load_config(path)


def test_a_file_that_is_not_toml_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "judge.toml"
    path.write_text("[judge\n")
    with pytest.raises(ConfigError, match="not valid TOML"):
        load_config(path)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ('listen = "127.0.0.1:8080"', "belong together"),
        ('url = "https://judge.example.org"', "belong together"),
        ('listen = "127.0.0.1:8080"\nurl = "http://judge.example.org"', "must be an https:// address"),
        ('listen = "127.0.0.1:8080"\nurl = "https://judge.example.org/?t="', "must be an https:// address"),
        ('listen = "127.0.0.1:8080"\nurl = "https://judge.example.org/ x"', "must be an https:// address"),
    ],
)
def test_links_need_a_listener_and_https(tmp_path: Path, keys: str, said: str) -> None:
    path = tmp_path / "judge.toml"
    path.write_text(f"[http]\n{keys}\n")
    with pytest.raises(ConfigError, match=said):
        load_config(path)


def test_the_address_of_links_is_kept_without_its_last_slash(tmp_path: Path) -> None:
    path = tmp_path / "judge.toml"
    path.write_text('[http]\nlisten = "127.0.0.1:8080"\nurl = "https://judge.example.org:8443/mail/"\n')
    assert load_config(path).http_url == "https://judge.example.org:8443/mail"
