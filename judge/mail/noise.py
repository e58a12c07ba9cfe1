"""Mail that no person wrote to us: automatic answers, lists, bulk, our own letters, and delivery notices with the
recipients that they report as failed (RFC 3464, RFC 3463).

Such mail is never answered and never read for orders (RFC 3834, RFC 3464, RFC 5965, RFC 2919). It is recognised by
header fields and machine-readable notices, never by what a person writes in the text.

The machine-readable fields of the notice come first, then the X-Failed-Recipients field of Exim and Gmail, then the
heuristics of flufl.bounce for servers that only send prose.

What a mail server's refusal blames: the mailbox, the one letter, or the moment (RFC 3463, RFC 5321).

Only a refusal that speaks of the mailbox says that mail does not reach it. A letter that is too large, or that a filter
takes for spam, says nothing about the next one.
"""

from __future__ import annotations

import email
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from flufl.bounce import all_failures

from judge.mail.raw.addresses import read_address, read_mailboxes
from judge.mail.raw.charsets import decode_text
from judge.mail.raw.fields import Fields, MimePart, decode_words, split_mail


class Blame(StrEnum):
    """What a refusal blames."""

    MAILBOX = "mailbox"
    """No such mailbox, or one that takes no mail: trying again is of no use."""
    LETTER = "letter"
    """Its size, content or sender: another letter may pass."""
    PASSING = "passing"
    """A full mailbox, a server out of order: it may pass later."""


_ENHANCED = re.compile(r"\b[245]\.\d{1,3}\.\d{1,3}\b")
_CODE = re.compile(r"\b[245]\d\d\b")
_NOBODY = re.compile(
    r"user (?:is )?unknown|unknown (?:user|recipient|mailbox|address)|no such (?:user|recipient|mailbox|address)"
    r"|(?:mailbox|user|recipient|address|account) (?:was |is )?(?:not found|not exist|does not exist|doesn't exist"
    r"|disabled|inactive|invalid)|does not exist|invalid (?:recipient|mailbox|address)|no mailbox here",
    re.IGNORECASE,
)
_SIZE = re.compile(
    r"too (?:large|big)|size limit|exceeds? (?:the )?(?:maximum |fixed )?(?:message )?size|message size|max\w* size",
    re.IGNORECASE,
)
_FULL = re.compile(r"\bfull\b|quota|storage|insufficient", re.IGNORECASE)
_POLICY = re.compile(
    r"spam|block(?:ed|list)|black ?list|policy|reputation|\bspf\b|\bdkim\b|\bdmarc\b|content|virus|denied|banned"
    r"|unsolicited|junk",
    re.IGNORECASE,
)

_BY_STATUS = {
    "1.7": Blame.LETTER, "1.8": Blame.LETTER, "2.2": Blame.PASSING, "2.3": Blame.LETTER, "2.4": Blame.PASSING,
    "3.4": Blame.LETTER, "4.5": Blame.PASSING, "4.6": Blame.PASSING, "4.7": Blame.PASSING,
}  # fmt: skip
"""Enhanced status (subject and detail) -> what it blames, where its subject alone would say something else."""

_BY_SUBJECT = {
    "1": Blame.MAILBOX, "2": Blame.MAILBOX, "3": Blame.PASSING, "4": Blame.MAILBOX, "5": Blame.LETTER,
    "6": Blame.LETTER, "7": Blame.LETTER,
}  # fmt: skip

_BY_CODE = {"552": Blame.PASSING, "554": Blame.LETTER, "523": Blame.LETTER, "555": Blame.LETTER}


_TOO_FAST = re.compile(
    r"rate ?limit|unusual(?:ly high)? rate|too (?:many|fast|much)|throttl|slow down|deferred due to user complaints"
    r"|temporarily (?:deferred|rate)|try again later.{0,40}(?:rate|volume)|volume of (?:e-?mail|messages)"
    r"|exceeded .{0,40}(?:rate|limit|quota of messages)",
    re.IGNORECASE,
)
_TOO_FAST_STATUS = re.compile(r"\b4\.7\.(?:28|650|651)\b|\[TSS?\d\d\]|\bRP-00\d\b")
"""4.7.28: Gmail; 4.7.650: Outlook; [TSS04]: Yahoo; RP-001: Hotmail."""


