"""The words of 1914: its page of rules, and its reasons."""

from __future__ import annotations

from judge.rules.questions import Block
from judge.rules.reasons import Reason

REASONS = {
    "capital-lost": Reason("in the season after its capital is taken, a country's units can only hold", "3"),
    "capital-still-held": Reason("a capital is moved only when it has been lost", "3"),
    "capital-later": Reason("a new capital is named with the moves or with the adjustments", "3"),
    "capital-in-own-home": Reason("a new capital is an original home centre that its country still owns", "3"),
    "with-adjustments": Reason("that belongs to the Fall adjustments", "4"),
    "with-moves": Reason("that belongs to the moves", "8"),
    "influence-only": Reason("only influence and claims are made before Spring 1914", "16.A"),
    "no-builds-yet": Reason("only influence and claims are made before Spring 1914", "16.A"),
    "gift-on-condition": Reason("a gift cannot depend on a condition", "4"),
    "more-than-a-fifth": Reason(
        "a Great Power gives away at most a fifth of the points that it has after the yield, rounded down", "4"
    ),
    "received-not-understood": Reason(
        "a condition names points and a country, and what follows are adjustments, a few lines at most", "4"
    ),
    "minors-give-nothing": Reason("a minor country may receive points, but gives none", "16.J"),
    "gift-not-understood": Reason("a gift names a number of points and a country", "4"),
    "no-account-there": Reason("points go to another Great Power, or to a minor country that is controlled", "4"),
    "removal-and-build": Reason("who removes or loses a unit in the adjustments builds none in them", "6"),
    "not-maintained": Reason(
        "its country had not the three points left that its maintenance costs", "6", unordered=True
    ),
    "not-enough-points": Reason("its country has not enough supply points left for it", "6"),
    "no-supply-line": Reason("no supply line leads from it to the capital of its country", "9", unordered=True),
    "route-is-broken": Reason("a journey by rail leads from province to province by land", "10"),
    "railway-at-home-only": Reason("between its ends a railway runs through the army's home country alone", "10"),
    "only-armies-by-rail": Reason("only armies travel by rail", "10"),
    "no-convoy-by-rail": Reason("an army that goes by rail is not convoyed", "10"),
    "nothing-for-bombers": Reason("bombers are neither supported nor convoyed", "15"),
    "second-part-for-fleets": Reason("only fleets have a second part of their season", "11"),
    "second-part-at-sea": Reason("both orders of a fleet that has two may concern sea spaces only", "11"),
    "second-out-of-reach": Reason("where its first order takes it, the second is beyond its reach", "11"),
    "convoy-in-first-part": Reason("convoys take place in the first part of a season", "11"),
    "first-part-failed": Reason("its first order failed, so that the second could not be carried out", "11"),
    "dislodged-before": Reason("it was dislodged in the first part of the season", "11"),
    "no-unit-there": Reason("no such unit stood there when the second part began", "11"),
    "not-understood": Reason("that part of the order has no meaning", "11"),
    "no-morale": Reason("a unit that retreated in the season before supports no attack", "13"),
    "no-support-after-retreat": Reason("a unit that retreated in the season before attacks nobody", "13"),
    "no-permission": Reason("the owner of the centre has not permitted it", "14"),
    "no-centre-to-visit": Reason("only a centre that another country owns is entered without capture", "14"),
    "no-stay-there": Reason("no unit of one's own stands there without capture", "14"),
    "permit-not-understood": Reason("a permission names a country, its unit, what for, and the centre", "14"),
    "permit-own-centres": Reason("only the owner of a centre permits anything there", "14"),
    "permit-others": Reason("a permission is for another country's unit", "14"),
    "permit-with-moves": Reason("permissions are given with the moves, those to retreat too", "14"),
    "ally-a-great-power": Reason("an ally is another Great Power", "14"),
    "friendly-not-understood": Reason("it takes the names of two countries: `friendly Italy for Austria`", "9"),
    "friendly-own-countries": Reason("only a country in one's own hand can be declared friendly", "9"),
    "no-bombers-yet": Reason("no bomber is built before the adjustments of Fall 1917", "15"),
    "too-many-bombers": Reason("a Great Power builds one bomber in 1917, and two in any later year", "15"),
    "bombers-for-great-powers": Reason("only Great Powers build bombers", "15"),
    "no-bombers-at-sea": Reason("bombers are never at sea", "15"),
    "no-base-there": Reason("a bomber is based in a friendly centre, or with a friendly army or fleet on land", "15"),
    "not-for-bombers": Reason("a bomber changes its base, defends a centre or bombs one", "15"),
    "only-bombers": Reason("only bombers do that", "15"),
    "out-of-range": Reason("that is beyond the range of the bomber", "15"),
    "bombers-at-centres": Reason("bombers bomb and defend supply centres", "15"),
    "bombs-for-others": Reason("bombers bomb centres of other countries", "15"),
    "bomber-overrun": Reason("the place where it was based was overrun", "15"),
    "bomber-lost": Reason("it was beaten off by a bomber in defence, and lost", "15"),
    "raid-beaten-off": Reason("it was beaten off by a bomber in defence, and two points were paid to save it", "15"),
    "bombed": Reason("the centre was bombed, and yields nothing in the Fall", "15"),
    "based": Reason("it changed its base", "15"),
    "covered": Reason("it defended the centre", "15"),
    "no-such-minor": Reason("it takes the name of a minor country, and nothing besides", "16.B"),
    "how-many-factors": Reason("it takes the number of points that become political factors", "16.A"),
    "influence-of-great-powers": Reason("only Great Powers have political factors", "16.B"),
    "not-so-many-factors": Reason("one cannot give up more factors than one has there", "16.B"),
    "controlled-already": Reason("that minor country is controlled already", "16.C"),
    "not-enough-factors": Reason("the factors do not reach the activation level and the total of the next", "16.C"),
    "may-not-control": Reason("Austria cannot control Italy or Serbia, Germany not Belgium, Russia not Turkey", "16.N"),
    "no-such-unit-to-pay": Reason("it takes the name of a unit of one's own", "8"),
}

