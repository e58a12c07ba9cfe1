"""Runs Typst, as a program of its own: `python typeset.py FOLDER JOB`, with the job as JSON in the folder.

Apart from the judge, so that a document that takes all memory or never ends costs that document alone, and the memory
that Typst keeps is given back. It reads nothing but the folder and the fonts that the job names, and writes the PDF
there; what is wrong with the document is said on stderr with exit code 2.
"""

from __future__ import annotations

import json
import sys
from datetime import datetime
from pathlib import Path


def typeset(folder: Path, job: Path) -> int:
    """Compile what a job says: `main`, `fonts`, `inputs`, `moment` and `out`, the name of the PDF."""
    import typst

    asked = json.loads(job.read_text(encoding="utf-8"))
    fonts = typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=True, font_paths=[Path(one) for one in asked["fonts"]]
    )
    try:
        compiler = typst.Compiler(
            folder / asked["main"], root=folder, font_paths=fonts, ignore_system_fonts=True, sys_inputs=asked["inputs"]
        )
        made = compiler.compile(format="pdf", timestamp=datetime.fromisoformat(asked["moment"]))
    except RuntimeError as error:  # the class of Typst's own errors is one
        print(f"{error} {getattr(error, 'diagnostic', '')}", file=sys.stderr)
        return 2
    assert isinstance(made, bytes)
    (folder / asked["out"]).write_bytes(made)
    return 0


if __name__ == "__main__":
    sys.exit(typeset(Path(sys.argv[1]), Path(sys.argv[2])))
