"""Spanish."""

from __future__ import annotations

from judge.mail.script.phrases.abroad.model import Tongue

_TO = "(prensa | mensaje | carta | nota | despacho) (a|al|para)"
_ALL = "(todos | todo el mundo | todos los jugadores | todas las potencias | todos los demás)"
_SHOW = "(muéstrame | muéstreme | envíame | envíeme | mándame | mándeme | dame | deme)"
_WANT = "(quiero | quisiera | me gustaría | deseo)"

SPANISH = Tongue(
    "es",
    commands={
        # help and questions
        "help": """
        - (ayuda | ayúdame | ayúdeme | ayúdenme | lista de comandos | comandos)
        - necesito ayuda
        """,
        "help orders": "- ayuda (sobre|con) [las] órdenes",
        "help press": "- ayuda (sobre|con) [la|los] (prensa|mensajes|cartas)",
        "help time": "- ayuda (sobre|con) [el|los] (plazo|plazos)",
        "status": f"""
        - (estado | situación | el estado) [de la partida | del juego]
        - {_SHOW} [el|la] (estado | situación) [de la partida | del juego]
        - quién juega [con|a] <powers:powers>
        - cómo va (la partida | el juego)
        """,
        "status {game}": "- estado (de|en) [la partida] <game:key>",
        "due": """
        - (plazo | el plazo | fecha límite | la fecha límite)
        - (cuál | cuándo) es [el|la] (plazo | próximo plazo | fecha límite | fecha de entrega)
        - cuándo (hay que | debo | debemos|tengo que) (enviar | mandar) [las|mis] órdenes
        - cuándo (vence | termina | acaba) [el] plazo
        - (hasta cuándo | para cuándo) (tengo | tenemos | hay) [que] [enviar] [las|mis] [órdenes|tiempo]
        """,
        "map": f"""
        - (mapa | el mapa | mapa actual)
        - {_SHOW} [otra vez] [el|un] mapa
        - (puedes | puede | podrías | podría) (enviarme | mandarme | mostrarme) [el|un] mapa
        - (puedo | podría) (ver | tener | recibir) [el|un] mapa
        """,
        "map big": f"""
        - (mapa grande | mapa más grande)
        - {_SHOW} [un|el] mapa (grande | más grande)
        """,
        "map mine": "- mi mapa",
        "map bw": "- mapa (en blanco y negro | para imprimir)",
        "map {phase}": "- mapa (de|del|para) <phase:phase>",
        "resend": f"""
        - (resultados | los resultados | últimos resultados | los últimos resultados)
        - {_SHOW} [otra vez] (los resultados | los últimos resultados) [otra vez]
        - (me mandas | me envías | puedes enviarme | puede enviarme) [otra vez] los [últimos] resultados [otra vez]
        """,
        "history": "- (historial | el historial | historia) [de la partida | del juego]",
        "orders": f"""
        - mis órdenes
        - {_SHOW} mis órdenes
        - (cuáles son | qué) [son] mis órdenes
        - qué (he ordenado | ordené | órdenes tienes | órdenes tiene) [mías]
        """,
        "my account": "- (quién soy | mi cuenta | mis datos | mis ajustes)",
        "my games": f"""
        - mis (partidas|juegos|plazos)
        - {_SHOW} mis partidas
        """,
        "list": f"""
        - (lista de partidas | lista de juegos | partidas | partidas abiertas | las partidas | plazas libres)
        - (me gustaría | quiero|quisiera) jugar
        - (qué partidas hay | qué partidas están abiertas | hay partidas)
        - {_SHOW} (la lista de partidas | las partidas)
        """,
        "rules": "- (reglas | las reglas | reglamento) [de la partida | del juego | de la casa]",
        "settings": "- (ajustes | configuración | los ajustes | la configuración) [de la partida]",
        "ratings": "- (clasificación | la clasificación)",
        "archive": "- (archivo de la partida | el archivo de la partida)",
        "my press": "- (mis mensajes | mis cartas | mi correspondencia | mi prensa)",
        "press with {powers}": "- correspondencia con <powers:powers>",
        # press
        "press to all: {text}": f"""
        - {_TO} {_ALL} : <text:text>
        - (a todos | para todos) : <text:text>
        """,
        "press to all": f"""
        - {_TO} {_ALL}
        - (a todos | para todos) :
        """,
        "press to gm: {text}": f"- {_TO} (árbitro | el árbitro | director) : <text:text>",
        "press to gm": f"- {_TO} (árbitro | el árbitro | director)",
        "press to all but {powers}: {text}": f"- {_TO} todos (menos | excepto) [a] <powers:powers> : <text:text>",
        "press to all but {powers}": f"- {_TO} todos (menos | excepto) [a] <powers:powers>",
        "press grey to {powers}: {text}": """
        - (prensa | mensaje) (gris|anónima|anónimo) (a|al|para) <powers:powers> : <text:text>
        """,
        "press grey to {powers}": "- (prensa | mensaje) (gris|anónima|anónimo) (a|al|para) <powers:powers>",
        "press to {powers}: {text}": f"- {_TO} <powers:powers> : <text:text>",
        "press to {powers}": f"- {_TO} <powers:powers>",
        # orders as a whole
        "clear": """
        - (anular | anula | anule | borrar | borra | cancelar | cancela | cancele | retirar) [todas] (mis|las) órdenes
        """,
        "replace all": "- (reemplazar todo | sustituir todo | reemplazar órdenes)",
        "same again": """
        - (las mismas órdenes | mismas órdenes) [que (la última vez | el turno anterior)]
        - (lo mismo otra vez | otra vez lo mismo)
        """,
        "undo": "- (deshacer | anular el último mensaje | anula mi último correo)",
        "wait": """
        - (esperar | espera | espere | esperen)
        - no estoy (listo | lista) [todavía | aún]
        - (aún | todavía) no estoy (listo | lista)
        """,
        "ready": """
        - (listo | lista | estoy listo | estoy lista | no esperar | no esperes | no espere)
        - ya (estoy listo | estoy lista | está)
        """,
        # votes
        "draw": f"""
        - (tablas | empate) [para todos]
        - (proponer | propongo) [un|unas|las] (tablas | empate)
        - {_WANT} proponer [un|unas|las] (tablas | empate)
        """,
        "concede to {powers}": """
        - (concedo | conceder|concesión) [la victoria] (a|al) <powers:powers>
        """,
        "aye {number}": """
        - sí (a|en|para) [la|el] (votación|voto|número|propuesta) <number:count>
        - (votación | voto) <number:count> [:] (sí | a favor)
        - voto (sí | a favor) (en|de) [la] [votación|propuesta] <number:count>
        """,
        "nay {number}": """
        - no (a|en|para) [la|el] (votación|voto|número|propuesta) <number:count>
        - (votación | voto) <number:count> [:] (no | en contra)
        - voto (no | en contra) (en|de) [la] [votación|propuesta] <number:count>
        """,
        "aye": "- (voto sí | voto que sí | voto a favor | estoy a favor)",
        "nay": "- (voto no | voto que no | voto en contra | estoy en contra | no quiero tablas | no a las tablas)",
        # time
        "away {since} to {till}": """
        - (vacaciones | ausente | ausencia | de vacaciones | de viaje) (del | desde | desde el | de) <since:when> (al
          | hasta | hasta el | a) <till:when>
        - (estoy | estaré | me voy | salgo) (de vacaciones | ausente | fuera | de viaje) (del | desde | desde el |
          de) <since:when>
          (al | hasta | hasta el | a) <till:when>
        - del <since:when> al <till:when> [,] (estoy | estaré) (de vacaciones | ausente | fuera | de viaje)
        """,
        "away until {till}": """
        - (vacaciones | ausente | ausencia | de vacaciones | de viaje) hasta [el] <till:when>
        - (estoy | estaré) (de vacaciones | ausente | fuera | de viaje) hasta [el] <till:when>
        """,
        "back": "- (he vuelto | ya he vuelto | estoy de vuelta | ya estoy de vuelta | de vuelta)",
        "extension {span}": """
        - (prórroga | aplazamiento) de <span:length>
        - (prorrogar | ampliar | prolongar) [el] [plazo] [en] <span:length>
        - (necesito | necesitaría) <span:length> [de] (más | adicionales | extra)
        - (pido | solicito | quisiera) [una|un] (prórroga | aplazamiento) de <span:length>
        """,
        "extension": """
        - (prórroga | aplazamiento)
        - (ampliar | prorrogar) el plazo
        - (necesito | necesitaría) (más tiempo | una prórroga | un aplazamiento)
        - (pido | solicito | quisiera) (más tiempo | una prórroga | un aplazamiento)
        """,
        # seats
        "join {game}": f"""
        - {_WANT} (unirme a | jugar en | jugar a | participar en | apuntarme a | inscribirme en) [la partida]
          <game:key>
        - (unirme a | unirse a | me uno a | me apunto a | inscripción en | jugar en) [la partida] <game:key>
        """,
        "decline {game}": "- (rechazo | rechazar | declino) [la invitación] [a|de] [la partida] <game:key>",
        "observe {game}": f"""
        - (observar | observo) [la partida] <game:key>
        - {_WANT} observar [la partida] <game:key>
        """,
        "prefer {powers}": """
        - (preferencia | preferencias | mis preferencias) [:] <powers:powers>
        - (prefiero | preferiría) jugar [con] <powers:powers>
        """,
        "claim {powers}": "- (tomo el mando de | asumo | me hago cargo de) <powers:powers>",
        "leave": """
        - (abandono la partida | dimito | me retiro de la partida | dejo la partida)
        - (dimisión | abandonar la partida | dejar la partida)
        """,
        "standby": "- (suplente | soy suplente | quiero ser suplente)",
        "tour": "- (visita guiada | recorrido)",
        "practice": "- (práctica | partida de práctica | entrenamiento)",
        # the account
        "my language {language}": """
        - (escríbeme en | escríbame en) <language:tongue>
        - (mi idioma | idioma | idioma :) <language:tongue>
        """,
        "my name {name}": "- (mi nombre es | me llamo) <name:named>",
        "my zone {zone}": "- (zona horaria | mi zona horaria) [es|:] <zone:zone>",
        "my format text": "- (solo texto | sólo texto | sin html)",
        "my format no maps": "- (sin mapas | sin imágenes)",
        "my data": "- todos mis datos",
        # the Gamemaster
        "hold": "- (detener | pausar | suspender) (la partida | el juego)",
        "resume": "- (reanudar | continuar) (la partida | el juego)",
        "start": "- (empezar | comenzar|iniciar) (la partida | el juego)",
        "process": "- (procesar | resolver|jugar) el turno [ahora | ya]",
        "nudge": "- (recordar a los jugadores | avisar a los que faltan)",
    },
    polite="""
        hola, buenas, buenos días, buenas tardes, buenas noches, gracias, muchas gracias, por favor, y, también,
        además,
        estimado árbitro, árbitro, judge, ahora
        """,
    greetings="""
        - hola|buenas|querido|querida|queridos|estimado|estimada|estimados ...
        - (buenos | buenas) (días | tardes | noches) ...
        - (gracias | muchas gracias | mil gracias) ...
        - (aquí | estas|éstas|abajo|adjunto) (van | están | tienes | tiene | son | siguen) [ahora] (mis|las|nuestras)
          órdenes ...
        - (buen | feliz | buena) (fin | día | viaje | juego | año | navidad | suerte | partida) ...
        - (hasta | nos vemos) [luego|pronto|mañana] ...
        - (felices fiestas | felicidades | enhorabuena | perdón | lo siento | disculpa | disculpe | adiós) ...
        """,
    closings="""
        - (saludos | un saludo | saludo | atentamente | cordialmente | un abrazo | abrazos | besos) ...
        - (un|muchos) (cordial | fuerte | saludos) (saludo | abrazo | cordiales) ...
        - con un (cordial|afectuoso) saludo ...
        - reciba un ...
        """,
    ends="fin del mensaje, fin de mensaje, fin de la prensa, fin de la carta",
    headings="""
        aquí van estas son órdenes orden para de del la el las los mis nuestras turno fase año y movimientos partida
        ordenes
    """,
    words={
        "january": "enero", "february": "febrero", "march": "marzo", "april": "abril", "may": "mayo", "june": "junio",
        "july": "julio", "august": "agosto", "september": "septiembre setiembre", "october": "octubre",
        "november": "noviembre", "december": "diciembre",
        "monday": "lunes", "tuesday": "martes", "wednesday": "miércoles", "thursday": "jueves", "friday": "viernes",
        "saturday": "sábado", "sunday": "domingo",
        "today": "hoy", "tomorrow": "mañana", "noon": "mediodía", "midnight": "medianoche", "next": "próximo",
        "day": "día", "days": "días", "hour": "hora", "hours": "horas", "week": "semana", "weeks": "semanas",
        "1": "un una", "two": "dos", "three": "tres", "four": "cuatro", "five": "cinco", "six": "seis",
        "seven": "siete", "ten": "diez", "": "el la de del las",
    },
)  # fmt: skip
