// The example of GET /v1/domains/{id}/dns: a domain whose second DKIM record is missing.
import { AT } from "./example-values.ts";

const RETURN_PATH = "k3v9x2.return-path.postern.example";
const SIGNING_KEY = "ps1.k3v9x2.dkim.postern.example";
const SPARE_KEY = "ps2.k3v9x2.dkim.postern.example";

export const DOMAIN_DNS_EXAMPLE = {
  records: [
    {
      type: "CNAME",
      name: "bounces",
      host: "bounces.example.com",
      expected: RETURN_PATH,
      purpose: "verification",
      status: "ok",
      found: [RETURN_PATH],
      message:
        `bounces.example.com leads to ${RETURN_PATH}, which has the MX and SPF records for the ` +
        "mail that comes back.",
    },
    {
      type: "CNAME",
      name: "ps1._domainkey",
      host: "ps1._domainkey.example.com",
      expected: SIGNING_KEY,
      purpose: "dkim",
      status: "ok",
      found: [SIGNING_KEY],
      message:
        `ps1._domainkey.example.com leads to ${SIGNING_KEY}, which has the DKIM key of this ` +
        "domain.",
    },
    {
      type: "CNAME",
      name: "ps2._domainkey",
      host: "ps2._domainkey.example.com",
      expected: SPARE_KEY,
      purpose: "dkim",
      status: "missing",
      found: [],
      message:
        "ps2._domainkey.example.com has no CNAME record. Publish one that points to " +
        `${SPARE_KEY}.`,
    },
  ],
  policies: {
    spf: {
      status: "ok",
      host: "bounces.example.com",
      found: ["v=spf1 a:mx.postern.example -all"],
      message:
        "bounces.example.com has one SPF record, this service's own. It uses 1 of the 10 DNS " +
        "lookups that receivers allow.",
    },
    dmarc: {
      status: "warn",
      host: "_dmarc.example.com",
      found: ["v=DMARC1; p=none; rua=mailto:postmaster@example.com"],
      message:
        "The DMARC record at _dmarc.example.com asks receivers to treat mail that fails DMARC " +
        "like any other (p=none). Forged mail is delivered like real mail. Once the reports " +
        "show no problems, change it to p=quarantine.",
    },
    mta_sts: {
      status: "missing",
      host: "_mta-sts.example.com",
      found: [],
      message:
        "example.com has no MTA-STS record. It is optional: with one, senders use TLS for mail to " +
        "example.com.",
    },
    bimi: {
      status: "missing",
      host: "default._bimi.example.com",
      found: [],
      message:
        "example.com has no BIMI record. It is optional: with one, some mailboxes show the " +
        "domain's logo beside its mail.",
    },
  },
  checked_at: AT,
};
