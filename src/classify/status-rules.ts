// Bounce rules on codes, as data, for refusals whose wording matches no rule (contract.md
// §Bounces). The enhanced code decides first, then the subject of the enhanced code, then the
// three-digit code. Pure.
import type { BounceClass } from "./bounce-class.ts";

/**
 * Classes by subject and detail of the enhanced code. Source: RFC 3463, unless a comment names
 * another.
 */
export const STATUS_CLASSES: Readonly<Record<string, BounceClass>> = {
  "1.1": "InvalidRecipient", // bad destination mailbox address
  "1.2": "BadDomain", // bad destination system address
  "1.3": "InvalidRecipient", // bad destination mailbox address syntax
  "1.4": "InvalidRecipient", // destination mailbox address ambiguous
  // RFC 3463 says "destination address valid". If a server refuses with this code, the address
  // never accepts mail.
  "1.5": "InvalidRecipient",
  "1.6": "InactiveMailbox", // mailbox has moved, no forwarding address
  "1.7": "InvalidSender", // bad sender's mailbox address syntax
  "1.8": "InvalidSender", // bad sender's system address
  "1.10": "BadDomain", // RFC 7505: recipient address has null MX
  "2.1": "InactiveMailbox", // mailbox disabled, not accepting messages
  "2.2": "QuotaIssues", // mailbox full
  "2.3": "QuotaIssues", // message length exceeds administrative limit
  "2.4": "BadConfiguration", // mailing list expansion problem
  "3.1": "QuotaIssues", // mail system full
  "3.0": "TransientFailure", // other or undefined mail system status
  "3.2": "TransientFailure", // system not accepting network messages: shutdown, load, maintenance
  "3.3": "ProtocolErrors", // system not capable of selected features
  "3.4": "QuotaIssues", // message too big for system
  "3.5": "BadConfiguration", // system incorrectly configured
  "4.1": "NoAnswerFromHost",
  "4.2": "BadConnection",
  "4.3": "DNSFailure", // directory server failure
  "4.4": "RoutingErrors", // unable to route
  "4.5": "TransientFailure", // mail system congestion
  "4.6": "RoutingErrors", // routing loop detected
  "4.7": "MessageExpired", // delivery time expired
  "5.3": "TooManyRecipients",
  "6.3": "ProtocolErrors", // RFC 6152: conversion required but not supported
  // RFC 6531: non-ASCII addresses not permitted for that sender or recipient
  "6.7": "ProtocolErrors",
  // RFC 6531: UTF-8 string reply is required, but not permitted by the client
  "6.8": "ProtocolErrors",
  "6.9": "ProtocolErrors", // RFC 6531: UTF-8 header message cannot be transferred
  "7.7": "AuthenticationFailed", // message integrity failure
  "7.8": "RelayingIssues", // RFC 4954: authentication credentials invalid
  "7.9": "RelayingIssues", // RFC 4954: authentication mechanism is too weak
  "7.13": "InvalidSender", // RFC 5248: the user account that sends is disabled
  "7.14": "RelayingIssues", // RFC 4468: trust relationship required
  "7.16": "QuotaIssues", // RFC 6758: message too big for the priority
  "7.17": "InvalidRecipient", // RFC 7293: mailbox owner has changed
  "7.18": "BadDomain", // RFC 7293: domain owner has changed
  "7.20": "AuthenticationFailed", // RFC 7372: no passing DKIM signature
  "7.21": "AuthenticationFailed", // RFC 7372: no acceptable DKIM signature
  "7.22": "AuthenticationFailed", // RFC 7372: no author-matched DKIM signature
  "7.23": "AuthenticationFailed", // RFC 7372: SPF validation failed
  "7.24": "AuthenticationFailed", // RFC 7372: SPF validation error
  "7.25": "AuthenticationFailed", // RFC 7372: reverse DNS validation failed
  "7.26": "AuthenticationFailed", // RFC 7372: multiple authentication checks failed
  "7.27": "InvalidSender", // RFC 7505: sender address has null MX
  "7.29": "AuthenticationFailed", // RFC 8617: ARC validation failure
};

/**
 * Exceptions from STATUS_CLASSES for 4xx replies. The detail of a 4xx code means less: with 4.2.1
 * and 4.7.x, servers only ask to try again later.
 */
export const TEMPORARY_STATUS_CLASSES: Readonly<Record<string, BounceClass>> = {
  "2.1": "TransientFailure",
  "3.1": "TransientFailure",
  "7.0": "TransientFailure",
  "7.1": "TransientFailure",
};

/**
 * Classes by the subject of the enhanced code, for details that STATUS_CLASSES does not list (RFC
 * 3463 §3), such as Exchange Online's 5.7.5xx to 5.7.7xx.
 */
export const SUBJECT_CLASSES: Readonly<Record<string, BounceClass>> = {
  "3": "TransientFailure",
  "4": "RoutingErrors",
  "5": "ProtocolErrors",
  "6": "ContentRelated",
  "7": "PolicyRelated",
};

/**
 * Classes by three-digit code (RFC 5321 §4.2.3, unless a comment names another source). 550, 553
 * and 554 are missing, because servers use them for all kinds of refusals.
 */
export const CODE_CLASSES: Readonly<Record<number, BounceClass>> = {
  452: "TransientFailure", // insufficient system storage
  500: "ProtocolErrors",
  501: "ProtocolErrors",
  502: "ProtocolErrors",
  503: "ProtocolErrors",
  504: "ProtocolErrors",
  521: "BadDomain", // RFC 7504: host does not accept mail
  530: "RelayingIssues", // RFC 4954: authentication required
  534: "RelayingIssues", // RFC 4954
  535: "RelayingIssues", // RFC 4954
  538: "RelayingIssues", // RFC 4954
  551: "InvalidRecipient", // user not local
  552: "QuotaIssues", // exceeded storage allocation
  555: "ProtocolErrors", // MAIL or RCPT parameters not recognised
  556: "BadDomain", // RFC 7504: domain does not accept mail
};
