"""What newcomers say in sentences of their own, as tables: what is asked or wished for, and the sentences that do so.

A row (it begins with a dash) is compared with a whole sentence, word by word: `(a|b c)` is one of these, `[a|b c]` one
of them or nothing, `{a b}` any number of these words in any order, `...` up to eight words of any kind; a lone `a|b` is
one of these words.
"""

from __future__ import annotations

import re

_PART = re.compile(r"\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|\S+")
_ROW = re.compile(r"^\s*- ", re.MULTILINE)

_ORDERS = "{order orders move moves send submit give write change my in to for them it some new any the our still}"
_OTHERS = (
    "(others | the others | other players | the other players | the other powers | everybody | everyone | anybody"
    " | anyone | somebody | they | my enemies | my opponents | my neighbours | my neighbors | my allies | my ally"
    " | the gm | the gamemaster | the game master)"
)
_I_MUST = "i|we [will|would|just|really|sadly|unfortunately|now] (have to|need to|want to|must|would like to|will)"

ASKED = {
    "resend": """
        - what did ... (do|order|play|write|move|send) (last turn|last phase|last season|last time|last round)
        - (show|send|resend|give|mail) [me] [the] (last turn's results | last results | results of last turn
          | results of the last turn | report of the last turn | last report | last turn)
        - i (lost|have lost|deleted|did not get|didn't get|have not got) the (last results|results|last report) ...
        """,
    "help results": """
        - what does [the word] (void | cut | bounced | bounce | dislodged | failed | no such order) mean
          [here|in the results]
        - what does (i|ii|iii|iv|v|vi|vii|viii|ix|x|xi|xii) mean
        """,
    "rules": """
        - is (press|talking|writing to others|writing to each other) (allowed|possible|permitted)
        - (how long) (is|are) [a|the|one|each] (turn|turns|phase|phases|season|seasons)
        """,
    "list": """
        - (what|which) games (are|are there|do you have|are open|can i join) ...
        """,
    "help maps": """
        - (what|which) [other] (maps|variants|boards) (do you have|are there|can i play|can we play|exist) [here]
        - (can|could|may) i|we (have|get|see) [the|a|my] [map|maps|picture] [in]
          (bigger|larger|big|as svg|as pdf|as a link) [map|picture]
        """,
    "help starting": """
        - i|we [really|also|just] (would like|would love|want|am going|am planning|are planning|plan|intend|hope|wish)
          to (run|start|host|gm|moderate|organise|organize|set up|create|open|make|begin|have)
          [a|an|my|our|another] [own|new|private|closed|small] (game|table|match) ...
        - (can|may|could) i|we [also] (run|start|host|gm|moderate|organise|organize|set up|create|open|make)
          [a|an|my|our|another] [own|new|private|closed|small] (game|table|match) ...
        """,
    "status": f"""
        - (what|which) (season|turn|year|phase|season and year) (is it|are we in|is this|do we have) [now]
        - what (happens|comes|is due) [now|next]
        - what [do|must] i (have to do|need to do|have to send) [now|next]
        - what next
        - what now
        - how many (units|armies|fleets|centres|centers|supply centres|supply centers) (does|has) ... [have|own|got]
        - who do i {{play control represent here in this game as}}
        - who am i (playing|here|in this game|playing in this game)
        - which|what (power|country|nation|side|player|colour) am|do i {{play playing have control lead
          in this game as here}}
        - what am i [playing]
        - what|which (units|unit|armies|fleets|pieces|centres|centers|supply centres|supply centers)
          do|have i (have|got|own|control|get) [now|left]
        - what|where|which are my
          (units|armies|fleets|pieces|centres|centers|supply centres|supply centers|orders due) [now]
        - where is my (army|fleet|unit|power|country|units) [now]
        - how many (units|armies|fleets|centres|centers|supply centres) do|have i (have|got|own)
          [now|left]
        - what is my (position|situation|status|power|country|nation)
        - what is the (position|situation|status|current position)
        - what do i (have|own|play)
        - where (am i|do i stand) [now]
        - (is it|am i|are we) {{already still now much}} (too late|late|in time|time|possible) {_ORDERS}
        - can|may i still (order|send|submit|give|write) {_ORDERS}
        - (have i|did i) (missed|miss) (it|the deadline|my deadline|my turn|the turn|anything)
        - who [else] (plays|is playing|are playing|is in|is there) {{with the this game us me here in too
          as well}}
        - who (are|is) {{the my all other}} (players|player|opponents|neighbours|neighbors|enemies)
          [here|in this game]
        - how many (players|people|of us|seats) {{are do still play have missing needed left joined there
          we need free so far playing in already the game}}
        - (whose|which) (orders|order|moves|sets|set) (are|is) [still] (missing|outstanding|in|not in|late)
        - who (has|have|did|is) [not|still|yet] (ordered|sent|send|moved|missing|late|missing orders|not ordered|not
          sent) [orders|order|moves|their orders|in|yet|still|so far]
        - (has|have|did) (everybody|everyone|all|the others|anybody|anyone|all players) {{sent ordered
          else already their orders order moves submitted in players send}}
        - (who|what|whom) (are we|is it|are you|am i|do we|is) {{still}}
          (waiting|waiting for|missing|late)
        """,
    "due": """
        - how much (time|longer) [do i have|do we have|have i|have we|is|is there] {got left until till
          to the send deadline orders order my for this turn}
        - how (long|many days|many hours) (do i have|do we have|have i|have we|is it|are there|is there)
          {got left until till to the send deadline orders order my for this turn}
        - (when|what time|by when|until when|till when) [exactly]
          does|do|is|are|will|must|should|can|have {the my our next first this it turn phase deadline
          game round results moves orders we i they to be you start starts begin begins end ends over
          close closes due processed played come comes out expected get send sent order published needed
          in play going at latest}
        - what is the [next|current|exact] deadline [for orders|for moves|for this turn|of this turn]
        - [the] deadline
        - (what|where) is my|our deadline [now|please]
        - where is the [next|current] deadline
        """,
    "centres to win": """
        - how many (centres|centers|supply centres|supply centers|dots|points)
          {do does i we you one somebody a player it take takes are need needed must have}
          (to win|to win the game|to win this game|for a win|for victory|for a victory|for a solo|to solo) ...
        - (when|how) (does|do|can|will) (i|we|you|one|somebody|someone|a player|anybody) (win|solo)
          [the game|this game]
        - what (is|are) [the] (victory condition|victory conditions|winning condition|goal)
          [of|in|for] [the|this] [game]
        """,
    "orders": """
        - (did|has|have) my [last|first|other|new] (mail|mails|e-mail|email|message|letter|orders|order|moves|set)
          (arrive|arrived|come|come through|get through|got through|reach you|reached you|make it|made it)
          [safely|in time|all right|alright|yet|today|yesterday]
        """,
    "help changing": """
        - (can|may|could|am i allowed to|is it possible to|how often can|how often may) [i|we|one]
          [still|later|ever] (change|correct|edit|modify|update|replace|revise|alter)
          [my|the|an|our|these] (orders|order|moves|move|mind|them|it) ...
        - what if i (change my mind|make a mistake|made a mistake|want to change my orders) ...
        """,
    "help late": """
        - what (happens|will happen|would happen|is|then) if|when i|we|somebody|someone|one|nobody {do
          does can did will not don't doesn't can't cannot won't didn't} (forget | forgets | miss | fail
          | am late | are late | is late | send | sends | order | orders | write | answer | make | do |
          reply | submit | give | get) {to not too any my the a no send in order orders move moves turn
          deadline late nothing anything write give them it submit on time this his her their}
        - what if i {am do don't not can't cannot have no}
          (late|send|order|forget|miss|make|no orders|write) {to not too any my the a no send in order
          orders moves turn deadline nothing anything it time on}
        """,
    "help orders": f"""
        - (can|do|does|will|could|may) {_OTHERS} (see|read|know|get|find out|look at) [about]
          [my|our|what] (orders|moves|order|plans|i send|i sent|i order|i write) ...
        - are my|the|our (orders|moves) (secret|private|hidden|public|visible|shown) ...
        - who (can|may|will) (see|read) my (orders|moves|plans)
        """,
    "help": """
        - (can|could|would|will) you [please] help [me] ...
        - what (can|should|must|do|shall|may) i|we (do|write|send|say|type) {here next first to you in
          this game now}
        - what do you (want|need|expect) {from of me to do now}
        - what is next
        - what are my options
        """,
    "help diplomacy": """
        - what is (this game|diplomacy) ...
        - how do|does i|we|you|one|it|this [game] (play|work|win) {this the game it}
        - what are the rules [of the game|of this game|of diplomacy]
        """,
}
"""Questions."""

