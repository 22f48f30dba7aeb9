// Lists, as data, phrases of mail servers for bounces without a machine-readable part: how a bounce
// begins, how its copy of the message begins, and which texts only resemble a bounce (contract.md
// §Bounce reports). To correct the reading of a text, edit this file. No pattern repeats without
// limit, so the time for each pattern is linear in the length of the line.

/**
 * Phrases with which a server's software begins a bounce. Matched against the lower-case text.
 * Sources: the servers' code and their vendors' documentation.
 */
export const BOUNCE_OPENERS: readonly RegExp[] = [
  // qmail, netqmail, s/qmail, qmail-ldap and their derivatives
  /\bthis is the qmail(?:-\w{1,20})? program|i'm afraid i wasn't able to deliver your message/,
  /this is a permanent error; i've given up/,
  // Exim, and the providers that run it
  /this message was created automatically by mail delivery software/,
  /could not be delivered to one or more of its/,
  /message that you sent (?:could not be delivered|contained one or more)/,
  /the following address(?:es|\(es\))? failed:/,
  /following addresses? had (?:permanent (?:fatal )?|fatal |delivery )?errors/,
  // Exim in German, as hosters translate its bounce_message_file
  /diese (?:nachricht|e-?mail) wurde automatisch (?:von|vom) (?:der |dem )?mail[- ](?:delivery|server|system)/,
  /konnte nicht an einen oder mehrere/,
  // Postfix
  /i'm sorry to have to inform you that|message could not be delivered to one or more recipients/,
  /this is the (?:postfix program|mail system) at host/,
  // Sendmail
  /the following addresses had permanent (?:fatal|delivery) errors/,
  /addresses with (?:permanent|unrecoverable)|transcript of (?:the )?session follows/,
  /session transcript follows/,
  // Exchange, Outlook, MailEnable, Internet Mail Service
  /did not reach (?:some or all of the intended|the following) recipient/,
  /following recipients?(?:\(s\))? (?:could not|cannot) be reached/,
  /delivery has failed to these recipients|delivery to the following recipients failed/,
  /this is an automatically generated delivery status notification/,
  /rejected your message to the following/,
  /message could not be delivered to the following recipient|mailenable: message delivery fail/,
  // Gmail, Yahoo, Zoho, mail.ru, Yandex
  /delivery to the following recipients? (?:has been |has )?failed/,
  /unable to deliver your message to the following address|there was an error sending your mail/,
  // Courier, Sun and Oracle Messaging Server, OpenSMTPD, DragonFly, Apache James, MDaemon
  /this is a delivery status notification from/,
  /your message (?:to the following recipients |to \S{1,254} )?cannot be delivered/,
  /your message has encountered delivery problems|hi! this is the (?:mailer-daemon|smtpd)/,
  /this is the dragonfly mail agent|unable to deliver (?:the message|mail) to the following/,
  /the following data may be used to determine why/,
  // Lotus Notes and Domino, GroupWise, Mimecast
  /was not delivered to: .{0,300}because:|------- failure reasons/,
  /the attached file had the following undeliverable|the message that you sent was undeliverable/,
  // MMDF, smail, X.400 gateways, PMDF, Mercury
  /your message was not delivered to '.{1,254}' for the following reason/,
  /[|-]{2}\s?failed addresses follow|this report relates to a message you sent/,
  /(?:x\.?400|mts) .{0,60}non-?delivery (?:report|reason)/,
  /the message with header shown below could not be delivered/,
  // Filters and gateways: InterScan, MailMarshal, NetMail, GFI, and other filters with their own
  // sender name
  /[-*=]{2}\s?(?:failed recipients|undelivered recipients|non-?delivery report|message from interscan)/,
  /(?:message|mail|e-?mail)(?: below)? (?:could|can) ?not be delivered to the following (?:user|recipient|address|mailbox)/,
];

/**
 * Phrases about a failed delivery that people also write, so they count only in mail from a mail
 * daemon. Matched against the lower-case text.
 */
