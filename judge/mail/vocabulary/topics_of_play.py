"""The pages of help about playing: the first steps, orders, time."""

from __future__ import annotations

from judge.mail.vocabulary.model import HelpTopic, Part
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