def too_fast(code: int, text: str) -> bool:
    """Whether a temporary refusal is about how much we send, so that every letter to this provider would meet it.

    A full mailbox (452, 4.2.2), a busy mailbox (450, 4.2.1) and greylisting (4.7.1) are about one letter alone.

    >>> too_fast(421, "4.7.28 Gmail has detected an unusual rate of mail"), too_fast(452, "4.2.2 mailbox full")
    (True, False)
    """
    if not 400 <= code < 500 or _FULL.search(text):
        return False
    return bool(_TOO_FAST.search(text) or _TOO_FAST_STATUS.search(text))


def blame(text: str, status: str = "", code: int = 0) -> Blame:
    """What a refusal, permanent or temporary, blames.

    `text`: the server's words; `status`: the enhanced status, `code`: the code of the reply, both else found in it.

    >>> [str(blame(one)) for one in ("550 5.1.1 no such user", "552 5.3.4 message too big", "421 busy", "550 gone")]
    ['mailbox', 'letter', 'passing', 'mailbox']
    """
    status = status or _found(_ENHANCED, text)
    digits = str(code) if code else _found(_CODE, text)
    if status.startswith("4") or (not status and digits.startswith("4")):
        return Blame.PASSING
    kind = status.partition(".")[2]
    if _SIZE.search(text) and not kind.startswith("1."):
        return Blame.LETTER
    known = _BY_STATUS.get(kind) or _BY_SUBJECT.get(kind.partition(".")[0])
    if known is Blame.LETTER and _NOBODY.search(text):
        return Blame.MAILBOX  # many servers answer 5.7.1 for users whom they do not know
    return known or _by_words(digits, text)


def _by_words(code: str, text: str) -> Blame:
    """What a refusal without an enhanced status blames, by its words, else by its code, else the mailbox."""
    if _NOBODY.search(text):
        return Blame.MAILBOX
    if _FULL.search(text):
        return Blame.PASSING
    if _POLICY.search(text):
        return Blame.LETTER
    return _BY_CODE.get(code, Blame.MAILBOX)


def _found(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[0] if match else ""


_STATUS = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,250}@[!-;=?-~]{1,250}>")
_MOST_RECIPIENTS = 50
_MOST_PROSE = 16 << 10


@dataclass(frozen=True, slots=True)
class Failure:
    """One recipient that could not be reached.

    `status` is as in RFC 3463, "" if unknown. `blame`: what the refusal speaks of; if it is the mailbox, trying again
    is of no use.
    """

    recipient: str
    status: str = ""
    diagnostic: str = ""
    blame: Blame = Blame.MAILBOX


@dataclass(frozen=True, slots=True)
class Notice:
    """What a bounce says: failures (none in a notice of success), which reader found them, the letter's Message-ID."""

    failures: tuple[Failure, ...]
    reason: str
    about: str | None


def read_failures(parts: Sequence[MimePart], octets: bytes, failed_fields: Sequence[str] = ()) -> Notice:
    """The failures that a notice reports, by the first of the readers above that finds any. With `octets` empty the
    heuristics are not tried. Never raises.
    """
    about = _about_letter(parts)
    by_fields = _status_failures(parts)
    if by_fields is not None:
        return Notice(by_fields, "delivery-status", about)
    named = tuple(filter(None, (read_address(one) for value in failed_fields for one in value.split(","))))
    if named:
        return Notice(tuple(Failure(one) for one in named[:_MOST_RECIPIENTS]), "x-failed-recipients", about)
    return Notice(_guessed(octets), "bounce-prose", about)


def _status_failures(parts: Sequence[MimePart]) -> tuple[Failure, ...] | None:
    """Failures of all delivery-status parts; None where no such part names any recipient."""
    failures: list[Failure] = []
    named = False
    for part in parts:
        if part.kind not in ("message/delivery-status", "message/global-delivery-status"):
            continue
        for block in re.split(rb"\n[ \t]*\n", part.octets()[0])[: _MOST_RECIPIENTS + 1]:
            fields, _, _ = split_mail(block.strip(b"\n") + b"\n")
            recipient = _recipient(fields)
            if recipient is None:
                continue
            named = True
            failure = _failure(recipient, fields)
            if failure is not None:
                failures.append(failure)
    return tuple(failures) if named else None


def _recipient(fields: Fields) -> str | None:
    for name in ("original-recipient", "final-recipient"):
        address = read_address(fields.first(name).rpartition(";")[2].strip(" <>"))
        if address is not None:
            return address
    return None


