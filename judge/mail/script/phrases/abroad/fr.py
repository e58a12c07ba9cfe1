"""French."""

from __future__ import annotations

from judge.mail.script.phrases.abroad.model import Tongue

_TO = "(presse | message | lettre | courrier | dépêche) (à|a|au|aux|pour)"
_ALL = "(tous | tout le monde | toutes les puissances | tous les joueurs | tous les autres)"
_SHOW = (
    "(montre moi | montrez moi | envoie moi | envoyez moi | donne moi | donnez moi | montre-moi | montrez-moi"
    " | envoie-moi | envoyez-moi | donne-moi | donnez-moi)"
)
_WANT = "(je voudrais | je veux | j'aimerais | je souhaite | je désire)"

FRENCH = Tongue(
    "fr",
    commands={
        # help and questions
        "help": """
        - (aide | à l'aide | aidez moi | aidez-moi | aide moi | aide-moi | mode d'emploi | liste des commandes)
        - j'ai besoin d'aide
        """,
        "help orders": "- aide (sur | pour|avec) [les] ordres",
        "help press": "- aide (sur|pour) [la|les] (presse|messages|lettres)",
        "help time": "- aide (sur|pour) [la|les] (délai|délais|date|échéance)",
        "status": f"""
        - (état | statut | situation | état actuel | où en est la partie)
        - (état | statut | situation) (de la partie | du jeu)
        - {_SHOW} [l'] (état | statut | situation) [de la partie | du jeu]
        - qui joue [l'|la|le] <powers:powers>
        - où en (est la partie | sommes nous | sommes-nous)
        """,
        "status {game}": "- (état | statut) (de la partie | de | du jeu) <game:key>",
        "due": """
        - (date limite | échéance | délai | la date limite | l'échéance)
        - (quelle est | c'est quand | quand est) [la|l'] (date limite | échéance | prochaine échéance | l'échéance |
          date de rendu | deadline)
        - quand [est-ce que] (faut-il | dois-je | doit-on) (envoyer | rendre) [les|mes|nos] ordres
        - (pour | jusqu'à) quand (faut-il | dois-je) (envoyer | rendre) [les|mes|nos] ordres
        """,
        "map": f"""
        - (carte | la carte | carte actuelle)
        - {_SHOW} [encore] [la|une] carte
        - (peux-tu | pouvez-vous | pourriez-vous | pourrais-tu) (m'envoyer | envoyer|me montrer | montrer)
          [la|une] carte
        - (puis-je | pourrais-je | est-ce que je peux) (avoir | voir | recevoir) [la|une] carte
        """,
        "map big": f"""
        - (grande carte | carte en grand | carte plus grande)
        - {_SHOW} [une] (grande carte | carte plus grande)
        """,
        "map mine": "- ma carte",
        "map bw": "- carte (noir et blanc | en noir et blanc | à imprimer)",
        "map {phase}": "- carte (de|du|pour) [l'] <phase:phase>",
        "resend": f"""
        - (résultats | les résultats | derniers résultats | les derniers résultats)
        - {_SHOW} [encore] (les derniers résultats | les résultats) [encore une fois]
        - (peux-tu | pouvez-vous | pourriez-vous | pourrais-tu) (renvoyer | m'envoyer | me renvoyer) [les] [derniers]
          résultats
        """,
        "history": "- (historique | l'historique | histoire) [de la partie | du jeu]",
        "orders": f"""
        - mes ordres
        - {_SHOW} mes ordres
        - (quels sont | où sont) mes ordres
        - qu'ai-je (ordonné | envoyé)
        """,
        "my account": "- (qui suis-je | qui suis je | mon compte | mes données | mes réglages)",
        "my games": f"""
        - mes (parties|jeux|échéances)
        - {_SHOW} mes parties
        """,
        "list": f"""
        - (liste des | liste de) (parties|jeux)
        - (parties | parties ouvertes | les parties | places libres)
        - je (voudrais | veux | souhaite) jouer
        - (quelles parties | quelles sont les parties) (sont ouvertes | ouvertes | y a-t-il)
        - {_SHOW} (la liste des parties | les parties)
        """,
        "rules": "- (règles | les règles | règlement) [de la partie | du jeu | maison]",
        "settings": "- (paramètres | réglages | les paramètres | les réglages) [de la partie]",
        "ratings": "- (classement | le classement)",
        "archive": "- (archives | les archives)",
        "my press": "- (mes messages | mes lettres | ma presse | ma correspondance)",
        "press with {powers}": "- correspondance avec [l'|la|le|les] <powers:powers>",
        # press
        "press to all: {text}": f"""
        - {_TO} {_ALL} : <text:text>
        - (circulaire | à tous) : <text:text>
        """,
        "press to all": f"""
        - {_TO} {_ALL}
        - circulaire
        - à tous :
        """,
        "press to gm: {text}": f"- {_TO} [l'] (arbitre | l'arbitre | maître du jeu) : <text:text>",
        "press to gm": f"- {_TO} [l'] (arbitre | l'arbitre | maître du jeu)",
        "press to all but {powers}: {text}": f"- {_TO} tous sauf [à] [l'|la|le|les] <powers:powers> : <text:text>",
        "press to all but {powers}": f"- {_TO} tous sauf [à] [l'|la|le|les] <powers:powers>",
        "press grey to {powers}: {text}": """
        - (presse | message) (grise|gris|anonyme) (à|au|aux) <powers:powers> : <text:text>
        """,
        "press grey to {powers}": "- (presse | message) (grise|gris|anonyme) (à|au|aux) <powers:powers>",
        "press to {powers}: {text}": f"- {_TO} <powers:powers> : <text:text>",
        "press to {powers}": f"- {_TO} <powers:powers>",
        # orders as a whole
        "clear": """
        - (annuler | annule | annulez | effacer | efface | effacez | retirer | supprimer) [tous] (mes|les) ordres
        """,
        "replace all": "- (remplacer tout | remplacer les ordres | tout remplacer)",
        "same again": """
        - (mêmes ordres | les mêmes ordres) [que (la dernière fois | au tour précédent)]
        - (encore la même chose | la même chose)
        """,
        "undo": "- (annuler le dernier message | annulez mon dernier message | défaire)",
        "wait": """
        - (attendre | attends | attendez)
        - je ne suis pas [encore] prêt|prête
        """,
        "ready": """
        - (prêt | prête | je suis prêt | je suis prête | ne pas attendre | n'attendez plus | c'est bon pour moi)
        """,
        # votes
        "draw": f"""
        - (nulle | match nul | partie nulle | égalité) [pour tous]
        - (proposer | je propose) [la|une|un] (nulle | match nul | partie nulle | égalité)
        - {_WANT} proposer [la|une|un] (nulle | match nul | partie nulle | égalité)
        """,
        "concede to {powers}": """
        - (je concède | concéder | concession) [la victoire] (à|au|aux) <powers:powers>
        """,
        "aye {number}": """
        - oui (au|pour [le]) (vote|numéro|scrutin) <number:count>
        - scrutin <number:count> [:] (oui|pour)
        - je vote oui|pour (au|pour [le]) [vote|numéro|scrutin] <number:count>
        """,
        "nay {number}": """
        - non (au|pour [le]) (vote|numéro|scrutin) <number:count>
        - scrutin <number:count> [:] (non|contre)
        - je vote non|contre (au|pour [le]) [vote|numéro|scrutin] <number:count>
        """,
        "aye": "- je (vote oui | vote pour | suis pour)",
        "nay": """
        - je (vote non | vote contre | suis contre)
        - pas de (nulle | match nul | partie nulle)
        """,
        # time
        "away {since} to {till}": """
        - (vacances | absent | absente | absence | congé | en vacances) (du | de | dès le | à partir du) <since:when>
          (au | à | jusqu'au) <till:when>
        - je (suis | serai) (en vacances | absent | absente | en congé | en voyage | indisponible) (du | de | dès le
          | à partir du)
          <since:when> (au | à | jusqu'au) <till:when>
        - du <since:when> au <till:when> [,] je (suis | serai) (en vacances | absent | absente | en congé | en voyage
          | indisponible)
        """,
        "away until {till}": """
        - (vacances | absent | absente | absence | congé | en vacances) jusqu'au|jusqu'à <till:when>
        - je (suis | serai) (en vacances | absent | absente | en congé | en voyage) (jusqu'au | jusqu'à) <till:when>
        """,
        "back": "- (de retour | je suis de retour | je suis revenu | je suis revenue | fin d'absence)",
        "extension {span}": """
        - (prolongation | délai | extension) (de|d') <span:length>
        - (prolonger | prolongez) [le délai] de <span:length>
        - j'ai besoin (de|d') <span:length> (de plus | supplémentaires | en plus | supplémentaire)
        - je (demande | voudrais) [une|un] (prolongation | délai | report) (de|d') <span:length>
        """,
        "extension": """
        - (prolongation | délai supplémentaire)
        - (prolonger | prolongez) le délai
        - j'ai besoin (de plus de temps | d'un délai | de temps | d'une prolongation)
        - je (demande | voudrais) (un délai | une prolongation | un report | plus de temps)
        """,
        # seats
        "join {game}": f"""
        - {_WANT} (rejoindre | jouer à | jouer dans | participer à | m'inscrire à | m'inscrire dans | m'inscrire
          pour) [la partie] <game:key>
        - (rejoindre | je rejoins | inscription à | inscription pour | je m'inscris à | je m'inscris pour) [la
          partie] <game:key>
        """,
        "decline {game}": "- (je décline | décliner) [l'invitation] [à|pour] [la partie] <game:key>",
        "observe {game}": f"""
        - (observer | j'observe) [la partie] <game:key>
        - {_WANT} observer [la partie] <game:key>
        """,
        "prefer {powers}": """
        - (préférence | préférences | mes préférences) [:] <powers:powers>
        - je (préfère | préférerais) jouer [l'|la|le] <powers:powers>
        """,
        "claim {powers}": """
        - je (reprends | prends) [l'|la|le] <powers:powers>
        """,
        "leave": """
        - (j'abandonne | je démissionne | je quitte la partie | je me retire de la partie)
        - (démission | abandonner la partie | quitter la partie)
        """,
        "standby": "- (remplaçant | je suis remplaçant | je veux bien remplacer quelqu'un)",
        "tour": "- (visite guidée | visite)",
        "practice": "- (entraînement | partie d'entraînement | exercice)",
        # the account
        "my language {language}": """
        - (écris moi en | écrivez moi en | écrivez-moi en) <language:tongue>
        - (ma langue | langue | langue :) <language:tongue>
        """,
        "my name {name}": "- (mon nom est | je m'appelle) <name:named>",
        "my zone {zone}": "- (fuseau horaire | mon fuseau horaire) [est|:] <zone:zone>",
        "my format text": "- (texte seul | pas de html | texte seulement | sans html)",
        "my format no maps": "- (pas de cartes | pas d'images | sans cartes | sans images)",
        "my data": "- toutes mes données",
        # the Gamemaster
        "hold": "- (suspendre | interrompre) (la partie | le jeu)",
        "resume": "- (reprendre | continuer) (la partie | le jeu)",
        "start": "- (commencer | démarrer|lancer) (la partie | le jeu)",
        "process": "- (jouer le tour | résoudre le tour | traiter le tour) [maintenant]",
        "nudge": "- (relancer les retardataires | rappel aux joueurs)",
    },
    polite="""
        bonjour, bonsoir, salut, merci, merci beaucoup, merci d'avance, s'il vous plaît, s'il te plaît, svp, stp, et,
        puis, aussi,
        alors, cher arbitre, monsieur l'arbitre, arbitre, judge, enfin, encore
        """,
    greetings="""
        - (bonjour | bonsoir | salut | coucou | bienvenue) ...
        - (cher | chère | chers | chères) ...
        - merci ...
        - (voici | ci-dessous | ci-joint) [donc] (mes|les|nos) ordres ...
        - (bonne | bon|bonnes) (journée | soirée | week-end | weekend | nuit | chance | partie | année | fête | fêtes
          | vacances | dimanche) ...
        - (joyeux noël | joyeuses fêtes | joyeuses pâques | bravo | félicitations | désolé | désolée) ...
        - (à bientôt | à plus | à demain | au revoir | à la prochaine) ...
        """,
    closings="""
        - (cordialement | amicalement | sincèrement | respectueusement | amitiés | bisous | bises | cdt | cdlt) ...
        - (bien|très|plus) (cordialement | à vous | à toi | amicalement | sincèrement) ...
        - (meilleures | sincères|cordiales) salutations ...
        - salutations ...
        - (avec mes | mes) (meilleures|sincères|amicales) (salutations|amitiés) ...
        - veuillez agréer ...
        """,
    ends="fin du message, fin de message, fin de la presse, fin presse, fin de la lettre",
    headings="ordres ordre pour de du des la le les l' mes nos phase année et voici mouvements partie",
    words={
        "january": "janvier janv", "february": "février févr", "march": "mars", "april": "avril avr", "may": "mai",
        "june": "juin", "july": "juillet juil", "august": "août", "september": "septembre", "october": "octobre",
        "november": "novembre", "december": "décembre déc",
        "monday": "lundi", "tuesday": "mardi", "wednesday": "mercredi", "thursday": "jeudi", "friday": "vendredi",
        "saturday": "samedi", "sunday": "dimanche",
        "today": "aujourd'hui", "tomorrow": "demain", "noon": "midi", "midnight": "minuit",
        "day": "jour", "days": "jours", "hour": "heure", "hours": "heures", "week": "semaine", "weeks": "semaines",
        "1": "un une", "two": "deux", "three": "trois", "four": "quatre", "five": "cinq", "six": "six", "seven": "sept",
        "ten": "dix", "": "le la à prochain prochaine",
    },
)  # fmt: skip
