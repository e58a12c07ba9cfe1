"""What powers, seasons and kinds of phases are called in other languages, read behind their English names.

A row stands for every power of a board that has its English name, be it as an alias. German and Dutch adjectives in
"-sch" are declined here, and German letters may be written out; accents never count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge.board.model import Power
from judge.board.spelling import spelled_out, without_accents, words_of

POWERS: Mapping[str, Mapping[str, str]] = {
    "Austria": {
        "de": "Österreich, Österreich-Ungarn, Donaumonarchie, österreichisch, österreichisch-ungarisch, Österreicher",
        "fr": "Autriche, Autriche-Hongrie, autrichien, autrichienne, austro-hongrois, austro-hongroise, Autrichiens",
        "es": "Austria-Hungría, austriaco, austriaca, austrohúngaro, austrohúngara, austríacos",
        "it": "Austria-Ungheria, austriaco, austriaca, austro-ungarico, austro-ungarica, austriaci",
        "nl": "Oostenrijk, Oostenrijk-Hongarije, Oostenrijks, Oostenrijkse, Oostenrijks-Hongaars, "
        "Oostenrijks-Hongaarse, Oostenrijkers",
    },
    "England": {
        "de": "Großbritannien, englisch, britisch, Engländer, Briten",
        "fr": "Angleterre, Grande-Bretagne, Royaume-Uni, anglais, anglaise, britannique",
        "es": "Inglaterra, Gran Bretaña, Reino Unido, inglés, inglesa, ingleses, británico, británica",
        "it": "Inghilterra, Gran Bretagna, Regno Unito, inglese, inglesi, britannico, britannica",
        "nl": "Engeland, Groot-Brittannië, Engels, Engelse, Engelsen, Brits, Britse, Britten",
    },
    "France": {
        "de": "Frankreich, französisch, Franzosen",
        "fr": "français, française",
        "es": "Francia, francés, francesa, franceses",
        "it": "Francia, francese, francesi",
        "nl": "Frankrijk, Franse, Fransen",
    },
    "Germany": {
        "de": "Deutschland, deutsch, Deutsches Reich",
        "fr": "Allemagne, allemand, allemande, allemands",
        "es": "Alemania, alemán, alemana, alemanes",
        "it": "Germania, tedesco, tedesca, tedeschi",
        "nl": "Duitsland, Duits, Duitse, Duitsers",
    },
    "Italy": {
        "de": "Italien, italienisch, Italiener",
        "fr": "Italie, italien, italienne, italiens",
        "es": "Italia, italiano, italiana, italianos",
        "it": "Italia, italiano, italiana, italiani",
        "nl": "Italië, Italiaans, Italiaanse, Italianen",
    },
    "Russia": {
        "de": "Russland, Rußland, russisch, Russen",
        "fr": "Russie, russe, russes",
        "es": "Rusia, ruso, rusa, rusos",
        "it": "russo, russa, russi",
        "nl": "Rusland, russisch, Russen",
    },
    "Turkey": {
        "de": "Türkei, Osmanisches Reich, türkisch, osmanisch, Türken, Osmanen",
        "fr": "Turquie, Empire ottoman, turc, turque, turcs, ottomane",
        "es": "Turquía, Imperio otomano, turco, turca, turcos, otomano, otomana",
        "it": "Turchia, Impero ottomano, turco, turca, turchi, ottomano, ottomana",
        "nl": "Turkije, Osmaanse Rijk, Ottomaanse Rijk, Turkse, Turken, Osmaans, Osmaanse, Ottomaans, Ottomaanse",
    },
    "Spain": {
        "de": "Spanien, spanisch, Spanier",
        "fr": "Espagne, espagnol, espagnole, espagnols",
        "es": "España, español, española, españoles",
        "it": "Spagna, spagnolo, spagnola, spagnoli",
        "nl": "Spanje, Spaans, Spaanse, Spanjaarden",
    },
    "Brazil": {
        "de": "Brasilien, brasilianisch, Brasilianer",
        "fr": "Brésil, brésilien, brésilienne",
        "es": "brasileño, brasileña",
        "it": "Brasile, brasiliano, brasiliana",
        "nl": "Brazilië, Braziliaans, Braziliaanse",
    },
    "Ethiopia": {
        "de": "Äthiopien, Abessinien, äthiopisch, abessinisch",
        "fr": "Éthiopie, Abyssinie, éthiopien, éthiopienne",
        "es": "Etiopía, Abisinia, etíope",
        "it": "Etiopia, Abissinia, etiope",
        "nl": "Ethiopië, Abessinië, Ethiopisch",
    },
    "India": {
        "de": "Indien, indisch",
        "fr": "Inde, indien, indienne",
        "it": "indiano, indiana",
        "nl": "Indiaas, Indiase",
    },
    "Japan": {
        "de": "japanisch, Japaner",
        "fr": "Japon, japonais, japonaise",
        "es": "Japón, japonés, japonesa",
        "it": "Giappone, giapponese",
        "nl": "Japans, Japanse",
    },
    "USA": {
        "de": "Vereinigte Staaten, Amerika, amerikanisch, Amerikaner",
        "fr": "États-Unis, Amérique, américain, américaine",
        "es": "Estados Unidos, americano, americana, estadounidense",
        "it": "Stati Uniti, americano, americana, statunitense",
        "nl": "Verenigde Staten, Amerikaans, Amerikaanse",
    },
    "Belgium": {
        "de": "Belgien, belgisch",
        "fr": "Belgique, belge",
        "es": "Bélgica, belga",
        "it": "Belgio, belga",
        "nl": "België, belgisch",
    },
    "Bulgaria": {
        "de": "Bulgarien, bulgarisch",
        "fr": "Bulgarie, bulgare",
        "es": "búlgaro, búlgara",
        "it": "bulgaro, bulgara",
        "nl": "Bulgarije, Bulgaars, Bulgaarse",
    },
    "Denmark": {
        "de": "Dänemark, dänisch",
        "fr": "Danemark, danois, danoise",
        "es": "Dinamarca, danés, danesa",
        "it": "Danimarca, danese",
        "nl": "Denemarken, Deens, Deense",
    },
    "Greece": {
        "de": "Griechenland, griechisch",
        "fr": "Grèce, grecque",
        "es": "Grecia, griego, griega",
        "it": "Grecia, greco, greca",
        "nl": "Griekenland, Grieks, Griekse",
    },
    "Holland": {
        "de": "Niederlande, holländisch, niederländisch",
        "fr": "Hollande, Pays-Bas, hollandais, hollandaise, néerlandais, néerlandaise",
        "es": "Holanda, Países Bajos, holandés, holandesa, neerlandés, neerlandesa",
        "it": "Olanda, Paesi Bassi, olandese",
        "nl": "Nederland, Nederlands, Nederlandse, Hollands, Hollandse",
    },
    "Norway": {
        "de": "Norwegen, norwegisch",
        "fr": "Norvège, norvégien, norvégienne",
        "es": "Noruega, noruego",
        "it": "Norvegia, norvegese",
        "nl": "Noorwegen, Noors, Noorse",
    },
    "Portugal": {
        "de": "portugiesisch",
        "fr": "portugais, portugaise",
        "es": "portugués, portuguesa",
        "it": "Portogallo, portoghese",
        "nl": "Portugees, Portugese",
    },
    "Rumania": {
        "de": "Rumänien, rumänisch",
        "fr": "Roumanie, roumain, roumaine",
        "es": "rumano, rumana",
        "it": "Romania, rumeno, rumena",
        "nl": "Roemenië, Roemeens, Roemeense",
    },
    "Serbia": {
        "de": "Serbien, serbisch",
        "fr": "Serbie, serbe",
        "es": "serbio",
        "it": "serbo, serba",
        "nl": "Servië, Servisch",
    },
    "Sweden": {
        "de": "Schweden, schwedisch",
        "fr": "Suède, suédois, suédoise",
        "es": "Suecia, sueco, sueca",
        "it": "Svezia, svedese",
        "nl": "Zweden, Zweeds, Zweedse",
    },
}
"""English name -> language -> what the power is called there: its names, then what belongs to it."""

PHASES: Mapping[str, Mapping[str, str]] = {
    "Spring": {
        "de": "Frühjahr, Frühling", "fr": "printemps", "es": "primavera", "it": "primavera", "nl": "voorjaar, lente"
    },
    "Summer": {"de": "Sommer, Som", "fr": "été", "es": "verano", "it": "estate", "nl": "zomer, zom"},
    "Fall": {"de": "Herbst", "fr": "automne", "es": "otoño", "it": "autunno", "nl": "najaar, herfst"},
    "Winter": {"de": "Winter", "fr": "hiver", "es": "invierno", "it": "inverno", "nl": "winter"},
    "December": {
        "de": "Dezember, Dez", "fr": "décembre, déc", "es": "diciembre, dic", "it": "dicembre, dic", "nl": "december"
    },
    "February": {
        "de": "Februar", "fr": "février, fév", "es": "febrero", "it": "febbraio", "nl": "februari"
    },
    "moves": {
        "de": "Züge, Zug, Bewegung, Bewegungen", "fr": "mouvements, mouvement, déplacements",
        "es": "movimientos, movimiento", "it": "movimenti, movimento, mosse", "nl": "zetten, bewegingen",
    },
    "retreats": {
        "de": "Rückzüge, Rückzug", "fr": "retraites, retraite", "es": "retiradas, retirada",
        "it": "ritirate, ritirata", "nl": "terugtochten, terugtocht",
    },
    "adjustments": {
        "de": "Auf- und Abbau, Auf-/Abbau, Aufbau, Abbau, Aufbauten", "fr": "ajustements, ajustement, constructions",
        "es": "ajustes, ajuste, construcciones", "it": "aggiustamenti, costruzioni", "nl": "aanpassingen, bouw",
    },
    "negotiations": {
        "de": "Verhandlungen, Verhandlung", "fr": "négociations", "es": "negociaciones", "it": "negoziati, trattative",
        "nl": "onderhandelingen",
    },
}  # fmt: skip
"""English name of a season, a month or a kind of phase -> language -> what it is called there."""

ARTICLES = frozenset(
    {"der", "die", "das", "den", "dem", "la", "le", "les", "el", "los", "las", "il", "lo", "gli", "de", "het"}
)
"""Words before a name that say nothing."""

_ENDINGS = ("", "e", "er", "es", "en", "em")


def names_abroad(power: Power) -> Iterator[str]:
    """What a power is called in other languages, with every way to write it, folded and without blanks."""
    english = {power.name, *power.aliases}
    for names in (row for name, row in POWERS.items() if name in english or name.upper() == power.key):
        for language, listed in names.items():
            for name in map(str.strip, listed.split(",")):
                yield from _written(name, language)


def phase_words_abroad(name: str) -> Iterator[str]:
    """What a season or a kind of phase is called in other languages, in lower case: with accents, without, and with
    German letters written out.

    >>> list(phase_words_abroad("Summer"))
    ['sommer', 'som', 'été', 'ete', 'verano', 'estate', 'zomer', 'zom']
    """
    for listed in PHASES.get(name, {}).values():
        for word in listed.lower().split(", "):
            yield from dict.fromkeys((word, without_accents(word), spelled_out(word)))


def _written(name: str, language: str) -> Iterator[str]:
    for ending in _ENDINGS if name.endswith("sch") else ("",):
        for text in {name + ending, spelled_out(name + ending)}:
            yield "".join(words_of(text))
    if language in ("fr", "it"):
        yield "l" + "".join(words_of(name))