def _failure(recipient: str, fields: Fields) -> Failure | None:
    action = fields.first("action").partition(" ")[0].lower()
    diagnostic = fields.first("diagnostic-code")[:300]
    match = _STATUS.search(fields.first("status")) or _STATUS.search(diagnostic)
    status = match[0] if match else ""
    if action in ("delivered", "relayed", "expanded"):
        return None
    found = Blame.PASSING if action == "delayed" else blame(diagnostic, status)
    return Failure(recipient, status=status, diagnostic=diagnostic, blame=found)


def _about_letter(parts: Sequence[MimePart]) -> str | None:
    """The Message-ID of the letter that came back, from the copy or the header that the notice encloses."""
    for part in parts[1:]:
        if part.kind in ("message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers"):
            fields, _, _ = split_mail(part.octets()[0].lstrip(b"\n"))
            match = _MESSAGE_ID.search(fields.first("message-id"))
            if match:
                return match[0]
    return None


def _guessed(octets: bytes) -> tuple[Failure, ...]:
    if not octets:
        return ()
    message = email.message_from_bytes(octets[:_MOST_PROSE])
    if message["from"] is None:
        return ()  # the heuristics look at From first
    try:  # the recipient stands near the top; the rest is our own letter
        soft, hard = all_failures(message)
    except Exception:  # the heuristics are foreign code over hostile prose: whatever they raise means "found nothing"
        return ()
    found = [(one, Blame.MAILBOX) for one in sorted(hard)] + [(one, Blame.PASSING) for one in sorted(soft - hard)]
    read = ((read_address(decode_text(raw)[0]), fault) for raw, fault in found[:_MOST_RECIPIENTS])
    return tuple(Failure(address, blame=fault) for address, fault in read if address is not None)


class Noise(StrEnum):
    """What kind of machine mail it is; NONE for a person's."""

    NONE = "none"
    AUTO_REPLY = "auto-reply"
    VACATION = "vacation"
    BOUNCE = "bounce"
    LIST = "list"
    BULK = "bulk"
    OWN = "own"
    COMPLAINT = "complaint"


@dataclass(frozen=True, slots=True)
class MachineSign:
    """The kind, the sign by which it was recognized, the failed recipients of a bounce, and the Message-ID that it is
    about.
    """

    kind: Noise = Noise.NONE
    reason: str = ""
    failures: tuple[Failure, ...] = ()
    about: str | None = None

    @property
    def is_noise(self) -> bool:
        """True: give no answer and read no orders."""
        return self.kind is not Noise.NONE


@dataclass(frozen=True, slots=True)
class Sender:
    """Who seems to have sent the mail: From address and envelope sender ('' null, None unknown); and who we are."""

    address: str | None
    return_path: str | None
    own_addresses: frozenset[str] = frozenset()
    instance: str = ""


NULL_SENDER = "null-sender"
"""The sign of a mail that nothing but its empty envelope sender gave away as a program's."""

_REPLY_MARK = r"(?:(?:re|aw|antw|antwort|sv|vs|rv|rif|r|odp|res|отв|回复|返信)\s*[:：]|\[)"
_DECLARED = (
    r"(?:automatic|automated|auto)[- ]?(?:reply|response|answer)|autoreply|auto"
    r"|out of (?:the )?office(?: auto\w*)?(?: reply)?|ooo"
    r"|automatische (?:antwort|afwezigheid)|abwesenheits\w+|réponse automatique|absence du bureau"
    r"|respuesta automática|risposta automatica|resposta automática|automatisch antwoord|autosvar|automatiskt? svar"
    r"|afwezigheidsbericht|frånvaromeddelande|fraværsmelding|poissaoloviesti|automaattinen vastaus"
    r"|odpowiedź automatyczna|automatická odpověď|автоматический ответ|自动答复|自動返信|不在通知"
)
_READ = (
    r"read|gelesen|ungelesen|lu|leído|lido|letto|gelezen|läst|lest|læst|luettu|przeczytano|přečteno|прочитано"
    r"|not read|nicht gelesen|non lu"
)
_SAYS_MACHINE = re.compile(rf"(?:{_DECLARED})\s*(?:[:：-]|\Z)|(?:{_READ})\s*[:：]\s*\S", re.IGNORECASE)
"""Subjects that say themselves that a program wrote: an automatic answer, or a notice that a letter was read."""

