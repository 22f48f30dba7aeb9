// Declares the JSON of a domain's records in DNS (contract.md §DNS as seen now).
import * as z from "zod";
import { POLICY_STATUSES, type PolicyJudgement } from "./dns-answer-texts.ts";
import type { DnsView } from "./dns-view.ts";
import { relativeName } from "./record-names.ts";

const RecordSeen = z
  .object({
    type: z.enum(["CNAME", "MX", "TXT"]),
    name: z.string().describe("The name as in the domain's own list of records."),
    host: z.string().describe("The whole name, without the final dot."),
    expected: z.string().nullable().describe("Null: only Cloudflare knows the value."),
    purpose: z.enum(["verification", "dkim", "tracking", "bounces", "spf"]),
    status: z
      .enum(["ok", "missing", "mismatch", "unknown"])
      .describe(
        "`mismatch`: DNS has another value, or the value leads to no usable record. " +
          "`unknown`: DNS gave no answer.",
      ),
    found: z
      .array(z.string())
      .describe(
        "The values that DNS has. For a CNAME: the names that it leads to, in order. At most " +
          "20 values of at most 1024 characters; `…` ends a value that was cut.",
      ),
    message: z.string().describe("Whole sentences that say what DNS has and what to do."),
  })
  .meta({ id: "DomainDnsRecord" });

const Policy = z
  .object({
    status: z
      .enum(POLICY_STATUSES)
      .describe(
        "`wrong`: receivers cannot use it. `warn`: they use it, and it could do more. " +
          "`unknown`: DNS gave no answer.",
      ),
    host: z
      .string()
      .describe("The record that receivers use. If there is none, the record to publish."),
    found: z
      .array(z.string())
      .describe(
        "All TXT records at `host`. At most 20 values of at most 1024 characters; `…` ends a " +
          "value that was cut.",
      ),
    message: z.string().describe("Whole sentences that say what DNS has and what to do."),
  })
  .meta({ id: "DomainPolicy" });

export const DomainDns = z.object({
  records: z
    .array(RecordSeen)
    .describe(
      "The domain's `dns_records`, its tracking records, and its `courier_dns_records`, " +
        "judged by the rules of verification.",
    ),
  policies: z.object({
    spf: Policy,
    dmarc: Policy.describe(
      "Judged by RFC 9989 and by RFC 7489, because receivers follow either. Where the results " +
        "differ, the message gives both.",
    ),
    mta_sts: Policy,
    bimi: Policy,
  }),
  checked_at: z.iso.datetime(),
});

export function toDomainDns(
  { records, policies }: DnsView,
  domain: string,
  checkedAt: number,
): z.output<typeof DomainDns> {
  return {
    records: records.map(({ type, host, expected, purpose, status, found, message }) => ({
      type,
      name: relativeName({ host }, domain),
      host,
      expected,
      purpose,
      status,
      found: [...found],
      message,
    })),
    policies: {
      spf: toPolicy(policies.spf),
      dmarc: toPolicy(policies.dmarc),
      mta_sts: toPolicy(policies.mtaSts),
      bimi: toPolicy(policies.bimi),
    },
    checked_at: new Date(checkedAt).toISOString(),
  };
}

function toPolicy({ status, host, found, message }: PolicyJudgement): z.output<typeof Policy> {
  return { status, host, found: [...found], message };
}
