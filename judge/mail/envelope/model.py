"""A received mail as the judge sees it: an immutable Envelope, whatever the bytes were."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.mail.authres import AuthVerdict, Witness
from judge.mail.noise import MachineSign
from judge.mail.quoting import LineKind, TextLine


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustedSite:
    """What the judge may believe of a mail: who it is itself, and whose word at its own site counts.

    `authserv_id` names our server in Authentication-Results ('' = it writes none), which it writes above its Received
    line or `verdicts_below` it. `trusted_mx` holds host names and IP addresses of our own mail servers. `own_addresses`
    are the judge's addresses without plus-detail. `instance` is the value that our letters carry in X-Judge-Loop.
    """

    authserv_id: str = ""
    trusted_mx: frozenset[str] = frozenset()
    own_addresses: frozenset[str] = frozenset()
    instance: str = ""
    verdicts_below: bool = False

    @property
    def witness(self) -> Witness:
        """Our own mail servers, as those who judge senders."""
        return Witness(self.authserv_id, self.trusted_mx, self.verdicts_below)


@dataclass(frozen=True, slots=True)
class Attachment:
    """A part of the mail that was not read: its name ('' if none), its media type, its size as sent."""

    name: str
    kind: str
    size: int
    text: str = ""
    """What an attached file of settings says, if it is a short one; "" for anything else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """Everything the judge reads from one mail. Nothing in it is trusted that a stranger can write, except as noted.

    - `from_address`: the one address in the one From field, else None; `from_problem` then says why, for the log.
    - `subject` is decoded and clean; `topic` is the subject without Re:, AW:, Fwd: and their kin.
    - `date_claimed` (UTC) and `zone_claimed` come from the Date header and prove nothing.
    - `arrived_at` is when our site received the mail: what counts for a deadline; `received_at` when this program did.
    - `recipients`: the envelope recipient first, then Delivered-To, X-Original-To, To, Cc.
    - `addressed`: To and Cc, and Resent-To of its author, as far as whatever vouches for the author vouches for them.
    - `return_path`: envelope sender, '' for the null sender, None if unknown.
    - `auth` is 'pass', 'fail' or 'none' for the domain of `from_address`, by our own server's word alone.
    - `text_lines`: every line of the mail's text once; `lines_cut` counts lines beyond the limits.
    - `content_hash`: equal for the same mail by two routes; None without Message-ID or Date.
    - `only_in_text` and `only_in_html`: the author's lines that stand in one version of a mail with two, and not in the
      other; the text is what was read.
    - `defects`: slugs of what was odd; `unsafe`: a limit against hostile mail was met, the mail was read only in part.
    """

    received_at: datetime
    arrived_at: datetime
    from_address: str | None
    from_name: str
    from_problem: str
    subject: str
    topic: str
    message_id: str | None
    in_reply_to: str | None
    references: tuple[str, ...]
    date_claimed: datetime | None
    zone_claimed: timedelta | None
    recipients: tuple[str, ...]
    envelope_recipient: str | None
    return_path: str | None
    auth: AuthVerdict
    auth_reason: str
    text_lines: tuple[TextLine, ...]
    lines_cut: int
    attachments: tuple[Attachment, ...]
    noise: MachineSign
    content_hash: str | None
    defects: tuple[str, ...]
    unsafe: bool
    size: int
    addressed: tuple[str, ...] = ()
    only_in_text: tuple[str, ...] = ()
    only_in_html: tuple[str, ...] = ()

    @property
    def own_lines(self) -> tuple[TextLine, ...]:
        """The lines that the author typed, empty ones included."""
        return tuple(line for line in self.text_lines if line.kind is LineKind.OWN)

    @property
    def own_text(self) -> str:
        """The author's lines as one text without empty lines at either end."""
        return "\n".join(line.text for line in self.own_lines).strip("\n")

    def addressed_to(self, domain: str) -> list[tuple[str, str]]:
        """(local part, plus-detail) of every recipient at `domain`, in lower case, envelope recipient first.

        `judge+ab3c@judge.test` gives ('judge', 'ab3c') for 'judge.test'; without a detail the second is ''.
        """
        found: list[tuple[str, str]] = []
        for address in self.recipients:
            local, _, host = address.rpartition("@")
            if host == domain.lower():
                name, _, detail = local.lower().partition("+")
                found.append((name, detail))
        return list(dict.fromkeys(found))
