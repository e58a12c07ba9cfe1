"""The lines of a mail, and what each is: its author's own, quotation, signature, footer; and the phrases by which mail
programs mark what the author did not type.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate

_FLAGS = re.IGNORECASE

WROTE = re.compile(
    r"\b(?:wrote|writes|schrieb|schreef|geschreven|a écrit|écrivait|escribió|ha scritto|scrisse|escreveu"
    r"|skrev|kirjoitti|napsal|napísal|va escriure|a scris|napisao|kirjutas|rašė|rakstīja"
    r"|pisze|napisał|írta|yazdı|написал|написа|пишет|пише|έγραψε)(?:\(?[aаo]\)?)?\b|写道|寫道|のメール|書きました|작성",
    _FLAGS,
)
"""The verb of an attribution line ("On 3 May Anna wrote:")."""

STARTS_ATTRIBUTION = re.compile(
    r"\W{0,2}(?:on|am|le|el|il(?: giorno)?|op|den|em|a|w dniu|dnia|dne|på|quoting"
    r"|excerpts from|in (?:message|article)"
    r"|mon|tue|wed|thu|fri|sat|sun|ma|ti|ke|to|pe|la|su|от)\b.{0,60}(?:\d|@)|\W{0,2}\d{1,4}[./-]|\d{4}年",
    _FLAGS,
)
"""How the first line of an attribution begins: an opening word and a date, or a date."""

ADDRESS_COLON = re.compile(r"<?[\w.+-]+@[\w.-]+>?\)?\s*[:：]$")

_CLOCK_TIME = re.compile(r"\b\d{1,2}[:.h]\d\d\b|\d{1,2}\s?(?:[ap]\.?m\b|uhr\b|时|時|시)", _FLAGS)
_DATE = re.compile(r"(?<!\d)\d{4}(?:\b|[年년])|\b\d{1,2}[./-]\d{1,2}[./-]\d{2}\b")


def names_earlier_mail(text: str) -> bool:
    """Does `text`, unwrapped, say beyond doubt whose mail follows? Writer and verb, or address; and a date.

    Stricter than what suffices above quotation marks: nothing but this line tells the earlier mail from the answer.

    >>> names_earlier_mail("Op ma 4 mei 2026 om 19:00 schreef Judge <judge@judge.test>:")
    True
    >>> names_earlier_mail("On second thoughts I wrote:"), names_earlier_mail("As I wrote in 1901: A Par - Bur")
    (False, False)
    """
    if not text.endswith((":", "：")) or not _DATE.search(text):
        return False
    if WROTE.search(text):
        return "@" in text or bool(_CLOCK_TIME.search(text))
    return bool(ADDRESS_COLON.search(text) and _CLOCK_TIME.search(text))


_ORIGINAL = (
    "original message|original appointment|original-nachricht|ursprüngliche (?:nachricht"
    "|mail)|originalnachricht|message d'origine|message original"
    "|mensaje original|messaggio originale|oorspronkelijk bericht|ursprungligt meddelande|opprinnelig melding"
    "|oprindelig meddelelse|alkuperäinen viesti|wiadomość oryginalna|mensagem original"
    "|původní zpráva|исходное сообщение"
    "|eredeti üzenet|orijinal mesaj|原始邮件|原始郵件|元のメッセージ|원본 메시지"
)
_FORWARD = (
    "forwarded message|weitergeleitete (?:nachricht|e-?mail)|message transféré"
    "|mensaje reenviado|messaggio inoltrato"
    "|doorgestuurd bericht|vidarebefordrat meddelande|videresendt (?:melding|meddelelse"
    "|e-post)|välitetty viesti"
    "|wiadomość przekazana|mensagem encaminhada|přeposlaná zpráva|пересылаемое сообщение"
    "|перенаправленное сообщение|転送メッセージ|转发的邮件"
)
ORIGINAL = re.compile(rf"\W{{0,3}}[-_=]{{2,}}\s*(?:{_ORIGINAL})\s*[-_=]{{2,}}\W{{0,2}}", _FLAGS)
"""A line such as `-----Original Message-----`."""

FORWARD = re.compile(
    rf"\W{{0,3}}[-_=]{{2,}}\s*(?:{_FORWARD})\s*[-_=]{{2,}}\W{{0,2}}"
    r"|begin forwarded message\s?:|anfang der weitergeleiteten (?:nachricht|e-?mail)\s?:"
    r"|début du message (?:réexpédié|transféré)\s?:|inizio messaggio inoltrato\s?:"
    r"|inicio del mensaje reenviado\s?:"
    r"|begin doorgestuurd bericht\s?:|início da mensagem (?:encaminhada|reenviada)\s?:"
    r"|vidarebefordrat brev\s?:",
    _FLAGS,
)
"""A line such as `---------- Forwarded message ---------` or `Begin forwarded message:`."""


def _label(words: str) -> re.Pattern[str]:
    return re.compile(rf"\s{{0,3}}\*?(?:{words})\s?[:：]\*?(?:\s|$)", _FLAGS)


FROM_LABEL = _label(
    "from|von|de|da|van|från|fra|od|lähettäjä|от|от кого|expéditeur|feladó|kimden|差出人|发件人|寄件者|보낸 사람"
)
DATE_LABEL = _label(
    "sent|date|gesendet|datum|envoyé|enviado(?: el)?|enviada em|fecha|inviato|data|verzonden"
    "|skickat|sendt|dato|wysłano"
    "|lähetetty|päivämäärä|отправлено|дата"
    "|odesláno|elküldve|dátum|tarih|gönderildi|送信日時|日時|发送时间|日期|寄件日期|보낸 날짜"
)
OTHER_LABEL = _label(
    "to|cc|bcc|subject|an|kopie|betreff|à|a|objet|para|asunto|assunto|oggetto|aan|onderwerp"
    "|till|kopia|ämne|til|kopi|emne"
    "|do|dw|temat|vastaanottaja|kopio|aihe|кому|тема|komu|předmět|címzett|tárgy|kime|konu"
    "|reply-to|importance|priority|"
    "宛先|件名|收件人|抄送|主题|主旨|받는 사람|제목"
)

DEVICE = re.compile(
    r"\W{0,3}(?:(?:sent|this (?:e-?mail|message) was sent) (?:from|via|by|with|using) .{2,60}"
    r"|get (?:outlook|bluemail|typeapp|spark|edison).{0,5} for .{2,30}|gesendet (?:von|mit|aus"
    r"|über|via) .{2,60}|von meinem .{2,40} gesendet"
    r"|diese nachricht wurde von meinem .{2,60}|holen sie sich outlook für .{2,30}"
    r"|envoyé (?:de(?:puis)?|à partir d|avec|par) ?.{2,60}"
    r"|télécharge[rz]? outlook pour .{2,30}|enviado (?:desde|do|de|con) .{2,60}"
    r"|obtener outlook para .{2,30}"
    r"|inviato (?:da|dal|con) .{2,60}|scarica outlook per .{2,30}|verzonden (?:vanaf|met|via|vanuit) .{2,60}"
    r"|skickat från .{2,60}|sendt fra .{2,60}|lähetetty .{2,60}|wysłan[eyo] z .{2,60}"
    r"|отправлено (?:с|из) .{2,60}|odesláno z .{2,60}"
    r"|發自我的.{2,40}|发自我的.{2,40}|.{2,30}から送信|나의 .{2,30}에서 보냄)",
    _FLAGS,
)
_DEVICE_NAME = re.compile(
    r"\b(?:iphone|ipad|ipod|ios|android|samsung|galaxy|mobile?|mobil\w*|handy|smartphone|i?phone|telefon\w*|téléphone|teléfono"
    r"|telefoon|tablet|blackberry|huawei|xiaomi|redmi|pixel|nokia|xperia|oneplus|windows|outlook|e?mail|yahoo|gmail|gmx|web\.de"
    r"|proton\w*|thunderbird|fairemail|k-9|bluemail|spark|aol|app|device|gerät|appareil|dispositivo|móvil|celular"
    r"|apparaat|enhet|enhed|laitte\w*|puhelime\w*|urządzenia|smartfona|устройства|телефона|почты)\b|手机|我的|나의",
    _FLAGS,
)


def is_device_line(line: str) -> bool:
    """Is `line` what a telephone or a mail program signs with? "Sent by my ambassador" is not.

    >>> is_device_line("Sent from my iPhone"), is_device_line("Sent from Paris with love")
    (True, False)
    """
    return bool(DEVICE.fullmatch(line)) and bool(_DEVICE_NAME.search(line))


LIST_FOOTER = re.compile(
    r".{0,80}(?:mailing list\s*$|you received this (?:message|e-?mail) because|to unsubscribe"
    r"|unsubscribe (?:from|here|:)|to manage your subscription"
    r"|list ?(?:info|serv) ?(?:page)?:|https?://\S{1,200}/(?:mailman|listinfo|postorius"
    r"|hyperkitty|options|unsub)\S*"
    r"|sie erhalten diese (?:nachricht|e-?mail),? weil|abmelden:|reply to this email directly, view it on)",
    _FLAGS,
)

VIRUS_FOOTER = re.compile(
    r"\W{0,4}(?:virus-free|virenfrei|sans virus|libre de virus|this (?:e-?mail"
    r"|message) has been (?:checked|scanned)|diese e-?mail wurde (?:von|auf)"
    r"|please consider the environment|think before you print|caution\s*:\s*(?:this (?:e-?mail"
    r"|message)|external)|\[?external e?-?mail\]?\W*$"
    r"|this (?:e-?mail|message) (?:originated|was sent) from outside|yahoo mail: .{2,60}|do you yahoo)",
    _FLAGS,
)

DISCLAIMER = re.compile(
    r"\W{0,10}(?:confidentiality (?:notice|note)|confidential(?:ity)?\s*[:-]|legal (?:notice"
    r"|disclaimer)|(?:e-?mail )?disclaimer\b|important notice|privileged (?:and"
    r"|/) confidential"
    r"|(?:the|any) (?:information|content)s? (?:contained |transmitted )?(?:in|of|is)"
    r"|this (?:e-?mail|message|communication|transmission)\b|if you (?:are not|have received)"
    r"|diese (?:e-?mail|nachricht)\b|ce (?:message|courriel|mail)\b|este (?:mensaje|correo"
    r"|e-?mail)|questo messaggio|dit bericht|detta meddelande|denne e-?post)",
    _FLAGS,
)
DISCLAIMER_WORDS = re.compile(
    r"confidential|privileged|intended (?:only|solely|for)|intended recipient|addressee"
    r"|unauthori[sz]ed|vertraulich|bestimmt(?:e|en)? empfänger|confidentiel"
    r"|destinataire|confidencial|destinatario|riservat|vertrouwelijk|konfidentiell|fortrolig|liability|virus",
    _FLAGS,
)


_QUOTE = re.compile(r"[ \t]{0,3}(?:>[ \t]?)+")


class LineKind(StrEnum):
    """What a line of a mail is."""

    OWN = "own"
    QUOTED = "quoted"
    ATTRIBUTION = "attribution"
    SIGNATURE = "signature"
    DISCLAIMER = "disclaimer"
    FOOTER = "footer"
    FORWARDED = "forwarded"


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of a mail's text: its number from 1, the text as written, its kind, its depth of quotation."""

    number: int
    text: str
    kind: LineKind
    depth: int = 0


