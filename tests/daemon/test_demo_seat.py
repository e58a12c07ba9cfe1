"""Whoever came to the demo has another power for the asking; the robots take the one that they leave."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.daemon.demo import GM, KEY, YOU, YOURS, Demo
from judge.daemon.running import Daemon
from judge.game.core.model import Game
from judge.service.core.house import open_house
from judge.testing.letters import ReceivedLetter, read_letter
from judge.testing.mails import build, plain
from judge.testing.theatre import rehearsal_config
from judge.transport.maildir_out import read_mailbox

PATIENCE = 30.0