export const BOUNCE_PHRASES_OF_DAEMONS: readonly RegExp[] = [
  /(?:message|mail|e-?mail) (?:could not|cannot|can't|couldn't) be delivered/,
  /(?:message|mail|e-?mail) (?:is |was )?undeliverable|failed permanently|delivery (?:has )?failed/,
  /permanent(?:ly)? (?:failure|failed|error)/,
  /(?:wasn't|couldn't be|was not|could not be) delivered|undeliverable to |^unknown user: /,
  /problem delivering|unable to deliver/,
  /deliver(?:y|ing) (?:your |the )?(?:message|mail|e-?mail)? ?(?:has )?failed/,
  /konnte nicht (?:\S{1,40} ){0,8}(?:zugestellt|ausgeliefert|übermittelt) werden/,
  /(?:ist|war) unzustellbar|nicht zustellbar|permanenter fehler|dauerhafter fehler/,
  /folgende(?:n)? (?:adresse|empfänger)/,
  /n'a (?:pas )?pu être (?:remis|délivré|distribué|transmis|envoyé)/,
  /(?:échec|erreur) (?:de la |lors de la )?(?:remise|distribution)/,
  /impossible de (?:remettre|livrer|distribuer)|adresses? suivantes?/,
  /no (?:se )?(?:ha )?(?:pudo|podido) (?:ser )?entrega|no ha sido entregad|fall[oó] la entrega/,
  /error permanente|non (?:è stato possibile|può essere) (?:consegna|recapita)|mancato recapito/,
  /errore permanente/,
  /(?:has been|was|is being|being) (?:returned|rejected|bounced|refused|blocked)\b/,
  /has not been delivered(?! yet)|returned to (?:the )?sender|no valid recipients?/,
  /not (?:a )?valid (?:user|recipient|address|mailbox)/,
  /no such (?:user|mailbox|address|person|account)/,
  /(?:user|recipient|address|account|mailbox) (?:is )?(?:unknown|not (?:known|found))/,
  /unknown (?:user|recipient|address)/,
  /did not (?:exactly )?match (?:an|any)|delivery problems?\b|too many hops|mail(?:ing)? loop/,
  /error (?:condition )?(?:occurred )?(?:while|when|during) (?:attempting to )?(?:deliver|send|process)/,
  /(?:could|can) ?not (?:be )?deliver|address\S{0,5} could ?not be reached|failed to deliver/,
  /the group you tried to contact|not accepting (?:mail|messages)/,
  /pas pu [eê]tre (?:remis|d[eé]livr|distribu|transmis|envoy)|non remis|n'existe pas/,
  /unbekannte[rn]? (?:empf[aä]nger|benutzer|adresse)/,
  /(?:empf[aä]nger|benutzer) (?:ist )?(?:unbekannt|nicht)|usuario (?:desconocido|no existe)/,
  /utente (?:sconosciuto|non esiste)|destinat[aá]rio (?:desconhecido|n[aã]o)/,
  /tidak (?:dapat|terkirim)|gönderilemedi|teslim edilemedi/,
  /не (?:удалось|доставлен)|не существует|пользовател\S{1,4} (?:не )?(?:найден|неизвест)/,
  /配信(?:でき|不能|されません)|送(?:信|達|付)(?:でき|不能|されません)|お届けでき|宛先(?:が|の)|存在(?:しません|いたしません)|无法(?:投递|送达|发送)/,
  /未能(?:送达|投递|发送)|退(?:信|回)|投递失败|無法(?:投遞|送達|傳送)|반송|전(?:송|달)(?:되지|할 수 없|에 실패)/,
  /não (?:pôde|foi possível) (?:ser )?(?:entreg|envi)|falha na entrega|erro permanente/,
  /kon niet (?:worden )?(?:afgeleverd|bezorgd)|onbestelbaar/,
  /nie (?:można było|mogła zostać|została) (?:dostarcz)|не (?:может быть|было|удалось) достав/,
];

/** Subjects of bounces, matched in lower case. A subject counts only if a mail daemon sent it. */
export const BOUNCE_SUBJECT =
  /undeliver|returned mail|delivery (?:status|fail|report|problem|error|notification|unsuccessful)|deliver\S{0,3} (?:has |was )?fail|mail (?:delivery|system error|failure)|message (?:undeliver|not deliver)|failure notice|non-?deliver|not (?:be )?delivered|could not (?:be )?deliver|\bbounce|unzustellbar|nicht zustellbar|zustellung|fehlgeschlagen|échec|non[- ](?:remis|distribu)|no (?:se )?(?:ha )?(?:podido|pudo) entrega|no entregad|imposible entregar|mancat[ao] (?:consegna|recapito)|non recapitat|não entreg|falha na entrega|onbestelbaar|niet (?:bezorgd|afgeleverd)|niedostarczon|недостав|не доставлен|配信|送信できません|退信|无法投递|mail(?:er)? (?:failed|error)|failed mail|message (?:failed|rejected|bounced)|(?:e-?mail|message) (?:could|was) not|processing error|error (?:during|while|in|sending) (?:deliver|send|mail)|mail (?:could not|not deliver|rejected|returned)|returned (?:e-?mail|to sender|message)|non recapit|unknown (?:user|address|recipient)|(?:user|address|recipient) unknown|no such user|automatically rejected|mail processing|nicht (?:zugestellt|ausgeliefert)|ошибка доставк|配送|未達|不達|退回|반송|전송 ?실패/;

