"""How places and powers may be written on the standard board."""

from __future__ import annotations

import re

import pytest

from judge.board.model import Board
from judge.board.names import Found, Gazetteer, gazetteer_of
from judge.board.spelling import words_of


def tokens(text: str) -> list[str]:
    """Words and marks, as an order reader may cut them."""
    return re.findall(r"\w+|[^\w\s]", text)


def longest(names: Gazetteer, text: str) -> tuple[str, Found]:
    """The longest place name that a text begins with."""
    cut = tokens(text)
    end, found = names.split_place(cut, 0)[0]
    return " ".join(cut[:end]), found


# -- names that mean one place ---------------------------------------------------------------------------------------


def test_codes_and_names_mean_their_place(standard: Board, names: Gazetteer) -> None:
    for code, province in standard.provinces.items():
        short = province.code.casefold() in standard.ambiguous
        for text in (code, code.lower(), code.title() + "."):
            assert names.places(text)[0] == code
            assert short or names.places(text) == (code,)
        for text in (province.name, province.name.upper(), f"the {province.name}", province.name.replace(" ", "-")):
            assert names.places(text) == (code,)


def test_more_than_188_aliases_lead_to_exactly_one_place(standard: Board, names: Gazetteer) -> None:
    aliases = {
        "".join(words_of(alias)): code for code, province in standard.provinces.items() for alias in province.aliases
    }
    plain = {"".join(words_of(text)) for code, p in standard.provinces.items() for text in (code, p.name)}
    assert len(aliases.keys() - plain) >= 188
    for alias, code in aliases.items():
        assert names.find(alias).exact == (code,)


OLD_JUDGES = """
    mid MAO, mat MAO, nat NAO, nrg NWG, norg NWG, nts NTH, norw NWY, gol LYO, gob BOT, both BOT, tyn TYS, tyh TYS,
    tyrr TYS, tyl TYR, trl TYR, tyo TYR, ech ENG, lvo LVN, livo LVN, lva LVN, lpl LVP, livp LVP, eme EAS, emed EAS,
    ems EAS, emd EAS, wme WES, wms WES, wmd WES, wmed WES, irs IRI, bs BLA, ns NTH, spn SPA, stpete STP, yonkers YOR,
    burgandy BUR, galacia GAL, heligoland HEL, sevastapol SEV, tyrol TYR, romania RUM, hel HEL, ska SKA, wal WAL
"""


@pytest.mark.parametrize("pair", [pair.strip() for pair in OLD_JUDGES.split(",")])
def test_codes_and_slips_that_older_judges_knew(names: Gazetteer, pair: str) -> None:
    text, code = pair.split()
    assert names.places(text) == (code,)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Norw. Sea", "NWG"),
        ("W Md.", "WES"),
        ("W. Med.", "WES"),
        ("Gulf of L.", "LYO"),
        ("St. P.", "STP"),
        ("St. P", "STP"),
        ("Both.", "BOT"),
        ("Marl", "MAR"),
        ("Mid", "MAO"),
        ("Kiel", "KIE"),
        ("Ruhr", "RUH"),
        ("North Sea", "NTH"),
        ("Norw.", "NWY"),
        ("Norway", "NWY"),
        ("Bud’", "BUD"),
        ("Ukr.", "UKR"),
        ("Naples", "NAP"),
        ("tri.", "TRI"),
        ("Lyo", "LYO"),
        ("Wes", "WES"),
    ],
)
def test_what_the_sample_game_writes(names: Gazetteer, text: str, code: str) -> None:
    assert names.places(text) == (code,)


