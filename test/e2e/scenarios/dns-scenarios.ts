// Scenarios of the recipient domain's DNS: MX records that are missing, null, aliases or circular.
import {
  type Scenario,
  delivered,
  expired,
  fate,
  NO_SERVER,
  oneServer,
  OURSELVES,
  ownReply,
  POLITE,
  SENT,
  undeliverable,
} from "./scenario-terms.ts";

export const DNS_SCENARIOS: readonly Scenario[] = [
  {
    title: "null MX (RFC 7505)",
    dns: [{ name: "null-mx.test", type: "MX", data: "0 ." }],
    fates: { "ann@null-mx.test": fate([SENT, undeliverable(ownReply(556, NO_SERVER))]) },
  },
  {
    title: "no MX, but an address",
    dns: [{ name: "address-only.test", type: "A", data: POLITE }],
    fates: { "ann@address-only.test": fate([SENT, delivered(1, "address-only.test")], 1) },
  },
  {
    title: "neither MX nor address",
    dns: [{ name: "nothing.test", type: "TXT", data: "v=spf1 -all" }],
    fates: { "ann@nothing.test": fate([SENT, undeliverable(ownReply(550, NO_SERVER))]) },
  },
  {
    title: "an MX that is an alias",
    dns: [
      { name: "alias.test", type: "MX", data: "10 mx.alias.test" },
      { name: "mx.alias.test", type: "CNAME", data: "real.alias.test" },
      { name: "real.alias.test", type: "A", data: POLITE },
    ],
    fates: { "ann@alias.test": fate([SENT, delivered(1, "mx.alias.test")], 1) },
  },
  {
    title: "an MX without address",
    dns: [{ name: "dangling.test", type: "MX", data: "10 mx.dangling.test" }],
    fates: { "ann@dangling.test": fate([SENT, undeliverable(ownReply(550, NO_SERVER))]) },
  },
  {
    title: "a domain that does not exist (NXDOMAIN)",
    dns: [],
    fates: { "ann@does-not-exist.test": fate([SENT, undeliverable(ownReply(550, NO_SERVER))]) },
  },
  {
    title: "DNS that fails (SERVFAIL), for 72 hours",
    dns: oneServer("servfail.test", POLITE),
    fates: { "ann@servfail.test": fate(expired(ownReply(451, NO_SERVER))) },
  },
  {
    title: "an MX that is this gateway",
    dns: [{ name: "loop.test", type: "MX", data: "10 gateway.postern.test" }],
    gatewayOnly: "The gateway is a mail server like any other for the Email Service.",
    fates: { "ann@loop.test": fate([SENT, undeliverable(ownReply(550, NO_SERVER))]) },
  },
  {
    title: "an MX that is this gateway under another name",
    dns: oneServer("hidden-loop.test", OURSELVES),
    gatewayOnly: "The gateway is a mail server like any other for the Email Service.",
    fates: {
      "ann@hidden-loop.test": fate([
        SENT,
        undeliverable(ownReply(550, NO_SERVER, "mx.hidden-loop.test")),
      ]),
    },
  },
];
