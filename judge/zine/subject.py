"""What zines add to the running judge: their addresses, their subscriptions, and their clock."""

from __future__ import annotations

from judge.languages import told_later
from judge.service.core.judge import JudgeSubject
from judge.zine.clock import sweep
from judge.zine.desk import PREFIX
from judge.zine.mailing import ISSUE
from judge.zine.offices import editor_forgotten
from judge.zine.subscribing import places_of

SUBJECT = JudgeSubject(
    prefix=PREFIX,
    known=lambda view, key: view.zines.get(key) is not None,
    due=lambda view, now: [row.key for row in view.zines.due(now)],
    sweep=sweep,
    places=places_of,
    bulk=(ISSUE,),
    forgotten=editor_forgotten,
    unasked=(
        told_later(
            "I do not know this command. To have words printed, put a line on top of them: `letter to the editor`, or "
            "`article` and its title."
        ),
        "help zine",
    ),
)
