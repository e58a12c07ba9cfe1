"""The page of rules of 1958, and the reasons that it has beside those of 1976."""

from __future__ import annotations

from judge.rules.questions import Block
from judge.rules.reasons import Reason

BRIEF = (
    "In short:",
    "- 18 UNITS on the board win (17 of six players, 16 of five), not centres.",
    "- Armies are raised in the capital, fleets in the naval base; any number of them may stand there. They are "
    "worth one, and are driven out together.",
    "- An army does not enter the capital while a fleet of its country stands there, nor a fleet the naval base "
    "while an army does.",
    "- No convoys. `A Brest ABOARD F Brest` with `F Brest - English Channel` takes an army along; a fleet that "
    "comes in fetches one in the same way.",
    "- A fleet carries one army, of its own country, unless `foreign_boarding` is yes.",
    "- At sea the army does nothing. `A Belgium ASHORE`, with the fleet ordered out, puts it ashore. If the fleet is "
    "stopped, all stays as it was.",
    "- Any attack cuts a support, your own too; but never one from the place you support into, even if it drives "
    "you out.",
    "- Nobody disbands by choice: who is driven out retreats, or is lost.",
    "- A lost capital moves to your first original centre that is left (or, by `capital PLACE`, another), and "
    "back when the first one is retaken.",
    "- Units have numbers: `2 - Holland` is army 2, `3F - North Sea` fleet 3.",
)
"""What is different, for the letter with which a game begins."""

PAGE = (
    Block(
        "Diplomacy of 1958",
        (
            "The game as Allan Calhamer published it first, on a board of 93 spaces with 35 centres; Switzerland"
            " and Albania are centres, Tunis is none. What follows takes the place of what the rules of 1976 say of it:"
            " of convoys, disbanding, cutting, builds and winning.",
            "PASSAGES. Kiel and Constantinople are crossed by armies and fleets, which must stop there"
            " first: a fleet goes from the Aegean to the Black Sea through Constantinople, or along the coast of"
            " Smyrna and Ankara. Spain, Finland, St. Petersburg and Bulgaria have two coasts each.",
            "WINNING. Whoever has 18 units on the board has won (17 with six players, 16 with five): centres"
            " alone do not count. When the time that the table has set is up, all who are still in the game tie."
            " Who is left without a unit once units have been raised has lost.",
            "THE START. Two armies stand in the capital, one fleet in the naval base; England has two fleets and"
            " one army, Russia a fleet in each of its two naval bases, St. Petersburg (south coast) and"
            " Sevastopol.",
            "NUMBERS. Each unit has one, by power and kind: `2 - Holland` is army 2, `3F - North Sea` fleet 3."
            " Letters call them `A2 Paris` and `F3 North Sea`. Places do as well: `A Paris - Burgundy`; of two armies"
            " in one place that means either.",
            "CAPITAL AND NAVAL BASE. Any number of a country's armies may stand in its capital, any"
            " number of its fleets"
            " in its naval base. Together they defend with the strength of one, only one of them can be supported"
            " there, and who drives them out drives out all. They do not support each other; two that support the"
            " same unit count as one. An army does not move into its capital while a"
            " fleet of its own stands there, nor"
            " a fleet into its naval base while an army of its own does, unless that is ordered out; if it"
            " is then stopped, whoever was to come in stays where it was. Raising is free. A naval base that is"
            " lost is still the base of its power, whose fleets may stand there together.",
            "ABOARD. There are no convoys. `A Brest ABOARD F Brest` with `F Brest - English"
            " Channel` takes an"
            " army along from the same place; `F English Channel - Belgium` with `A Belgium ABOARD F English"
            " Channel` fetches one from the coast. If the fleet is stopped, the army is still ashore. One army a"
            " fleet, of its own country; where the Gamemaster has set `foreign_boarding yes`, of any: then each"
            " player orders what is theirs, and nobody can drive out a fleet that carries an army of their own.",
            "AT SEA the army does nothing, nobody supports it, it takes no centre, and it goes where the"
            " fleet goes: in retreats too, and it is lost with it, also when the fleet is removed."
            " `A Belgium ASHORE`, while the fleet is ordered out of Belgium, puts it"
            " ashore: it counts as standing there, and may be supported in place. If the fleet is stopped, or another"
            " own fleet stays there, the army stays aboard. An army that comes aboard may be supported in place, too:"
            " that counts if the fleet is stopped.",
            "FIGHTS. Any attack cuts a support, even by a unit of the same country, but never"
            " one from the place"
            " that is supported into, even if it drives the supporter out; an army that comes into its own capital cuts"
            " nothing there. A unit that is ordered to move and to support moves."
            " An impossible or ambiguous order loses the move; its unit stands, and may be"
            " supported there. Two fleets pass each other along different coasts of a province.",
            "RETREATS. Who is driven out must retreat; nobody disbands a unit by choice. Two"
            " that go to one place"
            " are both annihilated, and so is who is not ordered. But armies of one power may retreat together into"
            " their empty capital, its fleets into their empty naval base.",
            "RAISING, after the Fall retreats: armies in the capital, fleets in the naval base"
            " (Russia says"
            " which). Without its naval base a power raises no fleets; without any original centre, nothing. A"
            " capital that is lost moves to the first original centre that is left, in the order in which reports of"
            " the board name them (`help power`); `capital PLACE`, with the adjustments, names another, which counts"
            " for the armies that are raised with it. When the first one is retaken, the capital is there again.",
            "FEWER PLAYERS. Six: Italy is not played; its land is nobody's, Venice and Naples are no"
            " centres, and Rome is one to be taken. Five: nor is Turkey; Ankara and Erzurum are no centres,"
            " Constantinople is one to be taken.",
        ),
    ),
)