_ABSENCE = (
    r"absen\w*|assen\w*|ausen\w*|ausência|ooo|out of (?:the )?office|away|vacation|(?:on )?holidays?|on leave|auto"
    r"|abwesen\w*|urlaub\w*|ferien|büro|vacances|congés?|bureau|vacaciones|oficina|férias|ferie|ufficio|vakantie|afwezig\w*"
    r"|kantoor|semester|frånva\w*|fravær\w*|loma\w*|urlop\w*|nieobecn\w*|dovolen\w*|отпуск\w*|отсутств\w*"
)
_ABSENT_SUBJECT = re.compile(
    rf"(?:[^\[\]:]{{0,40}}\W)?(?:{_ABSENCE})\b[^\[\]:]{{0,40}}?[\s:-]+{_REPLY_MARK}", re.IGNORECASE
)
"""An absence, and behind it the subject that is answered: "Absent Re: ...". A player may announce their own absence."""

_TICKET_WORD = (
    r"ticket|case|request|incident|issue|enquiry|inquiry|vorgang|anfrage|demande|dossier|solicitud|caso|pedido"
    r"|richiesta|pratica|aanvraag|zaak|ärende|sag|sak|zgłoszenie|заявка|обращение"
)
_OUR_TAG = r"(?-i:\[[a-z][a-z0-9-]{1,31}\])"
_A_YEAR = r"(?:1[4-9]|2[01])\d\d\b"
_TICKET_SUBJECT = re.compile(
    rf"(?!{_OUR_TAG})[\[(]\s*(?:(?:{_TICKET_WORD}|fall)[-\s]*(?:id|no\.?|nr\.?)?\s*[:#-]?\s*#?\s*\d{{2,}}|#\s*\d{{3,}}|[A-Z]{{2,12}}-\d{{3,}})\s*[\])]"
    rf"|\b(?:{_TICKET_WORD})(?:\s+(?:id|no\.?|nr\.?|number))?\s*[:#]?\s*#?(?!{_A_YEAR})\d{{3,}}"
    rf"|\bfall(?:[\s-]*(?:nr\.?|nummer)\s*|\s*[:#]\s*|\s+)#?(?!{_A_YEAR})\d{{3,}}",
    re.IGNORECASE,
)
"""The number under which a help desk keeps what was written to it: never the tag of a game (`[club-2031]`) nor
a year with its season (`Fall 1901`), which stand in the subjects of our own letters."""

_MACHINE_FIELD = re.compile(
    r"(?:^|-)(?:auto(?:matic|mated)?-?(?:repl|respon|answer|generated|submitted|forwarded)|out-?of-?office|oof-?reply"
    r"|vacation|(?:machine|response|message)-?generated|ticket|mail-autoreply)|autore(?:ply|spon)|autogenerated"
    r"|generated-message",
)
"""Names of fields that no person's mail has: they say that a program answers, or keeps a ticket."""

_MACHINE_PROGRAM = re.compile(r"vacation|auto-?\s?(?:repl|respon|answer)", re.IGNORECASE)
_MACHINE_VALUE = re.compile(r"auto[-_ ]?(?:repl(?:y|ied)|respon\w+|generated)|vacation", re.IGNORECASE)
_VACATION_REASON = re.compile(r"auto-submitted-auto-replied|x-auto-?(?:reply|respond)|x-vacation")
_FOR_RECEIVERS = frozenset({"x-auto-response-suppress"})
"""A field that asks the receiver for something: a person's mail may have it, too."""

_DAEMONS = re.compile(r"(?:mailer[-_.]?daemon|mail-daemon|mdaemon|bounces?(?:[+-].*)?)", re.IGNORECASE)
_SUPPRESSED = re.compile(r"\b(?:all|autoreply)\b", re.IGNORECASE)
"""What only a program asks for; a person's mail may ask for no receipts and no absence notices."""

