"""What can be asked and done by mail, each declared once: its words, what it does, who may, and what is told of it.

The packages below find the files of this folder because they are there (`judge.subjects.acts`), and import none of
them.
"""

from __future__ import annotations

import judge.mail.vocabulary  # noqa: F401 - its table reads the files here, and is made first whoever is asked first
from judge import subjects
from judge.acts.declared import Act, Ask

ASKS = {one.asked: one for one in subjects.acts() if isinstance(one, Ask)}
"""Class of a question -> what answers it."""

for _act in subjects.acts():
    if isinstance(_act, Act):
        _act.install()
