"""What a sentence in nobody's words but its author's is most likely about: by the ideas in it, not by its wording.

The other tables (`asked.py`, `wished.py`) hold whole sentences; a sentence that is none of them is looked through here
for words that together tell what is wanted: "deadline" and "later" is a wish for more time, however it is put. So
little certainty suffices because nothing is done by it: a question of ours is answered, a line that acts is named or
offered, and its author sends it.

A row: `kind line | words | words | ...`. All groups must be met, each by one of its words, and one behind `!` by none.
`late*` is any word that begins so, `up_to` are words in a row, `<power>`, `<address>`, `<day>` and `<name>` what their
names say, which the line takes over. `kind` is `ask` (one of our questions), `offer` (a line that is offered), or `say`
(a sentence of `answers.py`). The first of the rows with most groups counts. A denial that no group asks for ("I do not
want the extension") means that nothing is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from judge.board.names import gazetteer_of
from judge.game.core.commands import Role
from judge.mail.script.phrases import is_question
from judge.mail.script.phrases.patterns import ADDRESS, with_apostrophes
from judge.mail.vocabulary import Around

_MORE = "later longer more moved move postpone* delay* push* shift* extend* slow* put_off put_back"
_LACKS = "never not no missing lost without lack*"
_OPENS = "see open read load* show* view"

_PLAYERS = f"""
    ask due | until_when till_when until_which till_which by_which | may can must do | orders move change send
    ask due | how_long | till until before | ! game holiday begin* start* extension
    ask due | am are | in_time too_late
    ask due | when how_long by_when until_when | must should have | ready finished done ordered sent
    ask due | time_limit time_left | turn what this
    ask due | when | news report | next will be come
    ask history | what which | were was did happened passed | moves happened spring autumn fall last_turn so_far
        | ! would if my order i error wrong
    ask history | story tale | so_far game give tell
    ask map | picture pic piccie image map | board please pls of_the again
    ask map | how what | board map position | look looks
    ask status | where | unit units fleet fleets army armies | <power> they
    ask status | who which whom | not | ordered sent answered written in_yet
    ask status | how_many | dot dots scs centers centres units armies fleets | <power>
    ask status | how_big how_strong how_large how_well | <power> i we they
    ask orders | did have can | understand understood read | my | orders moves order mail
    ask resend | once_more again another | last latest | letter report results mail
    ask resend | spam junk ate swallowed | report letter results mail
    ask resend | not_become not_became | results report
    ask map | have got is | picture image | position board game map
    ask resend | never not | results report letter | reach* reached
    offer extension | need needs | longer bit_longer | i we a bit this
    offer aye | go_along agree happy | with | draw | ! not would
    offer nay | out_of_the_question over_my_dead_body no_way | draw concession
    say undo | take_that_back take_it_back take_this_back | i can may could let
    offer wait | still | thinking negotiating deciding talking discussing haggling bargaining | i we am
    offer wait | not_so | fast
    offer wait | not_done not_finished not_ready not_so_fast hold_your_horses | i me please yet process run
    offer wait | not | run process* adjudicat* | yet before until now please
    offer ready | done finished ready me_done all_set set | fire_away go_ahead over_to carry_on no_need anytime
        not_change | ! think
    offer ready | not never not_going | change add send | anything_more anything_else any_more anymore again any
        | ! until by before so_far
    offer ready | orders moves | stand fixed definite | my
    offer ready | may can could | process run adjudicate start | me any_time anytime whenever
    offer ready | no_need | wait hang* hurry | ! remind*
    offer extension | get have give | weekend day days | on_top extra more another longer
    offer extension | another extra | hour hours day days week | <day> one two three | ! tomorrow
    offer extension | another extra | hour hours day days week | mercy please can could may have give need possible
    say away | gone off fishing | until till from | <day>
    say leave | leave quit exit | must have_to need want going will | game me_out
    say leave | count | me | out
    say leave | how not_for_me | quit leave resign drop_out | i can do
    say substitute | can could may will | <power> | order orders play send write | for_me instead_of_me
    say appeal | not | right correct true | result results outcome
    say appeal | not never | cut dislodged bounced disbanded destroyed beaten | mistake wrong error false
    say appeal | you judge | mistake error wrong | made did have are | ! address time times mail name
    say gamemaster | boss chief admin administrator organiser organizer in_charge
        | speak talk write complain ask reach | ! attack
    say gamemaster | human person somebody | look check read | let please could can should
    say gamemaster | gm gamemaster moderator | look check help problem question decide
    say undo | wrong | file attachment version mail text | forget ignore ups oops sorry my the
    offer forget me | forgotten erased | i want would me
    say zone | local_time my_time | times time shown
    ask due | when how_soon | go goes run runs process processed continue* results turn move happens next_turn
        | ! start begin join
    ask due | how_many how_much how_long | days hours time longer | have left got | ! game holiday extension*
    ask status | has have did is | turn phase moves season | processed run played over adjudicated done finished
    ask status | how who did has | vote voted votes voting poll | going went vote voted said stands open
    ask status | am is are | still yet | game play playing in alive active eliminated
    ask status | how_am how_are_we how_is how_do | doing going standing stand | i we <power> it
    ask status | who which whose | owns own holds controls occupies has | ! vote turn joined
    ask status | how_many | more players people | need needed missing want wanted | ! votes centres centers
    ask status | has is did | game it | begun started start begin
    ask status | is has | game it | over ended finished won | ! when
    ask status | how_many | extension* | left have remain* used got
    ask status | what which any | draw draws vote votes proposal* proposed
        | proposed open going running there now called
    ask status | what who | score points standing leader ahead winning
    ask status | send show see give get repeat have | position positions standing status situation
    ask status | who which whom anybody anyone | missing late outstanding waiting without
    ask status | which who | no not nobody without | player players seat seats vacant
    ask due | by_when what_time until_when when | need want expect is | orders moves deadline adjudication next
        | ! start begin zone
    ask orders | confirm acknowledge did have | receive* got get arrive* have | my | orders moves mail
    ask my data | what | stored store keep kept know saved | about_me of_me on_me
    ask orders | repeat show see tell send give confirm | my | orders moves order | ! cancel change
    ask map | where send show see get give have resend want | map picture image board
    ask map | {_LACKS} | map picture image | get got receive* come came arrive* see seen missing lost | ! want need
    ask map | bigger larger better big | map picture image board
    ask resend | {_LACKS} | results result report letter letters
        | get got receive* come came arrive* see find lost missing
    ask map | deleted lost mislaid threw | map picture | i my the
    ask resend | deleted lost mislaid threw | report results letter | i my the your
    ask resend | get have see | last | report results letter | again once_more another
    ask resend | send resend mail give again | results report letter_again last_letter | ! gm plain text
    ask history | show see tell | game it | gone went happened so_far
    ask history | see show send give have | orders results moves
        | all every each everybody* so_far past previous old | ! received filed sent_in file
    ask help late | what_if what_happens what_becomes | not no nobody never | send* order* answer* write* come show
    ask help commands | which what all list | commands command orders_can | there can known have is are
    ask help votes | how_many what | votes ayes yes | need* enough required carry carried
    ask rules | is are does what | grace grace_period nmr late_orders holidays reminders anonymous
    ask help orders | what which | orders | possible are_there
    ask help convoy | explain convoy convoys | convoy convoys convoyed | ! order
    ask help support | explain tell_me | support supports supporting
    ask help building | what where how_many | can may could | build builds
    ask help first steps | what who | is are | this you it | ! turn score phase deadline power game plan
    ask version | are | you | robot human machine person program computer real bot
    ask help results | what | mean means meaning | dislodged bounced void cut failed
    ask help press | how | write talk speak mail contact send tell | others all everybody them players other
    ask help late | will am would | late missing removed lose | if when seat out
    ask list | another other more second | game games | play join start would can | ! ask
    say more time | can_not will_not unable cannot wont | deadline time this_week today tonight tomorrow week weekend
        | ! unsubscribe vote
    offer extension | deadline due turn | like want need could can may be move postpone*
        | {_MORE} monday tuesday wednesday thursday friday saturday sunday tomorrow
        | ! every from_now_on time_zone is
    offer extension | make meet reach keep | deadline | not
    offer extension | late | i we | shall will might may going_to be
    offer extension | have get take until_then | until till | tomorrow tonight <day> morning evening weekend
        | ! away holiday
    offer extension | can could possible may | delay* postpone* push* | we you it things back turn
    offer extension | need have get must | until till | <day> morning evening weekend tonight | i we | ! away holiday
    say pace | turn turns deadlines pace | short fast quick quickly hurried | too for
    say pace | slow slower slowly | down game turn turns pace go us
    offer propose pause | pause break stop interrupt rest suspend | we us game everybody all christmas easter summer
        | ! reminder* mail mails letter* html picture* map* send*
    say votes | change alter | vote aye yes ballot
    say several votes | yes aye for agree | no nay not against | draw vote votes proposal concession everything others
    offer nay | withdraw take_back retract cancel revoke | vote aye yes consent agreement
    offer draw | draw | propose offer suggest want would like fine end call agree all how_about could shall
        | ! accept vote against not was close no
    offer draw | end finish stop | game it this | shall should let* could here together | everybody all we us here
        | ! i leave out
    offer draw | call_it_quits call_it_a_day leave_it_at_that | we us let could can shall
    offer draw | who anybody anyone any_takers | for_a_draw a_draw
    offer aye | take accept | draw concession | i we me | ! not never
    offer aye | yes aye | to for | draw concession proposal vote
    offer nay | not never | accept agree want support | draw concession proposal | ! propose call think
    say concession | concede give surrender victory win | win victory concede | somebody someone
    offer concede <power> | concede give surrender let have victory win | concede win victory game | <power>
    offer concede <power> | concede* | <power>
    say leave | take remove strike sign get want | me | out off list game
    say leave | not no no_longer | time interested want going able | this_any_more interested after_all play_any
        game_any_more | i
    say leave | end stop give_up kill cancel | participation my_game my_part me_off
    say leave | rather | not | play
    say leave | had_enough fed_up out quit resign* | i | ! should shall may can could
        of_office of_town for_a of_the_office week
    say substitute | let want need would could can will should find look for_me
        | somebody someone anybody another friend brother sister wife husband son daughter replacement
        substitute stand-in | play order take takes find cover send replace fill | me my
    say substitute | let | play order send | for_me instead my_country my_power my_place
    say substitute | find look get | substitute replacement stand-in successor somebody someone
    say no letters | stop end no_more do_not | send* mail* letter* write writing | me these this us all more
        | ! html text reminder* map* picture*
    offer pause my reminders | not_remind not_need need_not | remind* | me
    offer pause my reminders | stop no no_more do_not end without pause | reminder* remind* nag* nudge*
    offer my address <address> | address write letters mail send reach contact | <address> | my me i
        | ! gm press invite join friend
    offer my address <address> | use take | <address> | instead this from_now_on now
    say address | i we am change changing moving new switch* | provider
    say address | my this i me | address mailbox account e-mail email
        | wrong old closed change* different new moved gone full other
        | ! delete
    say zone | what which | time_zone timezone zone
    say zone | time times clock hours hour | wrong zone live local different sydney london york
        | my your i | ! two three four five several many orders moves sent
    say zone | live | times time zone clock | i
    offer my format spoken | blind read_aloud listen screen_reader spoken aloud reader | i me to is a
    say format | html mail mails letter letters program | awful garbage ugly unreadable broken tiny strange_signs
    offer my format text | plain only simple | text mail mails letters
    say format of maps | attachment* picture* image* map maps | big large not never slow heavy fill* eat eats clog*
        | {_OPENS} big large mailbox inbox small blurred
    ask map | picture map | small tiny blurred unreadable
    offer forget me | data account | deleted erased removed gone | my i
    offer forget me | delete erase forget remove wipe | everything all data account | me my know
    say letters | what has did show see any | wrote write written said send sent press letters
        | <power> me | ! results orders map order
    say appeal | error mistake wrong incorrect bug | result* adjudication report turn judge army fleet
    say appeal | can_not_be not_right wrong | right correct true | support move attack army fleet convoy unit | my the
    say appeal | army fleet unit | should_be should_have must_be ought
    say behaviour | complain* complaint cheat* rude insult* unfair abusive | i me my us is has | ! units
    say gamemaster | <power> player he she they | replace* answer* respond* gone inactive silent vanished
        | not never replaced removed gone silent vanished inactive
    say gamemaster | speak talk ask write contact | human person organiser organizer somebody_real somebody_in_charge
        gamemaster gm
    say gamemaster | pass forward give tell ask send | gm gamemaster moderator
    say press | how | reach contact tell write | everybody everyone all others at_once them
    say press | forward pass send tell write | <power> everybody everyone others all them | ! orders results
    say what if | would will could | attack move support convoy order | work succeed fail | my i that this it
    say what if | what_would what_will what_happens what_if try | if | i my we
    say swap | swap exchange trade switch change | country countries power powers seat seats side nation
    say undo | last mail mails message orders letter | mistake error wrong by_accident
    say undo | wrong | orders moves mail | oh no my the
    say undo | did_not | mean intend want | send that it
    say undo | forget ignore disregard | it that last_mail mail message
    offer ready | no_need do_not_need not_need need_not not_have do_not | wait | me
    offer ready | finished done complete completed | carry_on go_on continue proceed go_ahead on
    offer wait | not_yet wait hold | change think add correct
    offer ready | orders moves | final finished complete done | ! think
    offer ready | go process run | done finished ready | ! not steady
    offer wait | wait hold_on moment minute patience | process* run running me adjudicat* before | ! no not
    offer back | back returned home | holiday* vacation trip again journey travel* | ! through until when will
    say away | no not without | mail internet e-mail orders | between from until till | <day> | i me my us we
    say away | off away gone abroad travel* holiday* vacation | <day> week weeks from until till no_internet days
        | i we us | ! was were back returned
    """

_PERSONS = """
    ask help diplomacy | what | is | this it
    say invitations | stop no_more do_not unsubscribe remove | send* mail* letter* write writing invit* me list
    say invitations | no not | thanks thank interested
    say invitations | not never | ask asked want wanted order ordered signed subscribe subscribed request*
        | this it these mail mails for_this any_of | ! know
    say invitations | leave | me | alone in_peace
    say invitations | no_more stop enough | mail mails email emails e-mails letters messages spam writing
    say invitations | take remove strike delete | me | off list database
    say languages | language languages german french english spanish italian
        | speak understand write read available use | ! army fleet unit press
    say languages | in_german in_french in_spanish in_italian in_english language languages | is do can does could
        | ! army fleet unit press
    offer standby | take_over taking_over replace* step_in fill
        | country power seat game somebody someone abandoned dropped_out whoever quit vacant
    ask help observing | watch observe follow spectate watching look_on look_at | just game only can may first
    ask help first steps | not never | know understand learned | rules play game how
    offer standby | take_over step_in fill_in jump_in | may can could would happy
    offer standby | jump_in step_in fill_in stand_in | happy would could can will if glad ready
    ask list | any some a | game games | join play enter | got have is can could
    ask list | any some | games game | starting soon open free going
    ask list | love like want would | game games | ! set_up start run create host
    ask help reminders | how_often how_much | write time mails turn play
    offer standby | need want do | substitute* replacement* standby* standbys
    ask help first steps | explain show tell | me this how
    ask list | when next | game | start starts begin begins join free
    ask help first steps | who what | is runs are made | this you behind server site here judge
    ask help first steps | cost costs price pay free_of_charge money it_free for_free | what does is do how_much must
    ask help starting | set_up start run create organise organize host | game match table
    ask help joining | how where | join play enter take_part
    ask help first steps | played play | ago before years remember know | here
    ask list | play join game games | would like want can looking interested free
    """

_OBSERVERS = """
    offer unobserve {game} | stop end no_more not no_longer enough | mail mails letter letters this watch* interested
        | any_more anymore enough this about game want like | ! places how play join rules know
    offer unobserve {game} | not stop no | write writing send sending mail mailing | me us | ! how play join rules know
    offer standby {game} | take_over step_in fill_in jump_in | may can could would happy
    offer unobserve {game} | take_me_off leave_me_alone lost_interest
        | off me interest | i me please game list
    offer unobserve {game} | not stop end no_longer no_more | watch* observ* follow* send* letters mails
    offer unobserve {game} | take remove strike | me | off list game from
    offer standby {game} | is any are | place seat power country | free vacant open left
    offer standby {game} | play join take | instead too seat power country
    offer standby {game} | take_over taking_over replace* step_in fill
        | country power seat game somebody someone abandoned dropped_out whoever quit vacant
    ask due | when how_long | move moves turn next deadline due results go
    ask map | see show send get have | map board picture
    ask status | who how | winning ahead leading stands strong* going
    """

_GAMEMASTERS = """
    say gm: correct | army fleet unit units | should must ought belongs stands | be in at not
    say gm: correct | put move set correct place fix shift | army fleet unit units
        | back wrong misplaced should right belongs mistake
    say gm: span | give grant allow let | everybody everyone them all players <power> us
        | days day hours week more longer until till
    say gm: span | day days hours week | more longer extra | everybody everyone all them players <power>
    offer process | do run play process adjudicate | turn phase season it | now at_once right_away immediately
    ask status | is are | anybody anyone somebody someone everybody everyone | out missing late in done there still
    offer resume | start restart begin | clock calendar | again
    offer vacate <power> | not no_longer | want wants wish interested | play playing | <power>
    offer preview | how what | come would look | ran run processed now | it turn they you
    say gm: span | shift move push postpone delay extend | deadline turn | hours days week later day 24h 48h 12h
    offer process | run play process adjudicate resolve do | turn phase it | all everybody everyone complete in ready
        | ! without despite ignore
    offer process | adjudicate process run | let_us go now please | ! without despite not
    ask status | how_are_we how_do_we how_many | orders sets in
    ask status | who anybody anyone everybody everyone | not | sent send ordered written answered
    offer hold | on_ice on_hold | game it everything | put keep set
    offer vacate <power> | quit* resign* leaves left stops drop* | <power> | he she they me game | ! says
    offer vacate <power> | never not | answer* answering reply replies writes respond* | <power>
        | kick throw out remove drop
    offer nudge <power> | kick push poke prod shove nudge | <power> | ! out
    offer nudge | poke kick push prod | late missing slow* everybody everyone those
    say gm: write | say send give write tell | everybody everyone players all | hello greetings regards news
    say gm: again | roll_back roll_it_back go_back step_back one_back | turn phase season please it
    say gm: again | wrong | turn phase results adjudicat* | back again
    offer orders of <power> | see show read look | <power> | wrote sent ordered orders written
    ask status | list show give send see | orders sets | received filed sent_in come
    say gm: deputy | deputy assistant | want make appoint name be let becomes should | ! off end
    offer start | start begin | complete full ready everybody everyone all now
    say gm: deputy | <address> | run runs lead leads manage* stand* | from until till <day>
    say gm: end | nobody no_one | plays playing play | any_more anymore longer shut close end
    say gm: end | shut close wind | down up | it game everything this | ! press
    say gm: hour | from_now_on every each | deadline deadlines turn turns | <day>
    say gm: orders | <power> | orders moves order | enter file phoned told called by_phone for_him for_her for_them
    offer vacate <power> | resigned left quit gone dropped retired resigns vanished away_for_good
        | <power> | ! say says
    offer vacate <power> | player replacement substitute successor somebody | find need* new look get another
        | <power>
    say gm: without | without despite ignore not_wait | <power> him her them orders missing | go process run play
        continue wait on
    say gm: again | redo again repeat rerun replay | turn phase results adjudicat* process
    say gm: correct | put move set correct place fix | army fleet unit units | back should right wrong in to
    say gm: span | deadline | should must will shall can be | <day> evening morning noon
    say gm: span | everybody everyone all they | gets get has have may | until till
    offer vacate <power> | drop remove dismiss sack expel throw kick | <power> | game out seat player
    offer vacate <power> | <power> | died dead ill_for_good gone left | ! orders
    offer process | run play process adjudicate resolve | it now turn | now at_once immediately
    say gm: break | we game everybody | break pause holiday* | until till over from
    offer nudge <power> | ask write remind hurry tell | <power> | orders where late waiting
    offer resume | off_we_go here_we_go go_on | again on game | ! show
    offer rollback | undo take_back | last | turn phase results
    say gm: again | undo back take_back | turn phase results | last previous this
    say gm: end | draw | stop end finish close is | game it
    offer invite <address> | add take invite | <address> | players game list table
    ask status | whose which who | orders sets | out missing outstanding still late in not
    ask status | has have did | everybody everyone all anybody | sent send ordered written order*
    offer preview | can could may show | see look | results result outcome | advance before early first
    offer preview | show see what | would happen | process* now turn
    say gm: press | anonymous grey black white press broadcast*
        | allow forbid permit want change switch make no ban stop end disallow prohibit
    say gm: hour | time hour clock | deadline turn turns moves | change other another later earlier
    offer hand over to <address> | gm gamemaster moderator | <address> | takes take over successor run new
        | ! deputy
    say gm: successor | gm gamemaster moderator | not stop no_longer tired somebody_else another
        | want be run do continue
    offer assign <power> to <address> | play plays take takes get gets have | <address> | <power>
    offer invite <address> | let invite join ask add | <address> | join play in
    say gm: deputy | away holiday* vacation week absent | stand substitute deputy replace who me
    say gm: break | no not stop pause break holiday* | turn turns deadline deadlines game moves | christmas easter
        summer week holiday* weekend over | ! attack stab
    say gm: mild | late missing | not nobody no | anybody anyone nobody make them player players
    ask status | which who how_many | no not without vacant | player players seat country countries power
    ask status | who which | late missing outstanding not
    offer nudge | remind chase prod nudge kick hurry | late missing not players who everybody
    offer undo | undo revert take_back | it that mistake
    offer hold | stop pause halt freeze | clock game everything turn
    offer resume | carry_on go_on continue resume back | game everybody everyone all we
    say gm: end | game | won over close end finish win | <power> somebody
    ask map | see show send get | map board picture
    """

_Row = tuple[str, str, tuple[tuple[str, ...], ...], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Idea:
    """What a sentence is about. `kind`: ask, offer, say; `line`: the line of ours, or the name of what is said
    (`SAID`).
    """

    kind: str
    line: str


_LONGEST, _MOST_WORDS = 200, 24
_FULL = (
    (re.compile(r"\bcan't\b"), "can not"),
    (re.compile(r"\b(could|do|does|did|is|are|was|were|has|have|had|would|should|must|need)n't\b"), r"\1 not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\bcannot\b"), "can not"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"\b(we|you|they)'re\b"), r"\1 are"),
    (re.compile(r"'(?:ve)\b"), " have"),
    (re.compile(r"'(?:ll)\b"), " will"),
    (re.compile(r"'(?:d)\b"), " would"),
    (re.compile(r"\b(what|who|where|when|that|it|this|he|she|there)'s\b"), r"\1 is"),
    (re.compile(r"\blet's\b"), "let us"),
)
_DENIALS = frozenset(("not", "never", "no", "nobody", "none", "without", "neither", "nor"))
_DAYS = frozenset((
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "tomorrow", "january", "february",
    "march", "april", "may", "june", "july", "august", "september", "october", "november", "december", "weekend",
))  # fmt: skip
_MUSES = re.compile(
    r"\b(?:wonder\w*|had|were|told|said|says|thought|used to|silly|glad|hopes?|regards|wanted|asked|yesterday"
    r"|(?:my )?last (?:year|month|week|game)|would have|one day|perhaps|maybe|worry|never said|in my|football)\b"
)
"""What tells of musings: nothing is wanted by "I wonder whether England will accept a draw"."""
_PAST = re.compile(r"(?:what|which) (?:orders |moves )?(?:were|had)\b")
"""Asks for what was played, and muses about nothing."""
_FETCHES = re.compile(
    r"(?:can|could|may) (?:i|we|you) (?:please )?(?:have|get|see|send|show)\b|(?:send|show|give) (?:me|us)\b"
)
"""Asks for something of the past, and muses about nothing: "Can I have the map of last year?"."""
_TOLD_ME = re.compile(r"\b(?:told|wrote to|informed|phoned|said to) me\b")
"""News, and no musing: "Turkey told me that he quits"."""
_CONDITION = re.compile(
    r"\b(?:if|unless)\b(?! (?:some|any|no)(?:one|body)\b| needed| necessary| possible| wanted| i may| i can help"
    r"| you (?:like|wish|want|agree|need)|(?: that| it)? (?:is|would be) (?:ok|okay|fine|all right|allowed|possible))"
)
_OPENING = re.compile(
    r"(?:hi|hello|hey|dear judge|dear gm|judge|please(?: to)?|pls|sorry|oops|ok|okay|well|so|and|but|also|(?:no"
    r"|yes)(?=[,.!])|now|then|thanks"
    r"|excuse me|by the way|btw|besides|one more thing|i am afraid|i think|i believe|it seems"
    r"|unfortunately|sadly|can you tell me|could you tell me"
    r"|do you know)\b[\s,.!:;-]*"
)
_TO_SOMEBODY = re.compile(
    r"(?:dear |(?:a |my )?question (?:to|for) (?:the |our )?)?(?:gm|gamemaster|game master|master|moderator)\s*[:,]",
    re.IGNORECASE,
)
"""What is said to the Gamemaster is not for us."""
_ASKS = re.compile(
    r"(?:who|whom|whose|what|when|where|which|how|is|are|am i|has|have|did|do|does|can (?!not)|could|may|will you|would"
    r"|to (?:see|show|get)|send|show|mail|give|get|repeat|resend|tell me|remind me|once more|once again|another map"
    r"|any(?:body|one)|let me see|(?:i|we) (?:would (?:like|love)|want|need|never|did not|have not|lost|have lost"
    r"|deleted|can not)|(?:your|the|my) (?:last|results?|reports?)"
    r"|(?:a |the )?(?:picture|pic|piccie|map|board) (?:again|now|of|please|pls)"
    r"|until|till|by when|please confirm|confirm|explain|love|any)\b"
)
_WORD = re.compile(r"<\w+>|[\w-]+")


def idea_in(sentence: str, around: Around) -> Idea | None:
    """What a sentence is about; None for one that wants nothing of us, or nothing that we know.

    >>> from datetime import UTC, datetime
    >>> here = Around(datetime(1901, 3, 1, tzinfo=UTC), UTC, game="baltic", role=Role.PLAYER)
    >>> idea_in("I'd like the deadline to be later", here)
    Idea(kind='offer', line='extension')
    >>> idea_in("The deadline was later than I thought", here) is None
    True
    """
    if len(sentence) > _LONGEST:
        return None
    text = _plain(sentence)
    asks = is_question(sentence)
    if not text or _TO_SOMEBODY.match(text):
        return None
    if _MUSES.search(_TOLD_ME.sub("", text)) and not (_PAST.match(text) or _FETCHES.match(text)):
        return None
    if _CONDITION.search(text) and not (asks or text.startswith(("what", "show"))):
        return None
    named = _named(sentence, text, around)
    words = [*_WORD.findall(text), *(f"<{name}>" for name in named)]
    if len(words) > _MOST_WORDS:
        return None
    denied = _DENIALS.intersection(words)
    asks = asks or _ASKS.match(text) is not None
    rows = (row for row in _rows_for(around) if asks or row[0] != "ask")
    met = [(len(row[2]), row) for row in rows if _is_met(row, words, text, denied)]
    if not met:
        return None
    _, (kind, line, _, _) = max(met, key=lambda one: one[0])
    if kind == "say":
        return Idea(kind, line)
    for name, value in named.items():
        line = line.replace(f"<{name}>", value)
    return Idea(kind, line.replace("{game}", around.game).strip())


def _plain(sentence: str) -> str:
    text = " ".join(with_apostrophes(sentence.replace("’", "'")).lower().split()).strip(' .!?,;:"()*_-')
    for short, whole in _FULL:
        text = short.sub(whole, text)
    while (match := _OPENING.match(text)) and match.end() < len(text) and not text.startswith(("no ", "not ")):
        text = text[match.end() :]
    return text


def _rows_for(around: Around) -> tuple[_Row, ...]:
    """The rows for somebody; what players ask about a game, everybody asks who has one before them."""
    if around.role is Role.PLAYER:
        return _rows(_PLAYERS)
    if around.role is Role.STRANGER and not around.game:
        return _rows(_PERSONS)
    asked = tuple(row for row in _rows(_PLAYERS) if row[0] == "ask" and row[1] not in _OWN)
    return (*_rows(_GAMEMASTERS), *asked) if around.role is Role.GM else (*_rows(_OBSERVERS), *_rows(_PERSONS), *asked)


_OWN = ("orders", "my data")
"""Questions about what is a player's own."""


