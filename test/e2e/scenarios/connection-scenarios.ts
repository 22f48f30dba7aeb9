// Scenarios with trouble before the SMTP transaction: several mail servers, closed ports, and TLS
// that fails.
import {
  type Scenario,
  BROKEN_TLS,
  BROKEN_TLS_DEMANDED,
  CLOSING,
  delivered,
  expired,
  fate,
  HANGING,
  IPV6,
  NO_CONNECTION,
  NO_TLS,
  oneServer,
  ownReply,
  POLITE,
  REFUSING,
  SENT,
  serverReply,
  servers,
  TLS_NOT_NOW,
} from "./scenario-terms.ts";

export const CONNECTION_SCENARIOS: readonly Scenario[] = [
  {
    title: "an IPv6 address alone",
    dns: oneServer("ipv6.test", IPV6),
    fates: { "ann@ipv6.test": fate([SENT, delivered(1, "mx.ipv6.test")], 1) },
  },
  {
    title:
      "three servers: the first refuses connections, the second greets with 421, the third " +
      "takes it",
    dns: servers(
      "failover.test",
      [10, "first", REFUSING],
      [20, "second", CLOSING],
      [30, "third", POLITE],
    ),
    rules: [{ server: CLOSING, stage: "connect", reply: "421 4.3.2 Too busy" }],
    fates: { "ann@failover.test": fate([SENT, delivered(1, "third.failover.test")], 1) },
  },
  {
    title: "two servers: one refuses connections, one greets with 421, for 72 hours",
    dns: servers("both-down.test", [10, "first", REFUSING], [20, "second", CLOSING]),
    fates: {
      "ann@both-down.test": fate(
        expired(serverReply("421 4.3.2 Too busy", "second.both-down.test", false)),
      ),
    },
  },
  {
    title: "connections refused, for 72 hours",
    dns: oneServer("refusing.test", REFUSING),
    fates: { "ann@refusing.test": fate(expired(ownReply(451, NO_CONNECTION, "mx.refusing.test"))) },
  },
  {
    title: "a greeting that never comes, for 72 hours",
    dns: oneServer("hanging.test", HANGING),
    rules: [{ server: HANGING, stage: "connect", delay_ms: 3_600_000 }],
    fates: { "ann@hanging.test": fate(expired(ownReply(451, NO_CONNECTION, "mx.hanging.test"))) },
  },
  {
    title: "a TLS handshake that breaks: sent without TLS, on a second connection",
    dns: oneServer("broken-tls.test", BROKEN_TLS),
    rules: [{ server: BROKEN_TLS, stage: "starttls", drop: true }],
    fates: { "ann@broken-tls.test": fate([SENT, delivered(1, "mx.broken-tls.test", false)], 1) },
  },
  {
    title: "454 to STARTTLS: sent without TLS, on the same connection",
    dns: oneServer("tls-not-now.test", TLS_NOT_NOW),
    rules: [
      {
        server: TLS_NOT_NOW,
        stage: "starttls",
        reply: "454 4.7.0 TLS not available due to temporary reason",
      },
    ],
    fates: { "ann@tls-not-now.test": fate([SENT, delivered(1, "mx.tls-not-now.test", false)], 1) },
  },
  {
    title: "a TLS handshake that breaks, and 530 without TLS, for 72 hours",
    dns: oneServer("tls-demanded.test", BROKEN_TLS_DEMANDED),
    rules: [
      { server: BROKEN_TLS_DEMANDED, stage: "starttls", drop: true },
      {
        server: BROKEN_TLS_DEMANDED,
        stage: "mail",
        reply: "530 5.7.0 Must issue a STARTTLS command first",
      },
    ],
    gatewayOnly: "The Email Service's rules for TLS are documented nowhere.",
    fates: {
      "ann@tls-demanded.test": fate(expired(ownReply(454, NO_TLS, "mx.tls-demanded.test"))),
    },
  },
];