def strip_quote(text: str) -> tuple[int, str]:
    """(depth, rest) of a line: how many `>` stand before it, and what stands behind them.

    >>> strip_quote("> > A PAR - BUR")
    (2, 'A PAR - BUR')
    """
    match = _QUOTE.match(text)
    return (match[0].count(">"), text[match.end() :]) if match else (0, text)


class MarkedLines:
    """The lines while they are being marked: `kinds[i]` is None as long as nobody but the author claims line i."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = tuple(lines)
        self.kinds: list[LineKind | None] = [None] * len(lines)
        self.depths = [strip_quote(line)[0] for line in lines]
        self.words = [0, *accumulate(bool(line.strip()) for line in lines)]
        self.ends: list[int] = []

    def free(self, at: int) -> bool:
        return 0 <= at < len(self.lines) and self.kinds[at] is None

    def blank(self, at: int) -> bool:
        return not self.lines[at].strip()

    def claim(self, start: int, end: int, kind: LineKind) -> None:
        """Mark the unmarked lines of [start, end)."""
        for at in range(start, min(end, len(self.lines))):
            if self.kinds[at] is None:
                self.kinds[at] = kind

    def measure(self) -> None:
        """Note where the regions between quotations end, once all quotations are marked."""
        self.ends = [len(self.lines)] * (len(self.lines) + 1)
        for at in range(len(self.lines) - 1, -1, -1):
            quoted = self.kinds[at] in (LineKind.QUOTED, LineKind.ATTRIBUTION, LineKind.FORWARDED)
            self.ends[at] = at if quoted else self.ends[at + 1]

    def words_between(self, start: int, end: int) -> int:
        """How many lines of [start, end) are not empty."""
        return self.words[end] - self.words[start]

    def next_words(self, at: int) -> int:
        """The first line from `at` on that is not empty, or the end."""
        while at < len(self.lines) and self.blank(at):
            at += 1
        return at

    def fill_gaps(self) -> None:
        """Empty lines between two lines of one kind belong to it."""
        before: LineKind | None = None
        gap: list[int] = []
        for at, kind in enumerate(self.kinds):
            if kind is None and self.blank(at):
                gap.append(at)
                continue
            if kind is not None and kind is before:
                for empty in gap:
                    self.kinds[empty] = kind
            gap.clear()
            before = kind


RULE = re.compile(r"\s{0,3}[_*=~#-]{5,}\s*")
"""A line drawn across the page."""

_ARMOUR = re.compile(r"-----(BEGIN|END) PGP (SIGNED MESSAGE|SIGNATURE|MESSAGE|PUBLIC KEY BLOCK)-----\s*")
_LINK = re.compile(r"https?://|www\.|mailto:|\S@\S")
_ORDERLY = re.compile(r"\W{0,4}(?:[AF]|army|fleet)\s+[a-z]{2}", re.IGNORECASE)
_BARE_SIGNATURE = 6
_DEVICE_LINE = 120
_FOOTER = 14
_SHORT = 45


def mark_armour(sheet: MarkedLines) -> None:
    """Mark OpenPGP frames: the head of a signed message, a signature, an encrypted block, a key."""
    begun: dict[str, int] = {}
    for at, line in enumerate(sheet.lines):
        match = _ARMOUR.fullmatch(line) if line.startswith("-----") else None
        if match is None:
            continue
        if match[2] == "SIGNED MESSAGE":
            end = at + 1
            while end < len(sheet.lines) and re.match(r"Hash: |Charset: ", sheet.lines[end]):
                end += 1
            sheet.claim(at, end, LineKind.SIGNATURE)
        elif match[1] == "BEGIN":
            begun[match[2]] = at
        elif match[2] in begun:
            sheet.claim(begun.pop(match[2]), at + 1, LineKind.SIGNATURE)


def _paragraphs(sheet: MarkedLines) -> Iterator[tuple[int, int]]:
    """[start, end) of every run of unmarked lines without an empty one."""
    start: int | None = None
    for at in range(len(sheet.lines) + 1):
        inside = sheet.free(at) and not sheet.blank(at)
        if inside and start is None:
            start = at
        if not inside and start is not None:
            yield start, at
            start = None


def mark_footers(sheet: MarkedLines) -> None:
    """Mark what a mailing list appends at the end of a mail, or of the author's part of it."""
    for at in range(len(sheet.lines)):
        if not sheet.free(at) or not LIST_FOOTER.match(sheet.lines[at]):
            continue
        end = sheet.ends[at]
        if sheet.words_between(at, end) > _FOOTER or not any(map(_LINK.search, sheet.lines[at:end])):
            continue
        start = at
        while (
            sheet.free(start - 1) and at - start < 3 and not sheet.blank(start - 1) and _opens_footer(sheet, start, at)
        ):
            start -= 1
        sheet.claim(start, end, LineKind.FOOTER)


