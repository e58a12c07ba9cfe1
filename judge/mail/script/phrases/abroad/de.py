"""German."""

from __future__ import annotations

from judge.mail.script.phrases.abroad.model import Tongue

_TO = "(presse an | nachricht an | botschaft an | brief an | mitteilung an | depesche an | presse für | nachricht für)"
_SHOW = "zeig|zeige|schick|schicke|sende|gib|zeigen|schicken|senden"
_ASK = "ich (möchte | will | würde)"

GERMAN = Tongue(
    "de",
    commands={
        # help and questions
        "help": """
        - hilfe
        - (hilf | helft | helfen sie) mir
        - (kommandos | befehlsliste | anleitung | liste der befehle | liste der kommandos)
        - ich brauche hilfe
        - ich weiß nicht weiter
        """,
        "help orders": "- hilfe [zu|zum|zur] [den] (befehle|befehlen|züge|zügen|befehl)",
        "help press": "- hilfe [zu|zum|zur] [der] (presse|briefe|briefen|nachrichten)",
        "help time": "- hilfe [zu|zum|zur] [den] (frist|fristen|zeit|abgabe|verlängerung)",
        "help draws": "- hilfe [zu|zum|zur] [den] (remis|unentschieden|abstimmung|abstimmungen)",
        "status": f"""
        - (stand | lage | spielstand)
        - (stand | lage) (des spiels | der partie)
        - (status | spielstatus) (bitte | des spiels | der partie | zeigen)
        - (spielstatus)
        - ({_SHOW}) [mir|uns] [bitte] [den] [aktuellen] (stand|status|spielstand|spielstatus)
        - wie ist der stand [des spiels | der partie]
        - wer spielt [die|das] <powers:powers>
        - (welche einheiten habe ich | wo stehen meine einheiten)
        - wo stehen wir
        """,
        "status {game}": "- (status | stand | lage) (von|in|bei) [spiel] <game:key>",
        "due": """
        - wann ist [die|der|das] [nächste]
          (frist|termin|abgabe|abgabeschluss|abgabetermin|einsendeschluss|zugabgabe|deadline)
        - (frist | termin | abgabefrist | abgabetermin | abgabeschluss | einsendeschluss | zugabgabe)
        - bis wann [muss|müssen|sind|habe|haben] [ich|wir] [die|meine] [züge|befehle] [zeit|abgeben|einsenden|fällig]
        - wann (müssen | sollen) [die|meine|unsere] (züge|befehle) (da sein | abgegeben sein | eingehen | fertig sein)
        - wie lange (habe ich | haben wir) [noch] [zeit]
        """,
        "map": f"""
        - karte [zeigen|schicken|senden]
        - (landkarte | spielkarte | die landkarte)
        - (die | aktuelle | neue) [aktuelle] karte
        - ({_SHOW}) [mir|uns] [bitte] [die|eine] [aktuelle|neue] karte
        - (kann | könnte|darf) ich [bitte] [die|eine] karte (haben|sehen|bekommen)
        - (kannst du | könntest du | können sie | könnten sie) [mir|uns] [bitte] [die|eine] [aktuelle] karte
          (schicken|senden|zeigen|geben)
        """,
        "map big": f"""
        - (große | größere) karte
        - karte (groß|größer)
        - ({_SHOW}) [mir] [bitte] [die|eine] (große|größere) karte
        """,
        "map mine": """
        - meine karte
        - karte (meiner einheiten | um mich | von mir)
        """,
        "map bw": "- karte (schwarzweiß | schwarz-weiß | zum drucken | zum ausdrucken)",
        "map {phase}": "- karte (von|vom|für|zu|zum) [der] <phase:phase>",
        "resend": f"""
        - (ergebnis | ergebnisse | auswertung) [zeigen|schicken]
        - ({_SHOW}) [mir|uns] [bitte] [noch einmal|nochmal] [die|das] [letzte|letzten]
          (ergebnis|ergebnisse|auswertung)
          [noch einmal|nochmal]
        - (letztes | letzte|letzten) (ergebnis|ergebnisse|auswertung)
        - was ist [im letzten zug] passiert
        - (kann | könnte|darf) ich [bitte] [noch einmal | nochmal] [die] [letzten] ergebnisse [noch einmal | nochmal]
          (haben|sehen|bekommen)
        - gibt es [schon] ergebnisse
        """,
        "history": """
        - (verlauf | spielverlauf | geschichte | chronik | bisheriger verlauf) [des spiels]
        - was ist bisher geschehen|passiert
        """,
        "orders": f"""
        - meine (befehle|züge|order|orders)
        - ({_SHOW}) [mir] [bitte] meine (befehle|züge|order|orders)
        - (welche | was für) (befehle|züge) [liegen|hast|habt|haben|sind] [von mir] [du|ihr|sie|wir] [von mir]
          [vor|da|gespeichert]
        - was (hast du | haben sie | liegt) von mir [vor|gespeichert]
        - was habe ich [bisher|zuletzt] (befohlen|gezogen|geschickt)
        """,
        "my account": """
        - wer bin ich
        - (mein konto | meine daten | meine einstellungen)
        """,
        "my games": f"""
        - meine (spiele|partien|fristen|termine)
        - ({_SHOW}) [mir] [bitte] meine (spiele|partien)
        - (in | an) welchen (spielen|partien) [spiele|bin|nehme] ich [mit|teil]
        """,
        "list": f"""
        - (liste | übersicht) (der|aller) [offenen] (spiele|partien)
        - (spiele | spielliste | partien | offene spiele | alle spiele | freie plätze)
        - ich (möchte | will | würde) [gern|gerne] [hier] (mitspielen | mitmachen | spielen)
        - welche (spiele|partien) (gibt es | sind offen | suchen [noch] spieler)
        - ({_SHOW}) [mir] [bitte] [die] (liste der spiele | spiele | offenen spiele)
        """,
        "rules": """
        - (regeln | hausregeln | spielregeln) [des spiels | der partie]
        - (die | welche) (regeln|hausregeln) [gelten] [hier]
        """,
        "settings": """
        - (einstellungen | die einstellungen) [des spiels]
        """,
        "ratings": "- (rangliste | bestenliste | wertung | wertungen | tabelle)",
        "archive": "- (archiv | spielarchiv) [zeigen|schicken]",
        "my press": "- meine (presse|briefe|nachrichten|korrespondenz)",
        "press with {powers}": "- (presse | briefwechsel | korrespondenz) mit <powers:powers>",
        # press
        "press to all: {text}": """
        - (presse | nachricht | botschaft | brief | mitteilung) (an|für) (alle | alle anderen | alle spieler | alle
          mächte) : <text:text>
        - (rundschreiben | rundbrief | rundmail) [an alle] : <text:text>
        - an alle : <text:text>
        """,
        "press to all": """
        - (presse | nachricht | botschaft | brief | mitteilung) (an|für) (alle | alle anderen | alle spieler | alle
          mächte)
        - (rundschreiben | rundbrief | rundmail) [an alle]
        - an alle :
        """,
        "press to gm: {text}": f"- {_TO} [den] (spielleiter | spielleitung | gamemaster | gm) : <text:text>",
        "press to gm": f"- {_TO} [den|die] (spielleiter | spielleitung | gamemaster | gm)",
        "press to all but {powers}: {text}": f"- {_TO} alle (außer | bis auf) <powers:powers> : <text:text>",
        "press to all but {powers}": f"- {_TO} alle (außer | bis auf) <powers:powers>",
        "press grey to {powers}: {text}": "- (graue | anonyme) presse (an|für) <powers:powers> : <text:text>",
        "press grey to {powers}": "- (graue | anonyme) presse (an|für) <powers:powers>",
        "press to {powers}: {text}": f"- {_TO} <powers:powers> : <text:text>",
        "press to {powers}": f"- {_TO} <powers:powers>",
        # orders as a whole
        "clear": """
        - (befehle | züge) (zurückziehen | zurücknehmen | löschen | streichen | verwerfen | widerrufen)
        - (alle | meine) [meine] (befehle | züge) (zurückziehen | zurücknehmen | löschen | streichen | verwerfen |
          widerrufen)
        - (lösche | löschen sie | streiche) [alle] [meine] (befehle | züge)
        """,
        "replace all": "- (alles | alle befehle | alle züge | befehle) ersetzen",
        "same again": """
        - (dieselben | die gleichen) (befehle | züge) [wie] [letztes mal | beim letzten mal] [noch einmal | nochmal]
        - (noch einmal | nochmal) (dasselbe | das gleiche | dieselben befehle | die gleichen befehle)
        - (befehle | züge) wie (letztes mal | beim letzten mal | im letzten zug)
        """,
        "undo": """
        - (rückgängig | rückgängig machen)
        - (letzte mail | letzte nachricht | letzte änderung) (rückgängig machen | zurücknehmen)
        """,
        "wait": """
        - (warte | warten | abwarten | wartet)
        - (noch nicht | bitte noch nicht) (auswerten|fertig|bereit)
        - ich (bin noch nicht fertig | bin noch nicht bereit)
        """,
        "ready": """
        - (bereit | fertig | bin bereit | bin fertig | ich bin bereit | ich bin fertig)
        - (kann losgehen | es kann losgehen | ich bin so weit | bin so weit | ich bin soweit | bin soweit)
        - (nicht warten | weiter | weitermachen | kann weitergehen | es kann weitergehen | kann ausgewertet werden)
        - nicht [mehr|länger] warten
        """,
        # votes
        "draw": f"""
        - (remis | unentschieden) [vorschlagen | für alle | anbieten]
        - ich (schlage [ein] (remis | unentschieden) vor | biete [ein] (remis | unentschieden) an)
        - {_ASK} [ein] (remis | unentschieden) [vorschlagen | anbieten]
        """,
        "concede to {powers}": """
        - aufgabe zugunsten [von|der] <powers:powers>
        - ich gebe das spiel an <powers:powers>
        """,
        "aye {number}": """
        - ja (zu|für|bei) [abstimmung|vorschlag] [nummer|nr.] <number:count>
        - (abstimmung | stimme | vorschlag) <number:count> [:] ja
        - ich stimme [bei|zu|für] [abstimmung|vorschlag] <number:count> [mit] (ja|zu)
        """,
        "nay {number}": """
        - nein (zu|für|bei) [abstimmung|vorschlag] [nummer|nr.] <number:count>
        - (abstimmung | stimme | vorschlag) <number:count> [:] nein
        - ich stimme [bei|zu|für] [abstimmung|vorschlag] <number:count> [mit] nein
        """,
        "aye": """
        - ich stimme (zu | dafür | mit ja)
        - (ich bin dafür | dafür | zustimmung | meine stimme ist ja)
        - ja zum (remis | unentschieden | vorschlag)
        """,
        "nay": """
        - ich stimme (dagegen | nicht zu | mit nein)
        - (ich bin dagegen | dagegen | meine stimme ist nein)
        - nein zum (remis | unentschieden | vorschlag)
        - kein (remis | unentschieden)
        """,
        # time
        "away {since} to {till}": """
        - (urlaub | abwesend | abwesenheit | ferien | verreist | nicht da) [vom|von|ab] [dem] <since:when> bis
          [zum|einschließlich] <till:when>
        - ich (bin | werde) [vom|von|ab] [dem] <since:when> bis [zum|einschließlich] <till:when>
          (im urlaub | in urlaub | in den ferien | abwesend | verreist | weg | nicht da | unterwegs
          | nicht erreichbar) [sein]
        - ich (bin | werde) (im urlaub | in urlaub | in den ferien | abwesend | verreist | weg | nicht da | unterwegs
          | nicht erreichbar) [vom|von|ab] [dem] <since:when> bis [zum|einschließlich] <till:when>
        """,
        "away until {till}": """
        - (urlaub | abwesend | abwesenheit | ferien | verreist | nicht da) bis [zum] <till:when>
        - (ich bin | bin) bis [zum|einschließlich] <till:when> (im urlaub | in urlaub | abwesend | verreist
          | weg | nicht da)
        - (ich bin | bin) (im urlaub | in urlaub | abwesend | verreist | weg | nicht da) bis [zum] <till:when>
        """,
        "back": """
        - (zurück | bin zurück | bin wieder da | wieder da | ich bin zurück | ich bin wieder da)
        - (nicht abwesend | abwesenheit beenden | kein urlaub)
        """,
        "extension {span}": """
        - um [eine] (verlängerung | fristverlängerung) (um|von) <span:length>
        - (verlängerung | fristverlängerung | aufschub) (um|von|für) <span:length>
        - (die frist | frist | termin | den termin) [bitte] um <span:length> verlängern
        - (die frist | frist | termin | den termin) verlängern um <span:length>
        - (verlängere | verlängern sie) [bitte] [die|den] [frist|termin] um <span:length>
        - ich (brauche | bräuchte | benötige) [leider|bitte|noch] <span:length> [mehr] (zeit | länger | aufschub |
          verlängerung | mehr)
        - ich (brauche | bräuchte | benötige) [leider|bitte|noch] mehr zeit [,] [bitte] [um] <span:length>
        - ich (brauche | bräuchte | bitte um | beantrage) [leider|bitte] [eine] (verlängerung | fristverlängerung)
          (um|von) <span:length>
        """,
        "extension": """
        - (verlängerung | fristverlängerung | frist verlängern | aufschub)
        - ich (brauche | bräuchte | benötige | bitte um | beantrage) [leider|bitte|noch|etwas|ein bisschen|einen]
          [mehr|eine]
          (zeit | verlängerung | fristverlängerung | aufschub)
        """,
        # seats
        "join {game}": """
        - ich (möchte | will | würde) [gern|gerne] [bei|in|an] [dem] [spiel|der partie] <game:key> (mitspielen |
          mitmachen | beitreten | teilnehmen)
        - (mitspielen | mitmachen | beitritt | anmeldung | anmelden) [bei|in|zu|für] [spiel] <game:key>
        - ich (spiele | mache) [gern|gerne] (bei|in) [spiel] <game:key> mit
        - ich melde mich (für|bei|zu) [spiel] <game:key> an
        """,
        "decline {game}": """
        - ich (lehne | schlage) [die] [einladung] [zu|für] <game:key> (ab | aus)
        - (ablehnen | absage) <game:key>
        """,
        "observe {game}": """
        - (beobachten | zuschauen) [bei] <game:key>
        - ich (möchte | will) [gern|gerne] (bei | in)  <game:key> (zuschauen | zusehen)
        - ich (möchte | will) [gern|gerne] <game:key> beobachten
        """,
        "prefer {powers}": """
        - (wunsch | wünsche | wunschliste | wunschland | wunschmacht) [:] <powers:powers>
        - ich (möchte | würde) [am liebsten|gern|gerne] <powers:powers> (spielen | haben)
        """,
        "claim {powers}": """
        - ich übernehme [die|das] <powers:powers>
        - (übernehmen | übernahme [von|der]) <powers:powers>
        """,
        "leave": """
        - (ich gebe auf | ich höre auf | ich steige aus | ich trete zurück)
        - (rücktritt | aus der partie aussteigen | aus dem spiel aussteigen)
        - ich (gebe [meinen|den] (platz | sitz) auf | verlasse das spiel)
        """,
        "standby": "- (ersatzspieler | ersatz | ich stehe bereit | ich springe ein)",
        "tour": "- (führung | rundgang | einführung | zeig mir alles)",
        "practice": "- (übung | übungsspiel | üben | probespiel)",
        # the account
        "my language {language}": """
        - (auf | schreib [mir] auf | schreibt [mir] auf | bitte auf) <language:tongue>
        """,
        "my name {name}": """
        - (mein name ist | ich heiße | mein name :) <name:named>
        """,
        "my zone {zone}": "- (zeitzone | meine zeitzone) [ist] [:] <zone:zone>",
        "my format text": "- (nur text | kein html | bitte kein html | reiner text)",
        "my format no maps": "- (keine karten | keine bilder | ohne karten | ohne bilder)",
        "my data": "- (alle daten über mich | alle meine daten | schick mir alle meine daten)",
        # the Gamemaster
        "deadline {when}": """
        - (neue frist | neuer termin | termin | neuer abgabetermin | neuer einsendeschluss | frist | abgabetermin)
          [:|ist|am|bis|auf|zum]
          <when:when>
        - (die frist | frist | termin | den termin) (verlängern | verschieben | setzen | verlegen) (bis|auf) [zum|den]
          <when:when>
        - (verlängere | verschiebe) die frist (bis|auf) [zum|den] <when:when>
        """,
        "hold until {till}": """
        - (spiel | das spiel | partie | die partie | die uhr) (anhalten | pausieren | unterbrechen) bis [zum]
          <till:when>
        """,
        "hold": """
        - (spiel | das spiel | die uhr | partie | die partie) (anhalten | pausieren | unterbrechen | stoppen)
        - (anhalten | pausieren | unterbrechen | spielpause)
        """,
        "resume": """
        - (spiel | das spiel | partie | die partie) (fortsetzen | weiterführen | wieder aufnehmen)
        - (fortsetzen | weiterspielen)
        """,
        "start": "- (spiel | das spiel | partie | die partie) (starten | beginnen)",
        "open": "- (spiel | das spiel | partie | die partie) (eröffnen | öffnen)",
        "process": """
        - (auswerten | jetzt auswerten | zug auswerten | spielzug auswerten | sofort auswerten | auswertung jetzt)
        - (den zug | zug) (jetzt|sofort) auswerten
        """,
        "preview": "- (vorschau | probeauswertung)",
        "nudge": """
        - (mahnen | mahnung | erinnern | erinnerung [schicken|senden])
        - (fehlende | säumige | alle säumigen) [spieler] (mahnen | erinnern)
        """,
        "assign {powers} to {address}": """
        - (ersetze | ersetzen) <powers:powers> durch <address:address>
        - (gib | vergib) <powers:powers> an <address:address>
        """,
        "vacate {powers}": "- (räume | entlasse) <powers:powers>",
        "invite {address}": "- (lade | einladung an | einladen :) <address:address> [ein]",
        "official: {text}": "- (bekanntmachung | ansage | durchsage | ankündigung) : <text:text>",
        "official": "- (bekanntmachung | ansage | durchsage | ankündigung)",
        "log": "- (protokoll | spielprotokoll)",
        "checklist": "- (checkliste | was fehlt noch)",
    },
    polite="""
        bitte, danke, vielen dank, danke schön, dankeschön, besten dank, hallo, hi, hey, moin, servus, guten tag,
        guten morgen, guten abend, judge, lieber judge, liebes judge-programm, und, auch, außerdem, dann, noch, nun,
        jetzt,
        leider, nur, ich hätte gern, ich hätte gerne, ich möchte gern, ich möchte gerne, ich möchte bitte
        """,
    greetings="""
        - hallo|moin|servus|liebe|lieber|liebes|werte|werter|grüezi|salü ...
        - (guten | schönen|guter|gute) (tag|morgen|abend|nacht|rutsch) ...
        - (sehr geehrte | sehr geehrter | sehr geehrtes) ...
        - grüß (gott|dich|euch) ...
        - (danke | dankeschön) ...
        - (vielen | besten|herzlichen|tausend|lieben) dank ...
        - (hier | anbei | unten) [sind|kommen|folgen] [nun|jetzt|also] [meine|die|unsere] (züge|befehle|orders|order)
          ...
        - (schönes | schönen) (wochenende|tag|feiertag|abend|sonntag|urlaub) ...
        - frohe|frohes|fröhliche (weihnachten|ostern|neues|feiertage) ...
        - viel (spaß|erfolg|glück) ...
        - auf ein gutes spiel ...
        - (alles gute | bis bald | bis dann | bis später | tschüss | tschüs | entschuldigung) ...
        - auf wiedersehen ...
        """,
    closings="""
        - viele|liebe|beste|schöne|freundliche|herzliche|sonnige (grüße|grüsse|wünsche) ...
        - (mit | mit den) (freundlichen|besten|herzlichen|lieben|schönen|sportlichen) (grüßen|grüssen|gruß) ...
        - (freundlicher | lieber|schöner|schönen|lieben|besten|herzlichen) gruß ...
        - (gruß | grüße | grüsse | grüßle) ...
        - (mfg | lg | vg | bg | hochachtungsvoll | herzlichst | dein | deine | euer | eure | ihr | ihre)
        - (hochachtungsvoll | herzlichst) ...
        """,
    ends="ende der presse, presse ende, presseende, ende presse, ende der nachricht, ende nachricht, nachricht ende, "
    "ende des briefes, ende der botschaft",
    headings="""
        befehle befehl züge zug zugabgabe für von meine unsere die der das hier runde jahr und aus lauten spiel
    """,
    words={
        "january": "januar jänner jan", "february": "februar feb", "march": "märz", "april": "april", "may": "mai",
        "june": "juni", "july": "juli", "august": "august", "september": "september", "october": "oktober okt",
        "november": "november", "december": "dezember dez",
        "monday": "montag", "tuesday": "dienstag", "wednesday": "mittwoch", "thursday": "donnerstag",
        "friday": "freitag", "saturday": "samstag sonnabend", "sunday": "sonntag",
        "today": "heute", "tomorrow": "morgen", "overmorrow": "übermorgen", "noon": "mittag", "midnight": "mitternacht",
        "next": "nächster nächsten nächste nächstes", "this": "diesen dieser diese dieses",
        "coming": "kommenden kommender kommende", "day": "tag", "days": "tage tagen", "hour": "stunde std",
        "hours": "stunden", "week": "woche", "weeks": "wochen", "1": "ein eine einen einem einer", "two": "zwei",
        "three": "drei", "four": "vier", "five": "fünf", "six": "sechs", "seven": "sieben", "ten": "zehn",
        "at": "um", "": "uhr den der dem am ab",
    },
)  # fmt: skip
