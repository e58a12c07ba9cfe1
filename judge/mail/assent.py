"""Reads "yes" and "no" in replies to our questions.

A yes must be beyond doubt: it is the first line that the author typed (a greeting does not count), as a whole one of
the phrases below, or exactly the subject. Thanks may stand beside it. Anything else is neither: a phrase that only
contains "yes" or "right", a yes and a no together, a reply whose text cannot be read, whatever bears a machine's mark,
and a yes beside which its author denies, disowns or asks, or a machine speaks: in the text, in its HTML version or in
the subject. One reader serves every question of ours.

What people write for yes and for no stands here as whole lines: lower case, without punctuation, in the languages of
players. Punctuation is no part of a phrase; apostrophes fall away: "that's me" is "thats me".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from enum import StrEnum

from judge.mail.envelope.model import Envelope
from judge.mail.envelope.reader import topic_of

AGREES = frozenset(
    {
        # English
        "yes", "yep", "yeah", "yes please", "yes indeed", "yes of course", "of course", "ok", "okay", "o k", "sure",
        "confirm", "confirm please", "confirmed", "i confirm", "agree", "agreed", "i agree", "i accept", "correct",
        "go ahead", "please go ahead", "please do", "do it", "do so", "please do so", "yes i do", "yes i confirm",
        "yes go ahead",
        # German
        "ja", "jawohl", "ja bitte", "jo", "einverstanden", "in ordnung", "ja einverstanden", "ich bin einverstanden",
        # French
        "oui", "daccord", "oui daccord", "je suis daccord", "oui je suis daccord", "jaccepte", "oui jaccepte",
        # Spanish, Portuguese
        "sí", "si", "claro", "de acuerdo", "vale", "sim", "estoy de acuerdo", "acepto", "sí de acuerdo",
        # Italian
        "va bene", "daccordo", "sì", "sono daccordo", "sì sono daccordo", "accetto", "sì accetto", "sì daccordo",
        # Dutch
        "akkoord", "ja akkoord", "ik ga akkoord", "ja ik ga akkoord", "ik ben het eens", "ik ben het ermee eens",
        # Scandinavian languages, Finnish
        "kyllä", "joo",
        # Polish, Czech, Hungarian, Turkish, Russian
        "ano", "igen", "evet", "да", "согласен", "согласна",
    }
)  # fmt: skip
"""Whole lines that agree to what was asked, in lower case, without punctuation; not Polish "tak", which is Danish for
thanks."""

YES = AGREES | frozenset(
    {
        # English
        "i confirm it", "i confirm this", "i confirm that", "please confirm it", "confirm it", "confirm this",
        "confirm that", "confirm address", "confirm my address", "that is correct", "thats correct",
        "that is right", "thats right", "it was me", "that was me", "this was me", "it is me", "its me", "it was i",
        "that was i", "i did", "i did it", "i sent it", "i sent this", "i sent that", "i did send it",
        "i did send this", "i did send that", "i wrote it", "i wrote this", "i wrote that", "it is mine", "its mine",
        "that is mine", "thats mine", "it was mine", "this is mine", "thats me", "that is me", "this is me",
        "yes thats me", "yes that is me", "yes its me", "yes it is me", "yes this is me", "it really is me",
        "mine", "yes it was me", "yes that was me",
        "yes it was", "yes it is", "yes i did", "yes that is right",
        # German
        "bestätige", "bestätigt", "ich bestätige", "ich bestätige das", "hiermit bestätigt", "stimmt", "das stimmt",
        "ja das stimmt", "richtig", "das ist richtig", "das war ich", "ja das war ich", "das bin ich", "ich war es",
        "ich wars", "ja ich war es", "die ist von mir", "das ist von mir",
        # French
        "oui cest moi", "oui cetait moi", "cest moi", "cetait moi", "cest bien moi", "je confirme", "oui je confirme",
        "confirme", "confirmé", "cest correct",
        # Spanish, Portuguese
        "confirmo", "confirmado", "fui yo", "sí fui yo", "soy yo", "fui eu", "sim fui eu", "sou eu", "está certo",
        # Italian
        "confermo", "confermato", "sono stato io", "sono stata io", "sì sono stato io", "sì sono stata io", "sono io",
        # Dutch
        "bevestig", "bevestigd", "ik bevestig", "dat was ik", "ja dat was ik", "dat klopt", "klopt",
        # Scandinavian languages, Finnish
        "jag bekräftar", "bekräftar", "bekräftat", "det var jag", "ja det var jag", "bekreft", "bekrefter",
        "jeg bekrefter", "bekræft", "bekræfter", "jeg bekræfter", "det var meg", "ja det var meg", "det var mig",
        "ja det var mig", "vahvistan", "se olin minä", "kyllä se olin minä",
        # Polish, Czech, Hungarian, Turkish, Russian
        "tak to ja", "potwierdzam", "to ja", "to byłem ja", "to byłam ja", "potvrzuji", "to jsem byl já", "megerősítem",
        "én voltam", "onaylıyorum", "bendim", "подтверждаю", "это я", "это был я", "это была я", "да это я",
    }
)  # fmt: skip
"""Whole lines that say yes, those about who wrote a mail among them."""

REFUSES = frozenset(
    {
        # English
        "no", "nope", "nay", "no way", "no no", "reject", "rejected", "i reject it", "refuse", "refused", "i refuse",
        "do not", "dont", "do not do it", "dont do it", "please dont", "please do not", "never", "i do not agree",
        "i dont agree", "i disagree", "disagree",
        # German
        "nein", "nein danke", "nö", "abgelehnt", "ich lehne ab", "nicht einverstanden", "ich bin nicht einverstanden",
        # French
        "non", "non merci", "je refuse", "pas daccord", "je ne suis pas daccord", "non je ne suis pas daccord",
        # Spanish, Portuguese
        "não", "nao", "no gracias", "no estoy de acuerdo", "no acepto", "rechazo",
        # Italian
        "rifiuto", "no grazie", "non sono daccordo", "no non sono daccordo", "non accetto",
        # Dutch
        "nee", "nee bedankt", "niet akkoord", "ik ga niet akkoord", "ik ben het er niet mee eens",
        # Scandinavian languages, Finnish
        "nej", "nei", "en", "ei",
        # Polish, Czech, Hungarian, Turkish, Russian
        "nie", "ne", "nem", "hayır", "нет",
    }
)  # fmt: skip
"""Whole lines that refuse what was asked."""

NO = REFUSES | frozenset(
    {
        # English
        "not me", "not mine", "not from me", "not by me", "it was not me", "it wasnt me", "that was not me",
        "that wasnt me", "this was not me", "this wasnt me", "it is not me", "it isnt me", "its not me", "it was not i",
        "it is not mine", "its not mine", "that is not mine", "thats not mine", "this is not mine", "it was not mine",
        "that was not mine", "i did not", "i didnt", "i did not do that", "i did not do this", "i did not do it",
        "i did not send it", "i did not send this", "i did not send that", "i didnt send it", "i didnt send this",
        "i didnt send that", "i did not send this mail", "i did not send that mail", "i didnt send this mail",
        "i didnt send that mail", "i never sent it", "i never sent this", "i never sent that", "i never sent this mail",
        "i never sent that mail", "i did not write it", "i did not write this", "i did not write that",
        "i did not write this mail", "i did not write that mail", "i didnt write it", "i didnt write this",
        "i didnt write that", "i never wrote this", "i never wrote that", "i have not sent this",
        "i have not sent that", "i have not written this", "i have not written that", "no it was not me",
        "no it wasnt me", "no that was not me", "no that wasnt me", "no not me", "no i did not", "no i didnt",
        "no i did not send that", "no i did not send this", "no i did not send it", "no i did not write that",
        "no i did not write this", "no i did not write it", "this is a fake", "that is a fake", "it is a fake",
        "its a fake", "fake", "this is a forgery", "that is a forgery", "it is a forgery", "forgery", "forged",
        "this is forged", "this mail is forged", "this mail is a fake", "deny", "denied", "i deny", "i deny it",
        "cancel", "cancel it", "cancel that", "please cancel", "i did not mean it", "i did not mean that",
        "not confirmed", "do not confirm", "i do not confirm", "i dont confirm", "ignore it", "ignore this",
        "ignore that", "please ignore it", "please ignore this", "please ignore that", "ignore that mail",
        "please ignore that mail", "ignore this mail", "please ignore this mail", "drop it", "please drop it",
        "discard it", "please discard it", "delete it", "please delete it",
        # German
        "nicht ich", "nicht von mir", "das war ich nicht", "ich war es nicht", "ich wars nicht",
        "nein das war ich nicht", "das bin ich nicht", "das ist nicht von mir", "die ist nicht von mir",
        "das habe ich nicht geschickt", "das habe ich nicht geschrieben", "das ist eine fälschung", "fälschung",
        # French
        "pas moi", "ce nest pas moi", "ce nétait pas moi", "non ce nest pas moi", "non ce nétait pas moi",
        "cest un faux", "je nai pas envoyé cela", "je nai pas écrit cela",
        # Spanish, Portuguese
        "no fui yo", "no soy yo", "no he sido yo", "yo no fui", "no lo envié", "no lo he enviado", "es falso",
        "não fui eu", "nao fui eu", "não sou eu",
        # Italian
        "non sono io", "non sono stato io", "non sono stata io", "no non sono stato io", "no non sono stata io",
        "è un falso",
        # Dutch
        "ik niet", "ik was het niet", "dat was ik niet", "nee dat was ik niet", "niet van mij",
        # Scandinavian languages, Finnish
        "inte jag", "det var inte jag", "nej det var inte jag", "ikke meg", "ikke mig", "det var ikke meg",
        "det var ikke mig", "nei det var ikke meg", "nej det var ikke mig", "en minä", "se en ollut minä",
        # Polish, Czech, Hungarian, Turkish, Russian
        "to nie ja", "to nie byłem ja", "to nie byłam ja", "to jsem nebyl já", "nem én voltam", "ben değildim", "не я",
        "это не я", "это был не я", "это была не я", "нет это не я",
    }
)  # fmt: skip
"""Whole lines that say no, those about who wrote a mail among them."""

FOR = AGREES | frozenset(
    {
        "aye", "yea", "ay", "aye aye", "i vote yes", "i vote aye", "i vote for it", "i vote in favour",
        "i vote in favor", "my vote is yes", "my vote is aye", "in favour", "in favor", "i am in favour",
        "i am in favor", "im in favour", "im in favor", "i am for it", "im for it", "for it", "i am for the draw",
        "i agree with it", "i agree with that", "i agree to it", "i agree to that", "i agree with the draw",
        "i agree to the draw", "i agree to a draw", "yes to the draw", "yes i agree", "yes agreed", "yes for the draw",
        "yes i am in favour", "yes i vote for it", "fine", "fine with me", "fine by me", "thats fine", "that is fine",
        "fine for me", "ok with me", "okay with me", "ok by me", "ok for me", "yes ok", "yes okay", "ok yes",
        "ich stimme zu", "ja ich stimme zu", "ich bin dafür", "ja ich bin dafür", "dafür", "ich stimme mit ja",
        "ich stimme dafür", "je suis pour", "oui je suis pour", "pour", "je vote pour", "je vote oui", "estoy a favor",
        "sí estoy a favor", "a favor", "voto a favor", "voto sí", "voto que sí", "sono a favore", "a favore",
        "voto a favore", "voto sì", "voor", "ik ben voor", "ik stem voor", "ja graag", "dla mnie tak",
    }
)  # fmt: skip
"""Whole lines that are an aye in answer to the call of a vote."""

AGAINST = REFUSES | frozenset(
    {
        "no thanks", "no thank you", "no sorry", "sorry no", "i vote no", "i vote nay", "i vote against it", "against",
        "against it", "i am against it", "im against it", "i am against", "im against", "my vote is no",
        "my vote is nay", "i am not for it", "im not for it", "no i disagree", "no i do not agree", "no i dont agree",
        "no draw", "not yet", "no not yet", "ich bin dagegen", "nein ich bin dagegen", "dagegen", "ich stimme nicht zu",
        "ich stimme mit nein", "ich stimme dagegen", "nein noch nicht", "noch nicht", "je suis contre",
        "non je suis contre", "contre", "je vote contre", "je vote non", "pas encore", "en contra", "estoy en contra",
        "voto en contra", "voto no", "todavía no", "contro", "sono contro", "voto contro", "non ancora", "tegen",
        "ik ben tegen", "ik stem tegen", "nog niet",
    }
)  # fmt: skip
"""Whole lines that are a nay in answer to the call of a vote; that one did not write something is none."""

UNDO = frozenset(
    {
        "undo", "undo it", "undo this", "undo that", "please undo", "please undo it", "please undo this",
        "please undo that", "undo please", "undo the change", "please undo the change", "revert", "revert it",
        "revert this", "revert that", "please revert", "please revert it", "take it back", "take that back",
        "please take it back", "please take that back", "restore", "restore it", "restore my address",
    }
)  # fmt: skip
"""Whole lines that take a change back."""

BESIDE = frozenset(
    {
        "thanks", "thank you", "many thanks", "thanks a lot", "thank you very much", "thx", "cheers", "please", "pls",
        "best", "regards", "best regards", "kind regards", "best wishes", "sorry", "judge", "dear judge", "bye",
        "danke", "vielen dank", "bitte", "gruß", "grüße", "viele grüße", "schöne grüße", "mfg", "merci",
        "sil vous plaît", "svp", "gracias", "muchas gracias", "por favor", "obrigado", "obrigada", "grazie",
        "per favore", "dank je", "bedankt", "tack", "takk", "tak skal du have", "kiitos", "dzięki", "dziękuję",
        "děkuji", "köszönöm", "teşekkürler", "спасибо", "пожалуйста",
    }
)  # fmt: skip
"""What may stand beside a yes or a no without changing it."""

GREETING = re.compile(
    r"(?:hi|hello|hey|hiya|dear|greetings|good (?:morning|day|afternoon|evening)|hallo|guten (?:tag|morgen|abend)|moin"
    r"|servus|liebe[rs]?|sehr geehrte[rs]?|bonjour|bonsoir|salut|cher|chère|hola|buenos días|buenas tardes|olá|bom dia"
    r"|ciao|buongiorno|buonasera|salve|beste|geachte|goedendag|hej|hei|moi|terve|cześć|dzień dobry|ahoj|dobrý den"
    r"|szia|üdv|merhaba|привет|здравствуйте|добрый день)(?: [\w.'-]+){0,4}",
    re.IGNORECASE,
)

NEGATION = frozenset(
    (
        *("no", "not", "never", "nope", "cannot", "cant", "nothing", "nobody", "none", "nowhere", "neither", "without"),
        *("nicht", "nichts", "nein", "kein", "keine", "keinen", "nie", "niemals", "niemand", "nö"),
        *("non", "pas", "jamais", "ne", "rien", "aucun", "aucune"),
        *("nunca", "nada", "nadie", "ningún", "ninguno", "tampoco", "jamás", "não", "nao", "ninguém"),
        *("mai", "niente", "nulla", "nessuno", "niet", "niets", "nee", "geen", "nooit", "niemand"),
        *("inte", "ingenting", "inget", "ingen", "aldrig", "nej", "ikke", "nei", "intet", "aldri", "ei", "nem"),
        *("nic", "nikt", "nigdy", "nikdy", "nem", "soha", "semmi", "hayır", "değil", "hiç"),
        *("не", "нет", "ни", "ничего", "никто", "никогда"),
    )
)
"""Words with which somebody says that something is not so: none of them stands beside a plain yes."""

DENIES_NOTHING = re.compile(
    r"\b(?:never|not|nie|noch nie|jamais|nunca|mai)(?: ever| yet| really)? (?:played|done|tried|been|used|gespielt|joué"
    r"|jugado|giocato)\b|\bno (?:experience|problem|worries|hurry|rush|trouble)\b|\bnot (?:very |so |really |that )?"
    r"(?:good|experienced|skilled|my first|bad)\b|\bkeine? (?:erfahrung|problem|eile)\b|\bpas de (?:problème|souci)\b",
    re.IGNORECASE,
)
"""Negations of which none takes anything back: somebody is new to it, or in no hurry."""

_DISOWNS = (
    r"but|however|wait|hang on|hold on|wrong|mistake|error|spam|scam|phish\w*|fraud|hack\w*|stolen|abuse|unsubscribe"
    r"|fake\w*|forge\w*|(?:some(?:body|one)|person) else|another person|strange"
    r"|aber|moment|falsch\w*|fehler|irrtum|versehen|gefälscht\w*|fälschung|betrug|jemand and\w+|ander\w+ person"
    r"|mais|faux|erreur|quelquun dautre|autre personne"
    r"|pero|falso|error|equivoca\w*|engaño|otra persona|otro|mas|engano|errado|outra pessoa"
    r"|ma|però|falso|errore|sbagliat\w*|qualcun altro|altra persona"
    r"|maar|vals|fout|vergissing|iemand anders|men|falsk\w*|fel|feil|fejl|någon annan|noen andre|en anden|joku muu"
    r"|ale|fałszyw\w*|błąd|ktoś inny|но|ошибка|подделка|кто-то другой|другой человек"
)
DISOWNS = re.compile(rf"\b(?:{_DISOWNS})\b", re.IGNORECASE)
"""Words with which somebody takes back what they said, or says that somebody else wrote. Apostrophes are left out."""

TURNS = re.compile(
    r"^\W*(?:(?:and|oh|well|sorry|hm{1,5}|er{1,3}m?|no|ok|please)\W{1,3}){0,3}"
    r"(?:but|if|unless|provided|only if|only when|as long as|on condition|assuming|wait|scratch that|actually"
    r"|on second thoughts?|i take (?:it|that|this) back|aber|wenn|falls|doch|mais|sauf|pero|ma|maar|als"
    r"|(?:ignore|disregard|forget|cancel|withdraw|drop)"
    r" (?:it|that|(?:my|the|this) (?:last )?(?:vote|ballot|aye|nay)))\b",
    re.IGNORECASE,
)
"""How a line begins that turns what was said above it, or hangs it on something."""

_ASKS = (
    r"who|what|why|how|which|where|when|whose|do you|did you|is this|is that|are you"
    r"|wer|was|warum|wieso|weshalb|wie|wann|woher|welche\w*|qui|que|quoi|quest|pourquoi|comment|quand|quel\w*"
    r"|quién|qué|por qué|cómo|cuándo|cuál|quem|o que|porque|como|chi|che|cosa|perché|come|quando|quale"
    r"|wat|waarom|hoe|wanneer|welke|vem|vad|varför|hur|hvem|hva|hvad|hvorfor|hvordan|kuka|mikä|mitä|miksi"
    r"|kto|co|dlaczego|jak|кто|что|почему|как"
)
ASKS = re.compile(rf"[?？\u037e¿]|^\W*(?:and |und |et |y |e |en |och |og |i |и )?(?:{_ASKS})\b", re.IGNORECASE)
"""Lines that ask."""

MACHINE_SAYS = re.compile(
    # a number under which something is kept
    r"#\s?\d{3,}|\b(?:ticket|case|request|incident|reference|enquiry|inquiry|vorgang\w*|anfrage|fall|demande|dossier"
    r"|solicitud|caso|pedido|richiesta|pratica|aanvraag|zaak|ärende\w*|sag|sak|zgłoszenie|заявк\w*)\b.{0,30}\d{3,}"
    # something was received, and will be dealt with
    r"|\b(?:has|have|was|were|is|are) (?:been )?(?:duly )?(?:received|processed|registered|forwarded|logged)\b"
    r"|\bwe (?:have |will |aim |shall |try |usually |do )?(?:to )?(?:receive|got|get back|answer|reply|respond|contact)"
    r"|\bthank you for (?:your|contacting|writing|getting)|\bworking days?\b|\bbusiness days?\b|\bopening hours\b"
    r"|\bautomat\w+ (?:message|reply|response|mail|e-mail|generated|erzeugt\w*|erstellt\w*|antwort\w*|nachricht\w*)"
    r"|\bautogenerated|\b(?:do|please) not (?:reply|respond)|out of (?:the )?office|\bon (?:holiday|vacation|leave)\b"
    r"|\bautomatis\w+|\bautomati[cq]\w*|\bautomátic\w*|\bавтоматическ\w+"
    r"|\b(?:nachricht|anfrage|e-?mail|mail|anliegen)\b.{0,20}\b(?:erhalten|eingegangen)|vielen dank für ihre"
    r"|\bim urlaub\b|\babwesend|nicht im büro|\bwerktag\w*|\bbearbeitet"
    r"|\bbien reçu|a (?:bien )?été reçue?|avons reçu|merci de votre|\ben congés?\b|\bde vacaciones\b|jours ouvr"
    r"|hemos recibido|ha sido recibid|gracias por su|recebemos|foi recebid|días hábiles"
    r"|abbiamo ricevuto|è stat[oa] ricevut|grazie per (?:la sua|averci)|\bin ferie\b"
    r"|hebben uw|is ontvangen|in behandeling|wordt behandeld|bedankt voor uw|met vakantie"
    r"|har mottagit|har modtaget|har mottatt|tack för ditt|tak for din|takk for din|på semester|på ferie"
    r"|otrzymaliśmy|zostało przyjęte|na urlopie|получили ваше|ваше (?:письмо|сообщение|обращение)|в отпуске",
    re.IGNORECASE,
)
"""What answering programs of all kinds write: that something has come in, under which number, who is away."""

PLAIN = frozenset(
    ("yes", "yes please", "no", "no thanks", "no thank you", "i agree", "i disagree", "i do not agree", "i don't agree")
)
"""Whole lines that are a vote where no call of one is answered; here an apostrophe stays."""

HALF = re.compile(r"(?:yes|no|ok|okay|i (?:dis)?agree|i do not agree|i don['’]t agree)\b", re.IGNORECASE)
"""How a line begins that is more than a yes or a no."""


class Word(StrEnum):
    """What a reply says to the question."""

    YES = "yes"
    NO = "no"


_UNREADABLE = frozenset({"encrypted", "signed-opaque", "winmail-dat", "text-from-attachment", "text-cut", "html-cut"})
"""Defects of a reply whose author may have written something that we do not see."""

_MARKS = re.compile(r"[.,;:!()\[\]{}\"“”„«»*_~/\\|…–—-]+")
_LONGEST = 100


def word_of(line: str) -> Word | None:
    """What a line says as a whole; None if it is neither a yes nor a no, or both.

    >>> [word_of(text) for text in ("Yes, that was me. Thanks!", "No, I didn't send that!", "ok")]
    [<Word.YES: 'yes'>, <Word.NO: 'no'>, <Word.YES: 'yes'>]
    >>> [word_of(text) for text in ("Das war ich nicht, ok?", "This is to confirm receipt", "right back on Monday")]
    [None, None, None]
    """
    found = _clauses(line)
    said = {Word.YES for clause in found if clause in YES} | {Word.NO for clause in found if clause in NO}
    plain = all(clause in YES or clause in NO or clause in BESIDE for clause in found)
    return said.pop() if plain and len(said) == 1 else None


def voice_of(line: str) -> Word | None:
    """What a line says, as a whole, to the call of a vote; None if it is neither an aye nor a nay.

    >>> [voice_of(text) for text in ("Aye please", "I agree!", "No, thank you.", "I did not send this", "Yes?")]
    [<Word.YES: 'yes'>, <Word.YES: 'yes'>, <Word.NO: 'no'>, None, None]
    """
    if len(line) > _LONGEST:
        return None
    found = [_bare(clause) for clause in _clauses(line, _VOICES)]
    said = {Word.YES for one in found if one in FOR} | {Word.NO for one in found if one in AGAINST}
    plain = all(one in FOR or one in AGAINST or one in BESIDE for one in found)
    return said.pop() if plain and len(said) == 1 else None


def is_plain_voice(line: str) -> bool:
    """Whether a line is an aye or a nay though no call of a vote is answered; "ok" and "sure" may be about anything."""
    return " ".join(line.lower().replace(",", " ").rstrip(" .!").split()) in PLAIN


def begins_as_voice(line: str) -> bool:
    """Whether a line begins with a yes or a no, and says more: "Yes, if Germany does"."""
    return HALF.match(line) is not None


_VOICES = FOR | AGAINST
_POLITE_END = re.compile(r" (?:please|pls|thanks|thank you|thx|bitte|danke|merci|grazie|gracias)$")


def _bare(clause: str) -> str:
    """A clause without "please" or the like at its end, if what is left is an aye or a nay ("aye please"); else
    unchanged.
    """
    bare = _POLITE_END.sub("", clause)
    return bare if clause not in _VOICES and bare in _VOICES else clause


def is_undo(text: str) -> bool:
    """Whether the first line of a text, as a whole, takes a change back ("undo")."""
    found = _clauses(_first(text.split("\n")))
    return any(clause in UNDO for clause in found) and all(clause in UNDO or clause in BESIDE for clause in found)


def answer_of(envelope: Envelope, asked: Collection[str] = ()) -> Word | None:
    """What a reply says to the question of the letter that it answers; None if it is neither a yes nor a no. `asked`:
    the subjects of our letters about it, which are no words of its author.
    """
    if envelope.noise.is_noise or envelope.unsafe:
        return None
    typed = [line.text for line in envelope.own_lines]
    subject = own_topic(envelope, asked)
    body, headed = _said(typed), _as_whole(subject)
    if {body, headed} >= {Word.YES, Word.NO}:
        return None
    said = body or headed
    hidden = hides(envelope) or (not any(map(str.strip, typed)) and envelope.attachments)
    if said is Word.YES and (hidden or is_unsaid(envelope, asked)):
        return None
    return said


def own_topic(envelope: Envelope, asked: Collection[str] = ()) -> str:
    """The subject as far as it is its author's own; "" for that of a letter of ours."""
    ours = {"".join(topic_of(subject).split()) for subject in asked}
    return "" if "".join(envelope.topic.split()) in ours else envelope.topic


