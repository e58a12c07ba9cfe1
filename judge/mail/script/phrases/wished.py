"""What people wish for in sentences of their own, by the line that fulfils it, or by what is said to it."""

from __future__ import annotations

from judge.mail.script.phrases import Phrases, phrase_table
from judge.mail.script.phrases.tongues import TONGUES

_I_MUST = "i|we [will|would|just|really|sadly|unfortunately|now] (have to|need to|want to|must|would like to|will)"

FOR_A_DRAW = Phrases("""
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
    """)

OFFERED = phrase_table(
    {
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
        "clear": """
        - (scrap|delete|erase|discard|drop|remove|throw away|cancel|withdraw|forget) [all] [of] [my|the]
          (orders|moves|everything i sent|everything i have sent|everything i ordered|whole set|set) ...
        """,
        "undo": """
        - [let me|i want to|i would like to] (take back|undo|withdraw|revoke|cancel)
          [my|that|the] [last|previous|latest] (mail|email|e-mail|message|letter|command) ...
        - undo what i [just] (did|sent|wrote|ordered)
        - i sent the wrong (orders|moves|mail) ...
        """,
        "extension": """
        - i (cannot|can't|am unable to|won't be able to|am not able to) (send|write|give|make|submit) [my|any|the]
          (orders|moves) (before|until|till|on|this|today|tomorrow|in) ...
        - ... i need (a week|some days|a few days|a break|time) off ...
        """,
        "draw": """
        - (let us|let's) (end|finish|close|stop) (this|it|the game|this game|here) [as|in|with] a draw ...
        """,
        "wait": """
        - (don't|do not) (process|adjudicate|run|play) [it|the turn|this turn] (until|till|before|unless) ...
        - (don't|do not) (run|start) (it|the turn|this turn) [yet]
        - hold on [please] (don't|do not) (run|process|adjudicate|play) ...
        - (don't|do not) (process|adjudicate) [it|the turn|this turn] yet
        - i need to think ...
        - i am not ready [yet]
        - no wait i am not ready [yet]
        """,
        "ready": """
        - go ahead [without me]
        - i am (happy|content|satisfied|done|fine) with my (orders|moves)
        - i am ready (go|go on|go ahead|process|proceed) ...
        - i have nothing (more|else) to (do|order|send|write)
        - you can process [it|the turn]
        - (cancel|take back|withdraw|drop) [my|the] wait
        - i no longer wait
        - i am (done|finished) [for|with] [this|the] [turn|phase]
        """,
        "nay": """
        - i|we [am|are] (against|opposed to|refuse|reject|do not want|don't want) [to] (a|the|this) (draw|proposal|vote
          |concession) ...
        - no draw (from|with|for) (me|us)
        - i|we have changed my mind about the draw nay
        - i|we (take back|withdraw|cancel) my (aye|vote|yes)
        """,
        "aye": """
        - count me in for|on the (draw|vote|proposal) ...
        - i|we (agree|say yes|consent|am ok|am fine) [to|with] the [draw] (draw|proposal|vote|concession) ...
        - i|we [hereby|gladly] (accept|agree to|agree with|am for|am in favour of|am in favor of) the
          (draw|proposal|concession)
        """,
    }
)
"""Wishes of players, by the line that fulfils them, which is offered."""

