"""Limits on what we write about mails that nothing proves.

They are counted in the database: whoever guesses passwords, or turns us against somebody's address, must not win by a
restart or by a second process. Answers to proved mails are measured in `patience.py`.
"""

UNPROVED = 5
"""Mails without proof, for one person in a day, that are asked back; what comes on top is put aside in silence."""

WRONG_PASSWORDS = 5
"""Wrong passwords, for one person in a day, after which no password is believed until tomorrow."""

UNPROVED_ANSWER = "unproved-answer"
"""What answers to mails that nothing proves are counted as, by address and day (`limits.unproved_answers`)."""
