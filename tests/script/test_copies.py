"""Earlier mails repeated without quotation marks: nothing of them is taken, and nothing of the answer is lost."""

from __future__ import annotations

import textwrap

import pytest

from judge.mail.quoting import names_earlier_mail
from judge.mail.script import Script
from judge.mail.script.copies import is_foot
from tests.script.conftest import ReadMail
from tests.script.test_reports import _LETTERS, _text, _without_sentinel

WHO = "Judge for tannenburg <judge+abc@judge.test>"
ATTRIBUTIONS = {
    "en-gmail": f"On Mon, May 4, 2026 at 7:00 PM {WHO} wrote:",
    "en-apple": f"On 4 May 2026, at 19:00, {WHO} wrote:",
    "en-thunderbird": "On 04/05/2026 19:00, Judge for tannenburg wrote:",
    "en-mutt": f"On Mon, May 04, 2026 at 07:00:00PM +0200, {WHO} wrote:",
    "en-gnus": f"{WHO} writes on 4 May 2026:",
    "en-yahoo": f"On Monday, May 4, 2026 at 07:00:00 PM GMT+2, {WHO} wrote:",
    "en-iso": f"2026-05-04 19:00 GMT+02:00 {WHO}:",
    "de-gmail": f"Am Mo., 4. Mai 2026 um 19:00 Uhr schrieb {WHO}:",
    "de-thunderbird": "Am 04.05.2026 um 19:00 schrieb Judge for tannenburg:",
    "de-name-first": f"{WHO} schrieb am Mo., 4. Mai 2026, 19:00:",
    "nl-gmail": f"Op ma 4 mei 2026 om 19:00 schreef {WHO}:",
    "nl-thunderbird": "Op 04-05-2026 om 19:00 schreef Judge for tannenburg:",
    "nl-apple": f"Op 4 mei 2026 om 19:00 heeft {WHO} het volgende geschreven:",
    "pl-gmail": f"W dniu pon., 4 maj 2026 o 19:00 {WHO} napisał(a):",
    "pl-thunderbird": "W dniu 04.05.2026 o 19:00, Judge for tannenburg pisze:",
    "pl-short": f"pon., 4 maj 2026 o 19:00 {WHO} napisał(a):",
    "sv-gmail": f"Den mån 4 maj 2026 kl 19:00 skrev {WHO}:",
    "sv-thunderbird": "Den 2026-05-04 kl. 19:00, skrev Judge for tannenburg:",
    "da-gmail": f"Den man. 4. maj 2026 kl. 19.00 skrev {WHO}:",
    "no-gmail": f"man. 4. mai 2026 kl. 19:00 skrev {WHO}:",
    "fi-gmail": f"ma 4. toukok. 2026 klo 19.00 {WHO} kirjoitti:",
    "fr-gmail": f"Le lun. 4 mai 2026 à 19:00, {WHO} a écrit :",
    "fr-thunderbird": "Le 04/05/2026 à 19:00, Judge for tannenburg a écrit :",
    "es-gmail": f"El lun, 4 may 2026 a las 19:00, {WHO} escribió:",
    "it-gmail": f"Il giorno lun 4 mag 2026 alle ore 19:00 {WHO} ha scritto:",
    "it-thunderbird": "Il 04/05/2026 19:00, Judge for tannenburg ha scritto:",
    "pt-gmail": f"Em seg., 4 de mai. de 2026 às 19:00, {WHO} escreveu:",
    "cs-gmail": f"po 4. 5. 2026 v 19:00 odesílatel {WHO} napsal:",
    "hu-gmail": f"{WHO} ezt írta (időpont: 2026. máj. 4., H, 19:00):",
    "tr-gmail": f"{WHO}, 4 May 2026 Pzt, 19:00 tarihinde şunu yazdı:",
    "ru-gmail": f"пн, 4 мая 2026 г. в 19:00, {WHO}:",
    "ru-mail": f"4 мая 2026 г., 19:00 {WHO} написал:",
    "uk-gmail": f"пн, 4 трав. 2026 р. о 19:00 {WHO} пише:",
    "el-gmail": f"Στις Δευ 4 Μαΐ 2026 στις 7:00 μ.μ., ο χρήστης {WHO} έγραψε:",
    "ro-gmail": f"Pe lun., 4 mai 2026 la 19:00, {WHO} a scris:",
    "ca-gmail": f"El dl., 4 de maig 2026 a les 19:00, {WHO} va escriure:",
    "zh-gmail": f"{WHO} 于2026年5月4日周一 19:00写道：",
    "ja-gmail": f"2026年5月4日(月) 19:00 {WHO}:",
    "ko-gmail": f"2026년 5월 4일 (월) 오후 7:00, {WHO}님이 작성:",
}
RECEIPT = _without_sentinel(_text("receipt-complete.mail"))


