"""The names of the scoring systems; what each comes to is `judge.game.table.scoring`."""

from __future__ import annotations

SYSTEM_NAMES = (
    "calhamer", "draw-size", "hall-of-fame", "dsi", "squares", "c-diplo", "c-diplo-73", "carnage", "dixie", "manorcon",
)  # fmt: skip
"""All of them, in the order in which letters print them."""

USUAL_SYSTEMS = ("calhamer", "hall-of-fame", "squares", "c-diplo")
"""Those by which a game is scored whose Gamemaster has said nothing else, and those of the ratings."""

AT_MOST = 4
"""So many columns of points fit a line of a letter."""

OTHER_NAMES = {
    "sum-of-squares": "squares", "sos": "squares", "cdiplo": "c-diplo", "c-diplo-namur": "c-diplo",
    "cdiplo-73": "c-diplo-73", "c-diplo73": "c-diplo-73", "drawsize": "draw-size", "draws": "draw-size",
    "draw": "draw-size", "hof": "hall-of-fame", "dixiecon": "dixie", "manor": "manorcon",
}  # fmt: skip
"""Other names of systems."""


def read_systems(text: str) -> tuple[str, ...]:
    """One to four systems between commas. Raises ValueError with a sentence."""
    words = [word for word in text.lower().replace(" and ", ",").replace("/", ",").replace(",", " ").split() if word]
    found = tuple(dict.fromkeys(OTHER_NAMES.get(word, word) for word in words))
    for name in found:
        if name not in SYSTEM_NAMES:
            raise ValueError(f'"{name[:40]}" is not a scoring system; there are {", ".join(SYSTEM_NAMES)}')
    if not 1 <= len(found) <= AT_MOST:
        raise ValueError(f"a game is scored by one to {AT_MOST} systems: {', '.join(SYSTEM_NAMES)}")
    return tuple(name for name in SYSTEM_NAMES if name in found)