def _opens_footer(sheet: MarkedLines, start: int, at: int) -> bool:
    """Is there a rule or a signature mark within two lines above the footer's first phrase?"""
    above = range(max(0, at - 3), start)
    return any(RULE.fullmatch(sheet.lines[near]) or sheet.lines[near].strip() == "--" for near in above)


def mark_disclaimers(sheet: MarkedLines) -> None:
    """Mark paragraphs of legal or virus-scanner boilerplate, recognised by their first words and their vocabulary."""
    for start, end in list(_paragraphs(sheet)):
        first = start + 1 if RULE.fullmatch(sheet.lines[start]) and end - start > 1 else start
        end = _end_of_prose(sheet, first, end)
        text = " ".join(sheet.lines[first:end])[:2000]
        if VIRUS_FOOTER.match(text) or _is_disclaimer(text):
            sheet.claim(start, end, LineKind.DISCLAIMER)


def _end_of_prose(sheet: MarkedLines, start: int, end: int) -> int:
    """Where running text ends: a short line after the end of a sentence begins something else, an order perhaps."""
    for at in range(start + 1, end):
        if len(sheet.lines[at]) < _SHORT and sheet.lines[at - 1].rstrip().endswith((".", "!", "]")):
            return at
    return end


def _is_disclaimer(text: str) -> bool:
    return len(text) > 80 and bool(DISCLAIMER.match(text)) and bool(DISCLAIMER_WORDS.search(text))


