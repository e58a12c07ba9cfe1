"""Check phrases and passwords: short, plain words that a person can compare at a glance and type without a slip."""

from __future__ import annotations

_FIRST = (
    "amber", "ashen", "autumn", "blue", "brave", "bright", "bronze", "calm", "cedar", "clear", "coral", "copper",
    "crimson", "dusky", "early", "fallow", "gentle", "gilded", "golden", "granite", "grey", "hazel", "hidden", "ivory",
    "jade", "late", "linen", "little", "lunar", "maple", "marble", "misty", "mossy", "northern", "oaken", "olive",
    "patient", "pearl", "plain", "proud", "quiet", "rapid", "russet", "rusty", "sandy", "scarlet", "silent", "silver",
    "slate", "solemn", "southern", "steady", "stone", "sunny", "swift", "tall", "tidal", "umber", "velvet", "violet",
    "warm", "western", "white", "winter",
)  # fmt: skip
_SECOND = (
    "anchor", "badger", "beacon", "bear", "bell", "bison", "bridge", "brook", "canal", "castle", "cedar", "cliff",
    "comet", "crane", "delta", "dove", "eagle", "ember", "falcon", "ferry", "finch", "forest", "fox", "garden",
    "gate", "glacier", "grove", "gull", "harbour", "hare", "harp", "heron", "hill", "island", "kestrel", "lake",
    "lantern", "lark", "lion", "lynx", "magpie", "meadow", "mill", "moor", "otter", "owl", "pine", "plover",
    "quail", "raven", "reed", "ridge", "river", "robin", "salmon", "spring", "stag", "swan", "tern", "thistle",
    "tower", "valley", "wharf", "wren",
)  # fmt: skip


def check_phrase(entropy: bytes) -> str:
    """The phrase that stands in every letter to one person, from three random bytes: "copper heron 41".

    >>> check_phrase(bytes(3))
    'amber anchor 10'
    """
    return f"{_FIRST[entropy[0] % 64]} {_SECOND[entropy[1] % 64]} {10 + entropy[2] % 90}"


def password(entropy: bytes) -> str:
    """A password of about 56 bits from eight random bytes, easy to type on a phone.

    >>> password(bytes(8))
    'amber-anchor-amber-anchor-00000000'
    """
    words = (_FIRST[entropy[0] % 64], _SECOND[entropy[1] % 64], _FIRST[entropy[2] % 64], _SECOND[entropy[3] % 64])
    return "-".join((*words, entropy[4:8].hex()))
