// The phrases by which mail programs introduce a quotation, and end a message, as data. The sources
// are the programs' own texts: Gmail, Apple Mail, Thunderbird and Yahoo write an attribution line,
// Outlook writes the header fields of the message, and telephones add a line at the end. `-- `
// opens a signature (RFC 3676 §4.3). `>` marks a quoted line (RFC 3676 §4.5). Pure.

/**
 * Verbs of attribution lines: English, German, French, Spanish, Italian, Portuguese, Dutch,
 * Danish, Norwegian and Swedish, Finnish, Polish, Russian, Chinese, Korean, Japanese.
 */
export const WROTE =
  /(?:^|[\s>)\]"'’»*_-])(?:wrote|writes|schrieb|geschrieben|(?:a )?[ée]crit|escribi[óo]|(?:ha )?scritto|scrisse|escreveu|schreef|geschreven|skrev|kirjoitti|napisa[łl](?:\(?a\)?)?|pisze|написал(?:\(?а\)?)?|пишет)(?=[\s:：;,.*_<-]|$)|写道|寫道|작성|のメッセージ/iu;

/** First words of attribution lines. */
export const OPENER =
  /^[-*\s]{0,20}(?:on|am|le|el|il|in data|em|op|den|på|pe|w dniu|dnia|(?:пн|вт|ср|чт|пт|сб|вс)[,.]|at|a las|在|20\d\d[-/.年]|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}:\d{2} |(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|man|tir|ons|tor|fre|lør|søn|lau)[a-zø.]{0,8},? )/iu;

/** Matches a time of day, a year or a date in digits. */
export const DATED =
  /\b\d{1,2}[:.h]\d{2}\b|\b(?:19|20)\d\d\b|(?:19|20)\d\d年|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b/;

/** Matches an address, with or without brackets. */
export const ADDRESSED = /[^\s@<>()[\]]{1,64}@[^\s@<>()[\]]{1,255}/;

/**
 * Matches the date at the start of an attribution without a verb, as old versions of Gmail wrote.
 */
export const DATE_AND_NAME =
  /^[\s*]{0,8}(?:20\d\d[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[./]\d{1,2}[./]20\d\d)\b/;

/** Matches the line before a quoted message: `-----Original Message-----`. */
export const SEPARATOR =
  /^[-_=*\s]{2,60}(?:original message|original-nachricht|ursprüngliche nachricht|message d['’]origine|message original|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|oprindelig besked|opprinnelig melding|ursprungligt meddelande|alkuperäinen viesti|wiadomość oryginalna|исходное сообщение|原始邮件|reply message|replied message)[-_=*:\s]{0,60}$/iu;

/**
 * Matches the line before a forwarded message. A person forwards a message on purpose, so it is
 * part of the reply's text.
 */
export const FORWARDED =
  /^[-_=*\s>]{0,60}(?:forwarded message|begin forwarded message|weitergeleitete nachricht|message transféré|message réexpédié|mensaje reenviado|messaggio inoltrato|mensagem encaminhada|doorgestuurd bericht)[-_=*:\s]{0,60}$/iu;

/** Matches the row of characters that Outlook writes before the header fields. */
export const RULE = /^\s{0,8}[=_-]{4,80}\s{0,8}$/;

/** The names of the header fields that Outlook and telephones write, by kind. */
export const HEADER_LABELS: readonly (readonly [kind: string, label: RegExp])[] = [
  [
    "from",
    /^[\s*_>]{0,8}(?:from|von|de|da|van|fra|från|lähettäjä|od|от|发件人|發件人|差出人|보낸 사람)[*_]{0,2}\s{0,2}[:：]/iu,
  ],
  [
    "sent",
    /^[\s*_>]{0,8}(?:sent|gesendet|envoyé|enviado(?: el)?|inviato|enviada(?: em)?|verzonden|sendt|skickat|lähetetty|wysłano|отправлено|发送时间|送信日時)[*_]{0,2}\s{0,2}[:：]/iu,
  ],
  [
    "date",
    /^[\s*_>]{0,8}(?:date|message du|datum|fecha|data|dato|päivämäärä|дата|日期|日時|날짜)[*_]{0,2}\s{0,2}[:：]/iu,
  ],
  [
    "to",
    /^[\s*_>]{0,8}(?:to|an|à|a|para|per|aan|til|till|vastaanottaja|do|кому|收件人|宛先|받는 사람)[*_]{0,2}\s{0,2}[:：]/iu,
  ],
  [
    "subject",
    /^[\s*_>]{0,8}(?:subject|betreff|objet|sujet|asunto|oggetto|assunto|onderwerp|emne|ämne|aihe|temat|тема|主题|件名|제목)[*_]{0,2}\s{0,2}[:：]/iu,
  ],
  ["cc", /^[\s*_>]{0,8}(?:cc|copie à|kopie|kopia|kopi|копия|抄送)[*_]{0,2}\s{0,2}[:：]/iu],
];

/** Matches the line with which a telephone or a mail program ends a message. */
export const DEVICE_LINE =
  /^[\s*_]{0,8}(?:sent from (?!the )|sent via |sent with |get outlook for |get bluemail|von mein\S{1,4} .{1,60} gesendet|gesendet (?:von|mit|über) |diese nachricht wurde von meinem|envoyé (?:de|depuis|à partir|avec) |télécharger outlook|enviado (?:desde|de|do|con|via) |obtener outlook|inviato (?:da|dal|con) |ottieni outlook|enviado do meu|verzonden (?:vanaf|met|vanuit) |verstuurd vanaf |sendt fra |skickat från |lähetetty |wysłane z |отправлено (?:с|из) |发自我的)/iu;

/** Matches the line that opens a signature. Mail programs often cut the space at its end. */
export const SIGNATURE = /^(?:--|—|__)[ \t]{0,4}$/;
