// Declares the JSON of a domain, its DNS records, verification failure and tracking (contract.md
// §Domains).
import * as z from "zod";
import { DNS_NAME_CHARACTERS } from "../../lib/idna.ts";
import { describeHold } from "../../explain/explain-hold.ts";
import { type ActiveHold, HOLD_CODES } from "../../rpc/holds.ts";
import { MAIL_FLOW_CODES, TRACKING_CODES } from "./checks.ts";
import {
  type Alias,
  dkimAlias,
  relativeName,
  RETURN_PATH_LABEL,
  returnPathAlias,
  trackingAlias,
} from "./record-names.ts";
import type { CourierName } from "../../settings.ts";
import { type CourierRecord, emailServiceRecords } from "./email-service-records.ts";
import type { StoredDomain } from "./store.ts";
import { toTime } from "../../time-text.ts";
import type { TrackingChange } from "./tracking.ts";

/** The pattern lists both cases, because patterns in OpenAPI cannot have the flag `i`. */
const SUBDOMAIN =
  /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

const DnsRecord = z.object({
  type: z.literal("CNAME"),
  name: z.string(),
  value: z.string(),
  purpose: z.enum(["verification", "dkim", "tracking"]),
});

const CourierDnsRecord = z
  .object({
    type: z.enum(["MX", "TXT"]),
    name: z.string(),
    value: z
      .string()
      .nullable()
      .describe("Null for `dkim`, because only Cloudflare knows the key."),
    purpose: z.enum(["bounces", "spf", "dkim"]),
  })
  .meta({ id: "CourierDnsRecord" });

const failureOf = <Codes extends readonly [string, ...string[]]>(codes: Codes) =>
  z.object({ code: z.enum(codes), message: z.string() }).nullable();

export const Domain = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(["pending", "verified"]),
  dns_records: z.array(DnsRecord),
  courier_dns_records: z
    .array(CourierDnsRecord)
    .optional()
    .describe(
      "Only present when Cloudflare's Email Service carries the team's mail. Cloudflare " +
        "publishes these records when the operator onboards the domain to Email Sending (`npx " +
        "wrangler email sending enable`). They are listed for comparison.",
    ),
  courier_onboarding: z
    .object({
      status: z.enum(["waiting", "done", "refused"]),
      code: z.string().nullable().describe("Cloudflare's own code of its last error."),
      message: z.string(),
      updated_at: z.iso.datetime(),
    })
    .nullable()
    .optional()
    .describe(
      "Only present when Cloudflare's Email Service carries the team's mail. How far the service " +
        "has come with onboarding the domain to it. Null if the service did not try.",
    ),
  verification_failure: failureOf(MAIL_FLOW_CODES),
  tracking: z.object({
    opens_enabled: z.boolean(),
    clicks_enabled: z.boolean(),
    subdomain: z.string().nullable(),
    dns_records: z.array(DnsRecord),
    status: z.enum(["disabled", "pending", "verified"]),
    verification_failure: failureOf(TRACKING_CODES),
    verified_at: z.iso.datetime().nullable(),
  }),
  created_at: z.iso.datetime(),
  verified_at: z.iso.datetime().nullable(),
  sending: z
    .object({
      held: z.boolean(),
      since: z.iso.datetime().nullable(),
      code: z.enum(HOLD_CODES).nullable(),
      message: z.string().nullable().describe("The reason, the remedy and Cloudflare's words."),
    })
    .optional()
    .describe(
      "Only present when one domain is read. `held`: Cloudflare's Email Service now takes no mail " +
        "of the domain or of the whole account. The mail waits, and the domain stays verified.",
    ),
});

/** The body of a creation. domain-name.ts decides which names are accepted. */
export const CreateDomain = z.object({
  name: z.string().describe("In any script and case, with or without a final dot."),
});

const Subdomain = z
  .string()
  .max(DNS_NAME_CHARACTERS, { abort: true })
  .regex(SUBDOMAIN, "must be labels of letters, digits and hyphens")
  .transform((subdomain) => subdomain.toLowerCase())
  .refine(
    (subdomain) => !subdomain.split(".").includes(RETURN_PATH_LABEL),
    `must not contain \`${RETURN_PATH_LABEL}\`, which is where bounces come back`,
  );