_NOTICE_SUBJECT = re.compile(
    r"(?:undeliver(?:ed|able)|returned mail|failure notice|non-?deliver(?:y|able)|unable to deliver"
    r"|warning: could not send|permanent (?:delivery )?(?:failure|error)"
    r"|delivery (?:status )?(?:notification|failure|failed|error|report|warning)"
    r"|(?:mail|message) (?:could not be delivered|not delivered|undeliverable|delivery (?:failed|failure|warning|error)"
    r"|system error)|unzustellbar|nicht zustellbar|(?:mail|nachricht) nicht zugestellt|non remis|non délivré"
    r"|échec de (?:la )?remise|no se (?:puede|pudo|ha podido) entregar|no entregado|não entregue|mancato recapito"
    r"|non recapitabile|onbestelbaar|kunde inte levereras|ikke levert|nie dostarczono|недоставлен|не доставлено"
    r"|无法投递|系统退信|配信不能|配信エラー)",
    re.IGNORECASE,
)
"""How notices about mail that could not be delivered are headed; no answer and no forwarded mail begins so."""

_NOTICE_END = re.compile(r"(?:\(delivery failed\)|:\s*(?:non remis|not delivered|unzustellbar))\s*\Z", re.IGNORECASE)
"""How some end the subject of the mail that they could not deliver."""

_SAYS_SO = re.compile(
    rb"this (?:message|e-?mail|report) (?:was|has been|is) (?:created |generated )?automatically (?:created|generated)?"
    rb"|this is an (?:automatically generated|automated|advisory-only)|this is the (?:mail|e-?mail) system at"
    rb"|diese (?:nachricht|e-?mail) wurde automatisch|ce message .{1,12} automatiquement",
    re.IGNORECASE,
)
"""What such a notice says of itself."""
_TOP = 8 << 10

_NOTICE_NAME = re.compile(
    r"(?:mail|message|e-?mail) delivery (?:sub)?(?:system|service|agent)|mail(?:er)?[- ]?daemon|postmaster"
    r"|(?:mail|system) administrator|microsoft outlook|mail system",
    re.IGNORECASE,
)
_SILENT = re.compile(r"(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|donotreply)", re.IGNORECASE)
_ANSWERS = frozenset({"reply", "counter", "refresh", "declinecounter"})
"""Methods of calendar parts that answer one of ours."""
_LIST_FIELDS = ("list-id", "list-post", "x-mailing-list", "mailing-list", "x-beenthere", "x-mailman-version")


def classify(fields: Fields, parts: Sequence[MimePart], sender: Sender, octets: bytes = b"") -> MachineSign:
    """What kind of machine mail this is, if any.

    `parts` are all parts in reading order. `octets` is the mail for the heuristics of last resort; leave it empty for a
    mail that must not be parsed further. The order of the questions matters: a bounce of our letter is both automatic
    and bulk, and the most useful name wins.
    """
    return (
        _own(fields, sender)
        or _complaint(parts)
        or _bounce(fields, parts, sender, octets)
        or _automatic(fields, parts, sender)
        or _listed(fields, sender)
        or MachineSign()
    )


def _own(fields: Fields, sender: Sender) -> MachineSign | None:
    if sender.instance and sender.instance in (value.strip() for value in fields.all("x-judge-loop")):
        return MachineSign(Noise.OWN, "x-judge-loop")
    if sender.address is not None and undetailed(sender.address) in sender.own_addresses:
        return MachineSign(Noise.OWN, "from-our-own-address")
    return None


