// Refusals of mail servers and filters, from their sources and documentation: `class | hard or - |
// stage | reply`. Those under "heard" were recorded from Postfix 3.7, Exim 4.96 and OpenSMTPD
// 6.8. `hard`: the address itself is refused, permanently.

export const SERVERS = `
# Postfix, heard
InvalidRecipient | hard | rcpt | 550 5.1.1 <nobody@receiver.test>: Recipient address rejected: User unknown in local recipient table
InvalidRecipient | hard | rcpt | 550 5.1.1 <nobody@valias.test>: Recipient address rejected: User unknown in virtual alias table
RelayDenied | - | rcpt | 554 5.7.1 <ann@elsewhere.test>: Relay access denied
PolicyRelated | - | rcpt | 554 5.7.1 <blocked@receiver.test>: Recipient address rejected: Access denied
InactiveMailbox | hard | rcpt | 551 5.1.6 <moved@receiver.test>: Recipient address rejected: new address unknown
QuotaIssues | - | rcpt | 552 5.2.2 <full@receiver.test>: Recipient address rejected: mailbox full
PolicyRelated | - | rcpt | 554 5.7.1 <policy@receiver.test>: Recipient address rejected: not for you
InvalidRecipient | hard | rcpt | 501 5.1.3 Bad recipient address syntax
ProtocolErrors | - | data | 554 5.5.1 Error: no valid recipients
PolicyRelated | - | rcpt | 554 5.7.1 <x@spam.test>: Sender address rejected: Access denied
PolicyRelated | - | rcpt | 554 5.7.1 <bad@sender.test>: Sender address rejected: go away
QuotaIssues | - | mail | 552 5.3.4 Message size exceeds fixed limit
ProtocolErrors | - | mail | 555 5.5.4 Unsupported option: FOO=1
ContentRelated | - | end | 550 5.7.1 Message content rejected
QuotaIssues | - | end | 552 5.3.4 Error: message file too big
ProtocolErrors | - | data | 503 5.5.1 Error: need RCPT command
ProtocolErrors | - | mail | 500 5.5.2 Error: command not recognized
RoutingErrors | - | end | 554 5.4.0 Error: too many hops
PolicyRelated | - | rcpt | 504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname
PolicyRelated | - | rcpt | 501 5.5.2 <-bad_>: Helo command rejected: Invalid name
PolicyRelated | - | rcpt | 450 4.7.1 <unknown.host.test>: Helo command rejected: Host not found
PolicyRelated | - | rcpt | 550 5.7.1 <unknown.host.test>: Helo command rejected: Host not found
InvalidSender | - | rcpt | 504 5.5.2 <b@nofqdn>: Sender address rejected: need fully-qualified address
InvalidSender | - | rcpt | 450 4.1.8 <b@unknown.invalid>: Sender address rejected: Domain not found
InvalidSender | - | rcpt | 550 5.1.0 <nobody@receiver.test>: Sender address rejected: User unknown in local recipient table
PolicyRelated | - | rcpt | 554 5.7.1 <unknown[192.0.2.7]>: Client host rejected: Access denied
PolicyRelated | - | mail | 530 5.7.0 Must issue a STARTTLS command first
# Postfix: smtpd(8), postscreen(8), ADDRESS_VERIFICATION_README
BadDomain | hard | rcpt | 550 5.1.1 <ann@example.org>: Recipient address rejected: undeliverable address: Host or domain name not found
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@example.org>: Recipient address rejected: unverified address: unknown user: "ann"
InvalidSender | - | rcpt | 550 5.1.7 <b+abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrstuvwxyz234@bounces.example.com>: Sender address rejected: undeliverable address: host mx.example.com said: 550 5.1.1 User unknown (in reply to RCPT TO command)
AuthenticationFailed | - | rcpt | 550 5.7.25 Client host rejected: cannot find your reverse hostname, [192.0.2.7]
SpamBlock | - | connect | 521 5.7.1 Service unavailable; client [192.0.2.7] blocked using dnsbl.sorbs.net
SpamBlock | - | rcpt | 554 5.7.1 Service unavailable; Sender address [b@example.com] blocked using rhsbl.example.net
TransientFailure | - | connect | 421 4.3.2 All server ports are busy
TransientFailure | - | rcpt | 450 4.3.2 Service currently unavailable
ProtocolErrors | - | connect | 521 5.5.1 Protocol error
BadConfiguration | - | rcpt | 451 4.3.5 <ann@example.org>: Recipient address rejected: Server configuration problem, try again later
DNSFailure | - | rcpt | 450 4.1.2 <ann@example.org>: Recipient address rejected: Domain not found; DNS lookup failed
BadDomain | hard | rcpt | 550 5.1.2 <ann@example.invalid>: Recipient address rejected: Domain not found
BadDomain | hard | rcpt | 556 5.1.10 <ann@example.org>: Recipient address rejected: Domain example.org does not accept mail (nullMX)
InvalidSender | - | rcpt | 550 5.7.27 <b@example.com>: Sender address rejected: Domain example.com does not accept mail (nullMX)
TooManyRecipients | - | rcpt | 452 4.5.3 Error: too many recipients
RoutingErrors | - | end | 550 5.4.6 mail for receiver.test loops back to myself
ProtocolErrors | - | mail | 503 5.5.1 Error: nested MAIL command
# Exim, heard
InvalidRecipient | hard | rcpt | 550 Unrouteable address
PolicyRelated | - | rcpt | 550 Administrative prohibition
SpamBlock | - | rcpt | 550 127.0.0.1 is in a black list at zen.dnsbl.test
TransientFailure | - | rcpt | 451 greylisted, try again later
QuotaIssues | - | rcpt | 550 mailbox is full
InactiveMailbox | hard | rcpt | 550 account disabled
InactiveMailbox | hard | rcpt | 550 no longer with us
InvalidRecipient | hard | rcpt | 550 Unknown user
RelayDenied | - | rcpt | 550 relay not permitted
InvalidRecipient | hard | rcpt | 550 restricted characters in address
ProtocolErrors | - | rcpt | 501 <@>: domain missing or malformed
SpamBlock | - | mail | 550 sender domain is blacklisted here
PolicyRelated | - | helo | 550 HELO rejected: you are not bad.helo.test
ProtocolErrors | - | helo | 501 Syntactically invalid EHLO argument(s)
InvalidSender | - | rcpt | 550-Verification failed for <x@unknown.invalid> 550-Unrouteable address 550 Sender verify failed
InvalidSender | - | rcpt | 550-Verification failed for <b+abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrstuvwxyz234@bounces.example.com> 550-No such person at this address 550 Sender verify failed
QuotaIssues | - | mail | 552 Message size exceeds maximum permitted
SpamContent | - | end | 550 This message scored 12.3 spam points.
PolicyRelated | - | end | 550 Administrative prohibition
ProtocolErrors | - | end | 550 maximum allowed line length is 998 octets, got 1200
TooManyRecipients | - | rcpt | 552 too many recipients
ProtocolErrors | - | data | 503 valid RCPT command must precede DATA
ProtocolErrors | - | mail | 503 Too many syntax or protocol errors
ProtocolErrors | - | mail | 503 HELO or EHLO required
# Exim, cPanel, Plesk, DirectAdmin: their ACLs
InvalidRecipient | hard | rcpt | 550 No Such User Here
InvalidRecipient | hard | rcpt | 550-"The mail server could not deliver mail to ann@example.org. The account or domain may not exist, they may be blacklisted, or missing the proper dns entries."
InvalidSender | - | rcpt | 550-The mail server could not verify the sender: No Such User Here for b@example.com
InvalidSender | - | end | 550 "Your message's From header address does not verify: no such user"
InvalidSender | - | rcpt | 550-Callback setup failed while verifying <b@example.com> 550-The initial connection, or a HELO or MAIL FROM:<> command was rejected 550 Sender verify failed
SpamBlock | - | connect | 550-"JunkMail rejected - mail.example.com [192.0.2.7]:43210 is in an RBL: https://www.spamcop.net/bl.shtml?192.0.2.7"
PolicyRelated | - | connect | 550 Host is banned: too many failed logins
AuthenticationFailed | - | rcpt | 550-SPF: 192.0.2.7 is not allowed to send mail from example.com. Please see http://www.openspf.org/Why
PolicyRelated | - | helo | 550-"HELO should be a FQDN or address literal (See RFC 2821 4.1.1.1)"
PolicyRelated | - | rcpt | 550 Bad HELO - Host impersonating domain name [example.org]
PolicyRelated | - | rcpt | 550 R3: HELO/EHLO with my ip address. You are not me.
PolicyRelated | - | rcpt | 550 Access denied - Invalid HELO name (See RFC2821 4.1.1.1)
PolicyRelated | - | mail | 550 "REJECTED - Bad HELO: unknown host mail.example.com"
RelayingIssues | - | rcpt | 550-Please turn on SMTP Authentication in your mail client. 550-mail.example.com [192.0.2.7]:41122 is not permitted to relay 550 through this server without authentication.
InactiveMailbox | hard | rcpt | 550 5.7.1 <ann@example.org>: Recipient address rejected: Account is suspended
InactiveMailbox | hard | rcpt | 550 Mailbox ann@example.org is suspended
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@example.org>: Recipient address rejected: unknown recipient (plesk)
ContentRelated | - | end | 550 Rejected: message contains a badly formatted header: From:
ContentRelated | - | end | 550 syntax error in 'From:' header when scanning for sender: missing or malformed local part
InvalidSender | - | end | 550 there is no valid sender in any header line
ContentRelated | - | end | 554 Header 'From:' names a domain that does not exist: example.invalid
InvalidSender | - | end | 550 5.7.1 From: domain is invalid. Please provide a valid From:
InvalidSender | - | end | 550 The domain in your From address does not exist
# OpenSMTPD, heard
BadConfiguration | - | rcpt | 524 5.2.4 Mailing list expansion problem: <nobody@receiver.test>
InvalidRecipient | hard | rcpt | 550 Invalid recipient: <ann@elsewhere.test>
InvalidSender | - | mail | 553 5.1.0 Sender address syntax error
ProtocolErrors | - | helo | 501 5.5.4 Invalid command arguments: Invalid domain name
QuotaIssues | - | end | 554 5.3.4 Message too big for system: Transaction failed, message too big
RoutingErrors | - | end | 500 5.4.6 Routing loop detected: Loop detected
ContentRelated | - | end | 550 5.7.1 Delivery not authorized, message refused: Message is not RFC 2822 compliant
ProtocolErrors | - | data | 503 5.5.1 Invalid command: Command not allowed at this point.
# Sendmail: proto.m4, milters
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@example.org>... User unknown
InvalidRecipient | hard | rcpt | 553 5.1.3 <ann@>... Hostname required
BadDomain | hard | rcpt | 550 5.1.2 <ann@example.invalid>... Host unknown (Name server: example.invalid: host not found)
BadDomain | hard | rcpt | 550 5.1.2 <ann@example.org>... Host not found
RelayDenied | - | rcpt | 550 5.7.1 <ann@example.org>... Relaying denied. IP name lookup failed [192.0.2.7]
InvalidSender | - | mail | 553 5.1.8 <b@example.com>... Domain of sender address b@example.com does not exist
InvalidSender | - | rcpt | 501 5.1.8 Sender domain must exist: example.com
InvalidSender | - | rcpt | 553 5.5.4 <b>... Domain name required for sender address b
PolicyRelated | - | mail | 550 5.7.1 <b@example.com>... Access denied
TransientFailure | - | connect | 421 4.3.2 Too many open connections.
TransientFailure | - | mail | 452 4.4.5 Insufficient disk space; try again later
PolicyRelated | - | rcpt | 550 5.7.1 Command rejected
InvalidRecipient | hard | rcpt | 550 5.0.0 <ann@example.org>... We do not know this user: unknown address
RoutingErrors | - | end | 554 5.0.0 Too many hops 27 (25 max): from <b@example.com> via mx, to <ann@example.org>
# qmail, netqmail, vpopmail
InvalidRecipient | hard | rcpt | 550 sorry, no mailbox here by that name (#5.1.1 - chkusr)
InvalidRecipient | hard | rcpt | 554 sorry, no mailbox here by that name (#5.7.17)
InvalidRecipient | hard | rcpt | 553 sorry, badrcptto list: this recipient does not exist (#5.1.1)
InactiveMailbox | hard | end | 550 user account is disabled, bounced: vdelivermail (#5.2.1)
RelayDenied | - | rcpt | 553 sorry, that domain isn't in my list of allowed rcpthosts; no valid cert for gatewaying (#5.7.1)
InvalidSender | - | mail | 553 sorry, your envelope sender domain must exist (#5.7.1)
PolicyRelated | - | mail | 553 sorry, your envelope sender has been denied (#5.7.1)
QuotaIssues | - | end | 552 sorry, that user is over quota (#5.2.2)
QuotaIssues | - | end | 554 sorry, that message size exceeds the recipient's mailbox quota (#5.2.2)
RoutingErrors | - | end | 554 too many hops, this message is looping (#5.4.6)
ProtocolErrors | - | end | 451 See http://pobox.com/~djb/docs/smtplf.html
# Exchange on premises, Domino, GroupWise, MDaemon, Kerio, Zimbra, IceWarp, hMailServer, Communigate, MailEnable
InvalidRecipient | hard | rcpt | 550 5.1.1 User unknown
InvalidRecipient | hard | rcpt | 550 5.7.1 Recipient not found in directory: no such user
InvalidRecipient | hard | rcpt | 550 ann@example.org... No such user
InvalidRecipient | hard | rcpt | 550 ann@example.org is not listed in the public Name & Address Book
InvalidRecipient | hard | rcpt | 550 Mailbox unknown or not accepting mail.
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@example.org> Recipient unknown
InvalidRecipient | hard | rcpt | 550 Unknown user (hMailServer)
InvalidRecipient | hard | rcpt | 550 5.1.1 Mail Refused - Address <ann@example.org> Recipient Unknown (Kerio)
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@example.org>, we do not relay ann@example.org unknown user account
InactiveMailbox | hard | rcpt | 550 ann@example.org account is locked, contact administrator
InactiveMailbox | hard | rcpt | 550 5.2.1 <ann@example.org>: Recipient address rejected: account is closed (Zimbra)
RelayingIssues | - | rcpt | 503 This mail server requires authentication when attempting to send to a non-local e-mail address. Please check your mail client settings
InvalidRecipient | hard | rcpt | 550 ann@example.org unknown user account (CommuniGate)
QuotaIssues | - | rcpt | 552 5.2.2 ann@example.org account is full (quota exceeded)
PolicyRelated | - | rcpt | 550 5.7.1 Client does not have permissions to send as this sender
InvalidSender | - | mail | 501 5.1.7 Invalid address: sender
ProtocolErrors | - | helo | 501 5.5.4 Invalid domain name
PolicyRelated | - | connect | 554 5.7.1 Your IP is not on our list of allowed senders
InvalidSender | - | rcpt | 550 5.1.0 Sender denied: mailbox of sender does not exist
# Numbers that speak of the sender or the session
InvalidSender | - | rcpt | 550 5.1.7 <b@example.com>: User unknown
InvalidSender | - | rcpt | 553 5.1.8 example.com: unknown domain
ProtocolErrors | - | rcpt | 550 5.5.1 address refused, command out of turn
ProtocolErrors | - | rcpt | 550 5.5.4 Invalid arguments
InvalidSender | - | mail | 525 5.7.13 User account disabled
InvalidSender | - | rcpt | 550 5.7.13 account disabled for sending
InactiveMailbox | hard | rcpt | 550 5.7.13 The recipient's mailbox has been disabled
InvalidSender | - | rcpt | 550 <b+abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrstuvwxyz234@bounces.example.com>: User unknown
InvalidSender | - | end | 550 5.1.1 b+abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrstuvwxyz234@bounces.example.com does not exist, ask postmaster@example.org
InvalidRecipient | hard | rcpt | 550 5.1.1 mail from b+abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrstuvwxyz234@bounces.example.com to ann@example.org: user unknown
Uncategorized | - | rcpt | 554 no
Uncategorized | - | rcpt | 571 no
Uncategorized | hard | rcpt | 550 no
Uncategorized | hard | rcpt | 553 sorry
Uncategorized | - | end | 550 no
Uncategorized | - | rcpt | 554 Transaction failed
`;