def wrapped(text: str, over: int) -> str:
    """`text` over so many lines, as mail programs break it: between words."""
    width = max(map(len, text.split())) if over > 1 else len(text)
    while len(textwrap.wrap(text, width, break_on_hyphens=False)) > over:
        width += 1
    return "\n".join(textwrap.wrap(text, width, break_on_hyphens=False))


def orders(script: Script) -> list[str]:
    return [line.text for block in script.orders for line in block.lines]


def test_the_table_of_styles_is_wide_enough() -> None:
    assert len(ATTRIBUTIONS) >= 30
    assert len({style[:2] for style in ATTRIBUTIONS}) >= 12


@pytest.mark.parametrize("over", [1, 2, 3])
@pytest.mark.parametrize("style", ATTRIBUTIONS)
@pytest.mark.parametrize("earlier", ["A Par - Bur\nF Bre - Mid\n\nRegards, Anna", RECEIPT], ids=["own mail", "receipt"])
def test_orders_above_an_unmarked_earlier_mail_are_the_only_ones(
    style: str, over: int, earlier: str, mail: ReadMail
) -> None:
    script = mail(f"A Par - Pic\n\n{wrapped(ATTRIBUTIONS[style], over)}\n\n{earlier}\n")
    assert orders(script) == ["A Par - Pic"]
    assert not script.unread


@pytest.mark.parametrize("over", [1, 3])
@pytest.mark.parametrize("style", ATTRIBUTIONS)
def test_orders_below_an_unmarked_letter_of_ours_are_read(style: str, over: int, mail: ReadMail) -> None:
    script = mail(f"Hi,\n\n{wrapped(ATTRIBUTIONS[style], over)}\n\n{RECEIPT}\n\nA Par - Pic\n")
    assert orders(script) == ["A Par - Pic"]


@pytest.mark.parametrize("style", ATTRIBUTIONS)
def test_orders_below_an_earlier_mail_are_read_where_none_stand_above(style: str, mail: ReadMail) -> None:
    """In doubt a line is its author's."""
    assert orders(mail(f"Hi,\n\n{ATTRIBUTIONS[style]}\nYour orders, please.\n\nA Par - Pic\n")) == ["A Par - Pic"]


@pytest.mark.parametrize(
    "sentence",
    [
        "On second thoughts I wrote:",
        "As I wrote in 1901:",
        "This is what I wrote on Monday:",
        "On 4 May I wrote to Italy:",
        "In 2026 he wrote:",
        "Orders for Spring 1901:",
    ],
)
def test_a_sentence_of_the_authors_hides_nothing(sentence: str, mail: ReadMail) -> None:
    assert not names_earlier_mail(sentence)
    assert orders(mail(f"A Mar - Spa\n{sentence}\nA Par - Pic")) == ["A Mar - Spa", "A Par - Pic"]


