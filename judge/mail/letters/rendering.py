"""Renders letters: a kind and a view into subject, text and HTML, by the templates of some folders."""

from __future__ import annotations

import pickle
import re
from collections import ChainMap, OrderedDict, defaultdict
from collections.abc import Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from traceback import walk_tb
from types import NoneType
from typing import Any
from urllib.parse import quote

import msgspec
from css_inline import CSSInliner
from jinja2 import (
    BytecodeCache,
    ChoiceLoader,
    DictLoader,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateNotFound,
    TemplateSyntaxError,
)
from jinja2 import TemplateError as JinjaError
from jinja2.bccache import Bucket
from markupsafe import Markup

from judge.languages import ENGLISH, Language
from judge.mail.headers import clean_header
from judge.mail.letters import aloud as layout_aloud
from judge.mail.letters import layout, words
from judge.mail.letters.pages import Leaves, Passage, as_passages, as_text, blocks, in_page, read_leaves, unshown
from judge.mail.letters.translating import TranslatingLoader
from judge.mail.letters.words import sentences, template_of, worded
from judge.mail.quoting import SENTINEL
from judge.orders.spelled import listed


class _Compiled(BytecodeCache):
    """What this process has compiled from templates: a new `Printer` need not do it again."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """The code of this very source, if it was compiled before."""
        if (code := self._codes.get((bucket.key, bucket.checksum))) is not None:
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a source."""
        self._codes[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


_COMPILED: defaultdict[tuple[bool, str], _Compiled] = defaultdict(_Compiled)
"""For the eye and for the ear, in each language: what a filter makes of a constant is compiled along with it."""


class _ViewEnvironment(Environment):
    """Reads `view.items` as the view's own field, never as the method of a dictionary. No template has globals of its
    own, so all have the same dictionary of them: a chain of two, as is usual, is slow to copy and to compare.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return ChainMap(d, self.globals) if d else self.globals

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


def environment(
    folders: Sequence[Path], sentences: Mapping[str, str], *, aloud: bool, language: Language = ENGLISH
) -> Environment:
    """An environment whose templates are each that of the first folder that has it, or else one of the sentences, in a
    language.
    """
    files = FileSystemLoader(folders)
    told = {name: language.text(text) for name, text in sentences.items()} if language else sentences
    return _ViewEnvironment(
        loader=ChoiceLoader([TranslatingLoader(files, language) if language else files, DictLoader(told)]),
        finalize=worded,
        undefined=StrictUndefined,
        autoescape=lambda name: bool(name) and str(name).endswith(".html"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=_COMPILED[aloud, language.code],
        auto_reload=len(folders) > 1,  # a site changes its own templates as it likes; the judge's own come with it
    )


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


MOST_SHARED = 64
"""Parts that are kept at hand; the letters of one event are composed one after the other."""

LARGEST_SHARED = 65_536
"""Bytes of such a part."""

LARGEST_PAGE = 100_000
"""Bytes of a page: some programs cut off what is longer."""

MOST_SENTENCES = 2048
"""Sentences that are kept at hand: the letters of one event tell everybody much the same."""


_PLAIN = frozenset({str, int, bool, NoneType})
"""What is no fact that could want words."""


def _mailto(address: str, subject: str, body: object) -> str:
    """A link that opens an answer with its text filled in (RFC 6068)."""
    return f"mailto:{quote(address, safe='@+')}?subject={quote(subject)}&body={quote(str(body))}"


class TemplateError(RuntimeError):
    """A letter could not be printed; the message names the template and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Sheets:
    """A printed letter before it is a mail. `html` is "" where no page is wanted."""

    subject: str
    text: str
    html: str = ""


class Printer:
    """Prints letters with the templates of some folders: each template, and each sentence, is that of the first folder
    that has it. Raises ValueError for a table of sentences that cannot be read.

    `aloud`: for the ear, without columns; without `own_pages` every page is the text laid out. `language`: that of its
    letters, which has to be spoken (`judge.languages.speak`) while they are printed.
    """

    def __init__(
        self, *folders: Path, aloud: bool = False, own_pages: bool = True, language: Language = ENGLISH
    ) -> None:
        self._folders, self._own_pages = folders, own_pages
        self._layout: Any = layout_aloud if aloud else layout
        table = {key: text for folder in reversed(folders) for key, text in sentences(folder / "words").items()}
        self._environment = environment(folders, table, aloud=aloud, language=language)
        self._shared: OrderedDict[tuple[str, bytes], str] = OrderedDict()
        self._same: OrderedDict[tuple[str, tuple[int, ...]], tuple[Mapping[str, Any], str]] = OrderedDict()
        self._parts: OrderedDict[bytes, Any] = OrderedDict()
        self._sentences: OrderedDict[str, str] = OrderedDict()
        self._environment.globals.update(
            shared=self._share,
            rule=self._layout.rule,
            headed=self._layout.headed,
            order_line=self._layout.order_line,
            order_lines=layout.order_lines,
            label_width=layout.label_width,
            beside=self._layout.beside,
            grid=self._layout.grid,
            sentinel=language.text(SENTINEL),
            language=language.code,
            gap=layout.GAP,
            said=self._prose,
            laid=self._laid,
            leafed=self._leafed,
            css=lambda names: self._style.inline(names),
            stylesheet=lambda: self._style.head,
        )
        self._environment.filters.update(
            fill=self._layout.fill,
            leaf=partial(as_text, layout=self._layout),
            unshown=unshown,
            hang=self._layout.hang,
            spoken=layout_aloud.spoken,
            marked=layout.marked,
            pad=self._layout.pad,
            clean=layout.clean,
            keep=layout.keep,
            listed=listed,
            few=layout.few,
            fitting=layout.fitting,
            within=layout.within,
            in_page=lambda text, reply=None: in_page(text, reply, self._style.inline("link") + " "),
            mailto=lambda address: quote(address, safe="@+"),
            **words.FILTERS,
        )

    def print(
        self, kind: str, view: Mapping[str, Any], *, pictures: Sequence[Mapping[str, str]] = (), unhung: int = 0,
        page: bool = True, reply_to: str = "", explain: bool = False, njudge: bool = False,
    ) -> Sheets:  # fmt: skip
        """Subject, text and, with `page`, HTML of a view; a text that is laid out already says `as_it_is`. Raises
        TemplateError.

        `pictures`: what the HTML may show, `unhung`: how many it cannot; `reply_to`: where its buttons write to;
        `explain`: whether its reader wants outcomes explained; `njudge`: and results in njudge's layout, too.
        """
        facts = {name: self._told(part, kind) for name, part in view.items() if name != "reply"}
        context = {
            "kind": kind,
            "pictures": list(pictures),
            "unhung": unhung,
            "reply_to": reply_to,
            "reply": None,
            "explain": explain,
            "njudge": njudge,
            "frame": facts.pop("frame", {}),
            "view": facts,
        }
        subject = layout.in_short(clean_header(self._render(f"{kind}/subject.txt", context)))
        context["subject"] = subject
        if reply_to:
            context["reply"] = partial(_mailto, reply_to, f"Re: {subject}")
        rendered = self._render(f"{kind}/text.txt", context)
        text = layout.clean(rendered).strip("\n") + "\n" if view.get("as_it_is") else self._layout.finish(rendered)
        return Sheets(subject, text, self._page(kind, context) if page else "")

    def _page(self, kind: str, context: Mapping[str, Any]) -> str:
        """The page of a kind; where it has no template of its own, or one that says too much, the text laid out as one.
        "" where even that is larger than mail programs show.
        """
        own = layout.clean(self._render(f"{kind}/html.html", context, optional=True)) if self._own_pages else ""
        if own and len(own.encode("utf-8", "replace")) < LARGEST_PAGE:
            return own
        bare = self._layout.finish(self._render(f"{kind}/text.txt", {**context, "bare": True}))
        laid = layout.clean(self._render("_any.html", {**context, "blocks": blocks(bare)}, optional=True))
        return laid if len(laid.encode("utf-8", "replace")) < LARGEST_PAGE else ""

    def _prose(self, name: str, **facts: Any) -> str:
        """Sentences that text and page have in common, a paragraph a line: `{{ said("late/lead.txt", view=view) }}`."""
        return self._environment.get_template(name).render(**facts).strip("\n")

    def _laid(self, name: str, **facts: Any) -> tuple[Passage, ...]:
        """A part of a text as blocks of a page, for what has no page of its own."""
        return blocks(self._layout.finish(self._environment.get_template(name).render(**facts)))

    def _leafed(self, name: str, **facts: Any) -> tuple[Passage, ...]:
        """A page of help in its marks as blocks of a page."""
        return as_passages(read_leaves(self._environment.get_template(name).render(**facts)))

    @cached_property
    def _style(self) -> Style:
        """The style sheet. Raises ValueError for one that cannot be read."""
        assert self._environment.loader is not None
        return Style(self._environment.loader.get_source(self._environment, "style.css")[0])

    def spoken(self, fact: Any, where: str = "words") -> Any:
        """A view, or a part of one, with its facts put into words, the inner ones first. Raises TemplateError, which
        names `where` they were to be read.
        """
        if isinstance(fact, dict):
            facts = {}
            for name, item in fact.items():
                facts[name] = item if type(item) in _PLAIN else self.spoken(item, where)
            key = words.upcast(facts).pop("say", None)
            return facts if key is None else self._said(key, facts, where)
        if isinstance(fact, (list, tuple)):
            return [item if type(item) in _PLAIN else self.spoken(item, where) for item in fact]
        return fact

    def _told(self, part: Any, where: str) -> Any:
        """A part of a view, spoken; most parts are the same in the letters to everybody, and are spoken once."""
        if type(part) in _PLAIN:
            return part
        key = msgspec.json.encode(part)
        if (told := self._parts.get(key)) is not None:
            return told
        told = self.spoken(part, where)
        if len(key) < LARGEST_SHARED:
            self._parts[key] = told
        if len(self._parts) > MOST_SHARED:
            self._parts.popitem(last=False)
        return told

    def _said(self, key: str, facts: Mapping[str, Any], where: str) -> str:
        """The sentence of a key; equal facts make the same sentence, which is made once."""
        asked = f"{key} {facts!r}"
        text = self._sentences.get(asked)
        if text is None:
            text = self._sentences[asked] = self._render(template_of(key), facts, where=where).strip(" ")
            if len(self._sentences) > MOST_SENTENCES:
                self._sentences.popitem(last=False)
        return text

    def learn(self, *kinds: str) -> None:
        """Have the templates of these kinds compiled, with the parts that all letters share, before they are needed.

        One that is broken is passed over: its first letter will say so.
        """
        folders = tuple(f"{kind}/" for kind in kinds)
        for name in self._environment.list_templates():
            if name.startswith(("_", *folders)):
                with suppress(JinjaError):
                    self._environment.get_template(name)

    def sheet(self, template: str, view: Mapping[str, Any]) -> str:
        """A page of its own that is no letter, such as a file to go along with one. Raises TemplateError."""
        return layout.finish(self._render(template, {"view": self.spoken(view, template)}))

    def leaves(self, template: str, view: Mapping[str, Any]) -> Leaves:
        """A page of help in its parts, for whoever lays it out otherwise than letters are. Raises TemplateError."""
        return read_leaves(self._render(template, {"view": self.spoken(view, template)}))

    def _share(self, name: str, **facts: Any) -> str:
        """A part that is the same in the letters to everybody, printed once: `{{ shared("_moves.txt", result=...) }}`.

        It sees nothing but the facts that it is given, so that equal facts are the same part. Mostly they are the very
        same objects as before, which those that are kept here are known by.
        """
        same = name, tuple(map(id, facts.values()))
        if (known := self._same.get(same)) is None or known[0].keys() != facts.keys():
            known = self._same[same] = facts, self._shared_part(name, facts)
            if len(self._same) > MOST_SHARED:
                self._same.popitem(last=False)
        return Markup(known[1]) if name.endswith(".html") else known[1]

    def _shared_part(self, name: str, facts: Mapping[str, Any]) -> str:
        key = name, pickle.dumps(facts)
        part = self._shared.get(key)
        if part is None:
            part = self._shared[key] = self._environment.get_template(name).render(**facts).removesuffix("\n")
            while len(self._shared) > MOST_SHARED:
                self._shared.popitem(last=False)
        return part

    def _render(self, name: str, context: Mapping[str, Any], *, optional: bool = False, where: str = "") -> str:
        try:
            return self._environment.get_template(name).render(**context)
        except TemplateNotFound as error:
            if optional and error.name == name:
                return ""
            raise TemplateError(
                f"{where or name}: there is no template {error.name}{self._inside(error, name)}"
            ) from error
        except Exception as error:  # a template is somebody's, and may do anything wrong
            raise TemplateError(f"{where and where + ': '}{name}: {error}{self._inside(error, name)}") from error

    def _inside(self, error: Exception, name: str) -> str:
        """Where in the templates it went wrong, as far as it can be seen: " (_desk.txt, line 3)"."""
        for frame, line in reversed(list(walk_tb(error.__traceback__))):
            path = Path(frame.f_code.co_filename)
            found = next((folder for folder in self._folders if path.is_relative_to(folder)), None)
            if found is not None:
                return f" ({path.relative_to(found).as_posix()}, line {line})"
        return f" (line {error.lineno})" if isinstance(error, TemplateSyntaxError) and error.name == name else ""
