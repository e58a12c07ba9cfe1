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
    "1914 is won with ten supply centres, and three more than anybody else.",
    "Battles cost supply points: each unit in one pays 1, an attacker 2, a retreat 1; where nobody is met, "
    "nothing is paid. Who has no points left fights with no strength, so keep some for the whole year.",
    "After Fall centres yield points: your home ones 6, foreign home ones 5, others 4. Each unit costs 3 a year; "
    "a new army 3 more, a new fleet 4 more. Up to a fifth may be given away: `give France 3`.",
    "Points also become political factors: `influence 3 Italy`. Who has the level of a minor country more than "
    "the next leads it, and orders its units.",
    "A first round, before Spring 1914, is for that alone. An example: Germany has 20 points, and 8 factors in "
    "Turkey, whose level is 9; the next have 2. `influence 3 Turkey` makes 11, and 11 is 9 more than 2: unless "
    "another adds some in the same secret round, Germany orders Turkey's armies too. It has 17 points left, and "
    "orders `A Mun - Bur`. If the French come there too, each pays 1, the winner 2.",
    "Fleets move twice at sea, `F Bre - ENG, (2) - NTH`, and enter a foreign centre only with an army's support. "
    "Armies go by rail at home: `A Mar RR Bur - Pic`. Centres change hands after every season, not only in Fall.",
    "After the adjustments a unit is lost that has no supply line to its capital; the reports say which have one, "
    "and where others break.",
    "`rules` has all of it; `help supply points` and `help influence` say more.",
)

