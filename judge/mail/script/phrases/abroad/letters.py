"""What our own letters look like in the languages in which they are sent, to know one that comes back unmarked.

The English forms stand in `judge.mail.script.copies`. `tests/script/test_copies_abroad.py` has every kind of letter
sent back in every language: it fails where a line that begins one has been translated otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LetterForms:
    """Patterns for the beginnings of lines in one language.

    - `phase`: a phase in capitals, as headings have it; `results`: what stands behind it in the title of a report.
    - `heads`: what begins a letter or a section of one, beside reports.
    - `rules`, `phrase`, `help`: the lines of the foot; `help` up to the address.
    - `form`: the heading of an order form; `labels`: words before a colon that begin a line of facts.
    """

    code: str
    phase: str
    results: str
    heads: str
    rules: str
    phrase: str
    help: str
    form: str
    labels: str


GERMAN = LetterForms(
    "de",
    phase=r"(?:FRÜHJAHR|SOMMER|HERBST|WINTER) \d{1,4}, (?:ZÜGE|RÜCKZÜGE|AUF- UND ABBAU)",
    results="ERGEBNISSE|STELLUNG BERICHTIGT",
    heads=(
        r"Erhalten \w\w \d{1,2}\. \w{3,4}\.? \d{4}, \d\d:\d\d:\d\d\b"
        r"|(?:RICHTIGZUSTELLEN|VOLLSTÄNDIG|UNVOLLSTÄNDIG|FEHLT|NICHTS NÖTIG) - |RICHTIGZUSTELLEN$"
        r"|ES LIEGT VOR FÜR [A-ZÄÖÜ]{3}|DAUERBEFEHLE |DEINE AUFGABEN(?:,|$)|DEINE MAIL, ZEILE FÜR ZEILE$"
        r"|NICHT ERLEDIGT$|DEIN KONTO$|WAS SICH ÄNDERTE$|WIE MAN SPIELT, IN FÜNF ZEILEN$|RÜCKZÜGE FÄLLIG   "
        r"|(?:ENDGÜLTIGE )?STELLUNG DER EINHEITEN\b|DIE STELLUNG VOR |ZENTREN(?: NACH \d|, zuletzt gezählt|, WENN )"
        r"|ZENTREN NACH JAHREN\b|DIE HAUSREGELN\b.{0,60}$|ÜBUNG, Phase \d+ von \d+: "
        r"|TURNIER [A-Z0-9-]{2,21}: |TURNIERE$|DIE FÜHRUNG, \d+ VON \d+: |PROBEBRETT [\w-]{1,40}, "
        r"|(?:SCHWARZE |GRAUE )?PRESSE (?:von .{1,60} )?\(vom Judge weitergeleitet"
        r"|VORSCHAU - nur für den Spielleiter|WAS-WÄRE-WENN - nur für dich|WAS ICH VERSTANDEN HABE - "
        r"|(?:NOCH )?ZU ENTSCHEIDEN, BEVOR |HANDLUNGEN DES SPIELLEITERS$|WERTUNG NACH \d|PARTIEN, DIE SPIELER SUCHEN$"
        r"|Die Mächte sind ausgelost\. Du spielst |Du übernimmst [A-ZÄÖÜ]{3}|Der Termin ist verstrichen"
        r"|Eine Mail, die für dich spricht, kam von |Guten Tag\. Ich bin ein Judge: |HILFE - [A-ZÄÖÜ]"
        r"|EINSTELLUNGEN VON [A-Z0-9-]{2,32}\b|DIE PARTIE IN KÜRZE$|Einspruch \d{1,4}: [A-ZÄÖÜ].{1,60} bezweifelt\b"
        r"|Mit diesem Brief (?:kommt|kommen):$|DIE SPIELER$"
        r"|WIE SICH DIE HAUSREGELN VON |DEINE (?:PRESSE|BRIEFE) (?:MIT|ZU|ÜBER|IN) |DER EXPORT VON "
        r"|Deine Befehle sind nicht da\. Der Termin ist |Du hast gefragt, was über dich gespeichert ist\b"
    ),
    rules="Regeln, die von denen ",
    phrase="Dein Prüfspruch: ",
    help='Hilfe: Schreibe "help" an',
    form="BEFEHLSFORMULAR",
    labels="Frist|Termin|Andere|Nachweis|Vermerk|Wartet auf andere",
)
DUTCH = LetterForms(
    "nl",
    phase=r"(?:VOORJAAR|ZOMER|NAJAAR|WINTER) \d{1,4} (?:ZETTEN|TERUGTOCHTEN|AANPASSINGEN)",
    results="UITSLAG|RESULTS|POSITION CORRECTED",
    heads=(
        r"Ontvangen \w\w \d{1,2} \w{3} \d{4}, \d\d:\d\d:\d\d\b"
        r"|(?:MOET HERSTELD|COMPLEET|GEDEELTELIJK|ONTBREEKT|NIETS NODIG) - |TE HERSTELLEN$"
        r"|VASTGELEGD VOOR [A-Z]{3}|JOUW TAKEN(?:,|$)|JE MAIL, REGEL VOOR REGEL$|NIET GEDAAN$"
        r"|POSITIES VAN DE EENHEDEN\b|UNIT POSITIONS AS THEY WOULD BE|CENTRA(?: NA \d| volgens de laatste| ALS )"
        r"|CENTRA PER JAAR\b|DE HUISREGELS\b.{0,60}$"
        r"|(?:ZWARTE |GRIJZE )?PERS (?:van .{1,60} )?\(doorgegeven door de judge"
        r"|(?:NOG )?TE BESLISSEN VOOR |HANDELINGEN VAN DE SPELLEIDER$|PARTIJEN DIE SPELERS ZOEKEN$"
        r"|De machten zijn geloot\. Je speelt |De deadline is voorbij|Goedendag\. Ik ben een judge: "
        r"|DE PARTIJ IN HET KORT$|Bezwaar \d{1,4}: [A-Z].{1,60} twijfelt\b|Bij deze brief (?:gaat|gaan):$|DE SPELERS$"
        r"|You take over [A-Z]|Je orders zijn er niet\. De deadline is "
    ),
    rules="Regels die afwijken van ",
    phrase="Je controlezin: ",
    help='Hulp: schrijf "help" aan',
    form="ORDERFORMULIER",
    labels="Deadline|Anderen|Bewijs|Vlag|Wacht op anderen",
)

FORMS: tuple[LetterForms, ...] = (GERMAN, DUTCH)


def any_of(*patterns: str) -> str:
    """A pattern for any of these."""
    return f"(?:{'|'.join(patterns)})"


PHASE = any_of(*(form.phase for form in FORMS))
TITLE = "|".join(rf"{form.phase} - (?:{form.results})" for form in FORMS)
HEADS = "|".join(form.heads for form in FORMS)
RULES = tuple(form.rules for form in FORMS)
CHECK_PHRASES = tuple(form.phrase for form in FORMS)
HELP = tuple(form.help for form in FORMS)
ORDER_FORMS = tuple(form.form for form in FORMS)
LABELS = "|".join(form.labels for form in FORMS)
FAILED = "gescheitert|mislukt"
"""What stands behind the signs in the head of a list of results: "( ) = failed"."""