/**
 * Senders whose mail is about delivery. Matched against the lower-case local part or display name
 * of From.
 */
export const DAEMON =
  /^(?:mailer-?daemon|mail-?daemon|mail\.?delivery\.?(?:sub)?system|mdaemon|postmaster|postmast|mmdf|bounces?|bounce-\S{1,100}|mta|mail-?delivery|microsoftexchange\w{8,64}|mail_?administrator|root)$|^(?:imss|interscan|smtp(?:\d{0,4}|[-_]?\w{0,20})|mailer|e?mail-?(?:system|server|gate|gateway|router|service)|dsn|ndr|delivery|undeliver\w{0,10}|returned-?mail)$|mail(?:er)?[ _-]?(?:delivery|daemon|administrator|system|service|router|gateway|transport|transfer agent)|delivery (?:sub)?system|mailer-daemon|\bpostmaster\b|microsoft outlook|system administrator|systemadministrator/;

/**
 * Lines that begin the copy of the message, or a description of it. The server did not write the
 * text after such a line. Matched against a trimmed lower-case line.
 */
export const COPY_BEGINS: readonly RegExp[] = [
  /^[->*=_ ]{2,80}(?:this is a copy of|below this line is a copy|enclosed is a copy|original message|original mail|returned message|undelivered message|message header|unsent message|forwarded message|begin(?:ning)? (?:of )?(?:original|message|header)|the header of the original|received message|copy of|headers? of|included is|ursprüngliche nachricht|originalnachricht|message d'origine|mensaje original|messaggio originale)/,
  /^[|+#>*=_ -]{2,80}(?:returned mail|(?:old|unsent|failed|bounced|rejected) (?:message|mail)|(?:message|mail) (?:headers?|text|body|contents?)|alte nachricht|message initial|messaggio di origine|текст (?:сообщения|письма)|原(?:邮件|文))\s?(?:follows?|below|suppressed|:|-|=|\||$)/,
  /^(?:(?:old|unsent|returned) (?:message|mail)|(?:message|mail) (?:text|body|contents?)|alte nachricht|message initial|текст (?:сообщения|письма)|原(?:邮件|文))\s?(?:follows|below|:|：)/,
  /^(?:your message reads|original message as received|below (?:is|are) (?:a copy of )?(?:the|your) (?:original|first|message)|(?:the )?(?:first|beginning|start)(?: \S{1,20}){0,3} of (?:the|your) (?:original )?message|here is (?:a copy of )?(?:the|your) (?:original )?message|(?:your|the) (?:original )?message (?:was|is|read|began|begins)\s?:)/,
  /^(?:original message (?:follows|headers?|details)|message headers? follow|the (?:original )?(?:message|header)s? (?:of the message )?(?:follows|is following|is included|is attached)|(?:a )?copy of (?:your|the|this) (?:original )?message|original headers?:|your (?:original )?message follows|-+ ?original message)/,
  /^>?[ ]{0,4}(?:return-path|received|dkim-signature|authentication-results|arc-seal|delivered-to|x-received): ?\S/,
];

/** Phrases which say that delivery is only delayed. Matched against the lower-case text. */
export const DELAYED =
  /\bthis is a warning (?:message )?only|you do not need to resend|no action is required on your part|(?:message|delivery|mail|e-?mail) (?:\S{1,60} )?(?:has been |is |was )?delayed|delayed mail|delivery incomplete|still (?:being )?(?:retr|tr)(?:y|ied)|will (?:be retried|(?:keep|continue|re)\s?(?:trying|to (?:try|be)|try))|(?:temporary|temporarily) (?:delivery )?(?:problem|delay)|delivery attempts will continue|(?:zustellung|nachricht) (?:\S{1,40} )?verzögert|(?:remise|distribution|message) (?:\S{1,40} )?retardée?|entrega (?:\S{1,40} )?retrasad/;

/**
 * Phrases which say that delivery has failed, even if the text also mentions earlier retries.
 * Matched against the lower-case text.
 */
export const GIVEN_UP =
  /(?:i've|i have|we've|we have|has|have) given up|giving up (?:on|now|after)|this is a permanent error|no (?:further|more) (?:delivery )?attempts (?:will|are)|will (?:not|no longer) be (?:retried|tried)|(?:could not|cannot|couldn't) be delivered for (?:the last )?\d{1,3} (?:day|hour)|message will be deleted from (?:the )?queue|retry time(?:out)? (?:not reached|exceeded)|(?:delivery|retry) (?:time|period|limit) (?:has )?expired|has been (?:removed|deleted) from (?:the|our) queue|message (?:has )?expired/;

/**
 * Subjects of delay notices. The patterns match only at the start, because the rest of a subject
 * may quote the subject of the message.
 */
export const DELAYED_SUBJECT =
  /^(?:\*+\s?)?(?:warning\b(?!.*(?:unknown|no such|not exist|undeliver(?:able|ed) m|failed|reject|returned))|delayed|delay|delivery (?:is )?delayed|message delayed|mail delayed|delivery incomplete|mail delivery delayed)\b|\(delay(?:ed)?\)|^verzögert|^(?:remise|message) retardée?|^entrega retrasada/;

/**
 * Phrases which say that the message arrived, or was passed to a server that sends no reports.
 * Matched against the lower-case text.
 */
export const ARRIVED =
  /\bsuccess(?:fully|ful) (?:relayed|delivered|sent|delivery)|delivery (?:was|is|has been) successful|(?:has been|was) (?:delivered|handed over|passed) (?:to (?:the )?(?:mailbox|inbox|destination|recipient)|successfully)|(?:has been|have been|was|were) (?:relayed|delivered) to the following|successful delivery notifications|(?:wurde|wurden) (?:erfolgreich|den folgenden empfängern) (?:zugestellt|übermittelt)|(?:a été|ont été) (?:remis|distribué|relayé)e?s? avec succès/;

/** Subjects of notices which say that the message arrived. */
export const ARRIVED_SUBJECT =
  /\((?:success|relay|relayed|delivered)\)|^successful mail delivery|^(?:delivered|relayed|zugestellt|remis|entregado) ?:/;

/**
 * Phrases which say that the message waits until its sender does something. Matched against the
 * lower-case text.
 */
export const CHALLENGE =
  /(?:confirm|verify|prove) (?:that )?you(?:'re| are) (?:a |not a )?(?:real |live )?(?:human|person|robot|spam)|until you (?:confirm|verify|reply|click)|(?:click|follow) (?:here|(?:on )?the link|(?:on )?this link) .{0,60}(?:to verify|to confirm|to release)|click here to (?:verify|confirm|release)|(?:is|has been) (?:being )?(?:held|waitlisted|quarantined)/;

/**
 * Matches the start of the lower-case subject of a reply. A reply by a person or a program says
 * nothing about delivery.
 */
export const AUTO_REPLY_PREFIX =
  /^(?:re|aw|sv|antw|tr|rv|fw|fwd|wg)\s?(?:\[\d{1,4}\])?:|^\W{0,3}(?:out[- ]of[- ](?:the[- ])?office|ooo\b|auto(?:matic(?:ally)?|matisch\S{0,3}|mated)?[- ]?(?:reply|repl|response|respond|antwort|svar|generated reply)|auto:|vacation|abwesen|réponse automatique|respuesta autom|risposta automatica|resposta autom|automatisch antwoord|autosvar|автоответ|自动回复|自動応答)|^(?:read|gelesen|lu|leído|letto|lida)\s?:/;

/**
 * Words anywhere in a lower-case subject that show a reply, a challenge, or a receipt from a list
 * or a help desk. They count only if the subject does not mention delivery.
 */
export const AUTO_REPLY_SUBJECT =
  /out[- ]of[- ](?:the[- ])?office|auto[- ]?(?:reply|response|responder)|vacation|on (?:annual |maternity |parental )?(?:leave|holiday)|away (?:from|until|message)|abwesen|urlaub|nicht im (?:büro|haus)|absen(?:ce|t) (?:du|de)|en congé|fuera de (?:la )?oficina|fuori (?:sede|ufficio)|ausência|ausente|afwezig|frånvaro|fravær|nieobecno|вне офиса|不在|confirm your|(?:verify|verification) (?:your|of your|required)|challenge|spam ?arrest|\bboxbe\b|awaiting (?:your )?(?:approval|moderation)|return receipt|message received|we (?:have )?received your/;

/**
 * Header fields of auto-responders. If other programs also set a field, its pattern matches only
 * the values of auto-responders.
 */
export const AUTO_REPLY_FIELDS: readonly (readonly [name: string, value: RegExp])[] = [
  ["x-autoreply", /./],
  ["x-auto-reply", /./],
  ["x-autorespond", /./],
  ["x-autoresponder", /./],
  ["x-autoreply-from", /./],
  ["x-mail-autoreply", /./],
  ["x-vacation", /./],
  ["x-ooo", /./],
  ["x-autogenerated", /reply|vacation|forward/i],
  ["x-automatic-response", /./],
  ["precedence", /auto[-_]?reply/i],
  ["preference", /auto[-_]?reply/i],
  ["auto-submitted", /auto-replied\s*[;(].{0,60}(?:vacation|owner|sieve)|auto-notified/i],
  ["delivered-to", /autorespon/i],
  ["x-mailer", /vacation|autorespon/i],
];
