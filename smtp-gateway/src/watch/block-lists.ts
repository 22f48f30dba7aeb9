// Lists the DNS block lists that receivers use, and the meanings of their answers. `source` is the
// web page where a list publishes its zone and its answers. Pure.

export interface BlockList {
  readonly name: string;
  readonly zone: string;
  /** True: the list also has entries for IPv6 addresses. */
  readonly hasIpv6: boolean;
  /**
   * The meaning of each known answer. Any other answer means that the address is listed for an
   * unknown reason.
   */
  readonly answers: Readonly<Record<string, string>>;
  /** The web page where an operator asks to have an address removed from the list. */
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
      "127.0.0.4": "XBL, a machine that an attacker controls",
      "127.0.0.9": "DROP, a network that belongs to spammers",
      "127.0.0.10": "PBL, an address from which its provider permits no mail",
      "127.0.0.11": "PBL, addresses from which Spamhaus expects no mail",
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
    answers: { "127.0.0.2": "spam that Barracuda's filters or spam traps saw" },
    delisting: "https://www.barracudacentral.org/rbl/removal-request",
    source: "https://www.barracudacentral.org/rbl/how-to-use",
  },
  {
    name: "PSBL",
    zone: "psbl.surriel.com",
    hasIpv6: false,
    answers: { "127.0.0.2": "mail to a spam trap" },
    delisting: "https://psbl.org/",
    source: "https://psbl.org/howto/",
  },
];

/**
 * Answers by which a list refuses a question. These answers tell nothing about the address
 * (https://www.spamhaus.org/news/article/807/using-our-public-mirrors-check-your-return-codes-now).
 */
export const REFUSALS: Readonly<Record<string, string>> = {
  "127.255.255.252": "the zone's name is wrong",
  "127.255.255.254": "the question came through a public resolver",
  "127.255.255.255": "too many questions came from this resolver",
};
