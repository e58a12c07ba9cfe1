"""What is said to a wish in plain words that no line of ours fulfils by itself: what was not done, and the lines that
come near.
"""

from __future__ import annotations

from datetime import timedelta

from judge.game.core.commands import Role
from judge.languages import tell
from judge.mail.vocabulary import Around, Unclear

SAID = {
    "substitute": (
        "Nothing was changed: your seat stays yours. The standbys are asked to play for you for a while with: "
        "substitute wanted until {last} - and `away DATE to DATE` spares you deadlines."
    ),
    "more time": (
        "Nothing was changed yet. `extension` gives this turn more time, `away DATE to DATE` spares you "
        "deadlines while you are away, and `propose pause` asks the others for a break."
    ),
    "pace": (
        "Nothing was changed. `extension` gives this turn more time; for slower turns from now on players "
        "vote, like this: amend rule moves = 5d"
    ),
    "leave": (
        "Nothing was changed: you are still in the game. To give up your seat, write `leave`; I then ask once "
        "more. For a pause write `away DATE to DATE`, for more time `extension`."
    ),
    "stop": (
        "Nothing was changed. `clear` withdraws your orders, `pause my reminders` ends the reminders, and `leave` "
        "gives up your seat."
    ),
    "no letters": (
        "Nothing was changed. As long as you play, the results and calls of your game come; `pause my "
        "reminders` ends the reminders, `my format no maps` the pictures, and `leave` gives up your seat."
    ),
    "invitations": (
        "Who plays in no game gets nothing from me that they did not ask for. `unobserve GAME` ends letters about a "
        "game that you watch, `unsubscribe` in answer to an invitation all invitations."
    ),
    "languages": (
        "`my language Deutsch` has my letters in German. Commands and orders are read in English, and most of them in "
        "German, French, Spanish, Italian and Dutch, too."
    ),
    "address": (
        "Nothing was changed. Letters go to another address once you write, from either of the two: my "
        "address jane@example.org"
    ),
    "zone": "Nothing was changed. In which zone I print times for you, you say like this: my zone Europe/London",
    "format": (
        "Nothing was changed. `my format text` sends letters as text alone, `my format no maps` leaves the "
        "pictures out; `map pdf` sends the map for printing."
    ),
    "format of maps": (
        "Nothing was changed. `my format no maps` leaves the pictures out, `my format text` sends text alone; "
        "`status` tells in words where everybody stands."
    ),
    "votes": "While a vote is open you may vote again: `aye` or `nay` takes the place of what you said before.",
    "several votes": (
        "No vote of yours was counted. Say it by number, a line for each vote, like this: aye 1 - and: nay 2. `status` "
        "lists what is open."
    ),
    "concession": "`concede POWER` calls a vote on giving somebody the victory; the game ends if all say aye.",
    "gamemaster": "To reach the Gamemaster, begin with `press to GM`, and write your words below it.",
    "behaviour": (
        "I am a program, and judge nobody's manners. To tell the Gamemaster, begin with `press to GM`, and "
        "write your words below it."
    ),
    "appeal": (
        "I cannot look at a result again by myself. `appeal LINE because REASON` puts it before the "
        "Gamemaster, and `history` shows what was played and why it failed."
    ),
    "press": (
        "Nothing was sent to anybody. To write to others, begin with `press to POWER` or `press to all`, and "
        "write your words below it."
    ),
    "letters": "`my press` sends the letters that you have had; `my press from Germany` those of one player.",
    "what if": "Orders are tried out with `what if` and the orders below it; nothing is kept, and nobody hears of it.",
    "swap": "Powers cannot be swapped by players. `press to GM` asks the Gamemaster, who may assign seats anew.",
    "password": (
        "A forgotten password is not needed: an answer to a letter of mine is proof enough, and `new password WORD` "
        "sets another one, once you have said yes to my letter about it."
    ),
    "opinion": (
        "I cannot say that of others' orders by an opinion. `appeal LINE because REASON` puts a result that you doubt "
        "before the Gamemaster, and `history` shows what was played."
    ),
    "stand-in": (
        "Nothing was changed: nobody else can be given your seat but by the Gamemaster. `press to GM` asks for that; "
        "`substitute wanted until DATE` looks for somebody who plays for you for a while; `leave` gives the seat up."
    ),
    "try out": "Orders are tried out with `what if` and the orders below it.",
    "any but one": (
        "To leave a power out when they are dealt, name those that you would like, in order: `prefer Turkey, Russia`."
    ),
    "friend": "Your friend writes to me: `join` and the game's name. The Gamemaster may `invite` an address.",
    "another game": "`list` shows the games that look for players, `queue standard` waits for the next one.",
    "undo": (
        "Nothing was taken back yet. `undo` goes back to the orders before your last mail; `clear` withdraws "
        "all of them."
    ),
    "away": (
        "Nothing was noted yet. To be spared deadlines while you are away, write both days, like this: `away "
        "{first} to {last}`"
    ),
    "gm: correct": (
        "Nothing was changed. A unit is put right like this: correct position A Paris at Picardy; remove F Brest"
    ),
    "gm: result": (
        "Nothing was changed. `rollback` takes results back, `amend as POWER` gives other orders, `correct position "
        "CHANGE; CHANGE` puts units and centres right; `help errors` shows how."
    ),
    "gm: again": (
        "Nothing was changed. `rollback` takes the last results back, `process` then plays the turn again "
        "with the orders on file; `amend as POWER` gives other orders. `help errors` shows how."
    ),
    "gm: without": (
        "Nothing was done. `process despite missing orders` plays the turn without them, `vacate POWER` takes "
        "the seat from its player."
    ),
    "gm: press": "Nothing was changed. What press there is, is a setting, like this: set press white, grey, black",
    "gm: hour": (
        "Nothing was changed. When turns end is a setting, like this: set moves Tuesday at 20:00. `deadline "
        "DATE` moves this turn's alone."
    ),
    "gm: write": (
        "Nothing was sent to anybody. To write to all players, begin with `press to all`, and write your words below "
        "it."
    ),
    "gm: orders": (
        "Nothing was filed. A player's orders that reached you otherwise: write `order as POWER`, and the orders below "
        "it; the player gets a copy."
    ),
    "gm: span": "Nothing was changed. `deadline DATE` moves the deadline to a day, `extend SPAN` by some days.",
    "gm: break": (
        "Nothing was changed. `hold until DATE` stops the calendar until then, `extend SPAN` moves the deadline."
    ),
    "gm: deputy": "Nothing was changed. A deputy for some days: deputy ADDRESS until {last}",
    "gm: deputy until": "Nothing was changed. Say until when: deputy {address} until {last}",
    "gm: all orders": (
        "`status` says whose orders are in; `orders of POWER` shows those of one power, and `preview` what all would "
        "do."
    ),
    "gm: away": (
        "Nothing was noted. `hold until {last}` stops the calendar until then; `deputy ADDRESS until {last}` lets "
        "somebody run the game meanwhile."
    ),
    "gm: successor": "Nothing was changed. Somebody else takes the game over like this: hand over to ADDRESS",
    "gm: mild": (
        "Nothing was changed. `extend SPAN` moves the deadline for all, `hold` stops the calendar; whether "
        "late orders cost a seat is a setting (`help nmr`)."
    ),
    "gm: stop": (
        "Nothing was changed. `hold` stops the calendar until you write `resume`, and `end game abandoned` closes the "
        "game."
    ),
    "gm: end": (
        "Nothing was done. `end game by agreement` closes it as a draw, `end game abandoned` without a "
        "result; a win is conceded by the players: `concede POWER`."
    ),
}


def only_stop(around: Around) -> Unclear:
    """What to say to somebody who writes "stop" and nothing else."""
    if around.role is Role.GM:
        return Unclear("perhaps-told", tell(SAID["gm: stop"]))
    if around.role is Role.PLAYER:
        return Unclear("perhaps-told", tell(SAID["stop"]))
    return Unclear("perhaps-told", tell(SAID["invitations"]))


def with_days(told: str, around: Around) -> str:
    """A sentence with the days of its example, `{first}` and `{last}`: a week ahead, and two."""
    told = tell(told)
    today = around.now.astimezone(around.zone)
    days = {name: today + timedelta(weeks=weeks) for name, weeks in (("first", 1), ("last", 2))}
    for name, day in days.items():
        told = told.replace(f"{{{name}}}", f"{day.day} {day:%b}")
    return told