IN_NEED = {
    "help first steps": """
        - i am [completely|totally|quite|very|still|brand] (new | new here | new to this | new to the
          game | new at this | a beginner | a complete beginner | a newbie | a novice | a newcomer) ...
        - this|it is my [very] first (game|time) ...
        - my [very] first (game|time) ...
        - new here ...
        """,
    "help": """
        - help [me] [out]
        - i (need|want|could use) [some|a little|your] help ...
        - i am [completely|totally|quite|very|a bit|so] (lost|confused|stuck|at a loss) ...
        - i [really|still|just] (do not|don't|did not|didn't|cannot|can't)
          (understand|get|follow|know how|know what|see how|see what) ...
        - i have no (idea|clue) ...
        - no (idea|clue) ...
        """,
}
"""The same in sentences that need not be questions; they count only in a mail that asks for nothing else."""

FOR_A_DRAW = """
    - i|we [hereby|would like to|want to|will|would]
      (propose|offer|suggest|call for|call|ask for|request|want) [to you | to you all | to all | to
      everybody | to everyone | that we have | that we agree on | a vote on | to have | to propose | to
      offer | to suggest] [a|the] [two-way|three-way|four-way|five-way|2-way|3-way|4-way|5-way|general] draw
      ...
    - i|we (would like|would love|want|wish|wish for|would prefer|propose|suggest|am for|are for) [to have|for]
      a|the [two-way|three-way|four-way|five-way|2-way|3-way|4-way|5-way] draw ...
    - (may|can|could) i|we (propose|offer|suggest|have|call|call for|ask for) a draw ...
    - (let us | let's | shall we | should we | can we | could we | may we | why don't we | i propose we | i
      suggest we) [just|all|please] (call it | call this | agree on | agree to | have | make it | make this
      | end in | end it in | end the game in | end this game in | take | settle for | end the game with)
      a|the [two-way|three-way|four-way|five-way|2-way|3-way|4-way|5-way] draw ...
    - (how|what) about a [two-way|three-way|four-way|five-way|2-way|3-way|4-way|5-way] draw ...
    - draw anyone|anybody
    - anyone|anybody for a draw
    """