TAKEN_OVER = phrase_table(
    {
        "extension 24h": """
        - give (me|us) 24 hours [more]
        """,
        "extension 1d": """
        - (could|can|may|might) (we|i) [please] (have|get) (another|one more|an extra) day ...
        """,
        "press to {power}: {text}": """
        - (send|give|forward) (this|the following) to <power>: <text>
        - pass [this] on to <power>: <text>
        - [a] (message|letter|note) (for|to) <power>: <text>
        """,
        "press to all: {text}": """
        - (write|send|say|tell|announce) [this] (to|for) (everyone|everybody|all|the others|the players): <text>
        """,
        "my address {address}": """
        - i have [got] [a|another] new [e-mail|email|mail] address: <address>
        - [my] new [e-mail|email|mail] address [is|will be]: <address>
        - (change|set|update|switch) my [e-mail|email|mail] address to <address>
        - (write|send) [my letters|my mail|everything|letters] [from now on] to <address> [from now on]
        """,
        "my name {name}": """
        - my [new] name (should be|is now|will be|shall be) <name>
        - (change|set) my name to <name>
        - [please] call me <name>
        """,
        "my zone {zone}": """
        - (show|give|send|write|print) [me] [all] [the] (times|dates|deadlines) in <zone> time
        - i would like [to have] [all] [the] (times|dates|deadlines) in <zone> time
        - i (live|am) in [the] time zone <zone>
        """,
        "prefer {power}": """
        - i would like to (play|be|have) <power>
        - i (prefer|would prefer|want) [to play|to be] <power>
        """,
        "observe {game}": """
        - (i|we) (would like|want|wish) to (watch|observe|follow) [the game] <game>
        - (let|allow) me [to] (watch|observe|follow) [the game] <game>
        """,
        "claim {power}": """
        - i (can|could|will|would like to|want to|am ready to) (take over|take|play|have) <power>
        """,
        "standby off": """
        - i (don't|do not) want to be [a] (standby|stand-by|replacement|substitute) [any more|anymore|any longer]
        - (take|remove|delete) me (off|from) [the] (standby|waiting|reserve) list
        """,
        "unobserve": """
        - i (want|would like|wish) to stop (watching|observing|following) ...
        - (don't|do not|stop) (send|sending) me [the] (game|letters|mails|reports|results|this game|these letters)
          [of this game|of the game] [any more|anymore|any longer]
        """,
        "pause my reminders": """
        - (stop|don't|do not) (reminding|remind|nagging|nag) me [any more|all the time]
        - i (don't|do not) (want|need) [any|the|your] reminders ...
        - no [more] reminders [please]
        """,
        "my format no maps": """
        - i (would rather not|don't want to|do not want to|would prefer not to) (have|get|see|receive) [the|any]
          (pictures|maps|images) ...
        """,
        "my format text": """
        - use plain text [for|in] [my|all] (mails|letters|mail) ...
        """,
        "forget me": """
        - (delete|erase|remove) [all] [of] my (data|account|details|personal data|information) ...
        """,
        "leave": """
        - i (changed|have changed) my mind [and] i (don't|do not) want to (play|join|take part) [any more|after all]
        - i (don't|do not) want to (play|join|take part) [any more|anymore|after all]
        """,
    }
)
"""Wishes of anybody, by the line that fulfils them: with the words that a row takes over."""

TOLD = phrase_table(
    {
        "password": """
        - i (forgot|have forgotten|lost|have lost|don't know|do not know) my (password|pin) ...
        - (what is|where is) my (password|pin)
        """,
        "opinion": """
        - ... (the|this|your|that) (adjudication|result|results|judge|ruling) (is|was|are|were|looks) (wrong|false|
          incorrect|in error|mistaken|not right) ...
        """,
        "stand-in": """
        - i give <power> to my ...
        - (somebody|someone) else will play for me ...
        - (my brother|my friend|my wife|my husband|a friend|my son|my daughter|somebody|someone|a friend of mine)
          (will|can|could|should|is going to) (play|order|write|take over) [for me|instead of me|instead|my power] ...
        - (could|can) (somebody|someone) (fill in|stand in|step in|cover|substitute|take over|play) for me ...
        """,
        "gamemaster": """
        - who (runs|is|has|does) [the] (gm|gamemaster|game master|moderator|this game|the game)
        - what is the (email|address|e-mail|email address|e-mail address|mail address) of [the] (gm|gamemaster
          |game master|moderator)
        - how do i (reach|contact) [the] (gm|gamemaster|game master|moderator)
        - i (want|need|would like|have) to (talk|speak|write) (to|with) the (gm|gamemaster|game master|moderator) ...
        """,
        "try out": """
        - (can|could|would|will) you [please] (check|tell|say|see|test|try) (whether|if|what happens if) ...
        - what (if|happens if|would happen if) <power> (moves|attacks|goes|builds|holds|retreats|supports) ...
        """,
        "any but one": """
        - anything but <power>
        - (anybody|any power|any|everything) (but|except) <power>
        - i (don't|do not) want to (be|play|have) <power>
        - not <power> please
        """,
        "friend": """
        - (can|may|could) (my|a|another) (friend|friends|brother|sister|colleague|wife|husband) ... (join|play) ...
        """,
        "another game": """
        - (let us|let's) (play|start|have) [another|again|a new|one more] (again|game|one|round) ...
        - another game anyone|anybody
        """,
    }
)
"""Wishes that no line of a mail fulfils by itself, by what is said to them (`answers.py`)."""

