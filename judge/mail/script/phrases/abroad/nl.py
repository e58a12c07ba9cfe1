"""Dutch."""

from __future__ import annotations

from judge.mail.script.phrases.abroad.model import Tongue

_TO = "(pers | persbericht | bericht | brief | boodschap | mededeling) (aan | voor)"
_ALL = "(allen | iedereen | alle spelers | alle anderen | alle mogendheden)"
_SHOW = "(toon | stuur | geef | laat)"
_WANT = "ik (wil|zou) [graag]"

DUTCH = Tongue(
    "nl",
    commands={
        # help and questions
        "help": """
        - (hulp | lijst van opdrachten | lijst van commando's | opdrachten | handleiding)
        - ik heb hulp nodig
        """,
        "help orders": "- hulp (bij|met|over) [de] (orders|bevelen|opdrachten)",
        "help press": "- hulp (bij|met|over) [de|het] (pers|berichten|brieven)",
        "help time": "- hulp (bij|met|over) [de] (deadline|deadlines|termijn)",
        "status": f"""
        - (stand | stand van zaken | spelstand | de stand)
        - (stand | status) van [het|dit] spel
        - {_SHOW} [me|mij] [de] (stand | status | spelstand) [van het spel] [zien]
        - wie speelt <powers:powers>
        - hoe staat het spel [ervoor]
        """,
        "status {game}": "- (stand | status) van [spel] <game:key>",
        "due": """
        - (termijn | inleverdatum | uiterste datum | de deadline)
        - (wat | wanneer) is [de] [volgende] (deadline | termijn | inleverdatum)
        - (tot wanneer | wanneer) (moet ik | moeten we | moeten wij) [de|mijn|onze] (orders|zetten)
          [inleveren|insturen]
        - wanneer (moeten | moeten alle) [de|mijn|onze] (orders|zetten) (binnen zijn | binnen | er zijn)
        - tot wanneer (heb ik | hebben we) [de] [tijd]
        """,
        "map": f"""
        - (kaart | de kaart | huidige kaart)
        - {_SHOW} [me|mij] [nog eens] [de|een] kaart [zien]
        - (kun je | kunt u | kan je | zou je) [me|mij] [alsjeblieft] [de|een] kaart (sturen|toesturen|geven)
        - (mag | kan) ik [de|een] kaart [zien|hebben|krijgen]
        """,
        "map big": f"""
        - (grote kaart | grotere kaart | kaart groot | kaart groter)
        - {_SHOW} [me|mij] [de|een] (grote|grotere) kaart [zien]
        """,
        "map mine": "- mijn kaart",
        "map bw": "- kaart (zwart-wit | in zwart-wit | om af te drukken)",
        "map {phase}": "- kaart (van|voor) [de|het] <phase:phase>",
        "resend": f"""
        - (resultaten | uitslag | de resultaten | laatste resultaten | de laatste resultaten)
        - {_SHOW} [me|mij] [nog eens] (de resultaten | de laatste resultaten | de uitslag) [nog eens|zien]
        - (mag | kan) ik de [laatste] (resultaten|uitslag) [nog eens] (krijgen|hebben|zien)
        """,
        "history": "- (geschiedenis | verloop | het verloop) [van het spel]",
        "orders": f"""
        - mijn (orders|bevelen|opdrachten|zetten)
        - {_SHOW} [me|mij] mijn (orders|bevelen|opdrachten|zetten) [zien]
        - wat (zijn mijn orders | heb ik gestuurd | heb ik ingestuurd)
        - welke (orders|zetten) (heb je | hebt u | zijn er) van (mij|me)
        """,
        "my account": "- (wie ben ik | mijn gegevens | mijn instellingen)",
        "my games": f"""
        - mijn (spellen|partijen|termijnen)
        - {_SHOW} [me|mij] mijn (spellen|partijen) [zien]
        """,
        "list": f"""
        - (lijst van | lijst met) [de|alle] (spellen|partijen)
        - (spellen | open spellen | spellenlijst | vrije plaatsen)
        - ik (wil | zou|wil graag) (meespelen | meedoen | spelen)
        - welke (spellen | partijen) (zijn er | zijn open)
        - {_SHOW} [me|mij] (de lijst van spellen | de spellen) [zien]
        """,
        "rules": "- (regels | de regels | spelregels | huisregels) [van het spel]",
        "settings": "- (instellingen | de instellingen) [van het spel]",
        "ratings": "- (ranglijst | de ranglijst)",
        "archive": "- (archief | het archief)",
        "my press": "- mijn (berichten|brieven|correspondentie)",
        "press with {powers}": "- (correspondentie | briefwisseling) met <powers:powers>",
        # press
        "press to all: {text}": f"""
        - {_TO} {_ALL} : <text:text>
        - (rondschrijven | aan allen | aan iedereen) : <text:text>
        """,
        "press to all": f"""
        - {_TO} {_ALL}
        - rondschrijven
        - (aan allen | aan iedereen) :
        """,
        "press to gm: {text}": f"- {_TO} [de] (spelleider | scheidsrechter) : <text:text>",
        "press to gm": f"- {_TO} [de] (spelleider | scheidsrechter)",
        "press to all but {powers}: {text}": f"""
        - {_TO} (allen | iedereen) (behalve | op) <powers:powers> : <text:text>
        """,
        "press to all but {powers}": f"- {_TO} (allen | iedereen) behalve <powers:powers>",
        "press grey to {powers}: {text}": "- (grijze | anonieme) pers (aan|voor) <powers:powers> : <text:text>",
        "press grey to {powers}": "- (grijze | anonieme) pers (aan|voor) <powers:powers>",
        "press to {powers}: {text}": f"- {_TO} <powers:powers> : <text:text>",
        "press to {powers}": f"- {_TO} <powers:powers>",
        # orders as a whole
        "clear": """
        - (orders | bevelen | opdrachten | zetten) (intrekken | wissen | annuleren | schrappen)
        - (mijn | alle) [mijn] (orders | bevelen | opdrachten | zetten) (intrekken | wissen | annuleren | schrappen)
        - (wis | annuleer | schrap) [al|alle] [mijn] (orders | bevelen | opdrachten | zetten)
        """,
        "replace all": "- (alles vervangen | orders vervangen | vervang alles | vervang alle orders)",
        "same again": """
        - dezelfde (orders | bevelen | opdrachten | zetten) [als (vorige keer | de vorige keer | vorige beurt)] [nog
          eens]
        - nog eens hetzelfde
        """,
        "undo": "- (ongedaan maken | maak ongedaan | vorige mail ongedaan maken)",
        "wait": """
        - (wachten | wacht | wacht even)
        - ik ben nog niet (klaar | zover)
        """,
        "ready": "- (klaar | gereed | ik ben klaar | ben klaar | niet wachten | niet meer wachten | ik ben zover)",
        # votes
        "draw": f"""
        - (remise | gelijkspel) [voorstellen | voor allen]
        - ik stel (remise | gelijkspel | een gelijkspel) voor
        - {_WANT} (remise | gelijkspel | een gelijkspel) voorstellen
        """,
        "concede to {powers}": """
        - ik geef [het spel | de winst | de overwinning] [op] aan <powers:powers>
        """,
        "aye {number}": """
        - ja (op|bij|voor) (stemming|voorstel|nummer) <number:count>
        - (stemming | stem) <number:count> [:] (ja | voor)
        - ik stem (ja | voor) (op|bij|voor) [stemming|voorstel] <number:count>
        """,
        "nay {number}": """
        - nee (op|bij|voor) (stemming|voorstel|nummer) <number:count>
        - (stemming | stem) <number:count> [:] (nee | tegen)
        - ik stem (nee | tegen) (op|bij|voor) [stemming|voorstel] <number:count>
        """,
        "aye": "- ik (stem voor | stem ja | ben voor | ben ervoor)",
        "nay": """
        - ik (stem tegen | stem nee | ben tegen | ben ertegen)
        - geen (remise | gelijkspel)
        """,
        # time
        "away {since} to {till}": """
        - (vakantie | afwezig | afwezigheid | met vakantie | op vakantie) [van|vanaf] <since:when> (tot | tot en met
          | t/m) <till:when>
        - ik ben (van|vanaf) <since:when> (tot | tot en met | t/m) <till:when> (met vakantie | op vakantie | afwezig
          | weg | op reis)
        - ik ben (met vakantie | op vakantie | afwezig | weg | op reis) (van|vanaf) <since:when> (tot | tot en met |
          t/m) <till:when>
        """,
        "away until {till}": """
        - (vakantie | afwezig | afwezigheid | met vakantie | op vakantie) (tot | tot en met | t/m) <till:when>
        - ik ben (tot | tot en met | t/m) <till:when> (met vakantie | op vakantie | afwezig | weg | op reis)
        - ik ben (met vakantie | op vakantie | afwezig | weg | op reis) (tot | tot en met | t/m) <till:when>
        """,
        "back": "- (terug | weer terug | ik ben terug | ik ben weer terug | ben weer terug)",
        "extension {span}": """
        - (verlenging | uitstel) van <span:length>
        - (verleng | verlengen) [de] [deadline|termijn] met <span:length>
        - (de deadline | de termijn | deadline | termijn) verlengen met <span:length>
        - ik heb [nog|graag] <span:length> (extra | meer | langer) [tijd] [nodig]
        - ik heb [nog] <span:length> nodig
        - ik (vraag | wil) [graag] <span:length> uitstel
        """,
        "extension": """
        - (verlenging | uitstel | meer tijd)
        - (deadline | termijn | de deadline | de termijn) verlengen
        - ik heb [graag] (meer tijd | een verlenging | uitstel) nodig
        - ik (vraag | wil) [graag] (uitstel | een verlenging | meer tijd)
        """,
        # seats
        "join {game}": """
        - ik (wil|zou) [graag] [willen] (meedoen | meespelen) (met|in|aan|bij) [spel] <game:key>
        - ik (wil|zou) [graag] (met|in|aan|bij) [spel] <game:key> (meedoen | meespelen)
        - (meedoen | meespelen | aanmelden | aanmelding) (met|in|aan|bij|voor) [spel] <game:key>
        - ik (doe | speel) [graag] mee (met|in|aan) [spel] <game:key>
        - ik meld me aan voor [spel] <game:key>
        """,
        "decline {game}": """
        - ik sla [de uitnodiging] [voor] <game:key> af
        - (afslaan | afwijzen) <game:key>
        """,
        "observe {game}": """
        - (toekijken | meekijken) (bij|met) <game:key>
        - ik (wil|zou) [graag] (toekijken | meekijken) (bij|met) <game:key>
        """,
        "prefer {powers}": """
        - (voorkeur | voorkeuren | mijn voorkeur | mijn voorkeuren) [is|:] <powers:powers>
        - ik (speel | speelde) (graag | het liefst) <powers:powers>
        """,
        "claim {powers}": """
        - ik neem <powers:powers> over
        - overnemen <powers:powers>
        """,
        "leave": """
        - (ik geef op | ik stop ermee | ik stap op | ik verlaat het spel)
        - (uittreden | spel verlaten | het spel verlaten)
        """,
        "standby": "- (invaller | reservespeler | ik ben invaller | ik wil invallen)",
        "tour": "- (rondleiding | de rondleiding)",
        "practice": "- (oefenen | oefening | oefenspel | oefenpartij)",
        # the account
        "my language {language}": """
        - (in het | schrijf me in het | schrijf mij in het) <language:tongue>
        - (mijn taal | taal | taal :) <language:tongue>
        """,
        "my name {name}": "- (mijn naam is | ik heet) <name:named>",
        "my zone {zone}": "- (tijdzone | mijn tijdzone) [is|:] <zone:zone>",
        "my format text": "- (alleen tekst | geen html | enkel tekst)",
        "my format no maps": "- (geen kaarten | geen plaatjes | zonder kaarten)",
        "my data": "- al mijn gegevens",
        # the Gamemaster
        "hold": "- (spel | het spel) (pauzeren | stilleggen | onderbreken | stopzetten)",
        "resume": "- (spel | het spel) (hervatten | voortzetten)",
        "start": "- (spel | het spel) (starten | beginnen)",
        "process": "- (verwerken | nu verwerken | beurt verwerken | verwerk de beurt | verwerk nu)",
        "nudge": "- (aanmanen | herinneren | spelers herinneren)",
    },
    polite="""
        hallo, hoi, dag, goedendag, goedemorgen, goedemiddag, goedenavond, dank je, dank u, dank je wel, bedankt,
        alvast bedankt,
        alstublieft, alsjeblieft, aub, a.u.b., svp, graag, en, ook, dan, nog, judge, beste scheidsrechter,
        scheidsrechter, beste judge
        """,
    greetings="""
        - hallo|hoi|dag|beste|geachte|lieve|goedendag|goedemorgen|goedemiddag|goedenavond|goedenacht ...
        - (goede | goeden) (morgen | middag | avond | dag | reis) ...
        - (bedankt | dank | dankjewel | dankuwel | alvast bedankt | hartelijk dank | veel dank) ...
        - (hierbij | hier | hieronder) [zijn|volgen|komen] (mijn|onze|de) (orders|zetten|bevelen) ...
        - (fijn|fijne|prettig|prettige|mooi) (weekend | dag | avond | vakantie | feestdagen | zondag) ...
        - (succes | veel succes | veel plezier | gefeliciteerd | tot ziens | tot later | tot gauw | doei) ...
        - (een goed spel | goed gespeeld) ...
        """,
    closings="""
        - (groet | groeten | groetjes | mvg | gr | hoogachtend) ...
        - met (vriendelijke|hartelijke|beste|sportieve) (groet | groeten) ...
        - (hartelijke|vriendelijke|beste|vele|veel) (groet | groeten | groetjes) ...
        """,
    ends="einde bericht, einde van het bericht, einde pers, einde van de pers, einde brief",
    headings="orders bevelen zetten voor van mijn onze de het beurt fase jaar en hierbij spel",
    words={
        "january": "januari", "february": "februari", "march": "maart mrt", "april": "april", "may": "mei",
        "june": "juni", "july": "juli", "august": "augustus", "september": "september", "october": "oktober okt",
        "november": "november", "december": "december",
        "monday": "maandag", "tuesday": "dinsdag", "wednesday": "woensdag", "thursday": "donderdag",
        "friday": "vrijdag", "saturday": "zaterdag", "sunday": "zondag",
        "today": "vandaag", "tomorrow": "morgen", "overmorrow": "overmorgen", "noon": "middag",
        "midnight": "middernacht", "next": "volgende", "coming": "komende", "day": "dag", "days": "dagen",
        "hour": "uur", "hours": "uren uur", "week": "week", "weeks": "weken", "1": "een", "two": "twee",
        "three": "drie", "four": "vier", "five": "vijf", "six": "zes", "seven": "zeven", "ten": "tien",
        "": "de het om",
    },
)  # fmt: skip
