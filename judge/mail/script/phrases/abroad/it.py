"""Italian."""

from __future__ import annotations

from judge.mail.script.phrases.abroad.model import Tongue

_TO = "(messaggio | stampa | lettera | dispaccio) (a|al|alla|allo|ai|agli|alle|per)"
_ALL = "(tutti | tutti gli altri | tutti i giocatori | tutte le potenze)"
_SHOW = "(mostrami | mostratemi | mandami | mandatemi | inviami | inviatemi | dammi)"
_WANT = "(vorrei | voglio | desidero | mi piacerebbe)"

ITALIAN = Tongue(
    "it",
    commands={
        # help and questions
        "help": """
        - (aiuto | aiutami | aiutatemi | elenco dei comandi | comandi | istruzioni)
        - ho bisogno di aiuto
        """,
        "help orders": "- aiuto (su|sugli|con|per) [gli] ordini",
        "help press": "- aiuto (su|sui|sulla|con|per) [i|la] (messaggi|stampa|lettere)",
        "help time": "- aiuto (su|sulla|sulle|con|per) [la|le] (scadenza|scadenze)",
        "status": f"""
        - (stato | situazione | lo stato) [della partita | del gioco]
        - {_SHOW} [lo|la] (stato | situazione) [della partita | del gioco]
        - chi gioca [con] [la|l'|il] <powers:powers>
        - (come va la partita | a che punto siamo)
        """,
        "status {game}": "- stato (di | della partita) <game:key>",
        "due": """
        - (scadenza | la scadenza | termine di consegna)
        - (qual è | quando è) [la] [prossima] (scadenza | consegna)
        - quando (devo | dobbiamo) (mandare | inviare | consegnare) gli ordini
        - (quando scade | quando scadono) (il turno | gli ordini | il termine)
        - entro quando (devo | dobbiamo) (mandare | inviare | consegnare) [gli|i] [miei] ordini
        """,
        "map": f"""
        - (mappa | la mappa | mappa attuale | cartina)
        - {_SHOW} [di nuovo] [la|una] (mappa | cartina)
        - (puoi | può | potresti | potrebbe) (mandarmi | inviarmi | mostrarmi) [la|una] mappa
        - (posso | potrei) (avere | vedere | ricevere) [la|una] mappa
        """,
        "map big": f"""
        - (mappa grande | mappa più grande)
        - {_SHOW} [una|la] mappa (grande | più grande)
        """,
        "map mine": "- la mia mappa",
        "map bw": "- mappa (in bianco e nero | da stampare)",
        "map {phase}": "- mappa (di|del|della|per) <phase:phase>",
        "resend": f"""
        - (risultati | i risultati | ultimi risultati | gli ultimi risultati)
        - {_SHOW} [di nuovo] (i risultati | gli ultimi risultati) [di nuovo]
        - (mi rimandi | mi mandi | puoi rimandarmi | puoi mandarmi) (i risultati | gli ultimi risultati)
        """,
        "history": "- (cronologia | storia | la cronologia | storico) [della partita | del gioco]",
        "orders": f"""
        - (i miei ordini | miei ordini)
        - {_SHOW} i miei ordini
        - quali sono i miei ordini
        - (che cosa | cosa) ho ordinato
        """,
        "my account": "- (chi sono | chi sono io | il mio conto | i miei dati | le mie impostazioni)",
        "my games": f"""
        - le mie (partite | scadenze)
        - {_SHOW} le mie partite
        """,
        "list": f"""
        - (elenco | lista) (delle|di) partite
        - (partite | partite aperte | le partite | posti liberi)
        - (vorrei | voglio | mi piacerebbe) giocare
        - (quali partite ci sono | che partite ci sono | quali partite sono aperte)
        - {_SHOW} (l'elenco delle partite | le partite)
        """,
        "rules": "- (regole | le regole | regolamento) [della partita | del gioco | della casa]",
        "settings": "- (impostazioni | le impostazioni) [della partita]",
        "ratings": "- (classifica | la classifica)",
        "archive": "- (archivio | archivio della partita | l'archivio)",
        "my press": "- (i miei messaggi | le mie lettere | la mia corrispondenza)",
        "press with {powers}": "- corrispondenza con [la|l'|il] <powers:powers>",
        # press
        "press to all: {text}": f"""
        - {_TO} {_ALL} : <text:text>
        - (circolare | a tutti) : <text:text>
        """,
        "press to all": f"""
        - {_TO} {_ALL}
        - circolare
        - a tutti :
        """,
        "press to gm: {text}": """
        - messaggio (all'arbitro | per l'arbitro | al master) : <text:text>
        """,
        "press to gm": "- messaggio (all'arbitro | per l'arbitro | al master)",
        "press to all but {powers}: {text}": f"""
        - {_TO} tutti (tranne | eccetto) [la|l'|il] <powers:powers> : <text:text>
        """,
        "press to all but {powers}": f"- {_TO} tutti (tranne | eccetto) [la|l'|il] <powers:powers>",
        "press grey to {powers}: {text}": """
        - (messaggio | stampa) (anonimo|anonima|grigia) (a|al|alla) <powers:powers> : <text:text>
        """,
        "press grey to {powers}": "- (messaggio | stampa) (anonimo|anonima|grigia) (a|al|alla) <powers:powers>",
        "press to {powers}: {text}": f"""
        - {_TO} <powers:powers> : <text:text>
        - (messaggio | stampa | lettera | dispaccio) <powers:elided> : <text:text>
        """,
        "press to {powers}": f"""
        - {_TO} <powers:powers>
        - (messaggio | stampa | lettera | dispaccio) <powers:elided>
        """,
        # orders as a whole
        "clear": """
        - (annulla | annullare | annullate | cancella | cancellare | cancellate | ritirare) [tutti] i [miei] ordini
        """,
        "replace all": "- (sostituire tutto | sostituisci tutto | sostituire gli ordini)",
        "same again": """
        - (stessi ordini | gli stessi ordini) [di prima | dell'ultima volta | del turno precedente]
        - di nuovo (lo stesso | gli stessi ordini)
        """,
        "undo": "- (annulla l'ultimo messaggio | annulla la mia ultima mail)",
        "wait": """
        - (aspetta | aspettare | aspettate | attendere | attendi)
        - non sono [ancora] (pronto | pronta)
        """,
        "ready": "- (sono pronto | sono pronta | non aspettare | non aspettate)",
        # votes
        "draw": f"""
        - (patta | pareggio) [per tutti]
        - (proporre | propongo) [la|una|un] (patta | pareggio)
        - {_WANT} proporre [la|una|un] (patta | pareggio)
        """,
        "concede to {powers}": """
        - (concedo | concedere) [la vittoria] (a|al|alla) <powers:powers>
        """,
        "aye {number}": """
        - sì (a|alla|per) [la] (votazione|proposta|numero) <number:count>
        - (votazione | voto) <number:count> [:] (sì | a favore)
        - voto (sì | a favore) (alla|per) [la] [votazione|proposta] <number:count>
        """,
        "nay {number}": """
        - no (alla|per) [la] (votazione|proposta|numero) <number:count>
        - (votazione | voto) <number:count> [:] (no | contro)
        - voto (no | contro) (alla|per) [la] [votazione|proposta] <number:count>
        """,
        "aye": "- (voto sì | voto a favore | sono a favore)",
        "nay": "- (voto no | voto contro | sono contrario | sono contraria | niente patta)",
        # time
        "away {since} to {till}": """
        - (vacanza | vacanze | ferie | assente | assenza | in vacanza | in ferie) (dal | da | dall') <since:when> (al
          | a | all'|fino al) <till:when>
        - (sono | sarò | vado) (in vacanza | in ferie | assente | via | fuori) (dal | da | dall') <since:when> (al |
          a | fino al) <till:when>
        - dal <since:when> al <till:when> [,] (sono | sarò) (in vacanza | in ferie | assente | via | fuori)
        """,
        "away until {till}": """
        - (vacanza | ferie | assente | assenza | in vacanza | in ferie) fino (al | a) <till:when>
        - (sono | sarò) (in vacanza | in ferie | assente | via | fuori) fino (al | a) <till:when>
        """,
        "back": "- (sono tornato | sono tornata | sono di ritorno | di ritorno | rieccomi)",
        "extension {span}": """
        - (proroga | estensione | rinvio) di <span:length>
        - (prorogare | prolungare) [il termine | la scadenza] di <span:length>
        - ho bisogno di (altre | altri | altro) <span:length>
        - ho bisogno di <span:length> (in più | di più)
        - (chiedo | vorrei) [una|un] (proroga | rinvio) di <span:length>
        """,
        "extension": """
        - (proroga | rinvio)
        - (prorogare | prolungare) (il termine | la scadenza)
        - ho bisogno di (più tempo | una proroga | altro tempo)
        - (chiedo | vorrei) (più tempo | una proroga | un rinvio)
        """,
        # seats
        "join {game}": f"""
        - {_WANT} (partecipare a | giocare a | giocare in | unirmi a | iscrivermi a) [la partita] <game:key>
        - (partecipare a | partecipo a | mi iscrivo a | mi unisco a | iscrizione a) [la partita] <game:key>
        """,
        "decline {game}": "- (rifiuto | declino) [l'invito] [a|per] [la partita] <game:key>",
        "observe {game}": f"""
        - (osservare | osservo) [la partita] <game:key>
        - {_WANT} osservare [la partita] <game:key>
        """,
        "prefer {powers}": """
        - (preferenza | preferenze | le mie preferenze) [:] <powers:powers>
        - (preferisco | preferirei) giocare [con] [la|l'|il] <powers:powers>
        """,
        "claim {powers}": "- (prendo il comando di | prendo il comando della | subentro a) <powers:powers>",
        "leave": """
        - (abbandono la partita | mi dimetto | mi ritiro dalla partita | lascio la partita)
        - (dimissioni | abbandonare la partita | lasciare la partita)
        """,
        "standby": "- (riserva | sono disponibile come riserva | sostituto)",
        "tour": "- (visita guidata | giro guidato)",
        "practice": "- (esercitazione | partita di prova | allenamento)",
        # the account
        "my language {language}": """
        - (scrivimi in | scrivetemi in) <language:tongue>
        - (la mia lingua | lingua | lingua :) <language:tongue>
        """,
        "my name {name}": "- (il mio nome è | mi chiamo) <name:named>",
        "my zone {zone}": "- (fuso orario | il mio fuso orario) [è|:] <zone:zone>",
        "my format text": "- (solo testo | niente html | senza html)",
        "my format no maps": "- (niente mappe | senza mappe | senza immagini)",
        "my data": "- tutti i miei dati",
        # the Gamemaster
        "hold": "- (fermare | sospendere | ferma | sospendi) (la partita | il gioco)",
        "resume": "- (riprendere | continuare | riprendi) (la partita | il gioco)",
        "start": "- (iniziare | cominciare|avviare) (la partita | il gioco)",
        "process": "- (elaborare | risolvere|giocare) il turno [ora | adesso]",
        "nudge": "- (sollecitare i giocatori | ricordare ai giocatori)",
    },
    polite="""
        ciao, salve, buongiorno, buonasera, grazie, grazie mille, molte grazie, per favore, per piacere, e, poi,
        anche, inoltre,
        gentile arbitro, caro arbitro, arbitro, judge, ora
        """,
    greetings="""
        - (ciao | salve | buongiorno | buonasera | buonanotte | caro | cara | cari | care | carissimi | gentile |
          gentili | egregio) ...
        - (buon | buona) (giorno | sera | fine | giornata | serata | domenica | fortuna | partita | anno | natale |
          viaggio) ...
        - (grazie | molte grazie | mille grazie) ...
        - (ecco | seguono | qui) [sotto|ci sono] [i|gli] [miei|nostri] ordini ...
        - (a presto | a domani | alla prossima | arrivederci | auguri | complimenti | scusa | scusate | mi dispiace)
          ...
        """,
    closings="""
        - (saluti | cordialmente | cordialità | un saluto | un abbraccio | baci | tanti saluti) ...
        - (cordiali | distinti|cari|tanti|migliori) saluti ...
        - con (i migliori | cordiali|tanti) saluti ...
        - un (caro|cordiale) saluto ...
        """,
    ends="fine del messaggio, fine messaggio, fine della stampa, fine stampa, fine della lettera",
    headings="ordini ordine per di del della dei la il le i gli miei nostri ecco turno fase anno e mosse partita",
    words={
        "january": "gennaio", "february": "febbraio", "march": "marzo", "april": "aprile", "may": "maggio",
        "june": "giugno", "july": "luglio", "august": "agosto", "september": "settembre", "october": "ottobre",
        "november": "novembre", "december": "dicembre",
        "monday": "lunedì", "tuesday": "martedì", "wednesday": "mercoledì", "thursday": "giovedì",
        "friday": "venerdì", "saturday": "sabato", "sunday": "domenica",
        "today": "oggi", "tomorrow": "domani", "overmorrow": "dopodomani", "noon": "mezzogiorno",
        "midnight": "mezzanotte", "next": "prossimo prossima",
        "day": "giorno", "days": "giorni", "hour": "ora", "hours": "ore", "week": "settimana", "weeks": "settimane",
        "1": "un una uno", "two": "due", "three": "tre", "four": "quattro", "five": "cinque", "six": "sei",
        "seven": "sette", "ten": "dieci", "": "il la alle del",
    },
)  # fmt: skip