def mark_signatures(sheet: MarkedLines) -> None:
    """Mark signatures: from a line `-- ` up to the next quotation or the end; below a bare `--` only if few lines
    follow; and lines with which telephones sign.
    """
    for at, line in enumerate(sheet.lines):
        if not sheet.free(at):
            continue
        end = sheet.ends[at]
        if line in ("-- ", "- -- ") or (line.strip() == "--" and _is_bare_signature(sheet, at + 1, end)):
            sheet.claim(at, end, LineKind.SIGNATURE)
        elif len(line) < _DEVICE_LINE and is_device_line(line.strip()):
            sheet.claim(at, at + 1, LineKind.SIGNATURE)


def _is_bare_signature(sheet: MarkedLines, start: int, end: int) -> bool:
    """Few lines, and none that looks like an order: a mark without its space may be a mere divider."""
    few = sheet.words_between(start, end) <= _BARE_SIGNATURE
    return few and not any(map(_ORDERLY.match, sheet.lines[start:end]))


SENTINEL = "=-=-=-=-=-=-=-=-=  Write your answer above this line  =-=-=-=-=-=-=-=-="
"""First line of every letter that can be answered: what follows it in an answer is our own letter."""

_SENTINEL = re.compile(
    r"[\s>*]{0,12}[=\u2010-\u2015-]{4,60}(?:.{0,60}above this line|\s{1,3}.{4,60}\s(?:=-){4,})", re.IGNORECASE
)
"""That line, in whatever language it was written."""
_SENTINEL_HALF = re.compile(r"[\s>*]{0,12}(?:=-){4,}")
_BARRED = re.compile(r"\s{0,3}\|\s?(?:-{30}|(?:=-){4})")
"""A line across a letter of ours, quoted with a bar, as old programs quote."""
_TIME = re.compile(r"\b\d{1,2}[:.h]\d\d\b|\d{1,2}时|\d{1,2}시")
_LONGEST_ATTRIBUTION = 4
_HEADER_BLOCK = 10


