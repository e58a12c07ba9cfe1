"""The faces of the pictures: light, dark and print. Here alone it is said which colours each has.

A face is the colours of what belongs to no power (`Theme`), and those of each colour that a board may give to a power:
of its land, its units, its lines. Units have the same colours in the light and the dark face.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

LIGHT, DARK = "light", "dark"


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of everything that belongs to no power."""

    name: str
    paper: str
    ink: str
    faint: str
    sea: str
    shallow: str
    sea_border: str
    coast: str
    land: str
    nobodys: str
    nobodys_line: str
    border: str
    frontier: str
    river: str
    lake: str
    name_ink: str
    sea_ink: str
    halo: str
    bad: str
    good: str

    @property
    def dark(self) -> bool:
        """Whether it is for dark pages."""
        return self.name == DARK

    @property
    def printed(self) -> bool:
        """Whether it is black and white."""
        return self.name == "print"


_LIGHT = Theme(
    name="light", paper="#e5decd", ink="#352c22", faint="#71675a", sea="#bfd1d8", shallow="#ccd9da",
    sea_border="#5f8292", coast="#47616c", land="#e6dec9", nobodys="#cbc3b1", nobodys_line="#b6ac98",
    border="#75654e", frontier="#42362a", river="#8fb4c4", lake="#bfd1d8", name_ink="#2b2219", sea_ink="#25505f",
    halo="#faf4e8", bad="#b3151b", good="#1f6b2b",
)  # fmt: skip
_DARK = Theme(
    name="dark", paper="#211f18", ink="#ece7d8", faint="#a59d8b", sea="#1d2f38", shallow="#263840",
    sea_border="#6b8fa0", coast="#7f9ba6", land="#4a4438", nobodys="#343027", nobodys_line="#454034",
    border="#9a8d75", frontier="#ddd2ba", river="#43697a", lake="#1d2f38", name_ink="#f2ecdd", sea_ink="#a9cbd8",
    halo="#16150f", bad="#ff6a5a", good="#7fd08a",
)  # fmt: skip
THEMES: Mapping[str, Theme] = MappingProxyType({LIGHT: _LIGHT, DARK: _DARK})
PRINT = Theme(
    name="print", paper="#ffffff", ink="#000000", faint="#666666", sea="#ffffff", shallow="#f4f4f4",
    sea_border="#8a8a8a", coast="#333333", land="#ffffff", nobodys="#e9e9e9", nobodys_line="#bcbcbc",
    border="#777777", frontier="#000000", river="#d5d5d5", lake="#f0f0f0", name_ink="#000000", sea_ink="#333333",
    halo="#ffffff", bad="#000000", good="#000000",
)  # fmt: skip


NAMED: Mapping[str, tuple[str, str, str]] = MappingProxyType({
    "red": ("#d29f90", "#b1310a", "#8b1c16"),
    "dark blue": ("#9ca2dc", "#00117b", "#29296f"),
    "light blue": ("#bbd5fd", "#68a9fe", "#17639c"),
    "black": ("#a5a5b2", "#101012", "#1d1c1b"),
    "green": ("#cbe8a5", "#91de82", "#2a6a26"),
    "white": ("#dcdce6", "#ffffff", "#6a6378"),
    "yellow": ("#edd57b", "#ffe336", "#8a6408"),
    "orange": ("#d7a972", "#dc8200", "#95500b"),
    "purple": ("#ceafdb", "#9549a6", "#602878"),
    "brown": ("#dcc19f", "#653c29", "#5d3a17"),
    "pink": ("#ffb6c9", "#ec94c4", "#9c2f5b"),
    "grey": ("#c6c9cc", "#8a9096", "#4c5157"),
    "turquoise": ("#8cc3b1", "#078174", "#14695f"),
    "blue": ("#a9bee8", "#3b6fd1", "#234791"),
    "red-white-blue": ("#e1bac0", "#fbf9fd", "#83305f"),
})  # fmt: skip
"""Colour as a board names it (`judge.board.model.COLOURS`) -> wash, strong, dark."""

DARK_GROUND: Mapping[str, str] = MappingProxyType({
    "red": "#4b1b0c",
    "dark blue": "#1f2e8a",
    "light blue": "#1f497f",
    "black": "#1d1d1d",
    "green": "#436e3a",
    "white": "#6f6e6e",
    "yellow": "#7c6f1a",
    "orange": "#68420c",
    "purple": "#5b3663",
    "brown": "#632d14",
    "pink": "#bb3f89",
    "grey": "#5b6167",
    "turquoise": "#2d5955",
    "blue": "#2f4162",
    "red-white-blue": "#bc398c",
})  # fmt: skip
"""The same colours -> wash of the dark face, on which names are light. They were searched for, by the measure of
tests/draw/test_colours.py.
"""
