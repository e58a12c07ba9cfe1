"""Zines: the desk at which an editor makes an issue by mail, its faces, and the register of games.

The vocabulary is read first: it finds the verbs of this folder because the folder is there.
"""

import judge.mail.vocabulary  # noqa: F401
