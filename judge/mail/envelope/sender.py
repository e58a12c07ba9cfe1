"""Who a mail claims to be from and to whom it went: addresses only, no trust."""

from judge.mail.headers import clean_header
from judge.mail.raw.addresses import Mailbox, read_address, read_mailboxes
from judge.mail.raw.fields import Fields
from judge.mail.raw.limits import LIMITS, ReadingLimits

_RECIPIENT_FIELDS = ("delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "to", "cc")


def read_sender(fields: Fields) -> tuple[str | None, str, str]:
    """(address, display name, problem): an address only if there is one From field with exactly one addr-spec.

    Several fields, several addresses, a group, or anything that two readers could understand differently names nobody.
    """
    values = fields.all("from")
    if not values:
        return None, "", "no From field"
    if len(values) > 1:
        return None, "", "several From fields"
    boxes = read_mailboxes(values[0], most=3)
    if not boxes:
        return None, "", "an empty From field"
    name = clean_header(boxes[0].name, longest=100)
    if len(boxes) > 1:
        return None, name, "several addresses in From"
    if boxes[0].address is None:
        return None, name, "no single sound address in From"
    if _is_group(values[0], boxes[0]):
        return None, name, "a group in From"
    return boxes[0].address, name, ""


def _is_group(value: str, box: Mailbox) -> bool:
    return value.rstrip().endswith(";") and ":" in value.removesuffix(box.raw)


def read_recipients(
    fields: Fields, envelope: str | None, limits: ReadingLimits = LIMITS
) -> tuple[tuple[str, ...], bool]:
    """(addresses in the order of their trustworthiness, whether some were left out)."""
    found: list[str] = [envelope] if envelope else []
    for name in _RECIPIENT_FIELDS:
        for value in fields.all(name):
            boxes = read_mailboxes(value, most=limits.recipients)
            found.extend(box.address for box in boxes if box.address is not None)
    distinct = tuple(dict.fromkeys(found))
    return distinct[: limits.recipients], len(distinct) > limits.recipients


def read_addressed(proved: Fields, author: str | None, limits: ReadingLimits = LIMITS) -> tuple[str, ...]:
    """To whom the author addressed the mail: To and Cc, and Resent-To if nobody but the author resent it."""
    names = ["to", "cc"]
    if proved.has("resent-from") and all(box == author for box in _addresses(proved, ["resent-from"], limits)):
        names += ["resent-to", "resent-cc"]
    found = (address for address in _addresses(proved, names, limits) if address is not None)
    return tuple(dict.fromkeys(found))[: limits.recipients]


def _addresses(fields: Fields, names: list[str], limits: ReadingLimits) -> list[str | None]:
    values = (value for name in names for value in fields.all(name))
    return [box.address for value in values for box in read_mailboxes(value, most=limits.recipients)]


def read_return_path(fields: Fields, mail_from: str | None) -> str | None:
    """The envelope sender as the transport says, else the topmost Return-Path; '' for `<>`, None if unknown."""
    value = mail_from if mail_from is not None else fields.first("return-path")
    if mail_from is None and not fields.has("return-path"):
        return None
    value = value.strip()
    if value.startswith("<") and value.endswith(">"):
        value = value[1:-1].strip()
    return read_address(value) if value else ""