@pytest.mark.parametrize("name", _LETTERS)
@pytest.mark.parametrize("style", ["en-gmail", "de-name-first"])
def test_a_letter_of_ours_below_an_attribution_asks_for_nothing(name: str, style: str, mail: ReadMail) -> None:
    script = mail(f"A Par - Pic\n\n{ATTRIBUTIONS[style]}\n\n{_without_sentinel(_text(name))}")
    assert orders(script) == ["A Par - Pic"]
    assert len(script.said) == 1 and not script.unread


@pytest.mark.parametrize("name", sorted({*_LETTERS} - {"digest.mail"}))  # a digest holds reports of games without foot
@pytest.mark.parametrize("layout", ["A Par - Pic\n\n{}", "{}\n\nA Par - Pic\n"], ids=["above", "below"])
def test_a_letter_of_ours_without_its_first_line_asks_for_nothing(name: str, layout: str, mail: ReadMail) -> None:
    script = mail(layout.replace("{}", _without_sentinel(_text(name))))
    assert orders(script) == ["A Par - Pic"]
    assert len(script.said) == 1 and not script.unread
    assert {request.power for request in script.orders} == {""}


@pytest.mark.parametrize("kept", range(2, 24))
def test_of_a_receipt_that_was_cut_short_no_order_is_taken(kept: int, mail: ReadMail) -> None:
    torn = "\n".join(RECEIPT.strip().splitlines()[:kept])
    assert orders(mail(f"A Par - Pic\n\n{torn}")) == ["A Par - Pic"]
    assert orders(mail(f"{torn}\n\nA Par - Pic")) == ["A Par - Pic"]


@pytest.mark.parametrize(
    "foot",
    [
        "baltic - Diplomacy (1976 rules)",
        "Baltic - Diplomacy (2000 rules) - 2027AB - house rules 3",
        "baltic - Diplomacy (1976\n  rules)",
        "norway - Ancient Mediterranean (1976 rules)",
        "Rules that differ from 1976: convoy = coast",
        'Help: write "help" to judge@judge.test',
        'Your check phrase: copper heron 3\nHelp: write "help" to',
    ],
)
def test_the_foot_of_our_letters_is_known_anywhere(foot: str, mail: ReadMail) -> None:
    script = mail(f"A Par - Pic\n\n------------------------------\n{foot}\n")
    assert orders(script) == ["A Par - Pic"]
    assert len(script.said) == 1 and not script.unread


@pytest.mark.parametrize("order", ["Baltic - Berlin", "F Bal - Ber (north coast)", "A Par - Bur (by the rules)"])
def test_no_order_is_taken_for_a_foot(order: str) -> None:
    assert not is_foot(order)


@pytest.mark.parametrize("labels", ["Date Subject From To", "From To Subject Date", "Date From Subject To"])
def test_below_the_header_lines_of_an_earlier_mail_nothing_is_taken(labels: str, mail: ReadMail) -> None:
    values = {
        "Date": "Mon, 4 May 2026 19:00:00 +0200",
        "Subject": "[tannenburg] S1901 Moves",
        "From": "judge@judge.test",
        "To": "anna@players.test",
    }
    block = "\n".join(f"{label}: {values[label]}" for label in labels.split())
    assert orders(mail(f"A Par - Pic\n\n{block}\n\n{RECEIPT}")) == ["A Par - Pic"]


def test_press_without_its_end_keeps_a_repeated_letter_to_its_reader(mail: ReadMail) -> None:
    (said,) = mail(f"press to Germany\nHello.\n\n{ATTRIBUTIONS['en-gmail']}\n\n{RECEIPT}").said
    assert "Hello." in str(said.request)
    assert "copper heron" not in str(said.request) and "Burgundy" not in str(said.request)


def test_press_passes_on_what_is_quoted_in_it_on_purpose(mail: ReadMail) -> None:
    letter = f"Look what I got:\n\n{ATTRIBUTIONS['en-gmail']}\n\n{RECEIPT}"
    script = mail(f"press to Germany\n{letter}\nendpress\nA Par - Pic")
    assert "copper heron" in str(script.said[0].request)
    assert orders(script) == ["A Par - Pic"]
