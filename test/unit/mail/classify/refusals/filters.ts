// Refusals of filters, block lists and greylisting, and of servers that speak other languages:
// `class | hard or - | stage | reply`. From the vendors' documentation. `hard`: the address
// itself is refused, permanently.

export const FILTERS = `
# Proofpoint, Proofpoint Essentials, Cloudmark
SpamBlock | - | connect | 554 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.7
InvalidRecipient | hard | rcpt | 550 5.1.1 User Unknown
InvalidRecipient | hard | rcpt | 550 5.1.0 Address rejected.
InvalidRecipient | hard | rcpt | 550 5.1.1 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [abcDEF.us123]
PolicyRelated | - | rcpt | 550 5.7.0 Local Policy Violation - 5bf43e26
PolicyRelated | - | mail | 550 5.7.1 Sender address rejected: blocked by the recipient's Proofpoint Essentials sender list
SpamContent | - | end | 554 5.7.1 Message cannot be accepted, spam rejection
VirusRelated | - | end | 554 5.7.1 Message contains a virus: PDF.Phishing.Agent
SpamContent | - | end | 554 5.2.0 DDK1 : Message considered as spam by Cloudmark
# Mimecast
SpamBlock | - | connect | 550 csi.mimecast.org Poor Reputation Sender. - https://community.mimecast.com/docs/DOC-1369#550 [_k1z.us155]
PolicyRelated | - | rcpt | 550 Administrative prohibition - envelope blocked - https://community.mimecast.com/docs/DOC-1369#550 [abc.uk12]
PolicyRelated | - | end | 554 Email rejected due to security policies - https://community.mimecast.com/docs/DOC-1369#554 [abc.us6]
PolicyRelated | - | end | 550 Rejected by header based Anti-Spoofing policy: b@example.com - https://community.mimecast.com/docs/DOC-1369#550
TransientFailure | - | rcpt | 451 Internal resources are temporarily unavailable - https://community.mimecast.com/docs/DOC-1369#451
PolicyRelated | - | rcpt | 550 Rejected by header-based manually Blocked Senders: b@example.com
VirusRelated | - | end | 554 Email rejected due to virus signature found: Heuristics.Phish
InvalidRecipient | hard | rcpt | 550 Invalid Recipient
AuthenticationFailed | - | end | 550 DMARC Sender Invalid - envelope rejected - https://community.mimecast.com/docs/DOC-1369#550
AuthenticationFailed | - | rcpt | 550 SPF Sender Invalid - envelope rejected - https://community.mimecast.com/docs/DOC-1369#550
RelayDenied | - | rcpt | 550 Open relay not allowed
# Barracuda
InvalidRecipient | hard | rcpt | 550 No such user (ann@example.org)
InvalidRecipient | hard | rcpt | 550 permanent failure for one or more recipients (ann@example.org:550 5.1.1 User unknown)
SpamBlock | - | end | 550 permanent failure for one or more recipients (ann@example.org:blocked)
SpamBlock | - | connect | 554 Service unavailable; Client host [mail.example.com] blocked using Barracuda Reputation; http://www.barracudanetworks.com/reputation/?r=1&ip=192.0.2.7
PolicyRelated | - | rcpt | 550 5.7.1 Recipient blocked by policy: Barracuda sender intent
TransientFailure | - | rcpt | 421 rate limit exceeded for your IP address: Barracuda
PolicyRelated | - | mail | 550 Sender rejected by the Barracuda block policy
SpamContent | - | end | 554 5.7.1 Blocked by Barracuda: spam score too high
# Cisco IronPort
SpamBlock | - | connect | 554-esa1.example.org 554 Your access to this mail system has been rejected due to the sending MTA's poor reputation. If you believe that this failure is in error, please contact the intended recipient via alternate means.
InvalidRecipient | hard | rcpt | 550 #5.1.0 Address rejected.
InvalidRecipient | hard | rcpt | 550 #5.1.0 Address rejected ann@example.org
PolicyRelated | - | mail | 553 #5.1.8 Domain of sender address is refused by policy
InvalidSender | - | mail | 553 #5.1.8 Domain of sender address <b@example.com> does not exist
PolicyRelated | - | end | 554 #5.7.1 Message refused by your destination's mail policy
TransientFailure | - | rcpt | 452 #4.3.1 temporary system error (12)
TooManyRecipients | - | rcpt | 452 Too many recipients received this hour
SpamBlock | - | connect | 550 #5.7.1 Your access to submit messages to this e-mail system has been rejected.
# Sophos, Trend Micro, Symantec, Trellix, FortiMail, SpamTitan, Hornetsecurity
InvalidRecipient | hard | rcpt | 550 unknown recipient (Sophos Email Appliance)
SpamBlock | - | connect | 550 5.7.1 [C14] RBL Restriction: See http://www.sophos.com/reputation?ip=192.0.2.7
SpamBlock | - | connect | 550 Service unavailable; Client host [192.0.2.7] blocked using Trend Micro RBL+. Please see http://www.mail-abuse.com/cgi-bin/lookup?ip_address=192.0.2.7
SpamBlock | - | connect | 450 4.7.1 Client host [192.0.2.7] blocked using Trend Micro Email Reputation Service
RelayDenied | - | rcpt | 550-Relaying denied: 553-you are trying to use me [server-9.tower-31.messagelabs.com] as a relay, but I have not been configured to let you
PolicyRelated | - | connect | 501 Connection rejected by policy [7.7] 23507, please visit www.messagelabs.com/support for more details about this error message.
InvalidRecipient | hard | rcpt | 550-Invalid recipient <ann@example.org> (#5.1.1) messagelabs
SpamContent | - | end | 553-Message filtered. Refer to the Troubleshooting page at http://www.symanteccloud.com/troubleshooting for more information. (#5.7.1)
ProhibitedAttachment | - | end | 554 5.7.1 Message rejected: attachment of a forbidden file type (FortiMail)
SpamBlock | - | rcpt | 550 5.7.1 FortiGuard-AntiSpam: 192.0.2.7 is blacklisted. Report misclassifications
PolicyRelated | - | end | 554 5.7.1 Denied by policy (McAfee)
SpamContent | - | end | 554 5.6.0 Message rejected as SPAM: SpamTitan, id=1234-5
TransientFailure | - | rcpt | 451 4.7.1 Greylisting in action, please come back in 00:05:00 (hornetsecurity)
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@example.org>: Recipient address rejected: user not found (hornetsecurity)
# Spamhaus, SpamCop, UCEPROTECT, Invaluement, Abusix, 0spam
SpamBlock | - | rcpt | 554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/192.0.2.7
SpamBlock | - | rcpt | 550 5.7.1 192.0.2.7 is listed at sbl-xbl.spamhaus.org
SpamBlock | - | rcpt | 550 Error: open resolver; https://www.spamhaus.org/returnc/pub/192.0.2.53
SpamBlock | - | rcpt | 554 5.7.1 <ann@example.org>: Recipient address rejected: https://www.spamhaus.org/query/ip/192.0.2.7
SpamContent | - | end | 554 5.7.1 Service unavailable; URL in message body blocked using dbl.spamhaus.org
SpamBlock | - | rcpt | 550 5.5.4 ETP208 Your IP 192.0.2.7 is listed by Invaluement
SpamBlock | - | connect | 554 Your IP is listed in UCEPROTECT level 1, see http://www.uceprotect.net
SpamBlock | - | connect | 554 5.7.1 Rejected because Bad IP
SpamBlock | - | connect | 550 5.7.1 Your IP address 192.0.2.7 is on an abuse list at abusix.zone
SpamBlock | - | rcpt | 591 ann@example.org your host [192.0.2.7] is blacklisted by dnsbl.sorbs.net. Currently Sending Spam
# Rspamd, SpamAssassin, amavis, ClamAV, policyd, Postgrey, SQLgrey, milters
SpamContent | - | end | 554 5.7.1 Spam message rejected
SpamContent | - | end | 550 5.7.1 Gtube pattern
TransientFailure | - | end | 451 4.7.1 Try again later
SpamContent | - | end | 554 5.7.0 Reject, id=28416-09 - spam
ContentRelated | - | end | 554 5.6.0 Reject, id=28416-10 - BAD_HEADER
VirusRelated | - | end | 550 5.7.1 Malware detected: {Win.Test.EICAR_HDB-1}
ProhibitedAttachment | - | end | 554 5.7.0 Reject, id=28416-11 - BANNED: application/x-msdownload,.exe
SpamContent | - | end | 550 5.7.1 Blocked by SpamAssassin
PolicyRelated | - | rcpt | 550 5.7.1 <ann@example.org>: Recipient address rejected: Policy Rejection- Quota exceeded for sender
PolicyRelated | - | rcpt | 554 5.7.1 <ann@example.org>: Recipient address rejected: Policy Rejection: Sending Limit Exceeded
TransientFailure | - | rcpt | 450 4.7.1 <ann@example.org>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/example.org.html
TransientFailure | - | rcpt | 451 4.7.1 Greylisted for 5 minutes (sqlgrey)
AuthenticationFailed | - | rcpt | 550 5.7.23 <ann@example.org>: Recipient address rejected: Message rejected due to: SPF fail - not authorized. Please see http://www.open-spf.org/Why
AuthenticationFailed | - | end | 550 5.7.1 rejected by DMARC policy for example.com
AuthenticationFailed | - | end | 550 5.7.20 No valid DKIM signature (opendkim)
VirusRelated | - | end | 550 virus Eicar-Test-Signature detected by ClamAV - http://www.clamav.net
PolicyRelated | - | rcpt | 550 5.7.1 <ann@example.org>: Recipient address rejected: Blocked by our local block policy daemon
ChallengeResponse | - | rcpt | 550 5.7.1 This mailbox is protected by Boxbe: please confirm that you are human
# Servers in trouble, transport
TransientFailure | - | rcpt | 451 4.3.0 Temporary lookup failure
TransientFailure | - | rcpt | 451 4.3.0 <ann@example.org>: Temporary lookup failure
TransientFailure | - | rcpt | 554 5.3.0 Internal error: LDAP lookup of the recipient failed
BadConfiguration | - | rcpt | 554 5.3.5 Local configuration error
BadConfiguration | - | rcpt | 550 5.3.5 System incorrectly configured
TransientFailure | - | end | 554 5.3.0 unknown mailer error 1
TransientFailure | - | rcpt | 550 5.3.2 system not accepting network messages, in maintenance
BadConnection | - | end | 421 4.4.2 Connection timed out waiting for data
NoAnswerFromHost | - | - | 550 5.4.1 no answer from host
RoutingErrors | - | - | 550 5.4.4 unable to route: no route to host
MessageExpired | - | - | 554 5.4.7 message expired in queue, 5 days
DNSFailure | - | rcpt | 451 4.4.3 temporary DNS failure for recipient domain
RelayingIssues | - | mail | 535 5.7.8 Error: authentication failed: authentication failure
RelayingIssues | - | mail | 530 5.7.1 Authentication required
PolicyRelated | - | mail | 530 5.7.0 Must issue a STARTTLS command first
PolicyRelated | - | mail | 550 5.7.10 Encryption Needed
# A full mailbox, whatever the language
QuotaIssues | - | rcpt | 552 5.2.2 Das Postfach des Empfängers ist voll
QuotaIssues | - | rcpt | 550 Mailbox voll
QuotaIssues | - | rcpt | 550 Speicherplatz des Benutzers erschöpft
QuotaIssues | - | rcpt | 550 La boîte aux lettres du destinataire est pleine
QuotaIssues | - | rcpt | 552 Quota de la boîte dépassé
QuotaIssues | - | rcpt | 550 El buzón del destinatario está lleno
QuotaIssues | - | rcpt | 552 Cuota de almacenamiento excedida
QuotaIssues | - | rcpt | 550 A caixa de entrada do destinatário está cheia
QuotaIssues | - | rcpt | 552 Cota excedida: caixa postal lotada
QuotaIssues | - | rcpt | 550 La casella di posta è piena
QuotaIssues | - | rcpt | 552 Spazio esaurito nella casella del destinatario
QuotaIssues | - | rcpt | 550 De mailbox van de ontvanger is vol
QuotaIssues | - | rcpt | 550 Postvak vol
QuotaIssues | - | rcpt | 550 Skrzynka odbiorcy jest przepełniona
QuotaIssues | - | rcpt | 552 Przekroczono limit pojemności skrzynki
QuotaIssues | - | rcpt | 550 Почтовый ящик переполнен
QuotaIssues | - | rcpt | 552 Превышена квота почтового ящика
QuotaIssues | - | rcpt | 550 宛先のメールボックスが一杯です
QuotaIssues | - | rcpt | 552 メールボックスの容量を超えています
QuotaIssues | - | rcpt | 550 收件人邮箱已满
QuotaIssues | - | rcpt | 550 받는 사람의 사서함이 가득 찼습니다
QuotaIssues | - | rcpt | 550 Alıcının posta kutusu dolu
QuotaIssues | - | rcpt | 550 Schránka příjemce je plná
QuotaIssues | - | rcpt | 550 Brevlådan är full
# Unknown mailboxes, whatever the language
InvalidRecipient | hard | rcpt | 550 Empfänger existiert nicht
InvalidRecipient | hard | rcpt | 550 Unbekannter Empfänger
InvalidRecipient | hard | end | 550 Postfach nicht verfügbar
InvalidRecipient | hard | rcpt | 550 Diese Adresse gibt es nicht
InvalidRecipient | hard | end | 550 Boîte aux lettres indisponible
InvalidRecipient | hard | rcpt | 550 L'utilisateur n'existe pas
InvalidRecipient | hard | rcpt | 550 Destinataire inconnu
InvalidRecipient | hard | end | 550 Buzón no disponible
InvalidRecipient | hard | rcpt | 550 El usuario no existe
InvalidRecipient | hard | rcpt | 550 Destinatario desconocido
InvalidRecipient | hard | end | 550 Casella di posta non disponibile
InvalidRecipient | hard | rcpt | 550 Utente sconosciuto
InvalidRecipient | hard | rcpt | 550 Indirizzo del destinatario inesistente
InvalidRecipient | hard | end | 550 Caixa postal indisponível
InvalidRecipient | hard | rcpt | 550 Usuário inexistente
InvalidRecipient | hard | rcpt | 550 Destinatário desconhecido
InvalidRecipient | hard | end | 550 メールボックスは利用できません
InvalidRecipient | hard | rcpt | 550 宛先が存在しません
InvalidRecipient | hard | end | 550 Mailbox niet beschikbaar
InvalidRecipient | hard | rcpt | 550 Onbekende gebruiker
InvalidRecipient | hard | rcpt | 550 Geadresseerde bestaat niet
InvalidRecipient | hard | end | 550 Skrzynka pocztowa niedostępna
InvalidRecipient | hard | rcpt | 550 Nieznany użytkownik
InvalidRecipient | hard | rcpt | 550 Нет такого пользователя
InvalidRecipient | hard | rcpt | 550 Пользователь не найден
InvalidRecipient | hard | rcpt | 550 该用户不存在
InvalidRecipient | hard | rcpt | 550 존재하지 않는 사용자입니다
InvalidRecipient | hard | rcpt | 550 Kullanıcı bulunamadı
InvalidRecipient | hard | end | 550 Requested action not taken: mailbox unavailable
InvalidRecipient | hard | end | 550 5.1.1 mailbox unavailable
InactiveMailbox | hard | rcpt | 550 Das Konto wurde deaktiviert
InactiveMailbox | hard | rcpt | 550 Compte désactivé
InactiveMailbox | hard | rcpt | 550 La cuenta está desactivada
# The sender, whatever the language
InvalidSender | - | rcpt | 550 Absenderadresse unbekannt
InvalidSender | - | rcpt | 550 L'adresse de l'expéditeur n'existe pas
InvalidSender | - | rcpt | 550 El dominio del remitente no existe
InvalidSender | - | rcpt | 550 Il dominio del mittente non esiste
InvalidSender | - | rcpt | 550 O domínio do remetente não existe
InvalidSender | - | rcpt | 550 Afzender onbekend
InvalidSender | - | rcpt | 550 Nadawca nieznany
InvalidSender | - | rcpt | 550 Отправитель не существует
InvalidSender | - | rcpt | 550 发件人不存在
InvalidSender | - | rcpt | 550 送信者のドメインが存在しません
# Spam and policy, whatever the language
SpamContent | - | end | 554 Die Nachricht wurde als Spam abgelehnt
SpamContent | - | end | 550 Message refusé: contenu considéré comme spam
PolicyRelated | - | rcpt | 550 Zugriff verweigert
PolicyRelated | - | rcpt | 550 Accès refusé
PolicyRelated | - | rcpt | 550 Acceso denegado
# After DATA, about the address
InvalidRecipient | hard | end | 550 5.1.1 <ann@example.org> recipient rejected, no such user
InvalidRecipient | hard | end | 554 5.1.1 delivery failed: unknown user
InvalidRecipient | hard | end | 550 5.1.1 sorry, no such person here
InvalidRecipient | hard | end | 550 The recipient does not exist
InvalidRecipient | hard | end | 550 No valid recipients: unknown mailbox
InactiveMailbox | hard | end | 550 5.2.1 The recipient's account has been closed
InactiveMailbox | hard | end | 554 5.2.1 Inactive user
InactiveMailbox | hard | end | 550 User has been deleted
BadDomain | hard | end | 550 5.1.2 recipient domain does not exist
InvalidRecipient | hard | end | 553 5.1.1 mailbox name not allowed
InvalidRecipient | hard | end | 550 5.1.3 bad destination mailbox address syntax
InvalidRecipient | hard | data | 550 5.1.1 all recipients rejected: user unknown
# After DATA, not about the address
InvalidSender | - | end | 550 5.1.8 The sender's mailbox does not exist
ContentRelated | - | end | 550 5.6.0 invalid address in the To header
SpamContent | - | end | 550 5.7.1 rejected: looks like spam from unknown users
AuthenticationFailed | - | end | 550 5.7.1 domain example.com not found in SPF of 192.0.2.7
PolicyRelated | - | end | 550 5.7.1 The recipient does not accept mail from you
PolicyRelated | - | end | 550 5.7.1 Delivery not authorized, message refused
Uncategorized | - | end | 554 5.0.0 failed
QuotaIssues | - | end | 552 5.2.3 message too large for the recipient's mailbox
PolicyRelated | - | end | 550 5.2.0 user has blocked your address
`;
