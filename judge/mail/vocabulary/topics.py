"""The pages of help, in the order of the handbook: those about playing first, then those about the table."""

from __future__ import annotations

from collections.abc import Mapping

from judge.mail.vocabulary.model import HelpTopic, Part
from judge.mail.vocabulary.table import VERB_MODULES
from judge.orders.family import RAIL

BEGINNING = (
    HelpTopic(
        "first steps",
        "Your first hour",
        Part.BEGINNING,
        asks="do first, how does this work, how does it work, i am new, am new, start, start here, beginner, "
        "beginners, newcomer, new player, new here, tutorial, getting started, begin, first time, introduction, "
        "intro, guide, how this works, how it works, package",
        more=("joining", "orders", "practice"),
    ),
    HelpTopic(
        "diplomacy",
        "The game of Diplomacy on a page",
        Part.BEGINNING,
        asks="turn, turns, year, years, luck, dice, combat, combats, battle, battles, conflict, conflicts, fight, "
        "army, armies, fleet, fleets, unit, units, capture, centre, center, take a supply centre, supply centre, "
        "supply center, power, powers, how does the game work, how is the game played, autumn turn, decided, "
        "rules of the game, rules of diplomacy, how to play, play, win, winning, victory, supply centres, supply "
        "centers, centres, centers, supply, standoff, bounce, bounced, bounces, strength, adjudication, "
        "dislodged, phase order, seasons, season, spring, fall, autumn",
        more=("first steps", "orders", "rules"),
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
        "practice", "A practice game", Part.BEGINNING, asks="try it out, demo, lesson, lessons, train", more=("orders",)
    ),
    HelpTopic(
        "observing",
        "Watching a game",
        Part.BEGINNING,
        asks="observer, observers, spectator, follow a game, watching, onlooker, digest",
    ),
    HelpTopic("help", "Help", Part.BEGINNING, asks="topic, topics, questions, question", more=("all", "book")),
    HelpTopic(
        "version",
        "Which judge this is",
        Part.BEGINNING,
        asks="who are you, what are you, are you a robot, are you human, about, about this judge, software, program, "
        "source, source code, licence, license",
        more=("help", "variants"),
    ),
)

