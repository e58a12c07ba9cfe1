"""Help, as entries made from the table of verbs: the letter only lays them out."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from judge.game.core.commands import Role
from judge.game.settings.table import TABLE
from judge.mail.vocabulary.model import ANYONE, GMS, Verb
from judge.mail.vocabulary.table import VERBS, find_abbreviated, find_near, find_verb
from judge.orders.words import ORDER_WORDS, RAIL
from judge.report.reply.inquiries import HelpEntry, HelpSection
from judge.rules.business import Business
from judge.rules.questions import NO_BUSINESS

_ORDERS = (
    ("A Paris - Burgundy", "move", "move"),
    ("F Brest holds", "stand", "hold"),
    ("A Marseilles S A Paris - Burgundy", "support", "support"),
    ("F English Channel C A London - Brest", "convoy", "convoy"),
    ("A Burgundy R Gascony", "retreat", "retreat"),
    ("build A Paris", "build", "build"),
    ("remove F Brest", "remove", "remove"),
    ("waive", "leave a build unused", "waive"),
    ("F Naples S A Rome", "support to hold", "support"),
    ("build F St Petersburg (nc)", "the coast of a fleet, where there are two", "build"),
    ("A Munich - Tyrolia via convoy", "by convoy, where it could walk", "convoy"),
    ("disband A Burgundy", "disband a dislodged unit", "disband"),
    ("A Moscow RR Omsk", "by rail along a railway, in one move", RAIL),
    (
        "if Germany A Burgundy then A Munich H else A Munich - Tyrolia",
        "on a condition; or IF, ELSE, ENDIF on lines",
        "move",
    ),
    ("for F1901: A Paris - Burgundy", "for a phase to come; or a line `for F1901:` and orders below it", "move"),
)
"""Lines of orders, what each is, and its kind of order."""
_IF, _AHEAD, _BUILD = ("on a condition",), ("for a phase",), ("build", "leave a build", "the coast")
_TOPICS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("if", "else", "endif", "condition", "conditions", "conditional", "conditional orders"), _IF),
    **dict.fromkeys(("for", "ahead", "orders ahead", "advance orders", "phase", "phases", "for phase"), _AHEAD),
    **dict.fromkeys(("support", "supports", "support to hold"), ("support",)),
    **dict.fromkeys(("convoy", "convoys", "via", "via convoy"), ("convoy", "by convoy")),
    **dict.fromkeys(("coast", "coasts"), ("the coast",)),
    **dict.fromkeys(("rail", "rr", "railway", "railways", "railroad"), ("by rail",)),
    **dict.fromkeys(("build", "builds", "waive"), _BUILD),
    **dict.fromkeys(("retreat", "retreats"), ("retreat", "disband")),
    **dict.fromkeys(("remove", "removal", "removals"), ("remove",)),
    "disband": ("disband",),
    "move": ("move",),
}
"""Words about orders -> how the entries begin that they ask for."""


def entry_of(verb: Verb) -> HelpEntry:
    """What help says of a verb."""
    who = "everybody" if verb.roles >= ANYONE else "players" if Role.PLAYER in verb.roles else "the Gamemaster"
    also = tuple(word for word in verb.words if word != verb.name)
    return HelpEntry(verb.name, verb.summary, verb.usage, verb.example, also, who)


def overview(role: Role = Role.STRANGER) -> tuple[HelpSection, ...]:
    """All that somebody in this role can write, in sections; strangers see what everybody and players can."""
    shown = [verb for verb in VERBS if role in verb.roles or (role is Role.STRANGER and verb.roles != GMS)]
    everybody = tuple(entry_of(verb) for verb in shown if verb.roles >= ANYONE)
    players = tuple(entry_of(verb) for verb in shown if Role.PLAYER in verb.roles and not verb.roles >= ANYONE)
    gms = tuple(entry_of(verb) for verb in shown if Role.PLAYER not in verb.roles)
    found = (
        HelpSection("For everybody", everybody),
        HelpSection("In a game", players),
        HelpSection("For the Gamemaster", gms),
    )
    return tuple(section for section in found if section.entries)


def topic(
    word: str, kinds: Collection[str] = ORDER_WORDS, business: Mapping[str, Business] = NO_BUSINESS
) -> tuple[HelpEntry, ...]:
    """What help says about one word: a verb by any of its names, "orders", "settings" or a setting; empty if unknown.
    `kinds`: the kinds of order that the rules of the game know; `business`: what they know beside orders.

    >>> [entry.name for entry in topic("broadcast")]
    ['press']
    """
    name = word.strip().lower()
    orders = [_order(line, what) for line, what, kind in _ORDERS if kind in kinds]
    deeds = {key: HelpEntry(key, one.summary, (one.usage,), one.usage, (), "players") for key, one in business.items()}
    if name in deeds:
        return (deeds[name],)
    if begins := _TOPICS.get(name):
        return tuple(entry for entry in orders if entry.name.startswith(begins))
    if name in ("orders", "order", "moves"):
        return (*orders, *deeds.values())
    if name in ("settings", "setting"):
        return tuple(_setting(key) for key in TABLE)
    if match := find_verb(name) or find_abbreviated(name, Role.STRANGER):
        return (entry_of(match.verb),)
    if (key := name.replace(" ", "_")) in TABLE:
        return (_setting(key),)
    return tuple(entry_of(match.verb) for match in find_near(name, Role.STRANGER)[:3])


def _order(line: str, what: str) -> HelpEntry:
    return HelpEntry(what, f"An order: {what}.", (line,), line, (), "players")


def _setting(name: str) -> HelpEntry:
    setting = TABLE[name]
    return HelpEntry(
        name,
        setting.summary,
        (f"set {name} VALUE", *(f"set {name} {value}" for value in setting.examples[1:])),
        f"set {name} {setting.examples[0]}",
        setting.synonyms,
        "the Gamemaster",
    )