BRIEF = (
    "Orders cost supply points. Who has none left fights with no strength.",
    "Each Fall a home centre yields 6, a foreign one 5, a minor one 4;",
    "each unit costs 3 to keep, an army 3 more to build, a fleet 4 more.",
    "In a battle each unit pays 1, an attacker 2; a retreat costs 1.",
    "Points become political factors: `influence 3 Italy`. With enough of",
    "them a minor country is yours to order, with its own points.",
    "The first round, before Spring 1914, is for influence alone.",
    "Example: Germany has 20. `influence 3 Turkey` makes 11 factors there,",
    "9 above the 2 of England and France: Turkey's level, so it is led.",
    "Then Spring: `A Ruh - Hol` against an army there costs 2, its support",
    "from Kiel 1; if nobody is met, nothing is paid.",
    "Fleets move twice at sea: `F Bel - Eng, (2) - MAO`.",
    "Armies go by rail at home: `A War RR Sil - Mun - Ber`.",
    "A fleet enters a foreign centre only with an army's support.",
    "Centres change hands after every season's retreats.",
    "Each Fall a unit without a line to its capital is lost.",
    "Give up to a fifth: `give France 3`. `ally France` must be mutual.",
    "Say who is paid first: `pay first A Bur`; kept first: `keep A Tyr`.",
    "Send `rules` for all of it, with examples.",
)

