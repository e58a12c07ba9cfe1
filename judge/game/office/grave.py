"""The acts of a Gamemaster that `undo` does not take back, in the words that ask for them."""

from __future__ import annotations

GRAVE = (
    "rollback", "amend", "reopen", "end", "carry vote", "disqualify", "hand over", "deputy", "assign", "vacate",
    "reveal",
)  # fmt: skip
"""Each needs a second proof: the table of authority has its row from here, the Gamemaster's first letter its list."""

GRAVE_ACTS = ", ".join(GRAVE)
