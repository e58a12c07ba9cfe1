"""What a relay says of a mailbox, for `stage.post.answers`."""

from judge.transport.ports import Deferred, Refused

REFUSED = Refused(550, "5.1.1 no such mailbox")
DEFERRED = Deferred(451, "4.3.0 try again later")