PAGE = (
    Block(
        "1914 Diplomacy",
        (
            "Five Great Powers play on the standard board: Austria, England, France, Germany, Russia. Italy, Turkey and"
            " eleven others are minor countries. Lewis Pulsipher made it. Everything below stands beside the rules of"
            " 1976; the numbers are those of his clauses.",
            "2. TIME. A round of influence precedes Spring 1914. After the Fall retreats come the adjustments, in half"
            " the time of moves: yield, gifts, maintenance, builds, influence, declarations, control, supply check. A"
            " country with ten centres, and three more than any other, has won; a minor country wins for who leads it.",
            "3. CAPITALS are Vienna, London, Paris, Berlin and Moscow; of Italy Rome, of Turkey Constantinople. When"
            " one is taken, all units of its country hold in the next season. `capital Marseilles` names another"
            " original centre that you own; in time if it is sent with the moves of that season, or with adjustments"
            " before it. Who has none left surrenders.",
            "4. GIFTS. `give France 3` with the adjustments: at most a fifth, rounded down, of what you have after the"
            " yield; never on a condition.",
            "5. YIELD. A Great Power's own home centre six, another Great Power's five, any other four, each Fall, if a"
            " supply line leads from it to the capital. Centres are taken in any season.",
            "6. MAINTENANCE is three points for each unit. An army costs three to build, a fleet four, a bomber two,"
            " and its first maintenance. Who removes a unit builds none. `keep A Tyr` names who is kept first.",
            "7. BATTLES. Each unit in a conflict pays one, supports too; a mover one more if it goes against a unit"
            " that does not leave, or wins a contested space; a retreat one; a convoying fleet one. Without a conflict"
            " nothing is paid.",
            "8. SHORTAGE. Paid are: retreats; defence, land before sea, stands before supports; attacks, land before"
            " sea, moves before supports; bombers, defence first. `pay first A Bur` decides among equals. A defender"
            " that is not paid for has no strength; other acts do not take place.",
            "9. SUPPLY LINES. After the adjustments each unit needs a way to its capital, of spaces that are free or"
            " held by friends, and no foreign centres; a free space that is no centre may not lie beside a foreign"
            " unit that could enter it, but for the first space and those at home. Who has none is eliminated."
            " `friendly Italy for Austria` opens a country of yours to another.",
            "10. RAILWAYS. `A War RR Sil - Mun - Ber`: through provinces of the home country, in which nobody stands;"
            " it stops before one that is entered. It meets nobody and is not supported.",
            "11. FLEETS move twice: `F Bel - Eng, (2) - MAO`. Both orders concern seas only; convoys are in the first"
            " part. Who is dislodged in the first retreats after the second.",
            "12. A FLEET enters a centre that is not friendly only if an army supports it.",
            "13. RETREATS. A unit that retreated attacks nobody in the next season and supports no attack. Nobody"
            " retreats to a foreign centre without permission.",
            "14. PERMISSIONS. `permit Germany A Bel to occupy Hol`, `to retreat to`, `to base in`. With it `A Bel - Hol"
            " without capture` leaves the centre to its owner. A permission is for that season."
            " `ally France` from both in the adjustments: they capture nothing of each other's in the next year.",
            "15. BOMBERS from Fall 1917: one in that year, two in any later. `B Bur base Lvn`, `B Bur defends Mun`,"
            " `B Bur bombs Par`. Their range is two spaces, three from 1920; to a new base twice that. By the board"
            " Berlin is two from Burgundy: the source's example errs there.",
            "16. FACTORS. `influence 3 Italy` makes three points into factors. Who has the activation level more than"
            " the next leads the minor country, orders its units and has its points: two for each centre at first."
            " `claim Italy with France` adds two players' factors. Levels fall by one each year. It ends when you or"
            " the minor country lose a home centre. Attacking a minor country, or entering its land, loses all your"
            " factors there; Belgium, Denmark, Holland, Norway and Sweden stand together, and so do Spain and"
            " Portugal. Turkey's armies both go to Smyrna and Italy's A Ven and F Nap to Rome while nobody leads"
            " them. Units of minor countries that nobody leads bar supply lines: F Nap bars that of F EMed.",
        ),
    ),
)
