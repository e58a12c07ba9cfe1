"""Global Diplomacy II in words: the page of its rules, and its reasons for what becomes of an order."""

from __future__ import annotations

from judge.rules.questions import Block
from judge.rules.reasons import Reason

PAGE = (
    Block(
        "Global Diplomacy II",
        (
            "Twelve powers play on the whole world: the seven of the standard game, and Brazil, Ethiopia, India,"
            " Japan and the United States. John Armstrong made it; these are his rules of 1999. His map and his list of"
            " provinces are lost: this board, of 195 spaces and 82 supply centres, is a reconstruction that meets all"
            " that his rules say. Everything below stands beside the rules of 1976.",
            "WINNING. Whoever owns 42 centres has won.",
            "THE YEAR begins with the adjustments of February. Spring moves, Summer retreats, Fall moves and December"
            " retreats follow; in January centres change hands. The first phase is Spring 1901, and the first"
            " adjustments are those of February 1902.",
            "CONTINENTS are Africa, America (north and south), Asia (with Australia) and Europe. England, France,"
            " Germany and Russia are Colonial Powers, and keep each continent on which they began apart: England in"
            " Europe, Africa and Asia, France and Germany in Europe and Africa, Russia in Europe and Asia. Their units"
            " are of the continent in which they were built or started, wherever they go, and are fed by the centres"
            " of that continent alone. So a Colonial Power may have to build on one continent and to remove on another"
            " in the same winter; where it has no room to build, it stays short. A centre counts on the continent in"
            " which it lies, whatever unit took it. For the other eight powers the world is one.",
            "ELIMINATION. A Colonial Power that has no centre left for a continent when a year ends is eliminated from"
            " it: its units of that continent go, and it builds there no more.",
            "THE EXCEPTION. A centre feeds the continent of the unit that took it, instead of its own, in three cases:"
            " on a continent where its new owner had no home centre when the game began; on one from which that owner"
            " was eliminated in an earlier year; and if England takes Ankara, Constantinople, Jerusalem or Smyrna from"
            " whomever. It does so until it changes hands.",
            "SIBERIA. The Russian fleet that begins there holds in Spring and Fall 1901. It may be supported; if it is"
            " dislodged it retreats, and holds where it then stands.",
            "CANALS are Central America, Constantinople, Egypt and Kiel: fleets pass by stopping there, and they need"
            " no coast. Bulgaria (EC, SC), Colombia (NC, WC), Mexico (EC, WC), St Petersburg and Spain (NC, SC) have"
            " two coasts; name the one that you mean where a fleet could come to both.",
            "LAND BRIDGES join Denmark and Sweden, Indonesia and Siam, Indonesia and New Guinea, Hokkaido and Tokyo,"
            " and Kyushu, Shikoku and Osaka with one another: armies walk over them, fleets pass beside them. Indonesia"
            " and the Philippines are one space each. Nobody jumps over a space: `F South China Sea - East Indian"
            " Ocean` is no move.",
            "THE EDGES. The east and the west edge of the map join in the Pacific; nobody passes the poles. Ural,"
            " Yakutsk and Yukon touch no sea but the Arctic, so no fleet comes to them.",
            "WHO SENDS NO REMOVALS loses those units of the continent concerned that stand farthest from the power's"
            " home centres there.",
        ),
    ),
)

REASONS = {
    "laid-up": Reason("the Russian fleet of Siberia is under repair, and holds in Spring and Fall 1901", "VI"),
    "eliminated-from-continent": Reason(
        "the power was eliminated from this continent, and builds there no more", "IV.D"
    ),
    "no-build-on-continent": Reason(
        "no build is due on this continent: its units are fed by its own centres alone", "IV.C"
    ),
    "no-removal-on-continent": Reason(
        "the unit is of a continent on which nothing has to be removed: each continent feeds its own units", "IV.C"
    ),
}
