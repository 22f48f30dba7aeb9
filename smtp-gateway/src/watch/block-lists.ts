// Names the DNS block lists that receivers ask about an address, and what their answers mean.
// `source` is the page on which the list publishes its zone and its answers. Pure.

export interface BlockList {
  readonly name: string;
  readonly zone: string;
  /** The list has entries of IPv6 addresses. */
  readonly hasIpv6: boolean;
  /** The meaning of each answer. An answer that is not here is a listing without a known reason. */
  readonly answers: Readonly<Record<string, string>>;
  /** The page on which an address is taken off the list. */
  readonly delisting: string;
  readonly source: string;
}

export const BLOCK_LISTS: readonly BlockList[] = [
  {
    name: "Spamhaus ZEN",
    zone: "zen.spamhaus.org",
    hasIpv6: true,
    answers: {
      "127.0.0.2": "SBL, a source of spam",
      "127.0.0.3": "CSS, a source of spam found by machine",
      "127.0.0.4": "XBL, a machine that others control",
      "127.0.0.9": "DROP, a network that belongs to spammers",
      "127.0.0.10": "PBL, a range whose provider lets it send no mail",
      "127.0.0.11": "PBL, a range that Spamhaus expects to send no mail",
    },
    delisting: "https://check.spamhaus.org/",
    source: "https://docs.spamhaustech.com/10-data-type-documentation/datasets/040-zones.html",
  },
  {
    name: "SpamCop",
    zone: "bl.spamcop.net",
    hasIpv6: false,
    answers: { "127.0.0.2": "spam that people reported" },
    delisting: "https://www.spamcop.net/bl.shtml",
    source: "https://www.spamcop.net/bl.shtml",
  },
  {
    name: "Barracuda",
    zone: "b.barracudacentral.org",
    hasIpv6: false,
    answers: { "127.0.0.2": "spam that Barracuda's filters or traps saw" },
    delisting: "https://www.barracudacentral.org/rbl/removal-request",
    source: "https://www.barracudacentral.org/rbl/how-to-use",
  },
  {
    name: "PSBL",
    zone: "psbl.surriel.com",
    hasIpv6: false,
    answers: { "127.0.0.2": "mail to a trap" },
    delisting: "https://psbl.org/",
    source: "https://psbl.org/howto/",
  },
];

/**
 * Answers by which a list refuses the question. They say nothing about the address
 * (https://www.spamhaus.org/news/article/807/using-our-public-mirrors-check-your-return-codes-now).
 */
export const REFUSALS: Readonly<Record<string, string>> = {
  "127.255.255.252": "the zone's name is wrong",
  "127.255.255.254": "the question came through a public resolver",
  "127.255.255.255": "too many questions came from this resolver",
};
