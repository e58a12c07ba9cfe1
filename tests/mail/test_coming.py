"""What people write when they are asked to play: a yes, a no, or neither, which is asked back."""

import pytest

from judge.mail.assent import Word
from judge.mail.coming import comes

YES = (
    "Count me in",
    "Count me in!",
    "I'm in",
    "I’m in!",
    "I am in.",
    "Im in",
    "Sign me up",
    "Sign me up, please!",
    "Deal me in",
    "I'd love to play",
    "I would love to play.",
    "I'd love to join!",
    "yes I'll play",
    "Yes, I'll play!",
    "I will play",
    "Ok, I'm in",
    "Sure, count me in!",
    "Sounds great, I'm in!",
    "Great, count me in",
    "Absolutely!",
    "Yes please, sign me up",
    "I'd be happy to play",
    "Happy to join",
    "Thanks for the invitation - I'll gladly play.",
    "Thanks, I'm in",
    "I want in",
    "Put me down",
    "Put me down for it",
    "I'm game",
    "Let's do it",
    "I accept your invitation",
    "Of course I'll play!",
    "Yes, I would like to play",
    "I'd like to play.",
    "Yes! Count me in. Looking forward to it.",
    "Hi Gina,\n\nCount me in!\n\nBest,\nAnna",
    "Definitely",
    "With pleasure!",
    "Add me",
)
NO = (
    "Count me out",
    "I'll pass",
    "I'll pass, thanks",
    "I will pass this time",
    "Not this time",
    "Not this time, sorry",
    "Sorry, not this time.",
    "No thanks",
    "No, thank you!",
    "I'd rather not",
    "I can't play",
    "I cannot play this time",
    "Sorry, I can't",
    "I'm out",
    "I won't play",
    "I have to decline",
    "Sorry, I have no time",
    "Thanks, but no thanks",
    "Not interested",
    "I'm not interested",
    "Unfortunately I can't",
    "I don't want to play",
    "Maybe next time",
    "I am not in",
    "Don't count me in",
    "I'd love to, but I can't",
)
AROUND = (
    ("Hi Gina, ", ""), ("", " Thanks!"), ("Thanks for the invitation! ", ""), ("", "\n\nBest wishes\nAnna"),
    ("Great! ", " Good luck to all!"),
)  # fmt: skip
NEITHER = (
    "I'd love to play, but I am away until Monday",
    "I'd love to play too. Is there still a seat?",
    "Maybe",
    "Perhaps",
    "Count me in?",
    "Can I play France?",
    "I'm in if Bob plays",
    "I'll think about it",
    "I'm in Berlin until Monday",
    "Who else plays?",
    "Yes if I can be France",
    "Is Bob in?",
    "not sure",
    "I'll play, but not Austria",
    "I am in\nif Bob is",
    "I'm out of the office until Monday",
    "I am in a meeting",
    "time",
    "I have time",
    "Your ticket #47 was accepted by our desk.",
    "I will join you in Burgundy",
    "",
)


@pytest.mark.parametrize("text", YES)
def test_a_yes(text: str) -> None:
    assert comes(text) is Word.YES


@pytest.mark.parametrize("text", NO)
def test_a_no(text: str) -> None:
    assert comes(text) is Word.NO


@pytest.mark.parametrize("text", NEITHER)
def test_neither_is_asked_back(text: str) -> None:
    assert comes(text) is None


@pytest.mark.parametrize("text", YES[:12] + NO[:8])
@pytest.mark.parametrize("turn", ["if Bob plays", "unless it is on Sunday", "?", "but not before May"])
def test_a_condition_or_a_question_makes_it_neither(text: str, turn: str) -> None:
    assert comes(f"{text.rstrip('.!')} {turn}") is None


@pytest.mark.parametrize("text", YES[:12] + NO[:8])
@pytest.mark.parametrize(("before", "after"), AROUND)
def test_courtesies_around_it_change_nothing(text: str, before: str, after: str) -> None:
    assert comes(f"{before}{text.rstrip('.!')}!{after}") is comes(text)