def is_unsaid(envelope: Envelope, asked: Collection[str] = (), *, beside: Collection[int] = ()) -> bool:
    """Whether something in a mail takes the certainty from a yes in it. `beside`: the numbers of lines that ask for
    something else, and so say nothing of the question.
    """
    typed = (line.text for line in envelope.own_lines if line.number not in beside)
    said = (*typed, *envelope.only_in_html, own_topic(envelope, asked))
    return any(_unsays(line) for line in said if _as_whole(line) is None)


def _unsays(line: str) -> bool:
    """Whether a line beside a yes takes the certainty from it: it denies, disowns or asks, or a machine wrote it."""
    text = _in_full(line)
    denies = not NEGATION.isdisjoint(re.findall(r"\w+", DENIES_NOTHING.sub(" ", text)))
    return denies or any(sign.search(text) for sign in (DISOWNS, ASKS, MACHINE_SAYS))


def _in_full(line: str) -> str:
    """A line in lower case without apostrophes, "don't" as "do not"."""
    return line.casefold().replace("’", "'").replace("n't", " not").replace("'", "")


def takes_back(line: str) -> bool:
    """Whether a line below an aye or a nay makes it none: it disowns it, takes it back, hangs it on a condition, or a
    machine wrote it. Other words below a vote, denials among them, are about something else.
    """
    text = _in_full(line)
    return any(sign.search(text) for sign in (DISOWNS, MACHINE_SAYS, TURNS)) or word_of(line) is Word.NO


