// The faults of the courier `cloudflare` that doctor-email-service.test.ts plants one at a time.
import { EVENT_TYPES } from "../../tools/setup/event-subscriptions.ts";
import type { DoctorHarness } from "./doctor-harness.ts";
import type { Account } from "./fake-wrangler.ts";
import type { PlantedFault } from "./planted-faults.ts";

type Subscription = Account["subscriptions"][number];

const resubscribe =
  (change: Partial<Subscription>) =>
  (harness: DoctorHarness): void =>
    harness.change({
      subscriptions: harness.account.subscriptions.map((one) => ({ ...one, ...change })),
    });

const use =
  (sent: number, over_quota = false) =>
  (harness: DoctorHarness): void =>
    harness.change({
      limits: {
        quota: { value: 200, unit: "day" },
        usage: { sent, over_quota, resets_at: "2026-11-23T00:00:00Z" },
      },
    });

export const EMAIL_SERVICE_FAULTS: Record<string, PlantedFault> = {
  "a domain that is not onboarded": {
    plant: (harness) => harness.change({ sending: [] }),
    check: "email-service.domain",
    what: /example\.com is not onboarded in the Email Service/,
    mend: /wrangler email sending enable example\.com, or npm run setup/,
  },
  "a domain whose sending is disabled": {
    plant: (harness) =>
      harness.change({
        sending: harness.account.sending.map((domain) => ({ ...domain, enabled: false })),
      }),
    check: "email-service.domain",
    what: /example\.com is disabled/,
    mend: /wrangler email sending enable example\.com/,
  },
  "a domain outside the account": {
    plant: (harness) => harness.change({ zones: [{ id: "f".repeat(32), name: "other.org" }] }),
    check: "email-service.domain",
    what: /example\.com lies in no zone of this account/,
    mend: /add its zone/,
  },
  "an account without the queue": {
    plant: (harness) => harness.change({ queues: [] }),
    check: "email-service.subscription",
    what: /no queue postern-email-events/,
    mend: /npm run setup/,
  },
  "no subscription": {
    plant: (harness) => harness.change({ subscriptions: [] }),
    check: "email-service.subscription",
    what: /no subscription leads the events of example\.com to postern-email-events/,
    mend: /npm run setup mends it/,
  },
  "a subscription with five types": {
    plant: resubscribe({ events: EVENT_TYPES.filter((type) => type !== "message.bounced") }),
    check: "email-service.subscription",
    what: /postern example\.com of example\.com: it lacks message\.bounced/,
    mend: /npm run setup mends it/,
  },
  "a subscription that is disabled": {
    plant: resubscribe({ enabled: false }),
    check: "email-service.subscription",
    what: /it is disabled/,
    mend: /npm run setup mends it/,
  },
  "a subscription that leads elsewhere": {
    plant: resubscribe({ destination: { type: "queues.queue", queue_id: "e".repeat(32) } }),
    check: "email-service.subscription",
    what: /it leads to another queue/,
    mend: /npm run setup mends it/,
  },
  "a quota that is nearly used up": {
    plant: use(181),
    check: "email-service.quota",
    what: /^19 left of 200 messages a day, until 2026-11-23T00:00:00Z$/,
    mend: /ask Cloudflare for more/,
    status: "warn",
  },
  "a quota that is used up": {
    plant: use(200, true),
    check: "email-service.quota",
    what: /the quota is used up: 0 left of 200 messages a day/,
    mend: /ask Cloudflare for more/,
    status: "warn",
  },
  "bounces without MX": {
    plant: (harness) => harness.dns("cf-bounce.example.com", "MX", null),
    check: "email-service.bounces",
    what: /^cf-bounce\.example\.com has no MX of Cloudflare's$/,
    mend: /email sending dns get example\.com/,
  },
  "bounces that also lead elsewhere": {
    plant: (harness) =>
      harness.dns("cf-bounce.example.com", "MX", [
        "10 route1.mx.cloudflare.net",
        "20 mail.other.net",
      ]),
    check: "email-service.bounces",
    what: /^cf-bounce\.example\.com also leads to mail\.other\.net$/,
    mend: /email sending dns get example\.com/,
  },
  "bounces without SPF": {
    plant: (harness) => harness.dns("cf-bounce.example.com", "TXT", null),
    check: "email-service.bounces",
    what: /^cf-bounce\.example\.com has not one SPF record$/,
    mend: /email sending dns get example\.com/,
  },
  "a DKIM key of the service that is gone": {
    plant: (harness) => harness.dns("cf-bounce._domainkey.example.com", "TXT", null),
    check: "email-service.bounces",
    what: /^cf-bounce\._domainkey\.example\.com has no DKIM key$/,
    mend: /npm run setup mends it/,
  },
  "a return-path without SPF": {
    plant: (harness) => harness.dns("*.return-path.post.example.com", "TXT", null),
    check: "dns.spf",
    what: /has no SPF record/,
    mend: /v=spf1 include:_spf\.mx\.cloudflare\.net ~all/,
  },
  "a return-path without MX": {
    plant: (harness) => harness.dns("*.return-path.post.example.com", "MX", null),
    check: "dns.mx",
    what: /has no MX record/,
    mend: /publish MX 10 route1\.mx\.cloudflare\.net and MX 20 /,
  },
};
