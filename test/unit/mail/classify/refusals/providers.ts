// Refusals of mailbox providers, from their postmasters' pages: `class | hard or - | stage |
// reply`. Hosts, addresses and serial numbers are made up. `hard`: the address
// itself is refused, permanently.

export const PROVIDERS = `
# Gmail: support.google.com/a/answer/3726730
InvalidRecipient | hard | rcpt | 550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces. Learn more at https://support.google.com/mail/?p=NoSuchUser d9443c01a7336 - gsmtp
BadDomain | hard | rcpt | 553 5.1.2 We weren't able to find the recipient domain. Please check for any spelling errors, and make sure you didn't enter any spaces, periods, or other punctuation after the recipient's email address.
InvalidRecipient | hard | rcpt | 553 5.1.3 The recipient address <ann@> is not a valid RFC 5321 address. For more information, go to https://support.google.com/a/answer/3221692
InactiveMailbox | hard | rcpt | 550 5.2.1 The email account that you tried to reach is inactive. Learn more at https://support.google.com/mail/?p=DisabledUser ffacd0b85a97d-gsmtp
PolicyRelated | - | rcpt | 550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered. For more information, visit https://support.google.com/mail/?p=ReceivingRatePerm
QuotaIssues | - | rcpt | 552 5.2.2 The recipient's inbox is out of storage space. Please direct the recipient to https://support.google.com/mail/?p=OverQuotaPerm 5b1f17b1804b1 - gsmtp
QuotaIssues | - | rcpt | 452 4.2.2 The email account that you tried to reach is over quota. Please direct the recipient to https://support.google.com/mail/?p=OverQuotaTemp
TransientFailure | - | rcpt | 450 4.2.1 Peak SMTP relay limit exceeded for customer. This is a temporary error. For more information on SMTP relay limits, contact your administrator
QuotaIssues | - | end | 552 5.3.4 The number of attachments (101) exceeds Google's limit of 100 attachments. To view our attachment size guidelines, go to https://support.google.com/mail/?p=MaxSizeError
ContentRelated | - | end | 552 5.3.4 Your message exceeded Google's message header size limits. To view our header size guidelines, go to https://support.google.com/a?p=header-limits
InvalidSender | - | mail | 553 5.1.7 The sender address <b> is not a valid RFC 5321 address. For more information, go to https://support.google.com/a/answer/3221692
ProtocolErrors | - | mail | 555 5.5.2 Syntax error, goodbye. For more information, go to https://support.google.com/a/answer/3221692
ProtocolErrors | - | data | 503 5.5.1 RCPT first. For more information, go to About SMTP error messages
ContentRelated | - | end | 554 5.6.0 Mail message is malformed. Not accepted. For more information, go to Email sender guidelines
ContentRelated | - | end | 550 5.7.1 Messages with multiple addresses in From: header are not accepted. gsmtp
PolicyRelated | - | end | 550 5.7.1 The user or domain that you are sending to (or from) has a policy that prohibited the mail that you sent. Please contact your domain administrator for further details
RelayingIssues | - | mail | 530 5.7.0 Authentication Required. For more information, go to https://support.google.com/accounts/troubleshooter/2402620
RelayDenied | - | rcpt | 550 5.7.1 Invalid credentials for relay [192.0.2.7]. The IP address you have registered in your Workspace SMTP Relay service doesn't match the domain of the account this email is being sent from
AuthenticationFailed | - | end | 550 5.7.24 The SPF record of the sending domain has one or more suspicious entries. For more information, visit https://support.google.com/a?p=spf-suspicious
AuthenticationFailed | - | end | 550 5.7.30 This mail has been blocked because DKIM does not pass. Gmail requires all large senders to authenticate with DKIM. Authentication results: DKIM = did not pass
AuthenticationFailed | - | end | 550 5.7.40 This mail has been blocked because it does not include a DMARC record, or the DMARC record does not specify a DMARC policy
SpamBlock | - | end | 421 4.7.0 This message is suspicious due to the very low reputation of the sending IP address. To protect our users from spam, mail sent from your IP address has been temporarily rate limited
SpamContent | - | end | 550 5.7.28 There is an unusual rate of unsolicited mail containing one of your URL domains. To protect our users from spam, mail with the URL has been blocked
PolicyRelated | - | end | 550 5.7.25 mail from this sender has been blocked; contact the administrator of the receiving domain - gcdp
TransientFailure | - | mail | 421 4.7.0 Try again later, closing connection. (EHLO) v17-20020a170906 - gsmtp
ProtocolErrors | - | rcpt | 454 4.5.0 SMTP protocol violation, no commands allowed to pipeline after STARTTLS
# Outlook.com and Exchange Online: learn.microsoft.com, sendersupport.olc.protection.outlook.com
InvalidRecipient | hard | rcpt | 550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [VI1EUR04FT012.eop-eur04.prod.protection.outlook.com 2026-05-04T10:00:00.000Z 08DB]
InvalidRecipient | hard | rcpt | 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup
InvalidRecipient | hard | end | 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ann@example.org not found by SMTP address lookup
InvalidRecipient | hard | rcpt | 550 5.1.1 RESOLVER.ADR.ExRecipNotFound; not found
InvalidRecipient | hard | rcpt | 550 5.4.1 Recipient address rejected: Access denied. [AM7EUR03FT043.eop-EUR03.prod.protection.outlook.com 2026-01-01T00:00:00.000Z 08DC]
InvalidRecipient | hard | - | 550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 5.1.1 <ann@example.org>: user unknown
InvalidRecipient | hard | - | 550 5.1.0 Recipient address rejected: User unknown [BN8NAM12FT041.eop-nam12.prod.protection.outlook.com]
BadDomain | hard | rcpt | 556 5.1.10 Tenant or domain not found
BadDomain | hard | - | 550 5.1.2 The destination email system couldn't be found: the recipient's domain doesn't exist
InactiveMailbox | hard | end | 550 5.2.1 STOREDRV.Deliver.Exception:AccountDisabledException; mailbox disabled, not accepting messages
QuotaIssues | - | end | 554 5.2.2 STOREDRV.Deliver.Exception:QuotaExceededException; Failed to process message due to a permanent exception with message mailbox full
PolicyRelated | - | end | 550 5.7.1 RESOLVER.RST.AuthRequired; authentication required
PolicyRelated | - | end | 550 5.7.124 RESOLVER.RST.SenderNotInAllowedSendersList; sender not in the allowed-senders list for the group
PolicyRelated | - | end | 550 5.7.134 RESOLVER.RST.SenderNotAuthenticatedForMailbox; authentication required; sender was not authenticated when sending to this mailbox
PolicyRelated | - | end | 550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected by organization policy
PolicyRelated | - | end | 550 5.2.121 RESOLVER.RST.RecipientRateExceeded; recipient's per hour message receive limit from specific sender exceeded
PolicyRelated | - | rcpt | 550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP. For more information please go to http://go.microsoft.com/fwlink/?LinkId=526653 AS(7230)
InvalidSender | - | mail | 550 5.1.8 Access denied, bad outbound sender AS(42004)
InvalidSender | - | rcpt | 550 5.7.512 Access denied, message must be RFC 5322 section 3.6.2 compliant: the From address is not valid
AuthenticationFailed | - | end | 550 5.7.1 Access denied, sending domain [EXAMPLE.COM] does not pass DMARC verification and has a DMARC policy of reject
AuthenticationFailed | - | end | 550 5.7.367 Remote server returned not permitted to relay -> sender domain failed SPF check
SpamBlock | - | connect | 550 5.7.1 Service unavailable, Client host [192.0.2.7] blocked using Customer Block list. To request removal from this list please contact the recipient's administrator AS(1420)
SpamBlock | - | mail | 550 5.7.1 Unfortunately, messages from [192.0.2.7] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140)
TransientFailure | - | mail | 421 RP-001 (BAY004-MC1F26) Unfortunately, some messages from 192.0.2.7 weren't sent. Please try again. We have limits for how many messages can be sent per hour and per day
SpamBlock | - | rcpt | 550 DY-002 Unfortunately, messages from 192.0.2.7 weren't sent. The likely cause is a compromised or virus infected server
SpamBlock | - | rcpt | 550 5.7.1 Service unavailable, MailFrom domain is listed in Spamhaus. To request removal from this list see https://www.spamhaus.org/lookup/ S8001
TransientFailure | - | rcpt | 451 4.7.500 Server busy. Please try again later from [192.0.2.7]. AS(77712004)
TransientFailure | - | rcpt | 451 4.7.651 The mail server [192.0.2.7] has been temporarily rate limited due to unusual traffic
AuthenticationFailed | - | rcpt | 450 4.7.26 Service does not accept messages sent over IPv6 unless they pass either SPF or DKIM validation
TooManyRecipients | - | rcpt | 452 4.5.3 Too many recipients; throttled
RelayDenied | - | rcpt | 550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain
RoutingErrors | - | - | 550 5.4.14 Hop count exceeded - possible mail loop detected on MX
DNSFailure | - | - | 550 5.4.312 Message failed, DNS query failed. DNS lookup of the domain failed
MessageExpired | - | - | 550 5.4.300 Message expired -> 451 4.4.62 Mail sent to the wrong Office 365 region
# Yahoo and AOL: senders.yahooinc.com/smtp-error-codes
InvalidRecipient | hard | rcpt | 554 delivery error: dd This user doesn't have a yahoo.com account (ann@yahoo.com) [0] - mta1007.biz.mail.gq1.yahoo.com
InvalidRecipient | hard | rcpt | 554 5.1.1 delivery error: dd Requested mail action aborted, no such mailbox
InvalidRecipient | hard | end | 554 delivery error: dd Not a valid recipient - atlas316.free.mail.ne1.yahoo.com
InvalidRecipient | hard | rcpt | 552 1 Requested mail action aborted, mailbox not found
InactiveMailbox | hard | end | 554 30 Sorry, your message to ann@yahoo.com cannot be delivered. This mailbox is disabled (554.30).
InactiveMailbox | hard | end | 554 delivery error: dd Sorry, your message to ann@aol.com cannot be delivered. This account is not active.
QuotaIssues | - | rcpt | 552 5.2.2 delivery error: dd Requested mail action aborted: exceeded storage allocation, this account is over quota
SpamBlock | - | mail | 553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.7, because the ip is in Spamhaus's list; see http://postmaster.yahoo.com/550-bl23.html
TransientFailure | - | connect | 421 4.7.0 [TSS04] Messages from 192.0.2.7 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes
SpamBlock | - | connect | 553 5.7.1 [TSS09] All messages from 192.0.2.7 will be permanently deferred; Retrying will NOT succeed. See https://postmaster.yahooinc.com/error-codes
SpamContent | - | end | 554 5.7.9 Message not accepted for policy reasons. See https://senders.yahooinc.com/error-codes [PH01]
PolicyRelated | - | end | 554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes
AuthenticationFailed | - | end | 550 5.7.1 Message rejected: unauthenticated email is not accepted from domain example.com; see DMARC [AU01]
AuthenticationFailed | - | mail | 554 5.4.4 [internal] DNS lookup of the sending domain failed: SPF record cannot be found
InvalidSender | - | end | 553 5.7.2 [TSS13] From domain does not exist; sender domain must resolve
InvalidSender | - | mail | 550 5.1.8 [internal] sender domain example.com does not resolve to an MX or A record
TransientFailure | - | rcpt | 451 Resources temporarily unavailable. Please try again later [#4.16.5].
SpamBlock | - | connect | 554 5.7.1 (RTR:BL) https://postmaster.aol.com/error-codes#554rtrbl
# iCloud: support.apple.com/en-us/102322
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@icloud.com>: user does not exist
InvalidRecipient | hard | rcpt | 550 5.1.1 unknown or illegal alias: ann@me.com
InvalidRecipient | hard | rcpt | 550 5.1.6 recipient no longer on server: ann@icloud.com
QuotaIssues | - | rcpt | 552 5.2.2 <ann@icloud.com>: user is over quota
QuotaIssues | - | rcpt | 452 4.2.2 user is over quota (in reply to RCPT TO command)
PolicyRelated | - | end | 554 5.7.1 [CS01] Message rejected due to local policy. Please visit https://support.apple.com/en-us/HT204137
SpamContent | - | end | 550 5.7.1 [HM20] Message rejected as spam
TransientFailure | - | end | 421 4.7.1 [HMCS] messages to ann@icloud.com deferred due to excessive volume. Try again later - https://support.apple.com/en-us/HT204137
AuthenticationFailed | - | mail | 550 5.7.0 Blocked: reverse DNS lookup of 192.0.2.7 failed; see https://support.apple.com/en-us/HT204137
SpamBlock | - | connect | 550 5.7.0 Blocked - see https://support.proofpoint.com/dnsbl-lookup.cgi?ip=192.0.2.7
# GMX, Web.de, 1&1, mail.com: postmaster.gmx.net
InvalidRecipient | hard | rcpt | 550 Requested action not taken: mailbox unavailable For explanation visit https://postmaster.gmx.net/en/case?c=r0203&i=ip&v=192.0.2.7
InvalidRecipient | hard | rcpt | 550 Requested action not taken: mailbox unavailable
InactiveMailbox | hard | rcpt | 550 Requested action not taken: mailbox is disabled
QuotaIssues | - | end | 552-Requested mail action aborted: exceeded storage allocation 552-Quota exceeded. The recipient storage is full. 552 For explanation visit https://postmaster.web.de/en/case?c=r0102
AuthenticationFailed | - | connect | 554 web.de (mxweb012) Nemesis ESMTP Service not available No SMTP service Bad DNS PTR resource record. For explanation visit https://postmaster.web.de/en/case?c=rdns001
SpamBlock | - | connect | 554 gmx.net (mxgmx114) Nemesis ESMTP Service not available No SMTP service IP address is black listed. For explanation visit https://postmaster.gmx.net/en/case?c=bl
SpamBlock | - | connect | 554 kundenserver.de (mxeue011) Nemesis ESMTP Service not available No SMTP service IP address is on block list
PolicyRelated | - | end | 550 Transaction failed Reject due to policy restrictions. For explanation visit https://postmaster.gmx.net/en/case?c=hi0408
AuthenticationFailed | - | end | 554 Transaction failed Reject due to SPF policy. For explanation visit https://postmaster.gmx.net/en/case?c=spf
ContentRelated | - | end | 554 Transaction failed Unsigned DSN for 192.0.2.7, duplicate header field
InvalidSender | - | mail | 550 Requested action not taken: mailbox unavailable Sender address has null MX
InvalidSender | - | mail | 550 Requested action not taken: mailbox unavailable invalid DNS MX or A/AAAA resource record
TransientFailure | - | connect | 421 gmx.net (mxgmx009) Nemesis ESMTP Service not available - too many connections
TransientFailure | - | rcpt | 450 Requested mail action not taken: mailbox unavailable Mail server temporarily rejected message. For explanation visit https://postmaster.gmx.net/en/case?c=r0103
# T-Online: postmaster.t-online.de
InvalidRecipient | hard | rcpt | 550 5.1.1 unknown recipient: ann@t-online.de
InvalidRecipient | hard | rcpt | 550 user unknown (<ann@t-online.de>)
SpamBlock | - | connect | 554 IP=192.0.2.7 - None/bad reputation. Ask your postmaster for help or to contact tobr@rx.t-online.de for reset. (NOWL)
PolicyRelated | - | connect | 554 IP=192.0.2.7 - Dialup/transport block. (Ask your postmaster for help or to contact tosa@rx.t-online.de to clarify.) (DIAL)
SpamContent | - | end | 550 5.7.0 This message has been rejected due to spam or virus classification. Please direct inquiries to abuse
QuotaIssues | - | rcpt | 552 5.2.2 mailbox for ann@t-online.de is full
# Orange, Free, La Poste, SFR
InvalidRecipient | hard | rcpt | 550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR204_418 [418]
InactiveMailbox | hard | rcpt | 550 5.2.1 Boite du destinataire archivee. Archived recipient. OFR_419 [419]
QuotaIssues | - | rcpt | 552 5.1.1 Boite du destinataire pleine. Recipient overquota. OFR_417 [417]
InvalidSender | - | mail | 550 5.1.0 Emetteur invalide. Invalid Sender. OFR004_104 [104]
InvalidSender | - | mail | 501 5.1.0 Emetteur invalide. Invalid Sender. OFR_405 [405]
SpamBlock | - | connect | 550 5.7.0 Service refuse. Veuillez essayer plus tard. Service refused, IP blacklisted OFR004_102 [102]
SpamContent | - | end | 550 5.7.1 Mail rejete. Mail rejected. OFR_506 [506] spam
TransientFailure | - | connect | 421 mwinf5c34 ME Trop de connexions, veuillez verifier votre configuration. Too many connections, slow down. OFR005_104 [104]
PolicyRelated | - | rcpt | 550 5.7.1 Client host rejected, Service refuse, veuillez verifier votre configuration
RelayingIssues | - | rcpt | 550 5.7.1 Authentification requise. Authentication Required. OFR_402 [402]
InvalidRecipient | hard | rcpt | 550 <ann@free.fr>: Recipient address rejected: User unknown in virtual mailbox table
InactiveMailbox | hard | rcpt | 550 5.2.1 This mailbox has been blocked due to inactivity: ann@free.fr
SpamBlock | - | connect | 421 Too many spams from your IP (192.0.2.7), please try again later
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@laposte.net>: Recipient address rejected: Utilisateur inconnu LPN007_510
QuotaIssues | - | rcpt | 552 5.2.2 <ann@laposte.net>: Boite du destinataire saturee LPN007_511
SpamBlock | - | connect | 550 5.5.0 Service refuse. Veuillez verifier votre adresse IP. Blacklisted LPN007_102
QuotaIssues | - | rcpt | 552 4.2.2 Boite aux lettres pleine / mailbox full (sfr)
# Libero, Aruba, TIM, Tiscali
InvalidRecipient | hard | rcpt | 550 RCPT TO:<ann@libero.it> User unknown
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@aruba.it> recipient unknown, Destinatario sconosciuto
QuotaIssues | - | rcpt | 552 RCPT TO:<ann@libero.it> Mailbox disk quota exceeded
InactiveMailbox | hard | rcpt | 550 5.2.1 Casella di posta disattivata: ann@tiscali.it
SpamBlock | - | connect | 550 smtp-16.iol.local smtp-16.iol.local IP blacklisted by CSI. For remediation please use http://csi.cloudmark.com/en/reset/?ip=192.0.2.7 [smtp-16; LIB_102]
SpamContent | - | end | 554 5.7.1 LIB_503 Mail rejected. Your message looks like SPAM
RelayingIssues | - | rcpt | 530 5.7.0 Autenticazione richiesta per l'invio della posta
QuotaIssues | - | rcpt | 552 5.2.2 La casella del destinatario e' piena
# Mail.ru, Yandex
InvalidRecipient | hard | rcpt | 550 Message was not accepted -- invalid mailbox. Local mailbox ann@mail.ru is unavailable: user not found
InactiveMailbox | hard | rcpt | 550 Message was not accepted -- invalid mailbox. Local mailbox ann@mail.ru is unavailable: account is disabled
QuotaIssues | - | rcpt | 550 5.2.2 user is terminated by quota: mailbox ann@mail.ru is over quota
TransientFailure | - | connect | 451 Ratelimit exceeded for mailbox b@example.com. Try again later
SpamContent | - | end | 550 spam message rejected. Please visit https://help.mail.ru/notspam-support/id?c=ZXhhbXBsZQ or report details to abuse@corp.mail.ru. Error code: 3E1CD50A. ID: 000000070000
InvalidSender | - | mail | 550 Sender address rejected: domain example.com has no MX record
InvalidRecipient | hard | rcpt | 550 5.7.1 No such user!
QuotaIssues | - | rcpt | 452 4.2.2 Mailbox size limit exceeded 1700000000-AbCdEfGhIj
SpamContent | - | end | 554 5.7.1 Message rejected under suspicion of SPAM; https://ya.cc/1IrBc
PolicyRelated | - | rcpt | 550 5.7.1 Policy rejection on the target address 1700000000-XyZ
TransientFailure | - | connect | 451 4.7.1 Sorry, the service is currently unavailable. Please come back later. 1700000000
TransientFailure | - | rcpt | 450 4.2.1 The recipient has exceeded message rate limit. Try again later.
# QQ, 163, Naver, Daum
InvalidRecipient | hard | rcpt | 550 Mailbox not found. http://service.mail.qq.com/cgi-bin/help?subtype=1&&id=20022&&no=1000728
InvalidRecipient | hard | rcpt | 550 Mailbox unavailable or access denied [AAAA1234 IP: 192.0.2.7]. https://service.mail.qq.com/detail/122/169
InactiveMailbox | hard | rcpt | 550 The recipient's mailbox is a deactivated mailbox. http://service.mail.qq.com/cgi-bin/help?subtype=1&&no=1000742
SpamContent | - | end | 550 Mail content denied [ABCD IP: 192.0.2.7]. https://service.mail.qq.com/detail/0/310
PolicyRelated | - | connect | 550 Ip frequency limited [AAAA IP: 192.0.2.7]. https://open.work.weixin.qq.com/help2/pc/20106
TransientFailure | - | connect | 451 Connection frequency limited. http://service.mail.qq.com/cgi-bin/help?subtype=1&&id=20022&&no=1000722
AuthenticationFailed | - | mail | 550 SPF check failed [ABCD IP: 192.0.2.7]. https://service.mail.qq.com/detail/122/57
InvalidRecipient | hard | rcpt | 550 User not found: ann@163.com
InactiveMailbox | hard | rcpt | 550 User suspended, http://mail.163.com/help/help_spam_16.htm
QuotaIssues | - | rcpt | 552 Quota exceeded or service disabled.
SpamBlock | - | connect | 554 IP<192.0.2.7> in blacklist, please see http://mail.163.com/help/help_spam_16.htm?ip=192.0.2.7&hostid=mx24
SpamContent | - | end | 554 DT:SUM 163 smtp4,D9GowACHvjhQ,please see http://mail.163.com/help/help_spam_16.htm
TooManyRecipients | - | rcpt | 452 RP:CEL 163 mx11 Too many recipients,please see http://mail.163.com/help/help_spam_16.htm
InvalidSender | - | mail | 550 MI:IMF 163 mx4 the sender domain can not be resolved
InvalidRecipient | hard | rcpt | 550 5.1.1 No such user - nsmtp
QuotaIssues | - | rcpt | 552 5.2.2 The recipient's mailbox is full - naver
SpamBlock | - | connect | 421 4.3.2 Your ip blocked from this server 192.0.2.7
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@daum.net>: Recipient address rejected: (1003) User unknown
InactiveMailbox | hard | rcpt | 550 5.2.1 ann@hanmail.net: dormant user account
# Comcast, Cox, Charter, AT&T, Verizon, EarthLink
InvalidRecipient | hard | rcpt | 550 5.1.1 Not our Customer
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@comcast.net> Account not available
InactiveMailbox | hard | rcpt | 550 5.2.1 Account Closed, please remove
QuotaIssues | - | rcpt | 552 5.2.2 <ann@comcast.net> Mailbox quota exceeded, recipient over quota
SpamBlock | - | connect | 554 resimta-ch2-05v.sys.comcast.net comcast 192.0.2.7 Comcast block for spam. Please see https://postmaster.xfinity.com/smtp-error-codes.php#BL000000
AuthenticationFailed | - | connect | 421 resimta-po-10v.sys.comcast.net comcast Reverse DNS failure: Try again later
AuthenticationFailed | - | mail | 550 5.2.0 Message rejected due to DMARC. Please see http://postmaster.comcast.net/smtp-error-codes.php#DM000001
InvalidSender | - | mail | 550 5.1.0 sender rejected. Please see http://postmaster.xfinity.com/smtp-error-codes.php#SR000001 invalid sender domain
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@cox.net> recipient rejected. Refer to Error Codes section at https://www.cox.com/residential/support/email-error-codes.html for more information. AUP#CXMJR
SpamBlock | - | connect | 554 fed1rmimpi110.cox.net cox 192.0.2.7 blocked. Refer to Error Codes section at https://www.cox.com for more information. AUP#CXRBL
SpamContent | - | end | 552 5.2.0 sender rejected: message contains spam AUP#CXSNDR
TransientFailure | - | connect | 452 cox too many connections from your IP 192.0.2.7 AUP#CXCNCT
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@charter.net> recipient rejected: account does not exist AUP#I-1620
SpamBlock | - | connect | 554 impin021.msg.chrl.nc.charter.net charter.net 192.0.2.7 has sent an exceedingly high amount of spam AUP#Out-1630
TooManyRecipients | - | rcpt | 452 4.5.3 Requested action aborted: Too many recipients AUP#I-1700
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@att.net>: Recipient address rejected: user unknown in table
SpamBlock | - | connect | 553 5.3.0 alph740 DNSBL:RBL 521< 192.0.2.7 >_is_blocked. For assistance forward this error to abuse_rbl@abuse-att.net
InvalidRecipient | hard | rcpt | 550 5.1.1 unknown or illegal alias: ann@verizon.net
InvalidRecipient | hard | rcpt | 550 ann@earthlink.net...User unknown
SpamBlock | - | connect | 550 IP 192.0.2.7 is blocked by EarthLink. Go to earthlink.net/block for details
PolicyRelated | - | mail | 550 ERROR: This sender is not on the recipient's list of allowed senders
# Docomo, SoftBank, KDDI
InvalidRecipient | hard | rcpt | 550 Unknown user ann@docomo.ne.jp
QuotaIssues | - | end | 552 too much mail data (docomo)
TooManyRecipients | - | rcpt | 550 5.5.3 too many recipients (docomo)
PolicyRelated | - | rcpt | 554 5.7.1 domain specified rejection setting by the recipient
InvalidRecipient | hard | rcpt | 550 Invalid recipient: <ann@softbank.ne.jp>
QuotaIssues | - | rcpt | 552 5.2.2 mailbox full: ann@i.softbank.jp
InvalidRecipient | hard | end | 550 <ann@ezweb.ne.jp>: User unknown (in reply to end of DATA command)
InvalidRecipient | hard | rcpt | 553 Invalid recipient ann@au.com (Mode: normal)
PolicyRelated | - | rcpt | 550 5.2.0 Mail refused by recipient filter (au)
# Zoho, Fastmail, Proton, OVH, Ionos, Strato, Rackspace, GoDaddy, Facebook
InvalidRecipient | hard | rcpt | 550 5.1.1 User does not exist - <ann@zoho.com>
InvalidRecipient | hard | rcpt | 553 5.1.1 Relaying disallowed as the user does not exist ann@zohomail.eu
SpamContent | - | end | 550 5.7.1 Email cannot be delivered. Reason: Email detected as Spam by spam filters.
PolicyRelated | - | rcpt | 554 5.1.8 Mail cannot be delivered as the recipient's organization has blocked the sender's domain
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@fastmail.com>: Recipient address rejected: User unknown in virtual alias table
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@proton.me>: Recipient address rejected: Address does not exist
InactiveMailbox | hard | rcpt | 550 5.7.1 <ann@proton.me>: Recipient address rejected: Address is disabled
QuotaIssues | - | rcpt | 552 5.2.2 <ann@proton.me>: Recipient address rejected: mailbox storage quota exceeded
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@example.org>: Email address could not be found, or was misspelled (G8)
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@example.org> Recipient not found. <http://x.co/irbounce>
SpamBlock | - | connect | 554 p3plibsmtp01-01.prod.phx3.secureserver.net bizsmtp IB103. Connection refused. 192.0.2.7 has a poor reputation on Cloudmark Sender Intelligence (CSI)
AuthenticationFailed | - | connect | 554 m1pismtp01.prod.phx3.secureserver.net bizsmtp IB504. 192.0.2.7 has no reverse DNS
TransientFailure | - | connect | 421 p3plibsmtp02 bizsmtp IB110. 192.0.2.7 has hit the rate limit: too many invalid recipients
InvalidRecipient | hard | rcpt | 550 5.1.1 RCP-P1 http://postmaster.facebook.com/response_codes?ip=192.0.2.7#rcp Recipient address is invalid
PolicyRelated | - | rcpt | 550 5.7.1 POL-P7 http://postmaster.facebook.com/response_codes#pol Message refused: attachment policy of the recipient
InvalidRecipient | hard | rcpt | 550 5.1.1 <ann@ovh.example>: Recipient address rejected: User unknown in virtual mailbox table (#5.1.1) OVH
InvalidRecipient | hard | rcpt | 550 5.1.1 Requested action not taken: mailbox unavailable (strato)
`;