def undetailed(address: str) -> str:
    """`judge+token@judge.test` as `judge@judge.test`, in lower case."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def _complaint(parts: Sequence[MimePart]) -> MachineSign | None:
    top = parts[0]
    if top.params.get("report-type", "").lower() == "feedback-report" or any(
        part.kind == "message/feedback-report" for part in parts
    ):
        return MachineSign(Noise.COMPLAINT, "feedback-report", about=_about(parts))
    return None


def _about(parts: Sequence[MimePart]) -> str | None:
    return read_failures(parts, b"").about


def _bounce(fields: Fields, parts: Sequence[MimePart], sender: Sender, octets: bytes) -> MachineSign | None:
    report = parts[0].params.get("report-type", "").lower()
    if report == "disposition-notification":
        return MachineSign(Noise.AUTO_REPLY, "read-receipt", about=_about(parts))
    machine = sender.return_path == "" or _from_daemon(sender) or _looks_like_a_notice(fields)
    noticed = report == "delivery-status" or any(part.kind in _STATUS_PARTS for part in parts)
    if not noticed and not (machine or fields.has("x-failed-recipients")):
        return None
    notice = read_failures(parts, octets, fields.all("x-failed-recipients"))
    if notice.failures:
        return MachineSign(Noise.BOUNCE, notice.reason, notice.failures, notice.about)
    if noticed or (machine and _SAYS_SO.search(octets[:_TOP])):
        return MachineSign(Noise.AUTO_REPLY, "delivery-notice", about=notice.about)
    return None


_STATUS_PARTS = ("message/delivery-status", "message/global-delivery-status")


def _looks_like_a_notice(fields: Fields) -> bool:
    """Whether subject or sender's name are those of a notice: enough to look for a failed recipient in it, where nobody
    knows the envelope sender. A mail in which no failed recipient is found stays a person's mail.
    """
    name = next((box.name or box.raw for box in read_mailboxes(fields.first("from"), most=1)), "")
    subject = decode_words(fields.first("subject")).strip()
    headed = _NOTICE_SUBJECT.match(subject) or _NOTICE_END.search(subject)
    return bool(headed or _NOTICE_NAME.fullmatch(name.strip(' "')))


def _from_daemon(sender: Sender) -> bool:
    local = (sender.address or "").rpartition("@")[0]
    return bool(_DAEMONS.fullmatch(local)) or local.lower() == "postmaster"


def _automatic(fields: Fields, parts: Sequence[MimePart], sender: Sender) -> MachineSign | None:
    reason = _automatic_reason(fields, sender) or _calendar_reason(parts)
    subject = decode_words(fields.first("subject")).strip()
    if _SAYS_MACHINE.match(subject) or _ABSENT_SUBJECT.match(subject):
        return MachineSign(Noise.VACATION, reason or "vacation-subject")
    if not reason and _TICKET_SUBJECT.search(subject):
        return MachineSign(Noise.AUTO_REPLY, "ticket-subject")
    if not reason:
        return None
    vacation = _VACATION_REASON.match(reason) is not None
    return MachineSign(Noise.VACATION if vacation else Noise.AUTO_REPLY, reason)


def _automatic_reason(fields: Fields, sender: Sender) -> str:
    submitted = fields.first("auto-submitted").partition(";")[0].partition("(")[0].strip().lower()
    if submitted and submitted != "no":
        return f"auto-submitted-{submitted[:40]}"
    if marked := next((name for name, value in fields.items if _is_a_mark(name, value)), ""):
        return "precedence-auto-reply" if marked == "precedence" else marked
    if fields.has("x-judge-loop"):
        return "another-judge"
    if _SUPPRESSED.search(fields.first("x-auto-response-suppress")):
        return "x-auto-response-suppress"
    if sender.return_path == "":
        return NULL_SENDER
    if _DAEMONS.fullmatch((sender.address or "").rpartition("@")[0]):
        return "from-a-daemon"
    return ""


def _is_a_mark(name: str, value: str) -> bool:
    """Whether a field is a program's by its kind: its name says so, or what it says of the program that wrote."""
    value = value.strip()
    if name in _FOR_RECEIVERS or name == "auto-submitted" or value.lower() in ("", "no", "false", "0", "off"):
        return False
    if _MACHINE_FIELD.search(name):
        return True
    if name in ("x-mailer", "user-agent"):
        return _MACHINE_PROGRAM.search(value) is not None
    return name.startswith(("x-", "precedence")) and _MACHINE_VALUE.fullmatch(value) is not None


def _calendar_reason(parts: Sequence[MimePart]) -> str:
    """The sign by which a mail is known as a calendar program's answer to an invitation (RFC 5546), which its owner
    sent by a button without writing to us; "" for any other mail.
    """
    answers = (part for part in parts if part.kind == "text/calendar")
    return next(("calendar-reply" for part in answers if part.params.get("method", "").lower() in _ANSWERS), "")


def _listed(fields: Fields, sender: Sender) -> MachineSign | None:
    for name in _LIST_FIELDS:
        if fields.has(name):
            return MachineSign(Noise.LIST, name)
    precedence = fields.first("precedence").strip().lower()
    if precedence == "list":
        return MachineSign(Noise.LIST, "precedence-list")
    if precedence in ("bulk", "junk"):
        return MachineSign(Noise.BULK, f"precedence-{precedence}")
    if fields.has("list-unsubscribe"):
        return MachineSign(Noise.BULK, "list-unsubscribe")
    if _SILENT.fullmatch((sender.address or "").rpartition("@")[0]):
        return MachineSign(Noise.BULK, "from-no-reply")
    return None
