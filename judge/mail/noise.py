"""Mail that no person wrote to us: automatic answers, bounces, lists, bulk, complaints and our own letters.

Such mail is never answered and never read for orders (RFC 3834, RFC 3464, RFC 5965, RFC 2919). It is recognised by
header fields and machine-readable notices, never by what a person writes in the text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from judge.mail.bounces import Failure, read_failures
from judge.mail.raw.addresses import read_mailboxes
from judge.mail.raw.fields import Fields, decode_words
from judge.mail.raw.mime import MimePart


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

_VACATION_SUBJECT = re.compile(
    r"(?:(?:automatic|auto|automated)[- ]?(?:reply|response|answer)|out of (?:the )?office(?: auto\w*)?(?: reply)?"
    r"|automatische (?:antwort|afwezigheid)|abwesenheits(?:notiz|meldung|assistent)|réponse automatique"
    r"|absence du bureau"
    r"|respuesta automática|risposta automatica|resposta automática|automatisch antwoord|autosvar|automatiskt? svar"
    r"|afwezigheidsbericht|frånvaromeddelande|fraværsmelding|poissaoloviesti"
    r"|automaattinen vastaus|odpowiedź automatyczna|автоматический ответ|自动答复|自動返信|不在通知)\s*(?:[:：-]|\Z)",
    re.IGNORECASE,
)
_ABSENT_SUBJECT = re.compile(
    r"(?:abwesen(?:d|heit)|ooo|auto|absente?|away(?: from (?:the |my )?office)?|absence|assente|ausente"
    r"|ausência|afwezig|frånvaro|fravær"
    r"|nieobecność|fuori ufficio|fuera de la oficina)\s*[:-]?\s+(?:(?:re|aw|antw|sv|rv|rif)\s*:|\[)",
    re.IGNORECASE,
)
"""An absence, and behind it the subject that is answered: "Absent Re: ...". A player may announce their own absence."""

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
    subject = decode_words(fields.first("subject"))
    if _VACATION_SUBJECT.match(subject.strip()) or _ABSENT_SUBJECT.match(subject.strip()):
        return MachineSign(Noise.VACATION, reason or "vacation-subject")
    if not reason:
        return None
    vacation = reason.startswith(("auto-submitted-auto-replied", "x-autoreply", "x-autorespond", "x-vacation"))
    return MachineSign(Noise.VACATION if vacation else Noise.AUTO_REPLY, reason)


def _automatic_reason(fields: Fields, sender: Sender) -> str:
    submitted = fields.first("auto-submitted").partition(";")[0].partition("(")[0].strip().lower()
    if submitted and submitted != "no":
        return f"auto-submitted-{submitted[:40]}"
    for name in (
        "x-autoreply",
        "x-autorespond",
        "x-autoresponder",
        "x-vacation",
        "x-fc-machinegenerated",
        "x-amazon-auto-reply",
    ):
        if fields.has(name) and fields.first(name).strip().lower() not in ("no", "false"):
            return name
    if fields.has("x-judge-loop"):
        return "another-judge"
    if _SUPPRESSED.search(fields.first("x-auto-response-suppress")):
        return "x-auto-response-suppress"
    if fields.first("precedence").strip().lower() in ("auto_reply", "auto-reply"):
        return "precedence-auto-reply"
    if sender.return_path == "":
        return NULL_SENDER
    if _DAEMONS.fullmatch((sender.address or "").rpartition("@")[0]):
        return "from-a-daemon"
    return ""


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