OFFERED = {
    "my format text": """
        - [send|give|write] [me|to me] (plain text|text) [only|mail|mails|letters|alone]
        - (stop|do not|don't) (sending|send|mailing|mail) [me|us] [any|the] html [mail|mails|letters] [any more]
        - no more html [mail|mails|letters] [for me]
        - no html [mail|mails|letters] [for me]
        """,
    "my format no maps": """
        - no [more] (pictures|maps|images) [for me]
        - (stop|do not|don't) (sending|send|mailing|mail) [me|us] [any|the] (pictures|maps|images) [any more]
        """,
    "wait": """
        - (don't|do not) (process|adjudicate) [it|the turn|this turn] yet
        - i need to think ...
        - i am not ready [yet]
        - no wait i am not ready [yet]
        """,
    "ready": """
        - you can process [it|the turn]
        - (cancel|take back|withdraw|drop) [my|the] wait
        - i no longer wait
        - i am (done|finished) [for|with] [this|the] [turn|phase]
        """,
    "nay": """
        - i|we have changed my mind about the draw nay
        - i|we (take back|withdraw|cancel) my (aye|vote|yes)
        """,
    "aye": """
        - i|we [hereby|gladly] (accept|agree to|agree with|am for|am in favour of|am in favor of) the
          (draw|proposal|concession)
        """,
}
"""Wishes of players, by the line that fulfils them, which is offered."""

FOR_A_SUBSTITUTE = """
    - i|we (need|want|look for|am looking for|would like) [to have] (a substitute | a stand-in
      | a temporary replacement | somebody to play for me
      | someone to play for me | somebody to cover for me | someone to cover for me) ... ...
    - (find|look for|can you find|can you look for) (a substitute|somebody to cover|someone to cover|a stand-in)
      [for me] ... ...
    """