@lru_cache(maxsize=8)
def _rows(table: str) -> tuple[_Row, ...]:
    """The rows of a table; a row goes on where a line does not begin with a kind."""
    joined = re.sub(r"\n\s+(?=\S)(?!(?:ask|offer|say) )", " ", table.strip())
    return tuple(_row(line.strip()) for line in joined.split("\n"))


def _row(line: str) -> _Row:
    what, *groups = (part.strip() for part in line.split(" | "))
    kind, _, said = what.partition(" ")
    without = frozenset(word for one in groups if one.startswith("!") for word in one[1:].split())
    return kind, said, tuple(tuple(one.split()) for one in groups if not one.startswith("!")), without


def _is_met(row: _Row, words: list[str], text: str, denied: frozenset[str]) -> bool:
    """Whether a sentence has a word of each group of a row, none that it excludes, and no denial but one of those."""
    _, _, groups, without = row
    if not all(any(_has(one, words, text) for one in group) for group in groups):
        return False
    if any(_has(one, words, text) for one in without):
        return False
    return not denied or not denied.isdisjoint(word for group in groups for one in group for word in one.split("_"))


def _has(one: str, words: list[str], text: str) -> bool:
    if one.endswith("*"):
        return any(word.startswith(one[:-1]) for word in words)
    if one == "<day>":
        return not _DAYS.isdisjoint(words) or any(word.isdecimal() for word in words)
    if "_" in one:
        return f" {one.replace('_', ' ')} " in f" {text.replace(',', '')} "
    return one in words


def _named(sentence: str, text: str, around: Around) -> dict[str, str]:
    """The power and the address that a sentence names, as they are written in a line."""
    found = {}
    if address := ADDRESS.search(sentence):
        found["address"] = address[0]
    if (powers := list(_powers(text, around))) and len(set(powers)) == 1:
        found["power"] = powers[0]
    return found


def _powers(text: str, around: Around) -> Iterator[str]:
    if around.board is None:
        return
    names = gazetteer_of(around.board)
    for word in re.findall(r"[^\W\d_]{4,}", text):
        keys = names.power(word) or names.power(word.removesuffix("s"))
        if len(keys) == 1 and keys[0] not in around.powers:
            yield names.board.powers[keys[0]].name
