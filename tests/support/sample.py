"""The sample game that the rulebook of 1976 prints, Spring 1901 to Winter 1902, in its own spelling."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.support.builders import Table

Turn = Mapping[str, tuple[str, ...]]

SPRING_1901: Turn = {
    "ENGLAND": ("A Liv.-Yor.", "F Lon.-North Sea", "F Edi.-Norw. Sea"),
    "GERMANY": ("A Ber.-Kiel", "A Mun.-Ruhr", "F Kiel-Den."),
    "RUSSIA": ("A Mos.-Ukr.", "A War.-Gal.", "F St. P.-Both.", "F Sev.-Bla."),
    "TURKEY": ("A Con.-Bul.", "A Smy.-Con.", "F Ank.-Bla."),
    "AUSTRIA": ("A Vie.-Tri.", "A Bud.-Gal.", "F Tri.-Alb."),
    "ITALY": ("A Ven.-Pie.", "A Rome-Ven.", "F Nap.-Ion."),
    "FRANCE": ("A Par.-Bur.", "A Mar.-Spa.", "F Bre.-Pic."),
}
FALL_1901: Turn = {
    "ENGLAND": ("A Yor.-Norway", "F North Sea C A Yor.-Norway", "F Norw. Sea-Bar."),
    "GERMANY": ("A Kiel-Hol.", "A Ruhr-Bel.", "F Stands"),
    "RUSSIA": ("A Ukr S F Sev.-Rum.", "A War.-Gal.", "F Both.-Swe.", "F Sev.-Rum."),
    "TURKEY": ("A Bul.-Ser.", "A Con.-Bul.", "F Ank.-Bla."),
    "AUSTRIA": ("A Tri. Stand", "A Bud.-Ser.", "F Alb.-Gre."),
    "ITALY": ("A Ven. Stands", "A Pie.-Mar.", "F Ion.-Tun."),
    "FRANCE": ("A Bur.-Marl.", "A Spa.-Por.", "F Pic.-Bel."),
}
WINTER_1901: Turn = {
    "ENGLAND": ("build F Edi.",),
    "GERMANY": ("build F Kiel", "build A Mun."),
    "RUSSIA": ("build A St. P.", "build A Sev."),
    "TURKEY": ("build A Smy.",),
    "AUSTRIA": ("build A Vie.",),
    "ITALY": ("build F Naples",),
    "FRANCE": ("build F Marseilles",),
}
SPRING_1902: Turn = {
    "GERMANY": ("A Hol.-Bel.", "A Ruhr S Hol.-Bel.", "A Mun.-Bur.", "F Den. Stands", "F Kiel-Hol."),
    "RUSSIA": (
        "A Ukr. S F Rum.", "A Gal.-Bud.", "A St. P.-Norway", "A Sev. S F Rum.", "F Swe. S St. P.-Norway",
        "F Rum. Stands",
    ),
    "TURKEY": ("A Bul.-Rum.", "A Con.-Bul.", "A Smy.-Arm.", "F Bla. S Bul.-Rum."),
    "AUSTRIA": ("A tri.-Bud.", "A Vie.-Bud", "A Bud.-Ser.", "F Stands"),
    "ITALY": ("A Ven. Stands", "A Pie.-Mar.", "F Tun.-W Md.", "F Nap.-Tyr."),
    "FRANCE": ("A Bur. S F Pic.-Bel.", "A Por.-Spa.", "F Pic.-Bel.", "F Mar. Stands"),
    "ENGLAND": ("A Nor.-St. P.", "F North Sea-Norway", "F Bar. S Nor.-St. P", "F Edi.-North Sea"),
}  # fmt: skip
FALL_1902: Turn = {
    "GERMANY": ("A ruhr-Bur.", "A Mun. S Ruhr-Bur.", "A Bel. S Ruhr-Bur.", "F Den.-Swe.", "F Hol. S A Bel."),
    "RUSSIA": (
        "A St. P.-Norway", "F Swe. S St. P.-Norw.", "F Rum. S A Sev.", "A Sev. S F Rum.", "A Gal. S F Rum.",
        "A Ukr. S A Sev.",
    ),
    "TURKEY": ("A Bul.-Rum.", "A Con.-Bul.", "A Arm.-Sev.", "F S A Bul.-Rum."),
    "AUSTRIA": ("A Vie.-Gal.", "A Tri.-Bud.", "A Ser. S Turk. A Bul.Rum.", "F Stands"),
    "ITALY": ("A Ven.-Pie.", "A Pie.-Mar.", "F W Med.-Mid.", "F Tyr.-Gulf of L."),
    "FRANCE": ("A Bur.-Bel.", "F. Pic. S Bur.-Bel.", "A Spa. S F Mar.", "F Mar. S A Spa."),
    "ENGLAND": ("A Norw.-St. P.", "F Bar. S Norw.-St. P.", "F North Sea-Norway", "F Edi.-North Sea"),
}  # fmt: skip
WINTER_1902: Turn = {
    "RUSSIA": ("A St. P. R Mos.", "remove A Gal."),
    "FRANCE": ("A Bur. R Gas.", "build A Paris"),
    "GERMANY": ("build F Kiel",),
    "TURKEY": ("build F Smyrna",),
    "AUSTRIA": ("build A Tri.",),
    "ENGLAND": ("build F Lon.",),
}
TURNS: tuple[Turn, ...] = (SPRING_1901, FALL_1901, WINTER_1901, SPRING_1902, FALL_1902, WINTER_1902)


def sample_game(maps: Path, turns: int = len(TURNS), settings: Mapping[str, str] | None = None) -> Table:
    """The sample game after so many turns, each processed by the Gamemaster."""
    table = Table(maps, settings).seated().started()
    for turn in TURNS[:turns]:
        table.all_orders(turn).process()
    return table