TO_TAKE_BACK = """
    - i|we (take back|withdraw|cancel|retract) [my|the|our] (proposal|draw proposal|proposal of a draw) ...
    - (withdraw|cancel|retract|take back) [my|the|our] (proposal|draw proposal|proposal of a draw) ...
    """

TO_LEAVE = f"""
    - {_I_MUST} (quit|leave|resign|withdraw|drop out|retire|step down) [from|of]
      [the game|this game|playing|your game|our game]
    - {_I_MUST} (quit|leave|resign|withdraw|drop out|retire|step down) [from|of] [the game|this game]
      (because|since|as|due to|sorry) ...
    - {_I_MUST} (quit|stop|give up|end) (playing|the game|this game|my seat|my place|my power|my country)
      ...
    - i (cannot|can't|can not|won't|will not|am unable to|am not able to) [be able to]
      (play|continue|go on|go on playing|carry on|keep playing)
      [any more|anymore|any longer|after all|in this game|this game|the game]
    - i (cannot|can't|can not|won't|will not) [be able to] (play|continue|go on|carry on|keep playing)
      [any more|anymore|any longer|after all] (because|since|sorry) ...
    - i can no longer (play|continue|take part) ...
    - i am (out|leaving|quitting|resigning) [of] [the game|this game]
    - (remove me | take me off | find a replacement for me | find somebody else for me | replace me | let
      somebody else play for me) ...
    - count me out
    - i [have] changed my mind i can't|cannot play [after all|any more]
    - [i] (give up|surrender|resign|quit|step down|drop out|retire)
    - i [hereby|now] (give up|surrender|resign|quit|step down|drop out) [from|of] [the game|this game] ...
    """

TO_BE_AWAY = """
    - i|we (am|are|will be|shall be|am going to be|will|have to be) [be] (away | on holiday | on holidays |
      on vacation | on leave | on a trip | travelling | traveling | offline | abroad | out of town | out of
      the office | out of the country | unavailable | not available | in hospital | without internet |
      without mail) ... ...
    - i|we (go|am going|are going|leave|am leaving|will go|will leave)
      (on holiday|on holidays|on vacation|on leave|on a trip|abroad|away) ... ...
    - my|our (holiday|holidays|vacation) (is|are) ... ...
    """

TO_BE = """
    - (may|can|could|might) i [please|also] (be|play|have|get|take) [as|the]
    - i (would like|would love|want|prefer|would prefer|wish|hope) [to] (be|play|have|get|take) [as|the]
    - i (would like|want|would prefer|prefer)
    """
"""Before the name of a power."""

TO_JOIN = """
    - i|we (would like|would love|want|wish|hope|like|am ready|am willing) [very much] to (join | join in |
      play | play in | take part | take part in | participate | participate in | enter | get into | sign up
      | sign up for | be in) ...
    - i|we (would like|would love|want|wish|hope) [very much] to
      (join|join in|play|play in|take part in|participate in|enter|sign up for) ...
    - (may|can|could|might) i|we [also|still|please]
      (join|play|take part|participate|enter|sign up|be in|get in) ...
    - (let me|let us) (join|in|play|take part|participate) ...
    - (sign|count|put|add) me (up|in|down|to) ...
    - i am (in|interested|interested in|looking for|interested in playing|interested in joining) ...
    - (is it|would it be) possible to (join|play|take part) ...
    - ich möchte|will [gern|gerne] (mitspielen|mitmachen|spielen) ...
    - (je voudrais|j'aimerais) (jouer|participer) ...
    - (quiero|quisiera|me gustaría) (jugar|participar) ...
    - (vorrei|mi piacerebbe) (giocare|partecipare) ...
    - ik (wil|zou) graag [mee] (meespelen|meedoen|spelen) ...
    """

TO_ORDER = """
    - i|we (would like|want|wish|would love|would prefer|plan|intend|am going|have decided) to
      (build|move|support|convoy|hold|retreat|attack|disband|remove|order|send|march|sail|withdraw) ... ... ...
    - i|we (would like|want|wish|would love|would prefer) (my|our|the|both|all) ... ... ... ...
    """
"""A wish that may be orders, where it names a place."""

WITHOUT_A_UNIT = """
    - (support | attack | help | defend | protect | cover | convoy | swap | exchange | switch | move |
      retreat | invade | conquer) (my|the|our|his|her|your|all|both|everybody|everything|him|her|them|a|two)
      ...
    """
