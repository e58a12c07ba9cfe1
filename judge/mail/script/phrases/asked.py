"""What people ask in sentences of their own, by our question that answers it."""

from __future__ import annotations

from judge.mail.script.phrases import phrase_table

_ORDERS = "{order orders move moves send submit give write change my in to for them it some new any the our still}"
_OTHERS = (
    "(others | the others | other players | the other players | the other powers | everybody | everyone | anybody"
    " | anyone | somebody | they | my enemies | my opponents | my neighbours | my neighbors | my allies | my ally"
    " | the gm | the gamemaster | the game master)"
)

ASKED = phrase_table(
    {
        "map": """
        - where is (my|the|our) [last|new|current] (map|picture)
        - i|we (want|would like|need|wish) to (see|have|get) [the|a] [current|new|latest] map ...
        """,
        "resend": """
        - what did ... (do|order|play|write|move|send) (last turn|last phase|last season|last time|last round)
        - (show|send|resend|give|mail) [me] [the] (last turn's results | last results | results of last turn
          | results of the last turn | report of the last turn | last report | last turn)
        - i (lost|have lost|deleted|did not get|didn't get|have not got) the (last results|results|last report) ...
        """,
        "history": """
        - (what|which) (were|are) the [last|latest] results [of|from|for|in] ...
        - (can|may|could) (i|we) see [everybody's|everyone's|all|all the|the|their] (orders|moves|results) ...
        - (what|how) (has|did) (everybody|everyone|they all|the others) (order|ordered|do|done|move|moved) ...
        - what (has happened|happened) [last turn|last phase|last season|so far|in the last turn|up to now]
        """,
        "archive": """
        - (can|may|could) (i|we) (have|get|see|read) [the] [whole|full|all|complete|all the] (press|archive|game) ...
        """,
        "help results": """
        - what does [the word] (void | cut | bounced | bounce | dislodged | failed | no such order) mean
          [here|in the results]
        - what does (i|ii|iii|iv|v|vi|vii|viii|ix|x|xi|xii) mean
        """,
        "rules": """
        - (what|which) (rules|house rules|press|kind of press|press rules) (are|is|do|does) (we|this|it|there|allowed
          |in force|valid|this game|the game) [using|playing|play|use|by|have|allowed|here]
        - (what|which) (press|house rules) (is|are) (allowed|permitted|possible|in force|valid) ...
        - (may|can|are|is) (we|players|i|everybody|one) [allowed to|able to] [privately|freely|also]
          (write|talk|speak|chat|negotiate|write letters) [to|with] ...
        - is it (allowed|permitted|ok|okay|possible) to (write|talk|chat|negotiate|have a private chat) ...
        - is (this|the|our) [a|an] [game] [an] (anonymous|gunboat|no press|private|rated|ranked) [game|one] ...
        - (when|how) (does|will|can|could|is) (the|this|our|a) game (end|ends|over|finish|be over|be finished) ...
        - how long (does|will) (the|this|our|a) game (last|take|go on|run) ...
        - (who|what) wins ...
        - is (press|talking|writing to others|writing to each other) (allowed|possible|permitted)
        - (how long) (is|are) [a|the|one|each] (turn|turns|phase|phases|season|seasons)
        """,
        "my press": """
        - i|we (want|would like|need|wish) [to have] [a] [copy of] [all] [of] my (press|letters to the others) ...
        """,
        "my games": """
        - (list|show|send|give) [me] [all] [of] my games
        - (what|which) games (am|do) i [in|play|playing|play in|have|playing in] [here]
        """,
        "ratings": """
        - (what|where) is my (rating|record|rank|ranking|score) ...
        - how (reliable|good|punctual|strong) (am|are|is) ...
        """,
        "my data": """
        - what do (you|the judge|we) (know|store|keep|save|have) (about|of|on) me ...
        - (send|show|give|tell) [me] (what|everything|all|all that) [that] you (have|know|store|keep)
          [stored|kept|saved] (about|of|on) me ...
        - (what|which) data (do you|does the judge) (keep|store|have) ...
        """,
        "help standby": """
        - (put|add) me (on|to) the (waiting|standby|reserve|replacement) list ...
        - i (would like|want|wish|am ready|can|would be happy|would be glad|am willing) to (take over|play|replace)
          [a|any|an abandoned|somebody's]
          (country|power|seat|vacant seat|abandoned power|vacant power|game) ...
        - (is|are) there [a|any] (vacant|free|abandoned) (seat|seats|power|powers|country|countries) ...
        """,
        "help observing": """
        - (can|may|could) i|we (watch|observe|follow|spectate) ...
        """,
        "help votes": """
        - how (do|can|does|should) (i|we|one) (vote|call a vote|start a vote|propose a draw|make a draw) ...
        """,
        "help reminders": """
        - (can|may|could) i|we (get|have|receive) [the|my] reminders ...
        """,
        "help editors": """
        - what (do|must|can|should|may) (i|an editor) (have to do|do|write|get|need to do) as [an|the] editor ...
        """,
        "checklist": """
        - what (is|do i) [still] (undecided|missing|left to decide|have to decide) [before i can open]
        """,
        "list": """
        - (is|are) there [a|any] (game|games) [that|which] [i|we] [can|could|may] [join|play|enter|take part in] ...
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
        - what is the [current|present] (score|standing|state of the game|state of play|state of affairs)
        - (who|which power|which player) is (winning|leading|ahead|strongest|first|the leader) ...
        - who (plays|played|is playing|has|was|is|controls) <power>
        - who (owns|holds|controls|occupies|has taken|took) ...
        - how (is|are) the (vote|votes|voting|poll|draw vote) (going|coming along|standing)
        - who (won|has won|is the winner|wins) ...
        - (what|which) votes (are|is|do we have) [open|there|going on|running] ...
        - (is|are) there (a vote|any vote|any votes|votes|a poll|a draw vote) (going on|open|running|now) ...
        - who (has|have) [already] voted ...
        - [show|list|send] [me] [the|all] [open] votes
        - is (my|the|this|our) game [still] (running|alive|on|going on|active|going) ...
        - where (are|is) (everybody|everybody's units|everyone|everyone's units|all units|all the units|the others) ...
        - where (everybody|everybody's units|everyone's units|all units|all the units) (is|are)
        - who (has|have) (joined|signed up|sent orders|ordered|sent their orders|not sent orders|not ordered
          |already joined) ...
        - who (hasn't|haven't|has not|have not|didn't|did not) (sent|send|ordered|order|written|submitted) ...
        - how many [players|people|more players|more] are [still] (needed|missing|wanted|there|in) ...
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
        - when (does|will|do|shall) [it|the game|we|this|they] (go on|continue|carry on|proceed|resume) ...
        - how (long|many hours|many days) [is it] (until|till|before|to) [the] (next turn|next phase|deadline|end
          of the turn|results) ...
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
        - what did i (order|send|write|submit) ...
        - [please] (show|tell|send|give) [me] (what|which|the orders) [orders] (you have|do you have|is|are) ...
        - (what|which) orders (do you|did you) (have|get|receive) [from|of] me ...
        - (are|is) my (orders|order|set) (ok|okay|fine|good|complete|valid|right|correct|all right) ...
        - (did|have) you (get|got|receive|received) my (orders|order|moves|mail) ...
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
        - what (if|happens if|is if|becomes of us if) <power> (doesn't|does not|do not|don't|never|won't|will not)
          (send|order|answer|write|move|react|reply|respond) ...
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
        "version": """
        - who (runs|made|makes|operates|is behind|wrote|programmed) (this|you|it) [judge|server|site|program|game]
        - (what|which) (program|software|judge|version) (is this|are you|runs here)
        - who are you
        - what are you
        - are you [a|an] (robot|human|machine|person|program|computer|bot|real person|human being) ...
        """,
        "help diplomacy": """
        - what is (this game|diplomacy) ...
        - how do|does i|we|you|one|it|this [game] (play|work|win) {this the game it}
        - what are the rules [of the game|of this game|of diplomacy]
        """,
    }
)
"""Questions."""

IN_NEED = phrase_table(
    {
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
        - no (idea|clue) [at all]
        - no (idea|clue) (how|what|where|which|about) ...
        """,
    }
)
"""The same in sentences that need not be questions; they count for nothing beside orders."""