export const UpdateDomain = z.object({
  tracking: z
    .object({
      opens_enabled: z.boolean().optional().describe("Whether opens are tracked."),
      clicks_enabled: z.boolean().optional().describe("Whether clicks are tracked."),
      subdomain: Subdomain.nullable()
        .optional()
        .describe(
          "The label of the host of tracked links, such as `links`. The host needs a DNS record.",
        ),
    })
    .describe("Only the given members change."),
});

/** Makes the JSON of a domain. `courier` is the courier of the team's mail. */
export function toDomain(
  domain: StoredDomain,
  serviceDomain: string,
  courier: CourierName,
): z.output<typeof Domain> {
  const { name, trackingSubdomain } = domain;
  return {
    id: domain.id,
    name,
    status: domain.status,
    dns_records: [
      toRecord(returnPathAlias(domain, serviceDomain), name, "verification"),
      ...domain.keys.map(({ selector }) =>
        toRecord(dkimAlias(domain, selector, serviceDomain), name, "dkim"),
      ),
    ],
    // Only Cloudflare's Email Service needs courier records (contract.md §DNS records).
    ...(courier === "cloudflare"
      ? {
          courier_dns_records: emailServiceRecords(name).map((one) => toCourierRecord(one, name)),
          courier_onboarding: toOnboarding(domain.onboarding),
        }
      : {}),
    verification_failure: toFailure(MAIL_FLOW_CODES, domain.failureCode, domain.failureMessage),
    tracking: {
      opens_enabled: domain.opensEnabled,
      clicks_enabled: domain.clicksEnabled,
      subdomain: trackingSubdomain,
      dns_records:
        trackingSubdomain === null
          ? []
          : [toRecord(trackingAlias(domain, trackingSubdomain, serviceDomain), name, "tracking")],
      status: domain.trackingStatus,
      verification_failure: toFailure(
        TRACKING_CODES,
        domain.trackingFailureCode,
        domain.trackingFailureMessage,
      ),
      verified_at: toTime(domain.trackingVerifiedAt),
    },
    created_at: toTime(domain.createdAt),
    verified_at: toTime(domain.verifiedAt),
  };
}

/**
 * Makes the JSON about the domain's sending. `hold` is the hold that blocks the domain's mail.
 * Null: no hold blocks it.
 */
export function toSending(
  hold: ActiveHold | null,
  name: string,
): NonNullable<z.output<typeof Domain>["sending"]> {
  if (!hold) return { held: false, since: null, code: null, message: null };
  const { since, code } = hold;
  return { held: true, since: toTime(since), code, message: describeHold(hold, name) };
}

export function toTrackingChange({ tracking }: z.output<typeof UpdateDomain>): TrackingChange {
  return {
    opensEnabled: tracking.opens_enabled,
    clicksEnabled: tracking.clicks_enabled,
    subdomain: tracking.subdomain,
  };
}

function toRecord(
  alias: Alias,
  domain: string,
  purpose: z.output<typeof DnsRecord>["purpose"],
): z.output<typeof DnsRecord> {
  return { type: "CNAME", name: relativeName(alias, domain), value: alias.target, purpose };
}

function toCourierRecord(record: CourierRecord, domain: string): z.output<typeof CourierDnsRecord> {
  const { type, value, purpose } = record;
  return { type, name: relativeName(record, domain), value, purpose };
}

function toOnboarding(
  onboarding: StoredDomain["onboarding"],
): z.output<typeof Domain>["courier_onboarding"] {
  if (onboarding === null) return null;
  const { at, ...shown } = onboarding;
  return { ...shown, updated_at: toTime(at) };
}

function toFailure<Code extends string>(
  codes: readonly Code[],
  code: string | null,
  message: string | null,
): { code: Code; message: string } | null {
  const known = codes.find((candidate) => candidate === code);
  return known === undefined ? null : { code: known, message: message ?? "" };
}
