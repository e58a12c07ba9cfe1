"""The style sheet of the pages: written once, put to every element that bears its names.

Many mail programs take a page's own sheet away, and with it whatever classes meant; what stands at an element stays.
So the rules ahead of the first "@media" go to the elements, and what follows, which only some programs read (dark
colours, narrow screens), goes into the head, where it overrules them.
"""

from __future__ import annotations

import re

from css_inline import CSSInliner
from markupsafe import Markup

_REMARK = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"\.([a-z][a-z0-9-]*)\s*\{[^{}]*\}")
_ATTRIBUTES = re.compile(r"<i (.*)></i>", re.DOTALL)


class Style:
    """One sheet. `head`: what stands in the head of a page. Raises ValueError for a rule that is not of the form
    `.name { ... }`.
    """

    def __init__(self, text: str) -> None:
        plain = _REMARK.sub("", text)
        self._rules, media, rest = plain.partition("@media")
        if left := _RULE.sub("", self._rules).strip():
            raise ValueError(f"style.css: no rule of the form .name {{ ... }}: {left.splitlines()[0]}")
        self._names = frozenset(_RULE.findall(self._rules))
        self._inliner = CSSInliner(load_remote_stylesheets=False, minify_css=True)
        self._made: dict[str, Markup] = {}
        self.head = Markup(re.sub(r"\n\s*", "\n", _overruling(media + rest).strip()))

    def inline(self, names: str) -> Markup:
        """The attributes of an element that bears these names; where two of them say the same, the one further down in
        the sheet rules. Each set of names is worked out once. Raises ValueError for a name without a rule.

        >>> Style(".soft { color: #333333; }").inline("soft")
        Markup('class="soft" style="color:#333333"')
        """
        if (made := self._made.get(names)) is None:
            if unknown := [name for name in names.split() if name not in self._names]:
                raise ValueError(f"style.css has no rule .{unknown[0]}")
            element = self._inliner.inline_fragment(f'<i class="{names}"></i>', self._rules)
            made = self._made[names] = Markup(_ATTRIBUTES.sub(r"\1", element))
        return made


def _overruling(text: str) -> str:
    """The rules with `!important` at every declaration, so that they override the styles at the elements."""
    return re.sub(r"([a-z-]+\s*:\s*[^;{}()]+);", r"\1 !important;", text)
