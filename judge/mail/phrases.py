"""The phrases by which mail programs mark what the author did not type, in the languages that players write from.

`judge.mail.quoting` decides what a phrase means where it stands."""

import re

_FLAGS = re.IGNORECASE

WROTE = re.compile(
    r"\b(?:wrote|writes|schrieb|schreef|geschreven|a écrit|écrivait|escribió|ha scritto|scrisse|escreveu"
    r"|skrev|kirjoitti|napsal|napísal|va escriure|a scris|napisao|kirjutas|rašė|rakstīja"
    r"|pisze|napisał|írta|yazdı|написал|написа|пишет|пише|έγραψε)(?:\(?[aаo]\)?)?\b|写道|寫道|のメール|書きました|작성",
    _FLAGS,
)
"""The verb of an attribution line ("On 3 May Anna wrote:")."""

STARTS_ATTRIBUTION = re.compile(
    r"\W{0,2}(?:on|am|le|el|il(?: giorno)?|op|den|em|a|w dniu|dnia|dne|på|quoting"
    r"|excerpts from|in (?:message|article)"
    r"|mon|tue|wed|thu|fri|sat|sun|ma|ti|ke|to|pe|la|su|от)\b.{0,60}(?:\d|@)|\W{0,2}\d{1,4}[./-]|\d{4}年",
    _FLAGS,
)
"""How the first line of an attribution begins: an opening word and a date, or a date."""

ADDRESS_COLON = re.compile(r"<?[\w.+-]+@[\w.-]+>?\)?\s*[:：]$")

_TIME = re.compile(r"\b\d{1,2}[:.h]\d\d\b|\d{1,2}\s?(?:[ap]\.?m\b|uhr\b|时|時|시)", _FLAGS)
_DATE = re.compile(r"(?<!\d)\d{4}(?:\b|[年년])|\b\d{1,2}[./-]\d{1,2}[./-]\d{2}\b")


def names_earlier_mail(text: str) -> bool:
    """Does `text`, unwrapped, say beyond doubt whose mail follows? Writer and verb, or address; and a date.

    Stricter than what suffices above quotation marks: nothing but this line tells the earlier mail from the answer.

    >>> names_earlier_mail("Op ma 4 mei 2026 om 19:00 schreef Judge <judge@judge.test>:")
    True
    >>> names_earlier_mail("On second thoughts I wrote:"), names_earlier_mail("As I wrote in 1901: A Par - Bur")
    (False, False)
    """
    if not text.endswith((":", "：")) or not _DATE.search(text):
        return False
    if WROTE.search(text):
        return "@" in text or bool(_TIME.search(text))
    return bool(ADDRESS_COLON.search(text) and _TIME.search(text))


_ORIGINAL = (
    "original message|original appointment|original-nachricht|ursprüngliche (?:nachricht"
    "|mail)|originalnachricht|message d'origine|message original"
    "|mensaje original|messaggio originale|oorspronkelijk bericht|ursprungligt meddelande|opprinnelig melding"
    "|oprindelig meddelelse|alkuperäinen viesti|wiadomość oryginalna|mensagem original"
    "|původní zpráva|исходное сообщение"
    "|eredeti üzenet|orijinal mesaj|原始邮件|原始郵件|元のメッセージ|원본 메시지"
)
_FORWARD = (
    "forwarded message|weitergeleitete (?:nachricht|e-?mail)|message transféré"
    "|mensaje reenviado|messaggio inoltrato"
    "|doorgestuurd bericht|vidarebefordrat meddelande|videresendt (?:melding|meddelelse"
    "|e-post)|välitetty viesti"
    "|wiadomość przekazana|mensagem encaminhada|přeposlaná zpráva|пересылаемое сообщение"
    "|перенаправленное сообщение|転送メッセージ|转发的邮件"
)
ORIGINAL = re.compile(rf"\W{{0,3}}[-_=]{{2,}}\s*(?:{_ORIGINAL})\s*[-_=]{{2,}}\W{{0,2}}", _FLAGS)
"""A line such as `-----Original Message-----`."""

FORWARD = re.compile(
    rf"\W{{0,3}}[-_=]{{2,}}\s*(?:{_FORWARD})\s*[-_=]{{2,}}\W{{0,2}}"
    r"|begin forwarded message\s?:|anfang der weitergeleiteten (?:nachricht|e-?mail)\s?:"
    r"|début du message (?:réexpédié|transféré)\s?:|inizio messaggio inoltrato\s?:"
    r"|inicio del mensaje reenviado\s?:"
    r"|begin doorgestuurd bericht\s?:|início da mensagem (?:encaminhada|reenviada)\s?:"
    r"|vidarebefordrat brev\s?:",
    _FLAGS,
)
"""A line such as `---------- Forwarded message ---------` or `Begin forwarded message:`."""


def _label(words: str) -> re.Pattern[str]:
    return re.compile(rf"\s{{0,3}}\*?(?:{words})\s?[:：]\*?(?:\s|$)", _FLAGS)