_THE = "[the|this|our|my]"
_TURN = "turn | phase | season | moves | result | results | orders | adjudication | game | round"
_ALL = "(all [of] [the] (players|powers) | all of them | all | everybody | everyone | the players)"
_STOP = "(hold|pause|stop|suspend|freeze|halt|interrupt)"

OF_A_GAMEMASTER = phrase_table({
    "press to all: {rest}": f"""
        - (write | announce | say | send [this] | tell | inform | let) [this] [to] {_ALL} [know] (: | , | that)
          <rest:text>
        - (tell|inform) {_ALL} <rest:statement>
        """,
    "set moves {rest}": f"""
        - (move|set|change|shift|put|make) {_THE} (deadline | due date) [be] [to|on|at] (every|each) <rest:part>
        - (deadline|deadlines) (every|each) <rest:clause>
        """,
    "deadline {rest}": f"""
        - [the|this|our] [new] (deadline | due date) (should | shall | must | is to | ought to | will | can) [now] be
          [moved|set|changed] [to|on|at] <rest:clause> <because>
        - (move|set|change|shift|put|make) {_THE} [new] (deadline | due date) [be] (to | on | at | for | back to)
          <rest:clause> <because>
        """,
    "hold {rest}": f"""
        - {_STOP} {_THE} (game | clock | calendar | {_TURN} | deadline | everything) [<rest:until>] <because>
        - {_STOP} {_THE} (game | clock | calendar | {_TURN} | everything)
          [for now | for | for the moment | for a while | over <any> | please]
        """,
    "resume": f"""
        - (unpause | un-pause | restart | continue | resume | go on with | carry on with | unfreeze) {_THE}
          (game|clock) <any>
        - let {_THE} (game|it) (go on | continue | run on | resume) <any>
        """,
    "extend {span}": f"""
        - (extend | prolong | push [back] | postpone | delay | move [back] | put off) {_THE} (deadline | due date |
          {_TURN})
          [back|off] [by|for] <span:span> <because>
        - (let|give|grant|allow) [the] <whom:other> [have|take|get] <span:span> [more|extra] <because>
        - (everybody | everyone | all | the players | all players | they) (has | have | get | gets | may have)
          <span:span>
          <because>
        - (push|move|put|shift|delay|postpone) (everything | it all | all | it | the game) [back|off] [by|for]
          <span:span>
          <because>
        """,
    "assign {power} to {address}": """
        - (replace|substitute|swap) <power:word> (with|by|for) <address:address> <any>
        - <address:address> (takes over | (should | shall | is to | will | may) [now] (play|have|get) | will take over
          | replaces | will replace | takes | gets | plays | will play) <power:word> <any>
        """,
    "deputy {address} {rest}": """
        - (make|name|appoint|use) <address:address> [as|be] [my|the|our] (deputy|co-gm|cogm|assistant) <rest:till>
          <because>
        """,
    "hand over to {address}": f"""
        - (hand|give|pass|turn) [over] {_THE} game [over] to <address:address> <any>
        - <any> hand [over] {_THE} game [over] to <whom:word> <address:address>
        """,
    "end game abandoned": f"""
        - (cancel | abandon | finish | close | end | terminate | call off | abort) {_THE} game <any>
        """,
    "set press none": f"""
        - (turn|switch) (off [the|all] press | [the|all] press off) <any>
        - (set|make|change) {_THE} (press [to|be] | game | it) [a] (gunboat | no press) <any>
        """,
    "set {setting} {rest}": f"""
        - (make|set|change|let) {_THE} <setting:setting> [to|at|be|last|take] <rest:clause> <because>
        """,
    "nudge {power}": """
        - (send|give) [out] [a|another|the] (reminder|nudge|reminders|warning) <any>
        - (send|give) (everybody | everyone | all | them | the others | the players) a (reminder|nudge) <any>
        - (remind|nudge|prod) (everybody | everyone | all | them | the others | the players | the rest) <any>
        - (remind|nudge|prod) <power:word> [please | again | (of|that|about) <any>]
        """,
    "process": f"""
        - (run|process|adjudicate|play|resolve) {_THE} ({_TURN}) {{now please at once early}}
        - (don't | do not) wait for <whom:word> [any (longer|more)]
        """,
    "rollback {rest}": """
        - [<said:before> [please]] (go | roll | turn | set the game) back to <rest:clause>
        """,
    "vacate {power}": """
        - <power:word> needs a (new|another) player
        - (kick|throw|remove|eject|expel) [out] <power:name> [out] [(of|from) (the|this) game]
        - remove <whom:word> from the game (he|she|they) (play|plays) <power:word>
        - <power:word> (never | does not | doesn't | no longer | hasn't)
          (answer|answers|answered|order|orders|ordered|write|writes|written) <any>
        """,
    "orders of {power}": """
        - (show|send|give|tell) [me] [the] orders (of|from|for) <power:name>
        - (show|send|give|tell) [me] <power:name>'s orders
        - (what|which) [orders] (has|did) <power:name> (sent|ordered|order)
        """,
    "end game by agreement": """
        - (make|declare|call) (it | this | the game) a draw <any>
        - (end|finish|close) (it | this | the game | the game here) (as|in|with) a draw <any>
        - [the] game is over <any>
        """,
    "set broadcast_press yes": """
        - (allow | permit | switch on | turn on) (broadcast|broadcasts)
        """,
    "set reminders none": "- (switch|turn) off [the] reminders",
    "set extensions none": "- (switch|turn) off [the] extensions",
    "set recall none": "- (switch|turn) off [the] recall",
    "set nmr hold": "- (switch|turn) off [the] grace",
    "resend": f"""
        - (send|mail|give) [out] {_THE} results (again | once more) [to (everybody|everyone|all)]
        """,
    "start": """
        - ([let us | let's] (begin | start | get going | kick off) | (let us | let's) go) {now the game}
        - (draw|deal|assign) [the] powers [at random | by lot | randomly]
        """,
    "victory {count}": """
        - <count:count> (centres|centers) [are enough to | are needed to] (win|wins)
        """,
    "set access private": "- (make|let) (it | this | the game) [be] [a] private [game]",
    "set access public": "- (make|let) (it | this | the game) [be] [a] public [game]",
    "set access open": "- (make|let) (it | this | the game) [be] [a] open [game]",
    "invite {address}": """
        - invite [my friend] <whom:word> <address:address>
        """,
    "undo": """
        - (undo | revert | take back | cancel | withdraw) (my|the|that) (last|previous|latest)
          [command|act|action|mail|change|one|step|setting|line]
        """,
})  # fmt: skip
"""Wishes of Gamemasters, by the line that fulfils them, which is offered."""

