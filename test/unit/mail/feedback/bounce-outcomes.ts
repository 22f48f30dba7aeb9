// Verdict of each report in test/fixtures/bounces for ann@example.com, as `outcome | file`. An
// outcome is a bounce's type, class and reply code (`-`: none) and whether it suppresses; a
// complaint's type, agent and date; or `nothing`. The reports are composed from RFCs 3464, 6533 and
// 5965 and from servers' formats.

export const OUTCOMES = `
permanent InvalidRecipient 550 suppressed | postfix-user-unknown
permanent QuotaIssues 552 | postfix-mailbox-full
transient NoAnswerFromHost - | postfix-expired
permanent InvalidRecipient - suppressed | postfix-local-unknown
nothing | postfix-delayed
nothing | postfix-forwarded
transient BadDomain - | postfix-next-hop-missing
permanent SpamContent 550 | postfix-spam-content
permanent InvalidRecipient 550 suppressed | postfix-several-recipients
permanent InactiveMailbox 554 suppressed | dsn-without-empty-lines
nothing | dsn-delivered
nothing | dsn-relayed
nothing | dsn-expanded
nothing | dsn-xtext-recipient
permanent InvalidRecipient 550 suppressed | dsn-original-only
permanent InvalidRecipient - suppressed | dsn-local-final-name
permanent InvalidRecipient 550 | dsn-host-below-the-domain
permanent InvalidRecipient 550 | dsn-nobody-named
permanent InvalidRecipient 550 suppressed | dsn-named-for-people-only
transient Uncategorized - | dsn-no-status
transient TransientFailure 451 | dsn-temporary-reply-at-last
permanent PolicyRelated 550 | dsn-policy
permanent Uncategorized 550 | dsn-unknown-words
permanent InvalidRecipient 550 | dsn-reply-names-another
permanent RelayDenied 554 | dsn-relay-denied
transient RoutingErrors - | dsn-loop
permanent BadDomain 556 suppressed | dsn-domain-refused
permanent InvalidRecipient 550 suppressed | dsn-global
permanent InvalidRecipient 550 suppressed | dsn-base64
permanent InvalidRecipient 550 suppressed | dsn-quoted-printable
permanent InvalidRecipient 550 suppressed | dsn-in-mixed
permanent InvalidRecipient 550 suppressed | dsn-wrong-boundary
permanent InvalidRecipient 550 suppressed | dsn-no-boundary
permanent InvalidRecipient 550 suppressed | dsn-truncated
permanent InvalidRecipient 550 suppressed | dsn-as-text
permanent InvalidRecipient 550 suppressed | dsn-forwarded-as-attachment
permanent InvalidRecipient 550 suppressed | dsn-wrapped
nothing | answer-quoting-a-report
permanent InvalidRecipient 550 suppressed | sendmail
nothing | sendmail-forwarded
permanent InvalidRecipient 550 suppressed | sendmail-plain
nothing | sendmail-warning
nothing | sendmail-forwarded-plain
permanent InvalidRecipient - suppressed | qmail-local
permanent InvalidRecipient 550 suppressed | qmail-remote
permanent QuotaIssues - | qmail-full
nothing | qmail-forwarded
permanent InvalidRecipient 550 suppressed | qmail-several
transient MessageExpired - | qmail-too-long
permanent SpamBlock 554 | qmail-sender-refused
permanent InvalidRecipient 550 suppressed | exim
permanent InvalidRecipient - suppressed | exim-unrouteable
transient MessageExpired - | exim-retry-timeout
permanent QuotaIssues - | exim-full
nothing | exim-forwarded
nothing | exim-undisclosed
nothing | exim-warning
permanent InvalidRecipient 550 suppressed | exim-german
permanent QuotaIssues - | einsundeins
permanent InvalidRecipient - suppressed | exchange-55
permanent InvalidRecipient - suppressed | exchange-2003
permanent InvalidRecipient 550 suppressed | exchange-online
permanent InvalidRecipient 550 suppressed | exchange-2007-text
permanent InvalidRecipient 550 suppressed | mailenable
nothing | iis-smtp
permanent InvalidRecipient - suppressed | domino
permanent InvalidRecipient - suppressed | notes
permanent InvalidRecipient 550 suppressed | gmail-old
permanent InvalidRecipient 550 suppressed | gmail
nothing | gmail-delay
permanent InvalidRecipient 554 suppressed | yahoo
permanent InvalidRecipient 550 suppressed | courier
permanent InvalidRecipient 550 suppressed | messaging-server
nothing | messaging-server-forwarded
permanent InvalidRecipient 550 suppressed | opensmtpd
permanent InvalidRecipient 550 suppressed | dragonfly
permanent InvalidRecipient 550 suppressed | james
permanent InvalidRecipient - suppressed | imail
permanent InvalidRecipient 550 suppressed | groupwise
permanent InvalidRecipient 550 suppressed | french
permanent InvalidRecipient 550 suppressed | html-only
permanent InvalidRecipient 550 | custom-not-named
nothing | vacation
nothing | vacation-german
nothing | vacation-sieve
nothing | left-the-company
nothing | left-the-company-from-herself
nothing | challenge
nothing | ticket
nothing | person
nothing | read-receipt
complaint abuse "SomeGenerator/1.0" 2026-06-04T17:40:36.000Z | arf-minimal
complaint abuse "Some Generator/1.0" 2026-06-04T17:40:36.000Z | arf-full
complaint abuse "Yahoo!-Mail-Feedback/2.0" 2026-06-04T17:40:36.000Z | arf-redacted
complaint opt-out null 2026-06-04T17:40:36.000Z | arf-opt-out
complaint fraud "G/1" 2026-06-04T17:40:36.000Z | arf-fraud
complaint virus "G/1" 2026-06-04T17:40:36.000Z | arf-virus
nothing | arf-not-spam
nothing | arf-auth-failure
nothing | arf-other
nothing | arf-without-type
nothing | arf-about-another
`;
