"""1914 Diplomacy by Lewis Pulsipher: supply points, two parts of a season at sea, bombers, minor countries to win.

1. Five Great Powers with their first units and points; minor countries with an army in each centre, Italy and Turkey
   with units of their own (`table.py`).
2. The game begins with a round of influence before Spring 1914. Ten centres, and three more than any other, win.
3. Capitals; who loses one stands for a season and names another, or surrenders (`closing.py`).
4. Points may be given away, a fifth in a Fall. 5. What centres yield. 6. Maintenance and builds (`winter.py`).
7. What battles cost. 8. Who goes short (`costs.py`, `battle.py`). 9. Supply lines (`supply.py`).
10. Railways. 11. Two parts of a season at sea. 12. Fleets in foreign centres (`parts.py`, `season.py`).
13. Retreats, and morale after them. 14. Visits and alliances. 15. Bombers (`bombers.py`).
16. Political factors and the control of minor countries (`control.py`).

`state.py` says what a position remembers, `lines.py` and `business.py` what countries do beside ordering units,
`kinds.py` how orders are written, `exchange.py` the JSON contract, `report.py` what players read.
"""

from __future__ import annotations

from judge.rules.model import RuleSystem
from judge.variants.pulsipher1914.rules import Pulsipher1914
from judge.variants.pulsipher1914.words import BRIEF, PAGE, REASONS

RULE_SYSTEMS = (
    RuleSystem(
        Pulsipher1914(key="1914"),
        "1914 Diplomacy",
        presets={
            "1914": {"rules": "1914", "map": "pulsipher1914", "players": "5", "adjustments": "84h", "nmr": "grace"}
        },
        reasons=REASONS,
        brief=BRIEF,
        page=PAGE,
    ),
)