def classify_lines(lines: Sequence[str]) -> tuple[TextLine, ...]:
    """Every line of a mail's text with its kind, in order and without omissions.

    >>> [line.kind.value for line in classify_lines(["A PAR - BUR", "-- ", "Anna"])]
    ['own', 'signature', 'signature']
    """
    if not lines:
        return ()
    sheet = MarkedLines(lines)
    for mark in (_mark_quotes, mark_armour, _mark_tail, _mark_attributions):
        mark(sheet)
    sheet.measure()
    for mark in (mark_footers, mark_disclaimers, mark_signatures):
        mark(sheet)
    sheet.fill_gaps()
    return tuple(
        TextLine(number, text, kind or LineKind.OWN, depth)
        for number, (text, kind, depth) in enumerate(zip(sheet.lines, sheet.kinds, sheet.depths, strict=True), 1)
    )


def _mark_quotes(sheet: MarkedLines) -> None:
    for at, depth in enumerate(sheet.depths):
        if depth and not _is_mbox_escape(sheet, at):
            sheet.kinds[at] = LineKind.QUOTED
    if any(_BARRED.match(line) for line in sheet.lines):
        for at, line in enumerate(sheet.lines):
            if line.lstrip().startswith("|"):
                sheet.kinds[at] = LineKind.QUOTED
    for at, line in enumerate(sheet.lines[:-1]):
        if (
            sheet.kinds[at] is LineKind.QUOTED
            and _SENTINEL_HALF.match(line)
            and re.fullmatch(r"[=\s-]{1,40}", sheet.lines[at + 1])
        ):
            sheet.claim(at + 1, at + 2, LineKind.QUOTED)  # the end of our line, wrapped by the mail program


