"""The language of the mails: one table of verbs that reads lines, explains itself and is its own test."""

from judge.mail.vocabulary.model import (
    AddressKind,
    Around,
    BodyRule,
    Clause,
    Heading,
    Match,
    Reading,
    Secret,
    Unclear,
    Verb,
)
from judge.mail.vocabulary.settings_text import SettingsFile, read_toml
from judge.mail.vocabulary.table import BY_NAME, VERBS, find_abbreviated, find_near, find_verb, may_use

__all__ = [
    "BY_NAME",
    "VERBS",
    "AddressKind",
    "Around",
    "BodyRule",
    "Clause",
    "Heading",
    "Match",
    "Reading",
    "Secret",
    "SettingsFile",
    "Unclear",
    "Verb",
    "find_abbreviated",
    "find_near",
    "find_verb",
    "may_use",
    "read_toml",
]