ORDERS = (
    HelpTopic(
        "orders",
        "Writing orders",
        Part.ORDERS,
        asks="who sees, sees my orders, look like, order, moves and supports, syntax, format of orders, order format, "
        "notation, commands for units, give orders, send orders, write orders, submit, submit orders",
        more=("move", "support", "convoy", "retreat", "build", "names", "changing"),
    ),
    HelpTopic(
        "move",
        "Moving",
        Part.ORDERS,
        asks="how far, where can i move, swap, swap places, exchange, exchange places, change places, moves, moving, "
        "attack, attacks, attacking, advance, go, walk, march, sail",
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
        asks="help another unit, help a unit, help an ally, support my ally, support cut, strengthen, supports, "
        "supporting, support to hold, support a move, support an attack, support hold, cut, cut support, "
        "cutting, cut supports, defend, defence, defense",
        more=("move", "convoy"),
    ),
    HelpTopic(
        "convoy",
        "Carrying an army over sea",
        Part.ORDERS,
        asks="over water, cross, crossing, across, across the sea, across water, water, island, islands, convoys, "
        "convoying, convoyed, via, via convoy, ferry, transport, carry an army, over sea, overseas, by sea, "
        "ship, ships",
        more=("support", "names"),
        kind="convoy",
    ),
    HelpTopic(
        "by rail",
        "Going by rail",
        Part.ORDERS,
        asks="rail, rr, railway, railways, railroad",
        more=("move",),
        kind=RAIL.name,
    ),
    HelpTopic(
        "aboard",
        "Armies aboard fleets",
        Part.ORDERS,
        asks="ashore, on board, board a fleet, boarding, embark, embarks, disembark, disembarks, land, landing, lands, "
        "go ashore, come aboard, rider, riders",
        more=("move", "numbers of units"),
        kind="aboard",
    ),
    HelpTopic(
        "two parts",
        "Fleets that move twice",
        Part.ORDERS,
        asks="second part, second segment, segments, segment, two segments, second move, move twice, twice, (2)",
        more=("railway", "supply points"),
        kind="segments",
    ),
    HelpTopic(
        "railway",
        "Armies that go by rail",
        Part.ORDERS,
        asks="rail, rr, railways, railroad, by rail",
        more=("move",),
        kind="railway",
    ),
    HelpTopic(
        "without capture",
        "Guests in foreign centres",
        Part.ORDERS,
        asks="visit, visits, guest, guests, occupy, permission, permissions",
        more=("move", "retreat"),
        kind="visit",
    ),
    HelpTopic(
        "bombers",
        "Bombers: bomb, defend, base",
        Part.ORDERS,
        asks="bomber, bomb, bombs, bombing, raid, raids, base, bases, rebase, defends, range",
        more=("supply points",),
        kind="raid",
    ),
    HelpTopic(
        "supply points",
        "Supply points: what costs how much",
        Part.ORDERS,
        asks="purse, cost, costs, shortage, short of points, ledger, maintenance, supply line, supply lines",
        more=("two parts", "bombers"),
        kind="segments",
    ),
    HelpTopic(
        "numbers of units",
        "Units called by their numbers",
        Part.ORDERS,
        asks="unit numbers, number of a unit, markers, order by number",
        more=("move",),
        kind="aboard",
    ),
    HelpTopic(
        "retreat",
        "Retreating and disbanding",
        Part.ORDERS,
        asks="dislodged what now, was dislodged, is dislodged, my army was dislodged, retreats, retreating, disband, "
        "disbands, disbanding, dislodge, dislodgement, withdraw a unit",
        more=("conditions", "build"),
    ),
    HelpTopic(
        "build",
        "Building and removing units",
        Part.ORDERS,
        asks="more units, get more units, get new units, centres and units, remove a unit, builds, building, waive, "
        "waives, waiving, remove, removes, removal, removals, removing, adjustment, adjust, winter, new units, "
        "raise, raise an army",
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
        "province, territory, territories, places, place, spelling, spell, place names, province names, space, "
        "spaces, countries, country",
        more=("coasts", "reading"),
    ),
    HelpTopic(
        "ahead",
        "Orders for a later phase",
        Part.ORDERS,
        asks="orders in advance, orders for next turn, orders for the next turn, for, for phase, orders ahead, "
        "advance orders, later phase, future orders, next phase, later orders, next turn, in advance, phase, "
        "phases",
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
        asks="mistake in my orders, correct an order, correct orders, change an order, change my mind, change orders, "
        "change my orders, correct my orders, mistake, my mistake, typo, wrong order, receipt, receipts, on "
        "file, number, numbers, fault, faults, resubmit, partial orders",
        more=("orders", "trying"),
    ),
    HelpTopic(
        "trying",
        "Trying orders out",
        Part.ORDERS,
        asks="test, try out orders, test my orders, try orders out, try orders, dry run for players, simulate, "
        "simulation, test orders",
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

TIME = (
    HelpTopic(
        "time",
        "Deadlines, more time, and days away",
        Part.TIME,
        asks="how long, how much time, how long do i have, on holiday, more time, extension, extend, extensions, "
        "deadline rules, when, due, holiday, holidays, vacation, vacations, absent, absences, when is my "
        "deadline, when is the deadline, out of office, need more time",
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
        asks="forget, forgot, forgot my orders, forget my orders, nmr, no moves received, missed deadline, miss a "
        "deadline, missing orders, grace, grace period, if i am late, am late, abandoned, abandon, civil "
        "disorder, cd, dismissed, no orders",
        more=("time", "seats"),
    ),
)


_TALK = (
    HelpTopic(
        "press",
        "Writing to the other players",
        Part.TALK,
        asks="write to, write to players, other players, white press, grey press, black press, colours of press, "
        "colors of press, talk, negotiate, negotiation, negotiations, message, messages, write to a player, "
        "write to another player, letter to a player, chat, endpress, partial press, contact, ally, alliance, "
        "diplomatic, write to the gm, ask the gm, contact the gm",
        more=("diary", "votes"),
    ),
    HelpTopic(
        "votes",
        "Votes: draws, concessions, rules, polls",
        Part.TALK,
        asks="end in a draw, call it a draw, how voting works, draw, draws, propose a draw, voting, dias, "
        "concessions, ballots, polls, yes, agree",
        more=("ending", "rules"),
    ),
    HelpTopic("diary", "A diary for after the game", Part.TALK, asks="diaries, journal, private notes"),
    HelpTopic(
        "statements",
        "Statements at the end of a game",
        Part.TALK,
        asks="statement, end of game, eog statement, final words",
    ),
)
_SEAT = (
    HelpTopic(
        "seats",
        "Leaving a game, and taking a power over",
        Part.SEAT,
        asks="seat, leave, leave game, leave the game, resign, quit, leaving, resignation, replacement, replacements, "
        "vacant, vacant power, vacancy, vacancies, stop playing, drop out, surrender, take over a "
        "power",
        more=("late", "joining"),
    ),
    HelpTopic(
        "reading",
        "Reading a game: where it stands, what was played",
        Part.SEAT,
        asks="see the map, where can i see, playing against, who plays what, see the results, results, result, "
        "report, reports, position, where i stand, who is playing, who plays, players, score, scores, points, "
        "lost letter, lost mail, whois",
        more=("names", "rules", "letters"),
    ),
    HelpTopic(
        "appeals",
        "A result that you doubt",
        Part.SEAT,
        asks="appeal a result, appeal results, appealing, doubt, doubt a result, dispute, protest, complain, "
        "complaint, results are wrong, results wrong, judge made a mistake, judge is wrong, wrongly judged, "
        "judged wrongly, unfair",
        more=("reading", "letters", "editions"),
    ),
    HelpTopic(
        "rules",
        "The house rules of a game",
        Part.SEAT,
        asks="house rule, houserules, headlines, rule, the settings of a game",
        more=("diplomacy", "editions", "settings", "votes"),
    ),
    HelpTopic(
        "editions",
        "Editions of the rules, and where they differ",
        Part.SEAT,
        asks="edition, rulebook, rulebooks, editions of the rules, single rules, single rule, rule choices, 1976, "
        "1982, 2000, 2023, 1976 rules, 2023 rules, datc, thundar, szykman, paradoxes, convoy paradox, convoy "
        "paradoxes, differences of the rules",
        more=("rules", "variants", "settings"),
    ),
    HelpTopic(
        "letters",
        "What your letters look like",
        Part.SEAT,
        asks="fewer mails, fewer letters, less mail, no pictures, stop the pictures, turn off html, letter, mails, "
        "email, e-mail, html, plain text, calendar, ics, pictures, reminder, reminders, screen reader, blind, "
        "spoken, terse, subject, attachments, too many mails",
        more=("account",),
    ),
    HelpTopic(
        "told",
        "Who is told what",
        Part.SEAT,
        asks="who is told what, who is told, who hears of it, who gets which letter, who gets letters, who reads what, "
        "what do observers get, what does a deputy get",
        more=("letters", "observing"),
    ),
    HelpTopic(
        "account",
        "Your name, zone, addresses and password",
        Part.SEAT,
        asks="name, email address, mail address, addresses, change my address, privacy, personal data, gdpr, delete "
        "me, zones, profile",
        more=("proof", "letters"),
    ),
    HelpTopic(
        "proof",
        "How I know that a mail is yours",
        Part.SEAT,
        asks="mail was held, mail held, know it is me, know that it is me, proofs, held, held mail, password lost, "
        "security, forged, forgeries, fake mail, confirmation, check phrase, phrase, signature, trust, identity",
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
        "lot",
        "How the powers are drawn",
        Part.SEAT,
        asks="powers drawn, drawn, how are the powers drawn, who gets which power, lots, the lot, drawing lots, "
        "drawing of powers, drawing the powers, how powers are drawn, how the powers are drawn, random number, "
        "the random number, seed, chance, check the draw of powers",
        more=("joining", "starting"),
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
        asks="game of my own, start my own game, my own game, start a game, create a game, make a game, set up a "
        "game, set up, setup, starting a game, new games, found a game, open a game, own game",
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
        "Presets: many settings at once",
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
        asks="somebody is late, someone is late, a player is late, player is late, late player, late players, replace "
        "a player, find a replacement, missing player, player left, kick, misconduct, cheater",
        more=("late", "deadlines", "seats"),
    ),
    HelpTopic(
        "errors",
        "An error in the results",
        Part.GAMEMASTER,
        asks="error, an "
        "error, error in the results, wrong results, wrong result, bug, mistake in the results, wrong position, "
        "adjudication error, fix, fix results, rulings, ruling",
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
        "editors",
        "Editors of zines",
        Part.GAMEMASTER,
        asks="editor, print the game, publish the game, reporter, journalist, chapter",
        more=("observing", "press"),
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
        asks="game end, the game end, end of the game, when is the game over, game is over, end a game, end the game "
        "early, finish, finish a game, game over, stop a game",
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
    HelpTopic("dpjudge", "From DPjudge's words to mine", Part.OLDER, asks="dp judge, dp", more=("njudge",)),
)

OWN = (*BEGINNING, *ORDERS, *TIME, *_TALK, *_SEAT, *_GAMEMASTER, *_OLDER)


def _all() -> Mapping[str, HelpTopic]:
    """Those of this file and of the modules of verbs, each in its part."""
    found = [*OWN]
    for topic in (topic for module in VERB_MODULES for topic in getattr(module, "TOPICS", ())):
        names = [one.name for one in found]
        found.insert(names.index(topic.after) + 1 if topic.after else len(found), topic)
    return {topic.name: topic for part in Part for topic in found if topic.part is part}


TOPICS: Mapping[str, HelpTopic] = _all()
"""Name -> topic, in the order of the handbook."""
