// Refusals as receiving servers word them, with the class that each must get: `class | stage |
// reply`. Stage `-`: a report without a stage. They follow the vendors' published formats; hosts,
// addresses and serial numbers are made up.

export const REPLIES = `
# Gmail and Google Workspace
InvalidRecipient | rcpt | 550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces. For more information, go to https://support.google.com/mail/?p=NoSuchUser a1-20020a17 - gsmtp
InvalidRecipient | - | 550 5.1.1 The email account that you tried to reach does not exist. Please try 550-5.1.1 double-checking the recipient's email address for typos or 550 5.1.1 unnecessary spaces. gsmtp
InactiveMailbox | rcpt | 550 5.2.1 The email account that you tried to reach is disabled. For more information, go to https://support.google.com/mail/?p=DisabledUser b2 - gsmtp
InactiveMailbox | rcpt | 550 5.2.1 The email account that you tried to reach is inactive. For more information, go to https://support.google.com/mail/?p=DisabledUser c3 - gsmtp
QuotaIssues | rcpt | 452 4.2.2 The recipient's inbox is out of storage space. Please direct the recipient to https://support.google.com/mail/?p=OverQuotaTemp d4 - gsmtp
QuotaIssues | rcpt | 552 5.2.2 The recipient's inbox is out of storage space and inactive. Please direct the recipient to https://support.google.com/mail/?p=OverQuotaPerm e5 - gsmtp
TransientFailure | rcpt | 450 4.2.1 The user you are trying to contact is receiving mail too quickly. Please resend your message at a later time. f6 - gsmtp
PolicyRelated | rcpt | 550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered. https://support.google.com/mail/?p=ReceivingRatePerm g7 - gsmtp
AuthenticationFailed | end | 550 5.7.26 This mail has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM. Authentication results: DKIM = did not pass SPF [example.com] with ip: [192.0.2.7] = did not pass h8 - gsmtp
AuthenticationFailed | end | 550 5.7.1 Unauthenticated email from example.com is not accepted due to domain's DMARC policy. Please contact the administrator of example.com domain. i9 - gsmtp
AuthenticationFailed | end | 550 5.7.25 The IP address sending this message does not have a PTR record setup, or the corresponding forward DNS entry does not match the sending IP. j1 - gsmtp
AuthenticationFailed | end | 421 4.7.27 Your email has been rate limited because SPF authentication didn't pass for this message. k2 - gsmtp
SpamContent | end | 550 5.7.1 [192.0.2.7 12] Our system has detected that this message is likely unsolicited mail. To reduce the amount of spam sent to Gmail, this message has been blocked. https://support.google.com/mail/?p=UnsolicitedMessageError l3 - gsmtp
SpamBlock | end | 550 5.7.1 Our system has detected an unusual rate of unsolicited mail originating from your IP address. To protect our users from spam, mail sent from your IP address has been blocked. m4 - gsmtp
SpamBlock | end | 421 4.7.28 Gmail has detected an unusual rate of unsolicited mail originating from your IP Netblock. To protect our users from spam, mail sent from your IP Netblock has been temporarily rate limited. n5 - gsmtp
SpamBlock | end | 550 5.7.1 [192.0.2.7] Gmail has detected that this message is likely suspicious due to the very low reputation of the sending domain. To best protect our users from spam, the message has been blocked. o6 - gsmtp
ProhibitedAttachment | end | 552 5.7.0 This message was blocked because its content presents a potential security issue. Please visit https://support.google.com/mail/?p=BlockedMessage to review our message content and attachment content guidelines. p7 - gsmtp
PolicyRelated | end | 550 5.7.1 This message violates example.com email policy. - gcdp q8 - gsmtp
PolicyRelated | end | 550 5.7.29 Messages sent without a TLS connection are not accepted for this recipient. r9 - gsmtp
PolicyRelated | mail | 421 4.7.0 TLS required for RCPT domain, closing connection. s1 - gsmtp
ContentRelated | end | 550 5.7.1 Messages missing a valid Message-ID header are not accepted. t2 - gsmtp
ContentRelated | end | 550 5.7.1 This message is not RFC 5322 compliant, the issue is: duplicate To headers. u3 - gsmtp
QuotaIssues | end | 552 5.3.4 Your message exceeded Google's message size limits. Please visit https://support.google.com/mail/?p=MaxSizeError v4 - gsmtp
TransientFailure | connect | 421 4.3.0 Temporary System Problem. Try again later. w5 - gsmtp
TooManyRecipients | rcpt | 452 4.5.3 Your message has too many recipients. For more information go to https://support.google.com/mail/?p=TooManyRecipientsError x6 - gsmtp
ProtocolErrors | end | 451 4.5.0 SMTP protocol violation, visit https://support.google.com/mail/?p=SmtpProtocolViolation y7 - gsmtp
# Exchange Online, Outlook.com and Exchange
InvalidRecipient | rcpt | 550 5.4.1 Recipient address rejected: Access denied. [DB5EUR01FT031.eop-EUR01.prod.protection.outlook.com 2026-01-01T00:00:00.000Z 08DE]
InvalidRecipient | rcpt | 550 5.4.1 <ann@example.org>: Recipient address rejected: Access denied. AS(201806281) [AM6EUR05FT046.eop-eur05.prod.protection.outlook.com]
InvalidRecipient | end | 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ann@example.org not found by SMTP address lookup
InvalidRecipient | end | 550 5.1.1 RESOLVER.ADR.RecipNotFound; not found
InvalidRecipient | rcpt | 550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [CO1NAM11FT012.eop-nam11.prod.protection.outlook.com]
SpamBlock | mail | 550 5.7.1 Unfortunately, messages from [192.0.2.7] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150). You can also refer your provider to http://mail.live.com/mail/troubleshooting.aspx#errors.
SpamBlock | connect | 550 5.7.1 Service unavailable, Client host [192.0.2.7] blocked using Spamhaus. To request removal from this list see https://www.spamhaus.org/query/ip/192.0.2.7 AS(1450)
SpamBlock | rcpt | 550 5.7.606 Access denied, banned sending IP [192.0.2.7]. To request removal from this list please visit https://sender.office.com/ and follow the directions. AS(1430)
SpamBlock | rcpt | 550 5.7.511 Access denied, banned sender[192.0.2.7]. To request removal from this list please forward this message to delist@microsoft.com.
SpamBlock | mail | 550 SC-001 (COL004-MC1F5) Unfortunately, messages from 192.0.2.7 weren't sent.
SpamBlock | connect | 451 4.7.650 The mail server [192.0.2.7] has been temporarily rate limited due to IP reputation. For e-mail delivery information, see https://postmaster.live.com (S775)
AuthenticationFailed | end | 550 5.7.509 Access denied, sending domain example.com does not pass DMARC verification and has a DMARC policy of reject.
AuthenticationFailed | end | 550 5.7.515 Access denied, sending domain EXAMPLE.COM doesn't meet the required authentication level. The sender's domain in the 5322.From address doesn't meet the authentication requirements
AuthenticationFailed | end | 550 5.7.23 The message was rejected because of Sender Policy Framework violation -> 550 5.7.1 Recipient not authorized
PolicyRelated | end | 550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected by organization policy
PolicyRelated | end | 550 5.7.129 RESOLVER.RST.RestrictedToRecipientsPermission; not authorized to send to recipient because the sender isn't on the recipient's list of senders to accept mail from
PolicyRelated | end | 550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed because the sender was not authenticated when sending to this group
PolicyRelated | rcpt | 550 5.7.508 Access denied, [192.0.2.7] has exceeded permitted limits within range.
PolicyRelated | end | 550 5.7.703 Your message can't be delivered
RelayDenied | rcpt | 550 5.7.64 TenantAttribution; Relay Access Denied SMTP. [BL2NAM02FT038.eop-nam02.prod.protection.outlook.com]
RelayDenied | rcpt | 550 5.7.1 Unable to relay for ann@example.org
RelayingIssues | mail | 530 5.7.57 SMTP; Client was not authenticated to send anonymous mail during MAIL FROM
InactiveMailbox | end | 550 5.7.13 STOREDRV.Deliver.Exception:AccountDisabledException.MapiExceptionADUserDisabledAndHidden; Failed to process message due to a permanent exception
QuotaIssues | end | 554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded
QuotaIssues | end | 550 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient
QuotaIssues | end | 552 5.3.4 Message size exceeds fixed maximum message size
TransientFailure | end | 432 4.3.2 STOREDRV.Deliver; recipient thread limit exceeded
TransientFailure | mail | 452 4.3.1 Insufficient system resources (UsedDiskSpace[C:\\Exchange])
RoutingErrors | end | 554 5.4.14 Hop count exceeded - possible mail loop ATTR34
InvalidSender | mail | 501 5.1.7 Invalid address
BadDomain | rcpt | 550 5.1.2 Host unknown
TransientFailure | connect | 451 4.7.500 Server busy. Please try again later from [192.0.2.7]. (S77719)
# Yahoo and AOL
InvalidRecipient | end | 554 delivery error: dd This user doesn't have a yahoo.com account (ann@yahoo.com) [0] - mta1234.mail.bf1.yahoo.com
InvalidRecipient | rcpt | 552 1 Requested mail action aborted, mailbox not found
InvalidRecipient | end | 554 delivery error: dd Not a valid recipient - atlas301.free.mail.bf1.yahoo.com
InactiveMailbox | end | 554 30 Sorry, your message to ann@yahoo.com cannot be delivered. This mailbox is disabled (554.30).
QuotaIssues | end | 554 delivery error: dd Requested mail action aborted: user's mailbox quota exceeded
QuotaIssues | end | 552 5.2.2 Sorry, your message to ann@yahoo.com cannot be delivered. This account is over quota.
SpamBlock | connect | 421 4.7.0 [TSS04] Messages from 192.0.2.7 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes
SpamBlock | connect | 553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.7, because the ip is in Spamhaus's list; see http://postmaster.yahoo.com/550-bl23.html
SpamBlock | mail | 553 5.7.2 [TSS09] All messages from 192.0.2.7 will be permanently deferred; Retrying will NOT succeed.
TransientFailure | mail | 421 4.7.0 [GL01] Message from (192.0.2.7) temporarily deferred - 4.16.50.
PolicyRelated | end | 554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes
AuthenticationFailed | end | 554 5.7.5 (AU01) Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes
SpamBlock | mail | 451 VS1-IP Excessive unknown recipients - possible Open Relay (#4.1.8)
SpamBlock | connect | 554 5.7.1 (RTR:BL) https://postmaster.aol.com/error-codes#554rtrbl
SpamContent | end | 554 5.7.1 (HVU:B1) https://postmaster.aol.com/error-codes#554hvub1
AuthenticationFailed | connect | 554 (DNS:NR) https://postmaster.aol.com/error-codes#554dnsnr
# iCloud
InvalidRecipient | rcpt | 550 5.1.1 <ann@icloud.com>: user does not exist
InvalidRecipient | rcpt | 550 5.1.1 unknown or illegal alias: ann@icloud.com
InactiveMailbox | rcpt | 550 5.1.1 <ann@icloud.com>: inactive email address
QuotaIssues | rcpt | 552 5.2.2 <ann@icloud.com>: user is over quota
PolicyRelated | end | 550 5.7.1 [HM08] Message rejected due to local policy. Please visit https://support.apple.com/en-us/HT204137
AuthenticationFailed | end | 550 5.7.1 Your message was rejected due to example.com DMARC policy. See https://support.apple.com/en-us/HT204137 for info
SpamContent | end | 550 5.7.1 Your email was rejected due to having a domain present in the Spamhaus DBL -- see https://www.spamhaus.org/dbl/
SpamBlock | connect | 550 5.7.1 Mail from IP 192.0.2.7 was rejected due to listing in Spamhaus XBL. For details please see http://www.spamhaus.org/query/bl?ip=192.0.2.7
TransientFailure | mail | 421 4.7.1 Messages to ann@icloud.com deferred due to excessive volume. Try again later - https://support.apple.com/en-us/HT204137
RelayDenied | rcpt | 550 5.7.1 Relay not permitted for user.
# Mimecast
InvalidRecipient | rcpt | 550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [OJnbGq5oNzyx6XBzu3pB3g.uk44]
PolicyRelated | end | 550 Rejected by header based Anti-Spoofing policy: ann@example.com - https://community.mimecast.com/docs/DOC-1369#550 [abc.us12]
PolicyRelated | rcpt | 550 Administrative prohibition - envelope blocked - https://community.mimecast.com/docs/DOC-1369#550
AuthenticationFailed | rcpt | 550 SPF Sender Invalid - envelope rejected - https://community.mimecast.com/docs/DOC-1369#550
AuthenticationFailed | end | 550 DMARC Sender Invalid - envelope rejected - https://community.mimecast.com/docs/DOC-1369#550
SpamBlock | rcpt | 550 csi.mimecast.org Poor Reputation Sender. - https://community.mimecast.com/docs/DOC-1369#550 [vH7Ns8biNg.us149]
VirusRelated | end | 554 Virus signature detected - https://community.mimecast.com/docs/DOC-1369#554
PolicyRelated | end | 554 Email rejected due to security policies - https://community.mimecast.com/docs/DOC-1369#554
PolicyRelated | end | 550 Message bounced due to Content Examination Policy
QuotaIssues | end | 554 Maximum email size exceeded
TransientFailure | rcpt | 451 Internal resources are temporarily unavailable - https://community.mimecast.com/docs/DOC-1369#451
# Proofpoint, Barracuda, Cisco, Symantec, Trend Micro, FortiMail, Sophos, Cloudmark
SpamBlock | connect | 554 5.7.0 Blocked - see https://support.proofpoint.com/dnsbl-lookup.cgi?ip=192.0.2.7
SpamBlock | connect | 550 5.7.0 Local Policy Violation - blocked see https://ipcheck.proofpoint.com/?ip=192.0.2.7
PolicyRelated | end | 550 5.7.0 Local Policy Violation - 3abc
PolicyRelated | mail | 550 5.1.0 <bounce@example.com> sender rejected
InvalidRecipient | rcpt | 550 permanent failure for one or more recipients (ann@example.org:550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown)
SpamBlock | end | 550 permanent failure for one or more recipients (ann@example.org:blocked)
SpamBlock | connect | 554 Service unavailable; Client host [192.0.2.7] blocked using Barracuda Reputation; http://www.barracudanetworks.com/reputation/?r=1&ip=192.0.2.7
SpamContent | end | 554 rejected due to spam URL in content
VirusRelated | end | 554 rejected due to virus
InvalidRecipient | rcpt | 550 cuda_nsu 5.1.1 <ann@example.org> Recipient address rejected: User unknown
InvalidRecipient | rcpt | 550 #5.1.0 Address rejected.
SpamBlock | connect | 554 Your access to this mail system has been rejected due to the sending MTA's poor reputation. If you believe that this failure is in error, please contact the intended recipient via alternate means.
SpamBlock | connect | 550 #5.7.1 Your access to submit messages to this e-mail system has been rejected.
TooManyRecipients | rcpt | 452 Too many recipients received this hour
AuthenticationFailed | mail | 553 SPF (Sender Policy Framework) domain authentication fail. Refer to the Troubleshooting page at http://www.symanteccloud.com/troubleshooting for more information. (#5.7.1)
SpamContent | end | 553 Message filtered. Refer to the Troubleshooting page at http://www.symanteccloud.com/troubleshooting for more information. (#5.7.1)
RelayDenied | rcpt | 550 you are trying to use me [server-7.tower-1.messagelabs.com] as a relay, but I have not been configured to let you [192.0.2.7] do this. (#5.7.1)
PolicyRelated | mail | 501 Connection rejected by policy [7.7] 13503
SpamBlock | connect | 550 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using Trend Micro Email Reputation Service. Please see https://servicecentral.trendmicro.com
SpamContent | end | 554 5.7.1 This message has been blocked because it contains FortiGuard - AntiSpam blocking URL(s).
SpamContent | end | 550 5.2.0 Message rejected as spam by Content Filtering.
SpamBlock | connect | 554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using cm-csi-v11; Cloudmark Poor Reputation Sender Blacklist http://csi.cloudmark.com/reset-request/?ip=192.0.2.7
# GMX, WEB.DE, T-Online, IONOS
SpamBlock | connect | 554 gmx.net (mxgmx104) Nemesis ESMTP Service not available No SMTP service IP address is block listed. For explanation visit https://postmaster.gmx.net/en/case?c=r0201&i=ip&v=192.0.2.7
InvalidRecipient | rcpt | 550 Requested action not taken: mailbox unavailable For explanation visit https://postmaster.web.de/en/case?c=r0104
AuthenticationFailed | end | 550 <ann@gmx.net>: Reject due to SPF policy. The originating IP of the message is not permitted by the domain owner
AuthenticationFailed | connect | 554 No SMTP service Bad DNS PTR resource record. For explanation visit https://postmaster.gmx.net/en/case?c=rdns
PolicyRelated | end | 554 Transaction failed Reject due to policy restrictions. For explanation visit https://postmaster.gmx.net/en/case?c=hi
QuotaIssues | rcpt | 552 Requested mail action aborted: exceeded storage allocation Quota exceeded. The recipient storage is full.
InvalidSender | mail | 550 Requested action not taken: mailbox unavailable invalid DNS MX or A/AAAA resource record
TransientFailure | connect | 421 Rate limit reached. Please try again later. For explanation visit https://postmaster.gmx.net/en/case?c=r0103
SpamContent | end | 550 5.7.0 Message considered as spam or virus, rejected
SpamBlock | connect | 554 IP=192.0.2.7 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.de to clarify.) (BL)
# Yandex, Mail.ru, QQ, NetEase
InvalidRecipient | rcpt | 550 5.7.1 No such user!
SpamContent | end | 554 5.7.1 [2] Message rejected under suspicion of SPAM; https://ya.cc/1IrBc 1700000000-AbCdEf
PolicyRelated | rcpt | 550 5.7.1 Policy rejection on the target address
TransientFailure | rcpt | 450 4.2.1 The recipient has exceeded message rate limit. Try again later.
QuotaIssues | rcpt | 552 5.2.2 Mailbox size limit exceeded
InvalidRecipient | end | 550 Message was not accepted -- invalid mailbox. Local mailbox ann@mail.ru is unavailable: user not found
InactiveMailbox | end | 550 Message was not accepted -- invalid mailbox. Local mailbox ann@mail.ru is unavailable: account is disabled
SpamContent | end | 550 spam message rejected. Please visit http://help.mail.ru/notspam-support/id?c=abc or report details to abuse@corp.mail.ru. Error code: 0123
SpamBlock | connect | 550 Access from ip address 192.0.2.7 blocked. Visit http://help.mail.ru/mail-help/blocked-ip
AuthenticationFailed | end | 550 5.7.1 This message was not accepted due to domain owner DMARC policy (RFC 7489) https://help.mail.ru/mail-help/postmaster/dmarc
SpamContent | end | 550 Mail content denied. http://service.mail.qq.com/cgi-bin/help?subtype=1&&id=20022&&no=1000726
InvalidRecipient | rcpt | 550 Mailbox not found. http://service.mail.qq.com/cgi-bin/help?subtype=1&&no=1000728
PolicyRelated | connect | 550 Connection frequency limited. http://service.mail.qq.com/cgi-bin/help?subtype=1
SpamContent | end | 554 DT:SPM 163 smtp10,DsCowADn7,please see http://mail.163.com/help/help_spam_16.htm
AuthenticationFailed | mail | 553 MI:SPF 163 mx30,QMCowEC5Ys,please see http://mail.163.com/help/help_spam_16.htm
# Postfix
InvalidRecipient | rcpt | 550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown in local recipient table
InvalidRecipient | rcpt | 550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown in relay recipient table
InvalidRecipient | rcpt | 550 5.1.1 <spam.policy@example.org>: Recipient address rejected: User unknown in virtual mailbox table
InvalidRecipient | rcpt | 550 5.1.1 <ann@example.org>: Recipient address rejected: undeliverable address: host mail.example.org[192.0.2.1] said: 550 5.1.1 <ann@example.org> User doesn't exist: ann@example.org (in reply to RCPT TO command)
TransientFailure | rcpt | 450 4.2.0 <ann@example.org>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/example.org.html
RelayDenied | rcpt | 554 5.7.1 <ann@example.org>: Relay access denied
PolicyRelated | rcpt | 554 5.7.1 <ann@example.org>: Recipient address rejected: Access denied
PolicyRelated | connect | 554 5.7.1 <unknown[192.0.2.7]>: Client host rejected: Access denied
AuthenticationFailed | rcpt | 450 4.7.25 Client host rejected: cannot find your hostname, [192.0.2.7]
PolicyRelated | helo | 504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname
InvalidSender | rcpt | 450 4.1.8 <bounce@example.com>: Sender address rejected: Domain not found
InvalidSender | mail | 550 5.1.0 <bounce@example.com>: Sender address rejected: User unknown in virtual mailbox table
SpamBlock | rcpt | 554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/192.0.2.7
SpamContent | end | 554 5.7.1 Service unavailable; Helo command [mail.example.com] blocked using dbl.spamhaus.org
QuotaIssues | mail | 552 5.3.4 Message size exceeds fixed limit
RoutingErrors | end | 554 5.4.6 Error: too many hops
RoutingErrors | end | 554 5.4.6 mail for example.org loops back to myself
TransientFailure | data | 452 4.3.1 Insufficient system storage
TransientFailure | connect | 421 4.7.0 mx.example.org Error: too many connections from 192.0.2.7
ProtocolErrors | data | 503 5.5.1 Error: need RCPT command
BadConnection | data | 421 4.4.2 mx.example.org Error: timeout exceeded
DNSFailure | rcpt | 450 4.4.3 Host or domain name not found. Name service error for name=example.org type=MX: Host not found, try again
BadDomain | rcpt | 556 5.1.10 Domain example.org does not accept mail (nullMX)
TransientFailure | end | 451 4.3.0 Error: queue file write error
PolicyRelated | mail | 530 5.7.0 Must issue a STARTTLS command first
# Amavis, SpamAssassin, ClamAV, rspamd
SpamContent | end | 554 5.7.0 Reject, id=12345-01 - SPAM
VirusRelated | end | 554 5.7.0 Reject, id=12345-02 - INFECTED: Eicar-Test-Signature
ProhibitedAttachment | end | 554 5.7.0 Reject, id=12345-03 - BANNED: .exe,.exe-ms,setup.exe
SpamContent | end | 550 5.7.1 This message scored 9.4 spam points.
SpamContent | end | 554 5.7.1 Spam message rejected
# Exim and cPanel
InvalidRecipient | rcpt | 550 Unrouteable address
InvalidRecipient | rcpt | 550 No Such User Here
InvalidRecipient | rcpt | 550 No such person at this address
RelayDenied | rcpt | 550 relay not permitted
InvalidSender | rcpt | 550 Verification failed for <bounce@example.com>
InvalidSender | mail | 550 Sender verify failed
SpamBlock | rcpt | 550 rejected because 192.0.2.7 is in a black list at bl.spamcop.net
SpamBlock | rcpt | 550 JunkMail rejected - mail.example.com [192.0.2.7]:4711 is in an RBL, see https://www.spamhaus.org/query/ip/192.0.2.7
SpamContent | end | 550 The mail server detected your message as spam and has prevented delivery.
PolicyRelated | rcpt | 550 Domain example.com has exceeded the max emails per hour (150/150 (100%)) allowed. Message discarded.
QuotaIssues | rcpt | 550 Mailbox quota exceeded
RelayingIssues | rcpt | 550 Please turn on SMTP Authentication in your mail client.
# Sendmail
InvalidRecipient | rcpt | 550 5.1.1 <ann@example.org>... User unknown
InvalidRecipient | rcpt | 553 5.3.0 <ann@example.org>... Addressee unknown, relay=[192.0.2.7]
RelayDenied | rcpt | 550 5.7.1 <ann@example.org>... Relaying denied. Proper authentication required.
InvalidSender | mail | 553 5.1.8 <bounce@example.com>... Domain of sender address bounce@example.com does not exist
TransientFailure | connect | 421 4.3.2 Connection rate limit exceeded.
AuthenticationFailed | connect | 550 5.7.1 Connections not accepted from servers without a valid sender domain. Fix reverse DNS for 192.0.2.7
# qmail and its kin
InvalidRecipient | rcpt | 550 sorry, no mailbox here by that name. (#5.1.1)
InvalidRecipient | rcpt | 511 sorry, no mailbox here by that name (#5.1.1 - chkuser)
RelayDenied | rcpt | 553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)
InvalidRecipient | rcpt | 553 sorry, this recipient is not in my validrcptto list (#5.7.1)
QuotaIssues | end | 552 sorry, that message size exceeds my databytes limit (#5.3.4)
RoutingErrors | end | 554 This message is looping: it already has my Delivered-To line. (#5.4.6)
PolicyRelated | mail | 553 sorry, your envelope sender is in my badmailfrom list (#5.7.1)
TransientFailure | end | 451 qq temporary problem (#4.3.0)
# Others
InvalidRecipient | rcpt | 550 User ann (ann@example.org) not listed in Domino Directory
InvalidRecipient | rcpt | 550 5.1.1 Not our Customer
SpamBlock | connect | 554 resimta-po-11v.sys.comcast.net 192.0.2.7 found on one or more DNSBLs, see http://postmaster.comcast.net/smtp-error-codes.php#BL000010
SpamBlock | connect | 553 5.3.0 flph825 DNSBL:ATTRBL 521< 192.0.2.7 >_is_blocked.For assistance forward this email to abuse_rbl@abuse-att.net
InvalidRecipient | rcpt | 550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416 [416]
SpamBlock | connect | 550 Too many spams from your IP (192.0.2.7), please visit http://postmaster.free.fr/
InactiveMailbox | rcpt | 550 5.2.1 This mailbox has been blocked due to inactivity
InvalidRecipient | rcpt | 550 Empfänger unbekannt
InvalidRecipient | rcpt | 550 Utilisateur inconnu
InvalidRecipient | rcpt | 550 usuario desconocido
QuotaIssues | rcpt | 552 Postfach voll
InactiveMailbox | rcpt | 550 Account Closed, please remove
InactiveMailbox | rcpt | 550 5.2.1 ann@example.org is expired account
PolicyRelated | rcpt | 550 5.7.1 Blacklisted by recipient
PolicyRelated | connect | 550 Sorry, we do not accept mail from hosts with dynamic IP addresses
SpamBlock | rcpt | 550 5.2.1 Mailbox unavailable. Your IP address 192.0.2.7 is blacklisted using SPAMHAUS-XBL. Details: https://www.spamhaus.org/query/ip/192.0.2.7
ChallengeResponse | rcpt | 550 challenge-response: reply to this challenge to have your mail delivered
BadConfiguration | rcpt | 451 4.3.5 Server configuration error
MessageExpired | - | 550 5.4.7 Delivery time expired
BadDomain | - | 550 5.1.2 no such domain
SpamRelated | - | 554 spam
RelayDenied | rcpt | 550 Domain example.org is not hosted here
RelayDenied | rcpt | 550 relaying to <ann@example.org> prohibited by administrator
PolicyRelated | end | 550 5.7.1 This email is rejected because the sender does not have permission to send to this group: not permitted
PolicyRelated | rcpt | 550 5.1.1 sorry, you are not on my whitelist
PolicyRelated | rcpt | 550 5.7.1 Recipient rejected
InvalidRecipient | rcpt | 550 Recipient rejected
InvalidRecipient | rcpt | 550 5.4.1 All recipient addresses rejected : Access denied [AM6EUR05FT046.eop-eur05.prod.protection.outlook.com]
InvalidRecipient | rcpt | 550 <ann@example.org> unknown
InvalidRecipient | rcpt | 550 Benutzer existiert nicht
QuotaIssues | end | 552 5.2.3 Message length exceeds administrative limit
InactiveMailbox | rcpt | 550 User has moved
# The sender, its host or the server's own trouble, in words that also stand in refusals of an address
PolicyRelated | rcpt | 521 5.2.1 : AOL will not accept delivery of this message.
PolicyRelated | rcpt | 554 5.1.1 Mail from your domain is not accepted for this recipient
PolicyRelated | rcpt | 550 ann@example.org does not want mail from you
PolicyRelated | rcpt | 550 The recipient has chosen not to receive mail from this domain
PolicyRelated | rcpt | 550 This account only accepts mail from people in its address book
PolicyRelated | rcpt | 553 RP:RCL 163 mx12,please see http://mail.163.com/help/help_spam_16.htm
PolicyRelated | rcpt | 554 RP:TRC 163 smtp7,please see http://mail.163.com/help/help_spam_16.htm
TransientFailure | connect | 421 HL:ICC 163 mx21,please see http://mail.163.com/help/help_spam_16.htm
SpamBlock | connect | 554 HL:REP 163 mx8,please see http://mail.163.com/help/help_spam_16.htm
AuthenticationFailed | rcpt | 550 Your host does not exist in DNS
AuthenticationFailed | rcpt | 550 client host unknown
InvalidSender | rcpt | 550 mail from address does not exist
InvalidSender | rcpt | 550 Return address does not exist
InvalidSender | rcpt | 553 Your From address is invalid
InvalidSender | rcpt | 550 Absenderadresse existiert nicht
InvalidSender | rcpt | 550 adresse expediteur invalide
InvalidSender | rcpt | 550 expéditeur inconnu
InvalidSender | rcpt | 550 dominio del remitente no existe
InvalidSender | rcpt | 550 Verification failed for <bounce@example.com> 550-Called: 192.0.2.7 550-Sent: RCPT TO:<bounce@example.com> 550-Response: 550 User unknown 550 Sender verify failed
InvalidRecipient | rcpt | 550 Verification failed for <ann@example.org> 550-Called: 192.0.2.7 550-Sent: RCPT TO:<ann@example.org> 550-Response: 550 User unknown 550 Recipient verify failed
ContentRelated | end | 550 invalid address in From header
ContentRelated | end | 550 5.1.3 Invalid address in To: header
ContentRelated | end | 550 invalid Message-ID
ProtocolErrors | end | 550 maximum allowed line length is 998 octets, got 1200
DNSFailure | - | 550 5.4.310 DNS domain example.org does not exist [Message=InfoDomainNonexistent] [LastAttemptedServerName=example.org]
PolicyRelated | rcpt | 550 5.7.1 Recipient cannot receive external mail
InvalidSender | - | 550 5.1.15 Sender mailbox doesn't exist
ContentRelated | - | 550 5.1.20 Multiple From addresses without Sender address detected
RelayingIssues | mail | 530 5.7.1 Client was not authenticated
SpamContent | end | 550 rejected: URL blacklisted
PolicyRelated | - | 550 5.2.122 The recipient has exceeded their limit for the number of messages they can receive per hour
QuotaIssues | end | 554 message size exceeds maximum
QuotaIssues | end | 550 Mailbox would exceed maximum allowed storage
QuotaIssues | rcpt | 553 mailbox exceeded allowed storage
QuotaIssues | end | 422 The recipient's mailbox is over its storage limit
InactiveMailbox | rcpt | 550 no longer with this company
InvalidRecipient | rcpt | 550 User ann unknown
# A full mailbox, in other languages
QuotaIssues | rcpt | 550 Kontingent überschritten
QuotaIssues | rcpt | 550 boite aux lettres pleine
QuotaIssues | rcpt | 550 Quota depasse
QuotaIssues | rcpt | 550 casilla llena
QuotaIssues | rcpt | 550 cuota excedida
QuotaIssues | rcpt | 550 caixa de correio cheia
QuotaIssues | rcpt | 550 skrzynka jest pełna
QuotaIssues | rcpt | 550 邮箱已满
# Codes whose wording says nothing
InvalidRecipient | rcpt | 550 5.1.1 sorry
InvalidRecipient | rcpt | 550 5.1.3 no
InactiveMailbox | rcpt | 550 5.2.1 no
QuotaIssues | end | 552 5.2.2 no
TransientFailure | rcpt | 450 4.2.1 later maybe
NoAnswerFromHost | rcpt | 451 4.4.1 hm
RoutingErrors | end | 554 5.4.6 no
ContentRelated | end | 554 5.6.1 no
PolicyRelated | end | 554 5.7.1 no
PolicyRelated | end | 550 5.7.999 no
AuthenticationFailed | end | 550 5.7.20 no
InvalidSender | mail | 550 5.7.27 no
BadDomain | rcpt | 550 5.7.18 no
QuotaIssues | end | 552 no
InvalidRecipient | rcpt | 551 no
InvalidRecipient | rcpt | 553 Requested action not taken: mailbox name not allowed
TransientFailure | end | 451 Requested action aborted: local error in processing
ProtocolErrors | mail | 501 no
Uncategorized | rcpt | 553 no
BadDomain | rcpt | 556 no
Uncategorized | rcpt | 550 no
Uncategorized | end | 554 Transaction failed
InvalidRecipient | end | 550 Requested action not taken: mailbox unavailable
TransientFailure | connect | 421 no
# Addresses beyond ASCII: this project's gateway, Postfix, RFC 6531
ProtocolErrors | mail | 553 5.6.7 The server takes no addresses beyond ASCII (SMTPUTF8)
ProtocolErrors | mail | 554 5.6.9 The server takes no headers beyond ASCII (SMTPUTF8)
ProtocolErrors | - | 550 5.6.7 SMTPUTF8 is required, but was not offered by host mx.example.org[192.0.2.9]
ProtocolErrors | end | 554 5.6.9 UTF-8 header message cannot be transferred to one or more recipients, so the message must be rejected
`;
