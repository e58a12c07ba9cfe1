"""One game: commands in, events out. Importing it installs every feature, whichever part is asked for."""

from __future__ import annotations

import judge.game.features  # noqa: F401
