"""The pages of help, in the order of the handbook. Rooms of verbs may bring pages of their own."""

from __future__ import annotations

from collections.abc import Mapping

from judge.mail.vocabulary.model import HelpTopic, Part
from judge.mail.vocabulary.table import ROOMS
from judge.orders.words import RAIL

_BEGINNING = (
    HelpTopic(
        "first steps",
        "Your first hour",
        Part.BEGINNING,
        asks="start, start here, beginner, beginners, newcomer, new player, new here, tutorial, getting started, "
        "begin, first time, introduction, intro, guide, how this works, how it works, package",
        more=("joining", "orders", "practice"),
    ),
    HelpTopic(
        "diplomacy",
        "The game of Diplomacy on a page",
        Part.BEGINNING,
        asks="rules of the game, rules of diplomacy, how to play, play, win, winning, victory, supply "
        "centres, supply centers, centres, centers, supply, standoff, bounce, bounced, bounces, strength, "
        "adjudication, dislodged, phase order, seasons, season, spring, fall, autumn",
        more=("orders", "support", "rules"),
    ),
    HelpTopic(
        "joining",
        "Finding a game and joining it",
        Part.BEGINNING,
        asks="join, join game, join a game, find a game, games to join, opening, register, registration, form, sign "
        "up, waiting list, preferences of powers, choose a power, choose my country",
        more=("practice", "seats", "observing"),
    ),
    HelpTopic(
        "practice",
        "A practice game",
        Part.BEGINNING,
        asks="try it out, demo, lesson, lessons, train",
        more=("orders",),
    ),
    HelpTopic(
        "observing",
        "Watching a game",
        Part.BEGINNING,
        asks="observer, observers, spectator, follow a game, watching, onlooker, digest",
    ),
    HelpTopic(
        "help",
        "Help",
        Part.BEGINNING,
        asks="topic, topics, questions, question",
        more=("all", "book"),
    ),
)
_ORDERS = (
    HelpTopic(
        "orders",
        "Writing orders",
        Part.ORDERS,
        asks="order, moves and supports, syntax, format of orders, order format, notation, commands for units, "
        "give orders, send orders, write orders, submit, submit orders, unit, units, army, armies, fleet, "
        "fleets",
        more=("move", "support", "convoy", "retreat", "build", "names", "changing"),
    ),
    HelpTopic(
        "move",
        "Moving",
        Part.ORDERS,
        asks="moves, moving, attack, attacks, attacking, advance, go, walk, march, sail",
        more=("support", "names", "coasts"),
    ),
    HelpTopic(
        "stand",
        "Holding: a unit that stays where it is",
        Part.ORDERS,
        asks="hold order, holds, holding, stay, stays, stands, hold a unit, all hold, blanket orders",
        more=("support",),
    ),
    HelpTopic(
        "support",
        "Supporting another unit",
        Part.ORDERS,
        asks="supports, supporting, support to hold, support a move, support an attack, support hold, cut, cut "
        "support, cutting, cut supports, defend, defence, defense",
        more=("move", "convoy"),
    ),
    HelpTopic(
        "convoy",
        "Carrying an army over sea",
        Part.ORDERS,
        asks="convoys, convoying, convoyed, via, via convoy, ferry, transport, carry an army, over sea, overseas, "
        "by sea, ship, ships",
        more=("support", "names"),
        kind="convoy",
    ),
    HelpTopic(
        "by rail",
        "Going by rail",
        Part.ORDERS,
        asks="rail, rr, railway, railways, railroad",
        more=("move",),
        kind=RAIL,
    ),
    HelpTopic(
        "retreat",
        "Retreating and disbanding",
        Part.ORDERS,
        asks="retreats, retreating, disband, disbands, disbanding, dislodge, dislodgement, withdraw a unit",
        more=("conditions", "build"),
    ),
    HelpTopic(
        "build",
        "Building and removing units",
        Part.ORDERS,
        asks="builds, building, waive, waives, waiving, remove, removes, removal, removals, removing, adjustment, "
        "adjust, winter, new units, raise, raise an army",
        more=("coasts", "conditions"),
    ),
    HelpTopic(
        "coasts",
        "Places with two coasts",
        Part.ORDERS,
        asks="coast, north coast, south coast, east coast, west coast, nc, sc, ec, wc, two coasts",
        more=("names",),
    ),
    HelpTopic(
        "names",
        "Names of places, short and long",
        Part.ORDERS,
        asks="name of a place, abbreviation, abbreviations, abbreviate, abbr, codes, code, short names, provinces, "
        "province, territory, territories, places, place, spelling, spell, place names, province names, "
        "space, spaces, powers, countries, country",
        more=("coasts", "reading"),
    ),
    HelpTopic(
        "ahead",
        "Orders for a later phase",
        Part.ORDERS,
        asks="for, for phase, orders ahead, advance orders, later phase, future orders, next phase, later orders, "
        "next turn, in advance, phase, phases",
        more=("conditions", "changing"),
    ),
    HelpTopic(
        "conditions",
        "Orders on a condition",
        Part.ORDERS,
        asks="if, else, endif, condition, conditional, conditional orders, if then, depends",
        more=("ahead",),
    ),
    HelpTopic(
        "shortcuts",
        "Plans, standing orders and the same again",
        Part.ORDERS,
        asks="plans, standing orders, standing order, shortcut, default orders, perpetual orders",
        more=("changing",),
    ),
    HelpTopic(
        "changing",
        "Changing orders that you have sent",
        Part.ORDERS,
        asks="change orders, change my orders, correct my orders, mistake, my mistake, typo, wrong order, receipt, "
        "receipts, on file, number, numbers, fault, faults, resubmit, partial orders",
        more=("orders", "trying"),
    ),
    HelpTopic(
        "trying",
        "Trying orders out",
        Part.ORDERS,
        asks="try orders out, try orders, dry run for players, simulate, simulation, test orders",
        more=("orders",),
    ),
    HelpTopic(
        "proxies",
        "Letting another player order your units",
        Part.ORDERS,
        asks="proxy orders, lend my units",
        more=("press",),
    ),
)
_TIME = (
    HelpTopic(
        "time",
        "Deadlines, more time, and days away",
        Part.TIME,
        asks="more time, extension, extend, extensions, deadline rules, when, due, holiday, holidays, vacation, "
        "vacations, absent, absences, when is my deadline, when is the deadline, out of office, need more time",
        more=("dates", "late", "ready"),
    ),
    HelpTopic(
        "dates",
        "How dates, times and spans are written",
        Part.TIME,
        asks="date, times, days, hours, span, spans, clock, how dates are written",
        more=("time",),
    ),
    HelpTopic(
        "ready",
        "Waiting, and being ready",
        Part.TIME,
        asks="early, early processing, process early, when is it processed",
        more=("time",),
    ),
    HelpTopic(
        "late",
        "What happens when orders do not come",
        Part.TIME,
        asks="nmr, no moves received, missed deadline, miss a deadline, missing orders, grace, grace period, if i "
        "am late, am late, abandoned, abandon, civil disorder, cd, dismissed, no orders",
        more=("time", "seats"),
    ),
)
_TALK = (
    HelpTopic(
        "press",
        "Writing to the other players",
        Part.TALK,
        asks="white press, grey press, black press, colours of press, colors of press, talk, negotiate, "
        "negotiation, negotiations, message, messages, write to a player, write to another player, letter to "
        "a player, chat, endpress, partial press, contact, ally, alliance, diplomatic, write to the gm, ask "
        "the gm, contact the gm",
        more=("diary", "votes"),
    ),
    HelpTopic(
        "votes",
        "Votes: draws, concessions, rules, polls",
        Part.TALK,
        asks="draw, draws, propose a draw, voting, dias, concessions, ballots, polls, yes, agree",
        more=("ending", "rules"),
    ),
    HelpTopic(
        "diary",
        "A diary for after the game",
        Part.TALK,
        asks="diaries, journal, private notes",
    ),
    HelpTopic(
        "statements",
        "Words at the end of a game",
        Part.TALK,
        asks="statement, end of game, eog statement, final words",
    ),
)
_SEAT = (
    HelpTopic(
        "seats",
        "Leaving a game, and taking a power over",
        Part.SEAT,
        asks="seat, leave, leave game, leave the game, resign, quit, leaving, resignation, replacement, "
        "replacements, vacant, vacant power, vacancy, vacancies, "
        "stop playing, drop out, surrender, substitute, take over a power",
        more=("late", "joining"),
    ),
    HelpTopic(
        "reading",
        "Reading a game: where it stands, what was played",
        Part.SEAT,
        asks="results, result, report, reports, position, where i stand, who is playing, who plays, players, "
        "score, scores, points, lost letter, lost mail, see the map, whois",
        more=("names", "rules", "letters"),
    ),
    HelpTopic(
        "rules",
        "The house rules of a game",
        Part.SEAT,
        asks="house rule, houserules, headlines, rule, the settings of a game",
        more=("diplomacy", "settings", "votes"),
    ),
    HelpTopic(
        "letters",
        "What your letters look like",
        Part.SEAT,
        asks="letter, mails, email, e-mail, html, plain text, calendar, ics, pictures, reminder, reminders, screen "
        "reader, blind, spoken, terse, subject, attachments, too many mails",
        more=("account",),
    ),
    HelpTopic(
        "account",
        "Your name, zone, addresses and password",
        Part.SEAT,
        asks="name, email address, mail address, addresses, change my address, privacy, personal data, gdpr, "
        "delete me, zones, profile",
        more=("proof", "letters"),
    ),
    HelpTopic(
        "proof",
        "How I know that a mail is yours",
        Part.SEAT,
        asks="proofs, held, held mail, password lost, security, forged, forgeries, fake mail, confirmation, "
        "check phrase, phrase, signature, trust, identity",
        more=("authority", "account"),
    ),
    HelpTopic("authority", "What proves that a mail is yours, and who may do what", Part.SEAT, more=("proof",)),
    HelpTopic(
        "anonymous",
        "Games in which nobody knows who plays",
        Part.SEAT,
        asks="gunboat, anonymity, hidden names",
        more=("press",),
    ),
    HelpTopic(
        "variants",
        "Boards and kinds of rules",
        Part.SEAT,
        asks="variant, boards, board, other maps, european variant, global, colonial",
        more=("settings", "presets"),
    ),
)
_GAMEMASTER = (
    HelpTopic(
        "gm",
        "What a Gamemaster does",
        Part.GAMEMASTER,
        asks="gamemaster, game master, master, gms, moderator, moderate, run a game, running a game, host, tasks, "
        "referee, gm commands, gm command",
        more=("starting", "settings", "lateness", "errors"),
    ),
    HelpTopic(
        "starting",
        "Starting a game",
        Part.GAMEMASTER,
        asks="start a game, create a game, make a game, set up a game, set up, setup, starting a game, new games, "
        "found a game, open a game, own game",
        more=("settings", "presets", "telling"),
    ),
    HelpTopic(
        "settings",
        "Settings of a game",
        Part.GAMEMASTER,
        asks="setting, options, option, parameter, configure, configuration, change a setting, defaults",
        more=("presets",),
    ),
    HelpTopic(
        "presets",
        "Presets: settings by the bundle",
        Part.GAMEMASTER,
        asks="preset, bundle, bundles, preset names",
        more=("settings",),
    ),
    HelpTopic(
        "by hand",
        "Going on with a game that was run elsewhere",
        Part.GAMEMASTER,
        asks="import a game, a game run by hand, importing, migrate, move a game here",
        more=("errors",),
    ),
    HelpTopic(
        "deadlines",
        "Deadlines and processing, as Gamemaster",
        Part.GAMEMASTER,
        asks="processing, adjudicate now, change the deadline, move the deadline, pausing, stop the game",
        more=("time", "dates", "lateness"),
    ),
    HelpTopic(
        "lateness",
        "Somebody is late, or leaves",
        Part.GAMEMASTER,
        asks="somebody is late, someone is late, a player is late, player is late, late player, late players, "
        "replace a player, find a replacement, missing player, player left, kick, misconduct, cheater",
        more=("late", "deadlines", "seats"),
    ),
    HelpTopic(
        "errors",
        "An error in the results",
        Part.GAMEMASTER,
        asks="error, an error, error in the results, wrong results, wrong result, bug, mistake in the results, "
        "wrong position, adjudication error, fix, fix results, rulings, ruling",
        more=("looking", "by hand"),
    ),
    HelpTopic(
        "looking",
        "Looking before you act, and taking an act back",
        Part.GAMEMASTER,
        asks="dry runs, acts log, logs, undo an act, previews",
        more=("errors",),
    ),
    HelpTopic(
        "telling",
        "Words for everybody",
        Part.GAMEMASTER,
        asks="announce, announcement, announcements, tell everybody, notes, write to all players",
        more=("press",),
    ),
    HelpTopic(
        "deputies",
        "A deputy, a successor",
        Part.GAMEMASTER,
        asks="deputise, deputize, gm holiday, gm away, successor, give the game away, another gm, new gm",
        more=("gm",),
    ),
    HelpTopic(
        "ending",
        "How a game ends",
        Part.GAMEMASTER,
        asks="end a game, end the game early, finish, finish a game, game over, stop a game",
        more=("votes", "statements"),
    ),
)
_OLDER = (
    HelpTopic(
        "njudge",
        "From njudge's words to mine",
        Part.OLDER,
        asks="ken lowe, old judge, older judges, usef, floc, judge commands",
        more=("dpjudge",),
    ),
    HelpTopic(
        "dpjudge",
        "From DPjudge's words to mine",
        Part.OLDER,
        asks="dp judge, dp",
        more=("njudge",),
    ),
)

OWN = (*_BEGINNING, *_ORDERS, *_TIME, *_TALK, *_SEAT, *_GAMEMASTER, *_OLDER)


def _all() -> Mapping[str, HelpTopic]:
    """Those of this file and of the rooms, each in its part."""
    found = (*OWN, *(topic for room in ROOMS for topic in getattr(room, "TOPICS", ())))
    return {topic.name: topic for part in Part for topic in found if topic.part is part}


TOPICS: Mapping[str, HelpTopic] = _all()
"""Name -> topic, in the order of the handbook."""
