"""Templates for the faces: each is that of the first folder that has it, so a zine's own go before the judge's.

`templates/zine` holds ours; a zine has its own in the folder `zines/KEY` of the site's templates, file by file
(`zines/electronic-protocol/zine/text/head.txt`). A template sees plain values and trees, and lays out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import TemplateNotFound

from judge.mail.letters import layout
from judge.mail.letters.rendering import TemplateError, environment


class ZinePrinter:
    """Prints with the templates of some folders. `folders`: the zine's own, the site's and the judge's, or some of
    them.
    """

    def __init__(self, *folders: Path) -> None:
        self.folders = folders
        self._environment = environment(folders, {}, aloud=False)
        self._environment.globals.update(rule=layout.rule, headed=layout.headed)
        self._environment.filters.update(
            fill=layout.fill, hang=layout.hang, marked=layout.marked, pad=layout.pad, keep=layout.keep,
            width=layout.columns,
        )  # fmt: skip

    def learn(self, filters: Mapping[str, Callable[..., Any]], **names: Any) -> None:
        """Let templates know the filters and names of a face."""
        self._environment.filters.update(filters)
        self._environment.globals.update(names)

    def render(self, name: str, **facts: Any) -> str:
        """One template with what it sees. Raises TemplateError, which names it and says what is wrong with it."""
        try:
            return self._environment.get_template(name).render(**facts)
        except TemplateNotFound as error:
            raise TemplateError(f"{name}: there is no template {error.name}") from error
        except Exception as error:  # a template is somebody's, and may do anything wrong
            raise TemplateError(f"{name}: {error}") from error

    def file(self, name: str) -> Path:
        """A file that is no template of this kind. Raises TemplateError where no folder has it."""
        for folder in self.folders:
            if (path := folder / name).is_file():
                return path
        raise TemplateError(f"there is no {name}")