def _is_mbox_escape(sheet: MarkedLines, at: int) -> bool:
    """Mail stores write `>From` for a line of text that begins with `From`; it quotes nobody."""
    if not sheet.lines[at].startswith(">From "):
        return False
    around = [near for near in (at - 1, at + 1) if 0 <= near < len(sheet.lines)]
    sheet.depths[at] = 0 if not any(sheet.depths[near] for near in around) else 1
    return sheet.depths[at] == 0


def _mark_tail(sheet: MarkedLines) -> None:
    """From an unquoted sentinel, separator or block of header lines on, all is an earlier letter.

    Where quotation marks follow the separator, only the separator is claimed: lines between them may be answers.
    """
    at = 0
    while at < len(sheet.lines):
        if sheet.free(at):
            found = _tail_at(sheet, at)
            if found is not None:
                head, kind = found
                sheet.claim(at, head, LineKind.ATTRIBUTION if kind is LineKind.QUOTED else kind)
                if _marks_follow(sheet, head):
                    at = max(head, at + 1)
                    continue
                sheet.claim(at, len(sheet.lines), kind)
                _claim_rule_above(sheet, at)
                return
        at += 1


def _marks_follow(sheet: MarkedLines, head: int) -> bool:
    """Is the earlier letter after the separator quoted by marks, perhaps after an attribution of its own?"""
    start = sheet.next_words(head)
    for at in range(start, min(start + _LONGEST_ATTRIBUTION + 2, len(sheet.lines))):
        if sheet.depths[at]:
            end = at
            while end > start and sheet.blank(end - 1):
                end -= 1
            return at == start or _attribution_start(sheet, end) == start
    return False


