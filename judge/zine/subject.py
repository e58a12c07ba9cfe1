"""What zines add to the running judge: their addresses, their subscriptions, and their clock."""

from __future__ import annotations

from judge.service.core.subjects import HouseSubject
from judge.zine.clock import sweep
from judge.zine.desk import PREFIX
from judge.zine.mailing import ISSUE

SUBJECT = HouseSubject(
    prefix=PREFIX,
    known=lambda view, key: view.zines.get(key) is not None,
    due=lambda view, now: [row.key for row in view.zines.due(now)],
    sweep=sweep,
    bulk=(ISSUE,),
)
