"""The features of running a game, listed once, and installed.

The order is that in which several features follow one event, and in which their alarms are asked.
"""

from __future__ import annotations

from judge.game.clock import absences, awaiting, clockwork, extensions, holds, ladder, outages, schedule, splitting
from judge.game.core import evolve
from judge.game.core.registry import REGISTRY
from judge.game.filing import advance, again, always, deeds, dropping, overtaken, plans, submitting
from judge.game.office import desk, offices, processing, rulings, undoing, withdrawing
from judge.game.repair import forward, reopening, rewriting
from judge.game.table import autostart, deciding, practice, proxies, seating, vacancies
from judge.game.talk import amendments, ballots, diaries, epilogue, press, recall

FEATURES = (
    evolve.FEATURE,
    *(module.FEATURE for module in (clockwork, desk, holds, press, processing, schedule, seating, submitting)),
    *(module.FEATURE for module in (overtaken, absences, advance, always, again, amendments, autostart, awaiting)),
    *(module.FEATURE for module in (ballots, deciding, deeds, diaries, dropping, epilogue, extensions, forward)),
    *(module.FEATURE for module in (ladder, offices, outages, plans, practice, proxies, recall, rewriting, rulings)),
    *(module.FEATURE for module in (splitting, reopening, undoing, vacancies, withdrawing)),
)

REGISTRY.add(FEATURES)