REASONS = {
    "other-kind-there": Reason(
        "a fleet or army of the same country stands there and was not ordered out", "Capital and naval base"
    ),
    "other-kind-did-not-leave": Reason(
        "a fleet or army of the same country was to leave that place, but did not", "Capital and naval base"
    ),
    "no-support-in-one-place": Reason("units in one place do not support each other", "Capital and naval base"),
    "supported-from-there-already": Reason(
        "two units in one place that support the same unit count as one", "Capital and naval base"
    ),
    "supported-unit-aboard": Reason("an army aboard a fleet cannot be supported", "At sea"),
    "is-aboard": Reason("an army aboard a fleet does nothing but go ashore", "At sea"),
    "aboard-already": Reason("the army is aboard a fleet already", "At sea"),
    "only-armies-aboard-fleets": Reason("only armies come aboard, and only of fleets", "Aboard"),
    "foreign-fleet": Reason("an army comes aboard a fleet of its own country only", "Aboard"),
    "fleet-cannot-come": Reason("the fleet is not there and could not come there", "Aboard"),
    "fleet-not-ordered-out": Reason("the fleet was not ordered out", "Aboard"),
    "fleet-not-coming": Reason("the fleet was not ordered to come there", "Aboard"),
    "one-army-a-fleet": Reason("a fleet carries one army", "Aboard"),
    "not-aboard": Reason("the army is aboard no fleet", "At sea"),
    "no-shore": Reason("the army cannot stand where the fleet is", "At sea"),
    "came-aboard": Reason("the army came aboard", "Aboard"),
    "went-ashore": Reason("the army went ashore", "At sea"),
    "fleet-stopped": Reason("the fleet was stopped, and the army is where it was", "At sea"),
    "shore-not-cleared": Reason("another fleet did not leave, and the army stayed aboard", "At sea"),
    "retreated-aboard": Reason("the army retreated with its fleet", "At sea"),
    "lost-aboard": Reason("the army was lost with its fleet", "At sea"),
    "carried-along": Reason("the army is aboard its fleet", "At sea"),
    "raised-at-home-only": Reason("units are raised in original centres only", "Raising"),
    "armies-in-the-capital": Reason("armies are raised in the capital only", "Raising"),
    "fleets-in-the-naval-base": Reason("fleets are raised in the naval base only", "Raising"),
    "capital-with-adjustments": Reason("a capital is named with the adjustments", "Raising"),
    "capital-not-lost": Reason("the capital moves only while the first one is lost", "Raising"),
    "capital-in-original-centre": Reason("a capital is an original centre that its power owns", "Raising"),
    "no-such-number": Reason("no unit has this number", "Numbers"),
}

RETOLD = {
    "no-retreat-ordered": "no retreat was ordered, and the unit was annihilated",
    "nowhere-to-retreat": "there was nowhere to retreat to, and the unit was annihilated",
    "retreats-collided": "two units were ordered to one space, and both were annihilated",
}
"""What is said here of reasons that 1976 has, too."""

CLAUSES = {
    "VII.1": "Fights",
    "VII.3b": "Passages",
    "VII.4": "Fights",
    "VIII": "Fights",
    "IX.1": "Fights",
    "IX.2": "Fights",
    "IX.3": "Fights",
    "IX.6": "Fights",
    "X": "Fights",
    "XI": "Retreats",
    "XI.2": "Retreats",
    "XII.1": "Aboard",
    "XII.2": "Aboard",
    "XII.3": "Aboard",
    "XIII.2": "Raising",
    "XIV.5": "Aboard",
}
"""Clause of 1976 -> the part of this page that says what holds in its place."""