TOLD_THE_GAMEMASTER = phrase_table({
    "gm: result": """
        - <any> (result|results|adjudication|report) <any>
          (wrong | error | mistake | incorrect | should have | should've) <any>
        - <any> (error|mistake) <any> (result|results|adjudication|report) <any>
        """,
    "gm: deputy until": """
        - <address:address> (should be | will be | shall be | is | can be | becomes) [my|the|our] (deputy|assistant)
          <any>
        """,
    "gm: all orders": """
        - (show|send|give) [me] [all [of]] {the all} orders
        """,
    "gm: correct": """
        - (put|place|set) (a|an) (army|fleet) (in|into|at) <any>
        """,
})  # fmt: skip
"""The same for wishes of Gamemasters."""

FOR_A_SUBSTITUTE = Phrases("""
    - i|we (need|want|look for|am looking for|would like) [to have] (a substitute | a stand-in
      | a temporary replacement | somebody to play for me
      | someone to play for me | somebody to cover for me | someone to cover for me) ... ...
    - (find|look for|can you find|can you look for) (a substitute|somebody to cover|someone to cover|a stand-in)
      [for me] ... ...
    """)

TO_TAKE_BACK = Phrases("""
    - i|we (take back|withdraw|cancel|retract) [my|the|our] (proposal|draw proposal|proposal of a draw) ...
    - (withdraw|cancel|retract|take back) [my|the|our] (proposal|draw proposal|proposal of a draw) ...
    """)

TO_LEAVE = Phrases(f"""
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
    """)