PAGE = (
    Block(
        "1914 Diplomacy",
        (
            "Five Great Powers play on the standard board: Austria, England, France, Germany, Russia. Italy, Turkey"
            " and eleven others are minor countries. Lewis Pulsipher made it. Everything below stands beside the rules"
            " of 1976; the numbers are those of his clauses.",
            "1. START. Austria has 10 supply points, England, France and Russia 15, Germany 20; the units of 1914 are"
            " maintained. A minor country has an army in each centre; Italy has A Tunis, A Venice and F Naples, Turkey"
            " A Constantinople and A Ankara.",
            "2. TIME. A round of influence precedes Spring 1914. After the Fall retreats come the adjustments, with"
            " half the time of moves: yield, gifts, maintenance, builds, influence, declarations, control, supply"
            " check. A country with ten centres, and three more than any other, has won; a minor country wins for who"
            " leads it.",
            "3. CAPITALS are Vienna, London, Paris, Berlin and Moscow; of Italy Rome, of Turkey Constantinople. When"
            " one is taken, all units of its country hold in the next season. `capital Marseilles` names another"
            " original centre that you own, with the moves of that season or with the next adjustments; until one is"
            " named, no centre yields anything. Who names none has from the adjustments on the first that is left, in"
            " the board's order; after a loss in Fall the moves of Spring may still name another, and who comes to"
            " lead a minor country that lost its capital names it with its first moves. Who has no original centre"
            " left surrenders: its units are removed, its factors and its control end, its centres are nobody's. A"
            " minor country without a home centre has the capital of whoever leads it, and surrenders where nobody"
            " does after the adjustments; when who took it surrenders, it may be led again, and then has the units"
            " with which it began.",
            "4. GIFTS. `give France 3` with the adjustments: at most a fifth, rounded down, of what you have after"
            " the yield; never on a condition. Who expects one must write for both cases: `if received 3 from Russia"
            " then A Ber B else influence 2 Holland`. Points that are left are kept for later years.",
            "5. YIELD. A Great Power's own home centre six, another Great Power's five, any other four, each Fall, if"
            " a supply line leads from it to the capital. Centres are taken in any season. (`minor_home_six yes` is an"
            " option: a minor country that is led has six of its own home centres.)",
            "6. MAINTENANCE is three points for each unit. An army costs three to build, a fleet four, a bomber two,"
            " and its first maintenance; armies and fleets are built in home centres that you own and in which no army"
            " or fleet stands. Who removes a unit builds none. If the points do not reach, the units farthest from the"
            " capital are given up; `keep A Tyr` names who is kept first.",
            "7. BATTLES. Each unit in a conflict pays one, supports too; a mover one more if it goes against a unit"
            " that does not leave, or wins a contested space; a retreat one; a convoying fleet one; a raid one, and"
            " two if it is beaten off; a defence against bombing one, if it beats somebody off. Without a conflict"
            " nothing else is paid than for raids. The moves take the point for a retreat, whatever the unit then"
            " does.",
            "8. SHORTAGE. Paid are: retreats; defence, land before sea, stands before supports; attacks, land before"
            " sea, moves before supports; bombers, defence first. `pay first A Bur` decides among equals, for a"
            " season. A defender that is not paid for has no strength; a unit whose retreat is not paid for is"
            " disbanded; other acts do not take place. An attacker needs both its points at hand, into an empty space"
            " that is contested too; one that it does not use pays for nothing of lower priority. The parts of a"
            " season at sea are paid for one after the other. Units of minor countries that nobody leads always defend"
            " themselves.",
            "9. SUPPLY LINES. After the adjustments each unit needs a way to its capital, of spaces that are free or"
            " held by friends, and no centres of others than friends, nor such as nobody owns; a free space that is no"
            " centre may not lie beside a unit of others that could enter it, but for the first space behind the unit"
            " and those at home. Who has none is eliminated. Friends are the countries of one player, allies declared"
            " in the adjustments of the year before, not in these, and those of a `friendly Italy for Austria`, which"
            " opens a country of yours to another in that check. Units of minor countries that nobody leads bar lines:"
            " F Naples bars that of F Eastern Mediterranean (`minors_block no` is an option).",
            "10. RAILWAYS. German `A War RR Sil - Mun - Ber`: a journey may begin and end abroad, and leads between"
            " its ends through provinces of the home country; nobody but bombers may stand where it leads. It stops"
            " before a province that is entered, and before one in which another train ends. It meets nobody and is"
            " not supported; if it never leaves, it defends its place. At home are, beside home centres: in Austria"
            " Bohemia, Galicia and Tyrolia; in England Clyde, Wales and Yorkshire; in France Burgundy, Gascony and"
            " Picardy; in Germany Prussia, Ruhr and Silesia; in Russia Finland, Livonia and Ukraine; in Italy Apulia,"
            " Piedmont and Tuscany; in Turkey Armenia and Syria. Albania and North Africa are nobody's.",
            "11. FLEETS move twice: `F Bel - Eng, (2) - MAO`. Both orders concern seas only, but for a convoy in the"
            " first part; convoys are in no other. Where a fleet starts does not matter, but one that holds in port"
            " has no second order. Who is dislodged in the first retreats after the second; stand-offs of both parts"
            " bar retreats.",
            "12. A FLEET enters a centre that is not friendly only if an army supports it, or as a guest,"
            " without capture.",
            "13. RETREATS. A unit that retreated attacks nobody in the next season and supports no attack. Nobody"
            " retreats to a foreign centre without permission, which is given with the moves, before anybody knows who"
            " is driven out. An ally's centre needs it too; one of a minor country that you lead, or that nobody owns,"
            " does not.",
            "14. PERMISSIONS. `permit Germany A Bel to occupy Hol`, `to retreat to`, `to base in`: for that season,"
            " told to the other at once and to all afterwards. With it `A Bel - Hol without capture` and, as a"
            " retreat, `A Bel R Hol without capture` leave the centre to its owner as long as the guest stays; who"
            " enters without those words captures it, and `seize Hol` takes it after all. `ally France` from both in"
            " the adjustments: they capture nothing of each other's in the next year, nor do countries of one player"
            " ever. An alliance is declared anew each Fall.",
            "15. BOMBERS from Fall 1917, of Great Powers: one in that year, two in any later; in a centre of yours,"
            " or with a unit of yours on land (`B Ber B`). `B Bur base Lvn` flies to a friendly centre or unit, `B Bur"
            " defends Mun` stops one raid, `B Bur bombs Par` leaves the centre without yield in the next Fall; `or be"
            " lost` behind it saves the second point. Their range is two spaces, land or sea, and three from 1920; to"
            " a new base twice that. They take nothing. They stand beside units of their own country and of allies,"
            " and beside guests; others do not retreat to where one is based, and destroy it when they move there. By"
            " the board Berlin is two from Burgundy: the source's example errs there.",
            "16. FACTORS. `influence 3 Italy` makes three points into factors, `eliminate 2 Italy` gives some up. Who"
            " has the activation level more than the next leads the minor country, orders its units and has its"
            " points: two for each centre at first; it may be given points, and gives none. `claim Italy with France`,"
            " sent by both, adds two players' factors, also where one of them may not lead or has enough alone; `for"
            " France` behind it says who leads. Levels fall by one each year, to one at least. Control ends when you"
            " or the minor country lose a home centre: the factors are cut to those of the next, and the level is one."
            " Attacking a minor country that you do not lead, supporting that, or entering its land, with leave too,"
            " loses all your factors there, and so does owning one of its home centres. A unit of it that leaves its"
            " place is not attacked. Belgium, Denmark, Holland, Norway and Sweden stand together against whose own"
            " units attack one of them that nobody leads, and so do Spain and Portugal: all factors in the group are"
            " lost. Austria cannot lead Italy or Serbia, Germany not Belgium, Russia not Turkey. While nobody leads"
            " them, units hold, but for Turkey's armies, which both go to Smyrna, and Italy's A Ven and F Nap, which"
            " both go to Rome; if one of a pair is driven out, the other stands, and A Ven retreats to Rome.",
        ),
    ),
)