def hides(envelope: Envelope) -> bool:
    """Whether the mail may hold text that could not be read."""
    return bool(_UNREADABLE & set(envelope.defects))


def typed_below(envelope: Envelope) -> bool:
    """Whether the author typed anything else than the yes or no, greetings and thanks."""
    typed = [line.text for line in envelope.own_lines]
    return any(text.strip() and _as_whole(text) is None and not _beside(text) for text in typed)


def _said(typed: list[str]) -> Word | None:
    """What the lines say: the first one decides, unless a later one says the opposite."""
    first = _as_whole(_first(typed))
    later = {_as_whole(text) for text in typed}
    return first if first is None or not {Word.YES, Word.NO} <= later else None


def _first(typed: Iterable[str]) -> str:
    return next((text for text in typed if text.strip() and not greets(text)), "")


def _as_whole(line: str) -> Word | None:
    return word_of(line) if len(line) <= _LONGEST else None


_WORDS = YES | NO | UNDO


def _clauses(line: str, known: frozenset[str] = _WORDS) -> list[str]:
    """The clauses of a line in lower case, without punctuation and greetings. A clause that asks keeps its question
    mark, so that it equals none of the known phrases.
    """
    text = unicodedata.normalize("NFC", line).casefold().replace("’", "'").replace("'", "")
    whole = " ".join(_MARKS.sub(" ", text).split())
    if whole in known:
        return [whole]
    parts = (" ".join(part.split()) for part in _MARKS.split(text))
    return [part for part in parts if part and not GREETING.fullmatch(part)]


def greets(line: str) -> bool:
    """Whether a line is a greeting, as a whole."""
    words = _MARKS.sub(" ", line).casefold().split()
    return GREETING.fullmatch(" ".join(words)) is not None and not (YES | NO | NEGATION) & set(words)


def _beside(line: str) -> bool:
    return all(clause in BESIDE for clause in _clauses(line))
