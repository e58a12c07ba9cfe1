"""Whoever unsays an order in plain words is asked what they mean, in the languages in which order words are read."""

from __future__ import annotations

import pytest

from judge.game.core.parts import TAKES_BACK
from judge.mail.script import Script, ScriptContext
from tests.script.conftest import ReadMail

UNSAID = {
    "en": ("Please ignore my last mail.", "Forget the previous orders", "Scratch that", "I meant Gascony",
        "Cancel everything", "Forget what I said about Marseilles, let it hold",
        "Please disregard whatever I sent yesterday",
    ),
    "de": (
        "Bitte ignoriere meine letzte Mail.", "Vergiss meine letzten Befehle!", "Meine Befehle bitte ignorieren",
        "Bitte streiche den Zug nach Burgund", "Ich ziehe meinen Befehl zurück", "Ich meinte Gascony",
        "Ich nehme alles zurück", "Der letzte Befehl gilt nicht mehr", "Nicht Burgundy, sondern Gascony",
        "Ignorieren Sie bitte die Mail von gestern", "Ich habe es mir anders überlegt: Gascony statt Burgundy",
    ),
    "fr": (
        "Ignorez mon dernier message.", "Oubliez mes ordres précédents", "Merci d'annuler mon ordre",
        "J'annule mes ordres", "Annulez l'ordre pour Paris", "Je voulais dire Gascony", "Je retire mon ordre",
        "Ne tenez pas compte de mon dernier mail", "Gascony au lieu de Burgundy",
    ),
    "es": (
        "Ignora mi último correo.", "Olvida mis órdenes anteriores", "Cancela la orden anterior, por favor",
        "Anulo mis órdenes", "Quise decir Gascony", "Gascony en lugar de Burgundy", "Por favor, ignore mis ordenes",
    ),
    "it": (
        "Ignora la mia ultima mail.", "Dimentica i miei ordini precedenti", "Annulla l'ordine precedente",
        "Annullo i miei ordini", "Volevo dire Gascony", "Gascony invece di Burgundy",
        "Per favore ignorate i miei ordini",
    ),
    "nl": (
        "Negeer mijn laatste mail.", "Vergeet mijn vorige orders", "Annuleer mijn order alsjeblieft",
        "Ik trek mijn orders in", "Ik bedoelde Gascony", "Gascony in plaats van Burgundy",
        "Graag mijn vorige mail negeren",
    ),
}  # fmt: skip
CHATTER = (
    "Vergiss nicht den Geburtstag von Anna", "Ich ignoriere das Wetter", "Oubliez vos soucis", "Olvida tus penas",
    "Dimentica il passato", "Vergeet niet te lachen", "Merci et bonne nuit", "Grüße aus Gascony", "Ich ziehe den Hut",
    "Je retire mon chapeau", "Annulla nulla", "Vergiss es nie", "Ich meinte es gut", "Statt dessen gab es Kuchen",
)  # fmt: skip


def _reasons(script: Script) -> list[str]:
    doubts = [line.doubt.reason for orders in script.orders for line in orders.lines if line.doubt]
    return [*doubts, *(unread.reason for unread in script.unread)]


@pytest.mark.parametrize(("tongue", "line"), [(tongue, line) for tongue, lines in UNSAID.items() for line in lines])
def test_what_unsays_an_order_is_asked_back(tongue: str, line: str, mail: ReadMail, player: ScriptContext) -> None:
    script = mail(f"A Mar - Spa\n{line}\n", to=player)
    assert TAKES_BACK in _reasons(script), (tongue, line)


@pytest.mark.parametrize("line", CHATTER)
def test_other_words_stay_chatter(line: str, mail: ReadMail, player: ScriptContext) -> None:
    assert not _reasons(mail(f"A Mar - Spa\n{line}\n", to=player)), line
