// Refusals in our own words, which differ from those of every server that the rules were written
// from: `class | hard or - | stage | reply`. `hard`: the address itself is refused, permanently.

export const PARAPHRASES = `
InvalidSender | - | rcpt | 550 5.1.8 <b@example.com>: Sender domain not found in DNS
InvalidSender | - | rcpt | 553 5.1.8 Your domain example.com could not be resolved
InvalidSender | - | rcpt | 550 unknown sender mailbox b@example.com
InvalidSender | - | rcpt | 550 5.7.1 The address you are sending from does not exist
InvalidSender | - | rcpt | 550 MAIL FROM address is not a valid mailbox
InvalidSender | - | rcpt | 550 Return-path mailbox does not exist
InvalidSender | - | rcpt | 550 No MX or A record for domain of sender
InvalidSender | - | rcpt | 550 The From: domain example.com has no DNS entry, unknown domain
InvalidSender | - | end | 550 Header From domain not found
InvalidSender | - | rcpt | 551 Originator unknown
PolicyRelated | - | rcpt | 550 EHLO name mail.example.com is an unknown host
PolicyRelated | - | rcpt | 550 Your HELO does not resolve: host not found
PolicyRelated | - | rcpt | 550 5.7.1 HELO domain does not exist
PolicyRelated | - | rcpt | 553 5.5.2 invalid hostname in HELO
AuthenticationFailed | - | rcpt | 550 your mail server has no reverse name, host unknown
AuthenticationFailed | - | rcpt | 553 Client IP has no PTR, unknown host
PolicyRelated | - | rcpt | 550 We don't take mail from you
PolicyRelated | - | rcpt | 550 You are blocked by this user
PolicyRelated | - | rcpt | 550 User is not accepting mail from outside the company
PolicyRelated | - | rcpt | 550 This address only receives internal mail
PolicyRelated | - | rcpt | 550 Only members may post to this list
PolicyRelated | - | rcpt | 550 5.7.2 Posting to this mailing list is restricted
PolicyRelated | - | rcpt | 550 mail from your country is unwanted
PolicyRelated | - | rcpt | 553 Not authorized to send to this user
PolicyRelated | - | rcpt | 550 Recipient has declined this sender
PolicyRelated | - | rcpt | 550 5.7.1 Recipient refuses mail from b@example.com
QuotaIssues | - | rcpt | 550 Not enough space in the recipient's mailbox
QuotaIssues | - | rcpt | 550 user has too many messages on the server
QuotaIssues | - | rcpt | 550 The user's space has been used up
QuotaIssues | - | rcpt | 550 5.2.2 storage limit reached for ann@example.org
QuotaIssues | - | end | 554 5.2.2 would be over the allowed quota
QuotaIssues | - | rcpt | 550 mailbox has exceeded its disk space limit
QuotaIssues | - | rcpt | 550 Der Speicherplatz ist voll
QuotaIssues | - | rcpt | 550 Le quota du destinataire est dépassé
QuotaIssues | - | rcpt | 550 Almacenamiento del usuario agotado
QuotaIssues | - | rcpt | 550 Mailbox is vol
QuotaIssues | - | rcpt | 550 mailbox overloaded, capacity exceeded
TransientFailure | - | rcpt | 554 temporary failure, please retry
TransientFailure | - | rcpt | 550 Service temporarily unavailable
PolicyRelated | - | rcpt | 550 too many invalid recipients, go away
PolicyRelated | - | rcpt | 550 5.7.1 Maximum daily messages exceeded by sender
AuthenticationFailed | - | end | 550 5.7.1 SPF unauthorized mail is prohibited
AuthenticationFailed | - | rcpt | 550 Domain example.com publishes a DMARC reject policy
SpamBlock | - | rcpt | 550 Sender IP is in our blacklist
SpamBlock | - | rcpt | 553 your address is on our blacklist
SpamContent | - | end | 550 We think this is junk
RelayDenied | - | rcpt | 553 we do not relay
RelayDenied | - | rcpt | 550 not a gateway; relaying prohibited
RelayingIssues | - | rcpt | 550 you must log in before sending
VirusRelated | - | end | 550 infected with W32.Netsky
ProhibitedAttachment | - | end | 550 .zip files not accepted here
ContentRelated | - | end | 550 no Date header
ContentRelated | - | end | 554 invalid MIME structure
ProtocolErrors | - | rcpt | 503 bad sequence of commands
ProtocolErrors | - | rcpt | 501 5.5.4 Bad address syntax, invalid argument
TooManyRecipients | - | rcpt | 550 5.5.3 recipient limit
BadConfiguration | - | rcpt | 554 5.3.5 misconfigured server
InvalidRecipient | hard | end | 550 5.1.1 user unknown after all
InvalidRecipient | hard | end | 554 No such mailbox here
InvalidRecipient | hard | end | 550 5.0.0 recipient unknown
InvalidRecipient | hard | end | 554 5.1.1 The address ann@example.org could not be found
InvalidRecipient | hard | end | 550 Addressee not known at this site
InvalidRecipient | hard | end | 550 Unable to deliver: mailbox doesn't exist
InvalidRecipient | hard | end | 554 there is no such account
InvalidRecipient | hard | end | 550 5.1.1 ann@example.org: invalid address
InactiveMailbox | hard | end | 550 this account is no longer active
InactiveMailbox | hard | end | 554 mailbox disabled for this recipient
InactiveMailbox | hard | end | 550 5.2.1 not accepting mail
InactiveMailbox | hard | end | 550 ann@example.org has left the company
InactiveMailbox | hard | rcpt | 550 This mailbox was deleted
InactiveMailbox | hard | rcpt | 550 the user retired, address discontinued
BadDomain | hard | rcpt | 550 this domain has expired
BadDomain | hard | rcpt | 550 5.1.2 we do not know this domain
InvalidRecipient | hard | end | 550 Aucun utilisateur de ce nom
InvalidRecipient | hard | end | 550 Dieser Benutzer ist hier nicht bekannt
InvalidRecipient | hard | end | 550 Ese buzón no existe
InvalidRecipient | hard | end | 550 L'indirizzo non è valido
InvalidRecipient | hard | end | 550 O destinatário não foi encontrado
InvalidRecipient | hard | end | 550 Geen postbus met die naam
InvalidRecipient | hard | end | 550 Adresat nie istnieje
InvalidRecipient | hard | end | 550 該当するユーザーは存在しません
InactiveMailbox | hard | end | 550 Dieses Postfach wurde gelöscht
InactiveMailbox | hard | end | 550 La casella è stata disattivata
InactiveMailbox | hard | end | 550 Konto jest nieaktywne
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@seznam.cz>: Recipient address rejected: The recipient does not exist
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@wp.pl>: Recipient address rejected: Unknown user
InvalidRecipient | hard | rcpt | 550 5.1.1 User unknown; rejecting (uol)
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@terra.com.br> Conta inexistente
InvalidRecipient | hard | rcpt | 550 5.1.1 Recipient <ann@ziggo.nl> does not exist here
InvalidRecipient | hard | rcpt | 550 #5.1.0 Address rejected ann@bluewin.ch
InvalidRecipient | hard | rcpt | 550 no mailbox by that name is currently available
InvalidRecipient | hard | rcpt | 550 recipient not accepted here: unknown address
InvalidRecipient | hard | rcpt | 553 5.3.0 <ann@shaw.ca>... No such user here
InvalidRecipient | hard | rcpt | 550 <ann@btinternet.com> Recipient not found in our directory
InvalidRecipient | hard | rcpt | 550 5.2.1 ann@bigpond.com No such mailbox
InvalidRecipient | hard | rcpt | 550 cuda_nsu 5.1.1 <ann@telus.net>: Email address could not be found
InvalidRecipient | hard | rcpt | 550 5.1.1 ann@rediffmail.com is not a valid rediffmail address
InvalidRecipient | hard | rcpt | 553 mailbox ann@aliyun.com does not exist (#5.1.1)
InvalidRecipient | hard | rcpt | 550 #5.1.1 bad address ann@sina.com
InvalidRecipient | hard | rcpt | 550 Sorry, we have no such person
InvalidRecipient | hard | rcpt | 551 user not local; please try elsewhere
InvalidRecipient | hard | rcpt | 550 Cannot deliver to that address: nobody by that name
InvalidRecipient | hard | rcpt | 550 delivery error: unknown local-part in domain
InvalidRecipient | hard | rcpt | 550 5.1.1 We have no record of that account
InvalidRecipient | hard | end | 550 5.1.1 The recipient you specified is not here
InvalidRecipient | hard | end | 554 5.1.1 No recipients by that name
InvalidRecipient | hard | end | 550 Delivery failed: recipient could not be located
InvalidRecipient | hard | end | 554 5.0.0 User (ann) not found on this host
InvalidRecipient | hard | end | 550 account ann does not exist
InvalidRecipient | hard | end | 554 mail to ann@example.org rejected: not a user here
InvalidRecipient | hard | end | 550 5.1.6 mailbox has moved
InvalidRecipient | hard | - | 550 5.1.1 unknown address
InactiveMailbox | hard | rcpt | 550 5.2.1 <ann@interia.pl>: Konto zablokowane
InactiveMailbox | hard | rcpt | 554 5.2.1 mailbox unused and closed
InactiveMailbox | hard | rcpt | 550 Account of ann@onet.pl has been cancelled
InactiveMailbox | hard | end | 550 This user's account was terminated
InactiveMailbox | hard | end | 554 5.2.1 recipient inactive for more than a year
InactiveMailbox | hard | end | 550 The address has been deactivated by its owner
BadDomain | hard | rcpt | 550 5.1.2 Bad destination system
BadDomain | hard | rcpt | 550 Domain of recipient does not exist
BadDomain | hard | - | 550 Host unknown
QuotaIssues | - | rcpt | 550 5.2.2 Mailbox quota of ann@example.org reached
QuotaIssues | - | rcpt | 550 5.2.0 inbox full
QuotaIssues | - | rcpt | 550 the recipient has run out of space
QuotaIssues | - | rcpt | 554 user exceeded storage
QuotaIssues | - | rcpt | 550 Postfach überfüllt
QuotaIssues | - | rcpt | 550 Boîte pleine
QuotaIssues | - | rcpt | 550 Buzón lleno
QuotaIssues | - | end | 552 message exceeds maximum allowed size
QuotaIssues | - | end | 550 Message too big (25 MB max)
SpamBlock | - | connect | 554 5.7.1 You are listed on a DNS blocklist
SpamBlock | - | rcpt | 550 5.7.1 Sending server has a bad reputation
SpamBlock | - | connect | 421 4.7.1 Too much spam from your network
SpamBlock | - | rcpt | 553 sorry, your mail server is blocked for spamming
SpamBlock | - | mail | 550 Your server 192.0.2.7 was rejected: abuse reports
SpamContent | - | end | 571 5.7.1 Message contains spam
SpamContent | - | end | 550 Your message looks like a phishing attempt
SpamContent | - | end | 554 5.7.1 Message scored too high on our filters, spam
AuthenticationFailed | - | end | 550 5.7.26 Authentication checks failed
AuthenticationFailed | - | mail | 550 5.7.23 SPF validation failed
AuthenticationFailed | - | rcpt | 554 5.7.25 Reverse DNS required
AuthenticationFailed | - | end | 550 message failed DKIM verification
PolicyRelated | - | rcpt | 550 5.7.1 Access denied
PolicyRelated | - | rcpt | 550 Rejected for policy reasons
PolicyRelated | - | rcpt | 550 We reject mail from freemail providers to this recipient
PolicyRelated | - | rcpt | 550 This mailbox accepts mail only from approved senders
PolicyRelated | - | rcpt | 554 5.7.1 Mails to this address are not allowed
PolicyRelated | - | mail | 550 5.7.1 Sender blocked
PolicyRelated | - | end | 554 5.7.1 message rejected by administrator
InvalidSender | - | mail | 550 Sender unknown
InvalidSender | - | mail | 501 5.1.7 Bad sender address syntax
InvalidSender | - | rcpt | 550 Unknown sender domain
InvalidSender | - | rcpt | 550 sender b@example.com does not exist
InvalidSender | - | rcpt | 554 5.1.8 Sender's domain has no MX
RelayDenied | - | rcpt | 550 5.7.1 Relaying not allowed
RelayDenied | - | rcpt | 554 We do not relay for this domain
RelayDenied | - | rcpt | 550 5.7.1 we are not a relay
RelayingIssues | - | mail | 530 Authentication is required for sending
ProtocolErrors | - | mail | 501 5.5.2 Syntax error in MAIL command
ProtocolErrors | - | helo | 502 5.5.2 command not implemented
ProtocolErrors | - | end | 554 5.5.2 bare LF not allowed
ContentRelated | - | end | 550 5.6.0 Message has no From header
ContentRelated | - | end | 554 too many header lines
RoutingErrors | - | end | 554 5.4.6 Mail loop
TooManyRecipients | - | rcpt | 452 4.5.3 Too many recipients in this transaction
TransientFailure | - | connect | 421 Service not available, closing transmission channel
TransientFailure | - | rcpt | 451 4.7.1 Please try again in 300 seconds
TransientFailure | - | rcpt | 450 4.2.0 mailbox busy
TransientFailure | - | mail | 421 4.4.5 server too busy
VirusRelated | - | end | 554 5.7.1 message contains malware
ProhibitedAttachment | - | end | 554 5.7.1 attachment type .exe is not allowed
BadConfiguration | - | rcpt | 451 4.3.5 server is misconfigured
InvalidRecipient | hard | rcpt | 550 5.1.1 That user isn't known here
InvalidRecipient | hard | rcpt | 550 We could not find a mailbox called ann
InvalidRecipient | hard | rcpt | 553 <ann@example.org> wrong address, no such account exists
InvalidRecipient | hard | rcpt | 550 (ann@example.org) mailbox invalid
InvalidRecipient | hard | rcpt | 550 unknown or invalid recipient
InvalidRecipient | hard | rcpt | 550 this is not a valid address
InvalidRecipient | hard | end | 550 5.1.1 undeliverable: unknown recipient ann
InvalidRecipient | hard | end | 554 Message could not be delivered: user does not exist
InvalidRecipient | hard | end | 550 One or more recipients are unknown
InvalidRecipient | hard | end | 550 Der Empfänger ist nicht vorhanden
InvalidRecipient | hard | end | 550 Le destinataire est introuvable
InvalidRecipient | hard | end | 550 Cuenta inexistente
InvalidRecipient | hard | end | 550 Użytkownik nie istnieje
InvalidRecipient | hard | end | 550 Почтовый ящик не существует
InvalidRecipient | hard | end | 550 無効な宛先です
InvalidRecipient | hard | end | 550 mailbox not available
InactiveMailbox | hard | end | 550 ann's mailbox is no longer active
InactiveMailbox | hard | end | 554 The user has been suspended
InactiveMailbox | hard | end | 550 5.2.1 Compte suspendu
InactiveMailbox | hard | rcpt | 550 recipient blocked or closed: account disabled
InactiveMailbox | hard | rcpt | 550 Учетная запись удалена
BadDomain | hard | rcpt | 550 5.1.2 Unknown destination domain
QuotaIssues | - | rcpt | 550 mail quota exceeded by the recipient
QuotaIssues | - | rcpt | 554 sorry, the mailbox is over its limit
QuotaIssues | - | rcpt | 550 insufficient storage in the user's account
QuotaIssues | - | rcpt | 550 Mailbox des Benutzers ist überfüllt
QuotaIssues | - | rcpt | 550 Capacité de la boîte dépassée
QuotaIssues | - | rcpt | 550 Квота исчерпана, ящик полон
QuotaIssues | - | end | 554 5.2.2 ann@example.org 的邮箱空间不足
InvalidSender | - | rcpt | 550 The sender you gave is not a valid user
InvalidSender | - | rcpt | 550 Could not verify that b@example.com exists: sender callout failed, user unknown
InvalidSender | - | rcpt | 550 5.1.8 unknown user in return address
InvalidSender | - | rcpt | 553 envelope sender invalid: no such mailbox
InvalidSender | - | rcpt | 550 sender's address does not exist, no such user
InvalidSender | - | rcpt | 550 5.1.0 From address unknown
InvalidSender | - | rcpt | 550 Expéditeur invalide
InvalidSender | - | rcpt | 550 Remitente desconocido
InvalidSender | - | rcpt | 550 Mittente non valido
InvalidSender | - | rcpt | 550 差出人アドレスが無効です
PolicyRelated | - | rcpt | 550 HELO/EHLO greeting is not valid
PolicyRelated | - | rcpt | 550 host mail.example.com in EHLO not found
PolicyRelated | - | rcpt | 550 Go away, spoofed HELO
PolicyRelated | - | rcpt | 550 not welcome here
PolicyRelated | - | rcpt | 550 this user refuses your mail
PolicyRelated | - | rcpt | 550 5.7.1 You may not write to this address
PolicyRelated | - | rcpt | 550 external senders are prohibited for this group
PolicyRelated | - | rcpt | 550 5.7.1 delivery to this recipient is not permitted
PolicyRelated | - | end | 550 Rechazado por política
PolicyRelated | - | end | 550 Отклонено политикой сервера
AuthenticationFailed | - | rcpt | 550 IP without PTR record, unknown host
AuthenticationFailed | - | end | 554 sender domain not authenticated: no DKIM
SpamBlock | - | rcpt | 550 192.0.2.7 blocked by our reputation service
SpamBlock | - | rcpt | 550 5.7.1 Your IP appears on a realtime blackhole list
SpamBlock | - | rcpt | 553 spammer
SpamContent | - | end | 550 classified as bulk
SpamContent | - | end | 554 identified as junk by filter
VirusRelated | - | end | 550 virus-infected message
ProhibitedAttachment | - | end | 550 executable attachments are forbidden
RelayDenied | - | rcpt | 550 5.7.1 cannot relay to that domain
RelayDenied | - | rcpt | 551 we don't relay mail for example.net
RelayingIssues | - | rcpt | 550 5.7.1 you need to authenticate before sending
ContentRelated | - | end | 550 header line too long
ContentRelated | - | end | 554 5.6.0 duplicate Subject header
ProtocolErrors | - | rcpt | 501 5.5.4 syntax error in RCPT parameters
ProtocolErrors | - | rcpt | 503 5.5.1 need MAIL before RCPT
QuotaIssues | - | end | 552 5.3.4 message size exceeds limit
RoutingErrors | - | end | 554 5.4.6 looping message
TransientFailure | - | rcpt | 450 4.3.2 please slow down
TransientFailure | - | rcpt | 550 server error, try later
TransientFailure | - | rcpt | 554 5.3.0 database error
Uncategorized | - | rcpt | 554 sorry
Uncategorized | - | end | 550 rejected
BadConfiguration | - | rcpt | 550 5.3.5 server misconfigured
TooManyRecipients | - | rcpt | 550 5.5.3 too many recipients
MessageExpired | - | - | 554 5.4.7 delivery expired (message too old)
PolicyRelated | - | rcpt | 550 your IP address 192.0.2.7 is unknown to us
PolicyRelated | - | rcpt | 550 5.7.1 domain does not exist
PolicyRelated | - | rcpt | 550 we no longer accept mail with executable content
InactiveMailbox | hard | rcpt | 550 this address no longer accepts mail
InactiveMailbox | hard | end | 550 ann@example.org no longer works here
InvalidRecipient | hard | rcpt | 550 5.1.1 user unknown please check before sending again
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@example.org>: Recipient address rejected: undeliverable address: host mail.example.org[192.0.2.1] said: 550 5.1.1 no such user
InvalidRecipient | hard | rcpt | 550 host mx[192.0.2.1] said: 550 <ann@example.org> user unknown
QuotaIssues | - | rcpt | 550 Le compte de cet utilisateur a dépassé son quota
QuotaIssues | - | rcpt | 550 Il limite di spazio della casella è stato superato
QuotaIssues | - | rcpt | 550 Limite de armazenamento da caixa excedido
QuotaIssues | - | rcpt | 550 Limite de la boîte aux lettres atteinte : quota dépassé
QuotaIssues | - | rcpt | 550 Het quotum van het postvak is overschreden
QuotaIssues | - | rcpt | 550 受信者のメールボックスの容量が上限を超過しています
QuotaIssues | - | rcpt | 550 ยูสเซอร์ mailbox full
QuotaIssues | - | rcpt | 550 Ящик получателя переполнен, попробуйте позже
InvalidSender | - | rcpt | 550 De afzender bestaat niet
InvalidSender | - | rcpt | 550 Absender-Domain existiert nicht
InvalidSender | - | rcpt | 550 Domaine de l'expéditeur introuvable
PolicyRelated | - | rcpt | 550 Votre adresse IP est refusée
PolicyRelated | - | rcpt | 550 Ihre IP-Adresse ist gesperrt
SpamBlock | - | rcpt | 550 Su dirección IP está en una lista negra (blacklist)
InvalidRecipient | hard | end | 550 De opgegeven mailbox bestaat niet
InvalidRecipient | hard | end | 550 Ta skrzynka nie istnieje
InvalidRecipient | hard | end | 550 La boîte aux lettres demandée n'existe pas
InvalidRecipient | hard | end | 550 Das Postfach ist nicht erreichbar
InvalidRecipient | hard | end | 550 No existe el buzón solicitado
InvalidRecipient | hard | end | 550 A caixa de correio não existe
InvalidRecipient | hard | end | 550 このメールアドレスは存在しません
InvalidRecipient | hard | end | 550 メールボックスが見つかりません
InvalidRecipient | hard | rcpt | 550 L'adresse mail saisie est inconnue
TransientFailure | - | end | 550 Das Postfach ist vorübergehend nicht erreichbar
QuotaIssues | - | rcpt | 550 Поштова скринька переповнена
QuotaIssues | - | rcpt | 550 Пощенската кутия на получателя е пълна
QuotaIssues | - | rcpt | 550 Το γραμματοκιβώτιο είναι γεμάτο
QuotaIssues | - | rcpt | 550 Hộp thư của người nhận đã đầy
QuotaIssues | - | rcpt | 550 Kotak surat penerima penuh
QuotaIssues | - | rcpt | 550 صندوق البريد ممتلئ
QuotaIssues | - | rcpt | 550 תיבת הדואר מלאה
QuotaIssues | - | rcpt | 550 กล่องจดหมายเต็ม
QuotaIssues | - | rcpt | 550 A postafiók megtelt
InvalidRecipient | hard | end | 550 Користувач не існує
InvalidRecipient | hard | end | 550 Ο παραλήπτης δεν υπάρχει
InvalidRecipient | hard | end | 550 Người dùng không tồn tại
InvalidRecipient | hard | end | 550 Pengguna tidak ditemukan
InvalidRecipient | hard | end | 550 المستخدم غير موجود
InvalidRecipient | hard | end | 550 המשתמש לא קיים
InvalidRecipient | hard | end | 550 ไม่พบผู้ใช้
InvalidSender | - | rcpt | 550 Відправник невідомий
`;