def _tail_at(sheet: MarkedLines, at: int) -> tuple[int, LineKind] | None:
    """(end of the tail's head, kind of the tail) if an earlier letter begins at line `at`."""
    line = sheet.lines[at]
    if _is_sentinel(sheet, at):
        return at, LineKind.QUOTED
    if FORWARD.fullmatch(line.strip()):
        return _header_block(sheet, sheet.next_words(at + 1)) or at + 1, LineKind.FORWARDED
    if ORIGINAL.fullmatch(line.strip()):
        return _header_block(sheet, sheet.next_words(at + 1)) or at + 1, LineKind.QUOTED
    end = _header_block(sheet, at)
    return (end, LineKind.QUOTED) if end is not None else None


def _is_sentinel(sheet: MarkedLines, at: int) -> bool:
    line = sheet.lines[at]
    if _SENTINEL.match(line):
        return True
    following = sheet.lines[at + 1] if at + 1 < len(sheet.lines) else ""
    return bool(_SENTINEL_HALF.match(line)) and "above this line" in following.lower()


def _header_block(sheet: MarkedLines, start: int) -> int | None:
    """The line after a block such as From/Sent/To/Subject that begins at `start`; None if there is no such block.

    A sender, a date and one more label are needed, and an address or a time of day: press may well begin with
    "From: Paris, Date: Spring 1901, To: Berlin". Hotmail wrote the date first.
    """
    if start >= len(sheet.lines) or not _is_labelled(sheet.lines[start]):
        return None
    sender = dated = other = exact = False
    end = start
    for at in range(start, min(start + _HEADER_BLOCK, len(sheet.lines))):
        line = sheet.lines[at]
        if FROM_LABEL.match(line):
            sender, end = True, at + 1
            exact = exact or "@" in line
        elif DATE_LABEL.match(line) and re.search(r"\d", line):
            dated, end = True, at + 1
            exact = exact or bool(_TIME.search(line))
        elif OTHER_LABEL.match(line):
            other, end = True, at + 1
        elif not line.strip() and dated and other:
            break
    return end if sender and dated and other and exact else None


def _is_labelled(line: str) -> bool:
    """Whether a line can begin such a block: it names a sender, or a date with its time of day."""
    return bool(FROM_LABEL.match(line) or (DATE_LABEL.match(line) and _TIME.search(line)))


def _claim_rule_above(sheet: MarkedLines, at: int) -> None:
    above = at - 1
    while sheet.free(above) and sheet.blank(above):
        above -= 1
    if sheet.free(above) and RULE.fullmatch(sheet.lines[above]):
        sheet.claim(above, at, LineKind.ATTRIBUTION)


def _mark_attributions(sheet: MarkedLines) -> None:
    """`On ... wrote:` counts only right above a quotation; elsewhere it is a sentence of the author's."""
    for at, kind in enumerate(sheet.kinds):
        if kind is not LineKind.QUOTED or (at and sheet.kinds[at - 1] is LineKind.QUOTED):
            continue
        end = at
        while end and sheet.free(end - 1) and sheet.blank(end - 1) and at - end < 2:
            end -= 1
        start = _attribution_start(sheet, end)
        if start is not None:
            sheet.claim(start, at, LineKind.ATTRIBUTION)


def _attribution_start(sheet: MarkedLines, end: int) -> int | None:
    """Where the attribution that ends before line `end` begins; it may be wrapped over a few lines."""
    best: int | None = None
    text = ""
    for start in range(end - 1, end - 1 - _LONGEST_ATTRIBUTION, -1):
        if not sheet.free(start) or sheet.blank(start):
            break
        text = f"{sheet.lines[start].strip()} {text}".strip()
        if len(text) > 400:
            break
        if not _is_attribution(text):
            continue
        if STARTS_ATTRIBUTION.match(sheet.lines[start]):
            return start
        best = start if best is None else best
    return best


def _is_attribution(text: str) -> bool:
    if not text.endswith((":", "：")) or not re.search(r"[\d@]", text):
        return False
    return bool(WROTE.search(text) or ADDRESS_COLON.search(text) or text.lower().startswith("quoting "))