FROM_LABEL = _label(
    "from|von|de|da|van|från|fra|od|lähettäjä|от|от кого|expéditeur|feladó|kimden|差出人|发件人|寄件者|보낸 사람"
)
DATE_LABEL = _label(
    "sent|date|gesendet|datum|envoyé|enviado(?: el)?|enviada em|fecha|inviato|data|verzonden"
    "|skickat|sendt|dato|wysłano"
    "|lähetetty|päivämäärä|отправлено|дата"
    "|odesláno|elküldve|dátum|tarih|gönderildi|送信日時|日時|发送时间|日期|寄件日期|보낸 날짜"
)
OTHER_LABEL = _label(
    "to|cc|bcc|subject|an|kopie|betreff|à|a|objet|para|asunto|assunto|oggetto|aan|onderwerp"
    "|till|kopia|ämne|til|kopi|emne"
    "|do|dw|temat|vastaanottaja|kopio|aihe|кому|тема|komu|předmět|címzett|tárgy|kime|konu"
    "|reply-to|importance|priority|"
    "宛先|件名|收件人|抄送|主题|主旨|받는 사람|제목"
)

DEVICE = re.compile(
    r"\W{0,3}(?:(?:sent|this (?:e-?mail|message) was sent) (?:from|via|by|with|using) .{2,60}"
    r"|get (?:outlook|bluemail|typeapp|spark|edison).{0,5} for .{2,30}|gesendet (?:von|mit|aus"
    r"|über|via) .{2,60}|von meinem .{2,40} gesendet"
    r"|diese nachricht wurde von meinem .{2,60}|holen sie sich outlook für .{2,30}"
    r"|envoyé (?:de(?:puis)?|à partir d|avec|par) ?.{2,60}"
    r"|télécharge[rz]? outlook pour .{2,30}|enviado (?:desde|do|de|con) .{2,60}"
    r"|obtener outlook para .{2,30}"
    r"|inviato (?:da|dal|con) .{2,60}|scarica outlook per .{2,30}|verzonden (?:vanaf|met|via|vanuit) .{2,60}"
    r"|skickat från .{2,60}|sendt fra .{2,60}|lähetetty .{2,60}|wysłan[eyo] z .{2,60}"
    r"|отправлено (?:с|из) .{2,60}|odesláno z .{2,60}"
    r"|發自我的.{2,40}|发自我的.{2,40}|.{2,30}から送信|나의 .{2,30}에서 보냄)",
    _FLAGS,
)
_DEVICE_NAME = re.compile(
    r"\b(?:iphone|ipad|ipod|ios|android|samsung|galaxy|mobile?|mobil\w*|handy|smartphone|i?phone|telefon\w*|téléphone|teléfono"
    r"|telefoon|tablet|blackberry|huawei|xiaomi|redmi|pixel|nokia|xperia|oneplus|windows|outlook|e?mail|yahoo|gmail|gmx|web\.de"
    r"|proton\w*|thunderbird|fairemail|k-9|bluemail|spark|aol|app|device|gerät|appareil|dispositivo|móvil|celular"
    r"|apparaat|enhet|enhed|laitte\w*|puhelime\w*|urządzenia|smartfona|устройства|телефона|почты)\b|手机|我的|나의",
    _FLAGS,
)


def is_device_line(line: str) -> bool:
    """Is `line` what a telephone or a mail program signs with? "Sent by my ambassador" is not.

    >>> is_device_line("Sent from my iPhone"), is_device_line("Sent from Paris with love")
    (True, False)
    """
    return bool(DEVICE.fullmatch(line)) and bool(_DEVICE_NAME.search(line))


LIST_FOOTER = re.compile(
    r".{0,80}(?:mailing list\s*$|you received this (?:message|e-?mail) because|to unsubscribe"
    r"|unsubscribe (?:from|here|:)|to manage your subscription"
    r"|list ?(?:info|serv) ?(?:page)?:|https?://\S{1,200}/(?:mailman|listinfo|postorius"
    r"|hyperkitty|options|unsub)\S*"
    r"|sie erhalten diese (?:nachricht|e-?mail),? weil|abmelden:|reply to this email directly, view it on)",
    _FLAGS,
)

VIRUS_FOOTER = re.compile(
    r"\W{0,4}(?:virus-free|virenfrei|sans virus|libre de virus|this (?:e-?mail"
    r"|message) has been (?:checked|scanned)|diese e-?mail wurde (?:von|auf)"
    r"|please consider the environment|think before you print|caution\s*:\s*(?:this (?:e-?mail"
    r"|message)|external)|\[?external e?-?mail\]?\W*$"
    r"|this (?:e-?mail|message) (?:originated|was sent) from outside|yahoo mail: .{2,60}|do you yahoo)",
    _FLAGS,
)

DISCLAIMER = re.compile(
    r"\W{0,10}(?:confidentiality (?:notice|note)|confidential(?:ity)?\s*[:-]|legal (?:notice"
    r"|disclaimer)|(?:e-?mail )?disclaimer\b|important notice|privileged (?:and"
    r"|/) confidential"
    r"|(?:the|any) (?:information|content)s? (?:contained |transmitted )?(?:in|of|is)"
    r"|this (?:e-?mail|message|communication|transmission)\b|if you (?:are not|have received)"
    r"|diese (?:e-?mail|nachricht)\b|ce (?:message|courriel|mail)\b|este (?:mensaje|correo"
    r"|e-?mail)|questo messaggio|dit bericht|detta meddelande|denne e-?post)",
    _FLAGS,
)
DISCLAIMER_WORDS = re.compile(
    r"confidential|privileged|intended (?:only|solely|for)|intended recipient|addressee"
    r"|unauthori[sz]ed|vertraulich|bestimmt(?:e|en)? empfänger|confidentiel"
    r"|destinataire|confidencial|destinatario|riservat|vertrouwelijk|konfidentiell|fortrolig|liability|virus",
    _FLAGS,
)