@pytest.mark.parametrize(
    "text",
    [
        "St Petersburg",
        "St. Petersburg",
        "St.Petersburg",
        "St-Petersburg",
        "saint petersburg",
        "SAINT-PETERSBURG",
        "st pete",
        "Petrograd",
        "St. Pétersbourg",
    ],
)
def test_saint_petersburg(names: Gazetteer, text: str) -> None:
    assert [guess.place for guess in names.fuzzy(text)][:1] == ["STP"]
    assert text == "St. Pétersbourg" or names.places(text) == ("STP",)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Mid-Atlantic", "MAO"),
        ("Mid Atlantic Ocean", "MAO"),
        ("midatlanticocean", "MAO"),
        ("N. Atl. Ocean", "NAO"),
        ("North Atlantic", "NAO"),
        ("the English Channel", "ENG"),
        ("Channel", "ENG"),
        ("Bothnia", "BOT"),
        ("G. of Bothnia", "BOT"),
        ("Gulf Bothnia", "BOT"),
        ("Lyons", "LYO"),
        ("Gulf of Lions", "LYO"),
        ("Norwegian", "NWG"),
        ("Heligoland Bight", "HEL"),
        ("Helgoland", "HEL"),
        ("E. Med", "EAS"),
        ("east med.", "EAS"),
        ("Eastern Med", "EAS"),
        ("München", "MUN"),
        ("Skaggerak", "SKA"),
        ("N. Africa", "NAF"),
        ("Constant", "CON"),
        ("Tyrrh. Sea", "TYS"),
        ("tyrolia", "TYR"),
        ("Netherlands", "HOL"),
    ],
)
def test_names_in_many_spellings(names: Gazetteer, text: str, code: str) -> None:
    assert names.places(text) == (code,)


# -- short forms with several meanings -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Nor", "NAF NAO NTH NWG NWY"),
        ("north", "NAF NAO NTH"),
        ("nora", "NAF NAO"),
        ("norsea", "NTH NWG"),
        ("na", "NAF NAO"),
        ("Liv.", "LVN LVP"),
        ("Tyr", "TYR TYS"),
        ("gul", "BOT LYO"),
        ("Gulf", "BOT LYO"),
        ("Gulf of", "BOT LYO"),
        ("Nort", "NAF NAO NTH"),
    ],
)
def test_ambiguous_forms_keep_all_their_meanings(names: Gazetteer, text: str, codes: str) -> None:
    """The gazetteer never decides."""
    assert sorted(names.places(text)) == codes.split()


@pytest.mark.parametrize("text", ["Nth", "Nrg", "Nwy", "NAt", "NAf"])
def test_the_short_forms_of_the_rules_resolve(names: Gazetteer, text: str) -> None:
    assert len(names.places(text)) == 1


def test_three_letters_are_enough_for_every_name(standard: Board, names: Gazetteer) -> None:
    """The first three letters of a name always have the place among their meanings."""
    for code, province in standard.provinces.items():
        found = names.find("".join(words_of(province.name))[:3])
        assert code in found.exact + found.prefix


def test_a_prefix_ranks_below_an_alias(names: Gazetteer) -> None:
    found = names.find("norw")
    assert (found.exact, found.prefix) == (("NWY",), ("NWG",))


# -- coasts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "StP(sc)",
        "STP/SC",
        "stp sc",
        "stp-sc",
        "StpSC",
        "Stp (south coast)",
        "St. Petersburg (South Coast)",
        "St Petersburg/sc",
        "st petersburg south coast",
        "StP s.c.",
        "stp s coast",
        "St. P. (sc)",
        "south coast of St. Petersburg",
        "the south coast of Saint Petersburg",
        "stp southern coast",
        "Stp south",
    ],
)
def test_coasts_in_any_spelling(names: Gazetteer, text: str) -> None:
    assert names.find(text) == Found(exact=("STP/SC",), coast="SC")


def test_a_coast_that_the_province_lacks_is_reported(names: Gazetteer) -> None:
    """Bulgaria has an east coast, not a north one; Budapest has none at all."""
    assert names.find("Bul nc") == Found(exact=("BUL",), coast="NC")
    assert names.find("Bud/nc") == Found(exact=("BUD",), coast="NC")
    assert names.find("Bul ec") == Found(exact=("BUL/EC",), coast="EC")


def test_names_that_end_like_coasts(names: Gazetteer) -> None:
    assert names.places("gasc") == ("GAS",)
    assert names.places("tusc") == ("TUS",)


# -- places that nobody may enter, and nonsense ----------------------------------------------------------------------


def test_impassable_places_say_so(names: Gazetteer) -> None:
    for text in ("Swi", "Switzerland", "Switz."):
        assert names.find(text) == Found(impassable="Switzerland is not playable")
    assert "Ireland is not playable" in names.find("ireland").impassable


@pytest.mark.parametrize("text", ["", "-", "  ", "xyzzy", "Thanks", "a", "(sc)", "sc", "\u0000", "🚢"])
def test_nonsense_is_unknown(names: Gazetteer, text: str) -> None:
    assert not names.find(text).known


