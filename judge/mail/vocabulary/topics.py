"""The pages of help, in the order of the handbook: those about playing, and here those about the table and its talk.

Rooms of verbs may bring pages of their own.
"""

from __future__ import annotations

from collections.abc import Mapping

from judge.mail.vocabulary.model import HelpTopic, Part
from judge.mail.vocabulary.table import ROOMS
from judge.mail.vocabulary.topics_of_play import BEGINNING, ORDERS, TIME

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
    HelpTopic(
        "diary",
        "A diary for after the game",
        Part.TALK,
        asks="diaries, journal, private notes",
    ),
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
    HelpTopic(
        "dpjudge",
        "From DPjudge's words to mine",
        Part.OLDER,
        asks="dp judge, dp",
        more=("njudge",),
    ),
)

OWN = (*BEGINNING, *ORDERS, *TIME, *_TALK, *_SEAT, *_GAMEMASTER, *_OLDER)


def _all() -> Mapping[str, HelpTopic]:
    """Those of this file and of the rooms, each in its part."""
    found = [*OWN]
    for topic in (topic for room in ROOMS for topic in getattr(room, "TOPICS", ())):
        names = [one.name for one in found]
        found.insert(names.index(topic.after) + 1 if topic.after else len(found), topic)
    return {topic.name: topic for part in Part for topic in found if topic.part is part}


TOPICS: Mapping[str, HelpTopic] = _all()
"""Name -> topic, in the order of the handbook."""