"""The word of an order, and behind it no unit that does it."""


IDIOMS = """
    - (hold | hold on to) (your|my|the) (horses|breath|hats|hat|tight) ...
    - hold on ...
    - press on ...
    - drop me|us a line ...
    - correct me if i am|'m wrong ...
    - correct me if i'm wrong ...
    - stop me|us (if|before) ...
    - leave (it|that) to ...
    - (wait and see | wait till|until you see) ...
    - wait (a|one) (minute|moment|second|bit|sec) ... ...
    - wait for it ...
    - back from (a|an|the|my|our) ... ...
    - ready when you are ...
    - ready or not ...
    - ready steady go
    - join the (club|party|fun|army|navy) ...
    - (watch this space | watch your back | watch out) ...
    - start (the|your) (clock|clocks|engines|day|week|car) ...
    - (end of story | the end) ...
    - (message|order|orders) (received|understood|is clear) ...
    - set sail ...
    - (draw|drawing) your own conclusions ...
    - (go ahead | come on) (make my day | do your worst) ...
    - help is on its|the way ...
    - note to (self|myself) ...
    - support your local ...
    - (okay|ok|yes|no) (this|that|it) is|was ...
    - play it again ...
    - set phasers ...
    - accept no substitutes
    - (okay|ok) enough ...
    - fleet (street|footed) ...
    - fleet-footed ...
    - army life ...
    - edit (typo|fixed|corrected|added|spelling) ...
    - vote early ...
    - save our souls ...
    - name one|me ...
    - process of elimination ...
    - list of my ...
    """
"""Sayings that begin with the word of a command or of an order, and command nothing."""

_ORDINARY_WORDS = """
    a an the this that these those such what whatever which who whose whom it its itself he him his she her hers
    they them their theirs we our ours you your yours i my mine myself yourself one ones is are am was were be been
    being do does did done has have had having can could may might must shall should will would of in on at by for
    from with without into onto over under about after before between through to and or but nor not no none nothing
    nobody never ever so as if when while where why how than then there here some any each both few more most much
    many other another same own only just even still yet again once twice always often too very quite rather well
    also really enough down up out off away back regardless early"""
ORDINARY = frozenset(_ORDINARY_WORDS.split())
"""Words of ordinary speech: beside them stands a sentence, and no argument of a command."""

_OF_THE_GAME_WORDS = """
    game games match table order orders ordered move moves turn turns phase phases season seasons spring summer fall
    autumn winter retreat retreats build builds removal removals disband unit units army armies fleet fleets convoy
    deadline deadlines due draw draws vote votes ballot poll proposal proposals concession concede victory solo
    press letter letters map maps picture pictures report reports result results seat seats power powers player
    players gm gamemaster moderator observer observers standby standbys substitute deputy tournament centre centres
    center centers position positions setting settings house rules extension absence holiday holidays vacation
    reminder reminders address password zone timezone preset variant everybody everyone survivors aye nay yea sandbox
    practice history status commands command file files archive invitation wait game's"""
_CALENDAR_WORDS = """
    monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
    october november december week weeks weekend day days hour hours month months"""
CALENDAR = frozenset(_CALENDAR_WORDS.split())
"""Words of dates, which games and small talk share."""
OF_THE_GAME = CALENDAR.union(_OF_THE_GAME_WORDS.split())
"""What a judge has to do with."""


def says(rows: str) -> re.Pattern[str]:
    """What a sentence must be as a whole, with a blank before it, to be one of these rows.

    >>> says("- who [else] plays {here now}").fullmatch(" who plays now here") is not None
    True
    """
    found = ["".join(map(_part, _PART.findall(row))) for row in _ROW.split(rows) if row.strip()]
    return re.compile("|".join(found), re.IGNORECASE)


def _part(part: str) -> str:
    if part == "...":
        return r"(?:,? \S+){0,8}"
    inner = part.strip("[](){}")
    several = inner.split() if part[0] == "{" else [" ".join(words.split()) for words in inner.split("|")]
    words = "|".join(map(re.escape, several)).replace("\\ ", " ")
    return f"(?:,? (?:{words}))" + ("?" if part[0] == "[" else "*" if part[0] == "{" else "")