# -- running text ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "place"),
    [
        ("Gulf of Lyon to Western Med", "Gulf of Lyon", "LYO"),
        ("St. Petersburg south coast - Bot", "St . Petersburg south coast", "STP/SC"),
        ("StP (sc) - Bot", "StP ( sc )", "STP/SC"),
        ("St P.-Norw", "St P", "STP"),
        ("the Gulf of Bothnia", "the Gulf of Bothnia", "BOT"),
        ("Norw. Sea-Bar", "Norw . Sea", "NWG"),
        ("North Sea C A Yor.-Norway", "North Sea", "NTH"),
        ("Mid-Atlantic Ocean to Brest", "Mid - Atlantic Ocean", "MAO"),
        ("W Md.-Mid", "W Md", "WES"),
        ("Bul Rum", "Bul", "BUL"),
        ("bre mid", "bre", "BRE"),
        ("north coast of Spain please", "north coast of Spain", "SPA/NC"),
    ],
)
def test_the_longest_name_in_running_text(names: Gazetteer, text: str, name: str, place: str) -> None:
    found = longest(names, text)
    assert (found[0], found[1].places) == (name, (place,))


@pytest.mark.parametrize(
    "text", ["Mar S A Par-Bur", "Tyr S A Mun", "Eng C A Lon-Bel", "Nor S F Bar", "Spa - North Sea"]
)
def test_the_letter_of_an_order_is_no_part_of_a_name(names: Gazetteer, text: str) -> None:
    assert [end for end, _ in names.split_place(tokens(text), 0)] == [1]


def test_shorter_readings_follow_the_longest(names: Gazetteer) -> None:
    readings = [(end, found.places) for end, found in names.split_place(tokens("North Sea C A Yor"), 0)]
    assert readings == [(2, ("NTH",)), (1, ("NAF", "NAO", "NTH"))]


def test_no_name_begins_with_a_mark_or_at_the_end(names: Gazetteer) -> None:
    assert names.split_place(["-", "Par"], 0) == []
    assert names.split_place(["the"], 0) == []
    assert names.split_place(["Thanks", "all"], 0) == []


# -- typing slips ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code"),
    [("Lnodon", "LON"), ("Constantniople", "CON"), ("Burgudny", "BUR"), ("Sevastpol", "SEV"), ("Norwegain Sea", "NWG")],
)
def test_slips_find_their_place(names: Gazetteer, text: str, code: str) -> None:
    assert names.fuzzy(text)[0].place == code


def test_a_guess_looks_only_where_it_is_told(names: Gazetteer, standard: Board) -> None:
    from_paris = standard.reach("A", "PAR")
    assert {guess.place for guess in names.fuzzy("bru", from_paris)} == {"BRE", "BUR"}
    assert names.fuzzy("Lnodon", from_paris) == ()


def test_a_guess_keeps_to_the_written_coast(names: Gazetteer) -> None:
    assert [guess.place for guess in names.fuzzy("Spian nc", ["SPA/NC", "SPA/SC"])] == ["SPA/NC"]


def test_short_or_wild_words_are_not_guessed(names: Gazetteer) -> None:
    assert names.fuzzy("xy") == ()
    assert names.fuzzy("qqqqqq") == ()


# -- powers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Austria", "AUSTRIA"),
        ("Austria-Hungary", "AUSTRIA"),
        ("austro-hungarian", "AUSTRIA"),
        ("Austrian", "AUSTRIA"),
        ("Aus", "AUSTRIA"),
        ("ENGLISH", "ENGLAND"),
        ("Britain", "ENGLAND"),
        ("England:", "ENGLAND"),
        ("France's", "FRANCE"),
        ("FRE", "FRANCE"),
        ("FRA", "FRANCE"),
        ("Ger", "GERMANY"),
        ("Ita", "ITALY"),
        ("Russian", "RUSSIA"),
        ("Turk.", "TURKEY"),
        ("Ottoman", "TURKEY"),
        ("the Ottoman Empire", "TURKEY"),
    ],
)
def test_powers(names: Gazetteer, text: str, key: str) -> None:
    assert names.power(text) == (key,)


def test_a_misspelled_power_is_guessed(names: Gazetteer) -> None:
    assert names.power("Germnay") == ()
    assert names.fuzzy_power("Germnay") == ("GERMANY",)
    assert names.fuzzy_power("xx") == ()


def test_one_gazetteer_a_board(standard: Board) -> None:
    assert gazetteer_of(standard) is gazetteer_of(standard)