TO_BE_AWAY = Phrases("""
    - i|we (am|are|will be|shall be|am going to be|will|have to be) [be] (away | on holiday | on holidays |
      on vacation | on leave | on a trip | travelling | traveling | offline | abroad | out of town | out of
      the office | out of the country | unavailable | not available | in hospital | without internet |
      without mail) ... ...
    - i|we (go|am going|are going|leave|am leaving|will go|will leave)
      (on holiday|on holidays|on vacation|on leave|on a trip|abroad|away) ... ...
    - my|our (holiday|holidays|vacation) (is|are) ... ...
    """)

TO_BE = Phrases("""
    - (may|can|could|might) i [please|also] (be|play|have|get|take) [as|the]
    - i (would like|would love|want|prefer|would prefer|wish|hope) [to] (be|play|have|get|take) [as|the]
    - i (would like|want|would prefer|prefer)
    """)
"""Before the name of a power."""

TO_JOIN = Phrases(
    """
    - i|we (would like|would love|want|wish|hope|like|am ready|am willing) [very much] to (join | join in |
      play | play in | take part | take part in | participate | participate in | enter | get into | sign up
      | sign up for | be in) ...
    - (may|can|could|might) i|we [also|still|please]
      (join|play|take part|participate|enter|sign up|be in|get in) ...
    - (let me|let us) (join|in|play|take part|participate) ...
    - (sign|count|put|add) me (up|in|down|to) ...
    - i am (in|interested|interested in|looking for|interested in playing|interested in joining) ...
    - (is it|would it be) possible to (join|play|take part) ...
    """
    + "\n".join(tongue.joins for tongue in TONGUES)
)

TO_ORDER = Phrases("""
    - [and] (one|two|a|an|another) [more|new|extra|second|additional|further] (army|fleet|armies|fleets) (in|at|for|on)
      ... ... ...
    - [and] (one|two|another) [more|new|extra|further] (in|at|for|on) ... ... ...
    - i|we (would like|want|wish|would love|would prefer|plan|intend|am going|have decided) to
      (build|move|support|convoy|hold|retreat|attack|disband|remove|order|send|march|sail|withdraw) ... ... ...
    - i|we (would like|want|wish|would love|would prefer) (my|our|the|both|all) ... ... ... ...
    """)
"""A wish that may be orders, where it names a place."""

WITHOUT_A_UNIT = Phrases("""
    - (support | attack | help | defend | protect | cover | convoy | swap | exchange | switch | move |
      retreat | invade | conquer) (my|the|our|his|her|your|all|both|everybody|everything|him|her|them|a|two)
      ...
    """)
"""The word of an order, and behind it no unit that does it."""

NEAR = (
    ("later time longer extend extension more", ("extend", "due")),
    ("deadline due long when till", ("due", "deadline")),
    ("vote votes voted voting ballot yes", ("vote", "draw")),
    ("draw ending", ("draw", "end")),
    ("email e-mail mail address", ("my address",)),
    ("reminder reminders remind nagging", ("pause my reminders", "nudge")),
    ("away holiday vacation abroad week here travelling travel", ("away",)),
    ("moves results result happened played last year year's turn's", ("history", "preview")),
    ("bring outcome would", ("what if", "preview")),
    ("charge gm gamemaster moderator master", ("press", "hand over")),
    ("settings setting rules rule allowed grace press anonymous", ("house rules", "set")),
    ("ordered missing late sent", ("status", "nudge")),
    ("order orders ordering", ("orders", "help")),
    ("play replace substitute replacement player instead somebody someone", ("proxy", "leave", "vacate", "assign")),
    ("text html plain format pictures picture", ("my format",)),
    ("map maps board", ("map",)),
    ("position units unit centres centers stand standing strong", ("status", "map")),
    ("pause break stop interrupt weeks", ("propose pause", "hold")),
    ("process run adjudicate ahead go everything in", ("ready", "process")),
    ("tell message letter write inform hurry say talk", ("press", "nudge")),
    ("begin start starting begins", ("status", "start")),
    ("join invite friend people only private", ("invite", "list")),
    ("score points won winner final rating", ("status", "ratings")),
    ("name", ("my name",)),
    ("zone timezone times", ("my zone",)),
)
"""Words, and the commands that have to do with them: what is named to somebody whose mail asks for nothing we know."""
