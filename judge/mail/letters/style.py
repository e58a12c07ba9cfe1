"""The style sheet of the pages: written once, put to every element that bears its names.

Many mail programs take a page's own sheet away, and with it whatever classes meant; what stands at an element stays.
So the rules ahead of the first "@media" go to the elements, and what follows, which only some programs read (dark
colours, narrow screens), goes into the head, where it overrules them.
"""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_REMARK = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"\.([a-z][a-z0-9-]*)\s*\{([^{}]*)\}")


class Style:
    """One sheet. `head`: what stands in the head of a page. Raises ValueError for a rule that is not of the form
    `.name { ... }`.
    """

    def __init__(self, text: str) -> None:
        plain = _REMARK.sub("", text)
        rules, media, rest = plain.partition("@media")
        if left := _RULE.sub("", rules).strip():
            raise ValueError(f"style.css: no rule of the form .name {{ ... }}: {left.splitlines()[0]}")
        self._rules = {found[1]: _neat(found[2]) for found in _RULE.finditer(rules)}
        self._made: dict[str, Markup] = {}
        self.head = Markup(re.sub(r"\n\s*", "\n", _overruling(media + rest).strip()))

    def inline(self, names: str) -> Markup:
        """The attributes of an element that bears these names, the later ones ruling. Raises ValueError for a name
        without a rule.

        >>> Style(".soft { color: #333333; }").inline("soft")
        Markup('class="soft" style="color:#333333"')
        """
        if (made := self._made.get(names)) is None:
            for name in names.split():
                if name not in self._rules:
                    raise ValueError(f"style.css has no rule .{name}")
            style = ";".join(self._rules[name] for name in names.split() if self._rules[name])
            made = self._made[names] = Markup(f'class="{escape(names)}" style="{escape(style)}"')
        return made


def _neat(declarations: str) -> str:
    """Declarations without blanks that mean nothing."""
    parts = (part.partition(":") for part in declarations.split(";") if part.strip())
    return ";".join(f"{name.strip()}:{' '.join(value.split())}" for name, _, value in parts)


def _overruling(text: str) -> str:
    """Rules whose every declaration goes before what stands at an element."""
    return re.sub(r"([a-z-]+\s*:\s*[^;{}()]+);", r"\1 !important;", text)
