// The faults of a deployment with the courier `cloudflare` and of its account, as planted-faults.ts
// plants them.
import { type Account, LOGIN_TOKEN } from "../../tools/dev/account/cloudflare-account.ts";
import { EVENT_TYPES } from "../../src/operator/subscribed-events.ts";
import { EVENTS_QUEUE } from "../../tools/setup/event-subscriptions.ts";
import type { DoctorHarness } from "./doctor-harness.ts";
import { BOUNCES, type PlantedFault } from "./planted-faults.ts";
import { ZONE } from "./test-zone.ts";

type Subscription = Account["subscriptions"][number];

const resubscribe =
  (change: Partial<Subscription>) =>
  (one: DoctorHarness): void =>
    one.change({ subscriptions: one.account.subscriptions.map((old) => ({ ...old, ...change })) });

const use =
  (sent: number, over_quota = false) =>
  (one: DoctorHarness): void => {
    const usage = { sent, over_quota, resets_at: "2026-11-23T00:00:00Z" };
    one.change({ limits: { quota: { value: 200, unit: "day" }, usage } });
  };

export const EMAIL_SERVICE_FAULTS: Record<string, PlantedFault> = {
  "a domain that is not onboarded": [
    (one) => one.change({ sending: [] }),
    /^critical email-service\.domain example\.com is not onboarded .* → .*enable example\.com, or/,
  ],
  "a domain whose sending is disabled": [
    (one) =>
      one.change({ sending: one.account.sending.map((old) => ({ ...old, enabled: false })) }),
    /^critical email-service\.domain example\.com is disabled .* → .*sending enable example\.com/,
  ],
  "a domain outside the account": [
    (one) => one.change({ zones: [{ id: "f".repeat(32), name: "other.org" }] }),
    /^critical email-service\.domain example\.com is in no zone of this account.* → add its zone/,
  ],
  "an account without the queue": [
    (one) => one.change({ queues: [] }),
    /^critical email-service\.subscription .* no queue postern-email-events.* → npm run setup/,
  ],
  "no subscription": [
    (one) => one.change({ subscriptions: [] }),
    /^critical email-service\.subscription no .* of example\.com to postern-email-.* → npm run/,
  ],
  "a subscription with five types": [
    resubscribe({ events: EVENT_TYPES.filter((type) => type !== "message.bounced") }),
    /^critical email-service\.subscription .* example\.com: it lacks message\.bounced → npm run/,
  ],
  "a subscription that is disabled": [
    resubscribe({ enabled: false }),
    /^critical email-service\.subscription .*: it is disabled → npm run setup/,
  ],
  "a subscription that leads elsewhere": [
    resubscribe({ destination: { type: "queues.queue", queue_id: "e".repeat(32) } }),
    /^critical email-service\.subscription .*: it sends to another queue → npm run setup/,
  ],
  "a quota that is nearly used up": [
    use(181),
    /^warning email-service\.quota 19 left of 200 messages a day, until 2026-11-23T00.* → ask/,
  ],
  "a quota that is used up": [
    use(200, true),
    /^warning email-service\.quota the quota is used up: 0 left of 200 messages a.* → ask/,
  ],
  "no right for queues": [
    (one) => one.change({ tokens: { ...one.account.tokens, [LOGIN_TOKEN]: ["Queues"] } }),
    /^critical account\.rights Queues: .*\[code: 10000\] → give .* Account · Queues · Edit/,
  ],
  "R2 that was never enabled": [
    (one) => one.change({ disabled: ["R2"] }),
    /^critical account\.rights R2: .*\[code: 10042\] → enable R2 once at https:/,
  ],
  "a queue taken by another deployment": [
    (one) => one.change({ readers: { [EVENTS_QUEUE]: "first" } }),
    /^critical account\.queues .*\(11004\): postern-email-events \(first\).* → .*DEPLOYMENT=/,
  ],
  "a migration half run": [
    (one) => one.change({ databases: { ...one.account.databases, "postern-shard-0": [] } }),
    /^critical account\.migrations postern-shard-0 lacks 0000_\S+\.sql.* 7500\) → npm run setup/,
  ],
  "a database that is missing": [
    (one) =>
      one.change({ databases: { "postern-core": one.account.databases["postern-core"] ?? [] } }),
    /^critical account\.migrations the account has no database postern-shard-0 .* → npm run setup/,
  ],
  "a mailbox without a rule": [
    (one) => one.change({ routing: one.account.routing.slice(1) }),
    /^warning mailboxes\.postmaster .* postmaster@post\.example\.com \(550 5\.1\.1\).* → npm run setup/,
  ],
  "Email Routing without subaddressing": [
    (one) => one.change({ subaddressing: false }),
    /^warning mailboxes\.subaddressing .* refuse replies \(550 5\.1\.1\).* → in the dashboard, Email, Email Routing, Settings, switch Subaddressing on/,
  ],
  "a name for replies that leads nowhere": [
    (one) => one.dns("reply.post.example.com", "MX", null),
    /^warning dns\.replies reply\.post\.example\.com has no MX record.* → in the dashboard .*switch Email Routing on for reply\.post/,
  ],
  "a full zone": [
    (one) => one.dns("full.example.com", "TXT", Array.from({ length: 200 }, String)),
    /^critical zone\.records example\.com has 2\d\d of 200 DNS records.*\(81045\) → remove/,
  ],
  "no fallback origin": [
    (one) => one.change({ fallback_origin: null }),
    /^warning tracking\.origin .*no fallback origin: mail is sent untracked → npm run setup/,
  ],
  "a fallback origin of another service": [
    (one) => one.change({ fallback_origin: "shop.example.com" }),
    /^warning tracking\.origin .* is shop\.example\.com, .* → .*a zone of its own/,
  ],
  "no route": [
    (one) => one.change({ worker_routes: [] }),
    /^warning tracking\.route the route \*\/\* is missing: mail is sent untracked → npm run setup/,
  ],
  "a route that takes the operator's website": [
    (one) => one.dns("www.example.com", "A", "192.0.2.10", true),
    /^critical tracking\.website .*: www\.example\.com → TRACKING_ROUTES=yes npm run setup/,
  ],
  "a zone that is nearly full": [
    (one) => one.dns("full.example.com", "TXT", Array.from({ length: 178 }, String)),
    /^warning zone\.records example\.com has 1[89]\d of 200 .* 81045 → remove/,
  ],
  "a quota that is null": [
    (one) => one.change({ limits: { quota: null, usage: null } }),
    /^warning email-service\.quota .*no quota.* → wait: .*\(10203\)/,
  ],
  "no rule against Browser Integrity Check": [
    (one) => (one.worker.refusesPrograms = true),
    /^critical worker\.programs Browser Integrity Check refuses Python-urllib.*1010\) → npm run setup/,
  ],
  "another name of the zone without a subscription": [
    (one) =>
      one.change({
        sending: [
          ...one.account.sending,
          { name: "news.example.com", zone_id: ZONE.id, enabled: true, tag: "tag-2" },
        ],
      }),
    /^warning email-service\.subscription .*news\.example\.com.*, if it is a team's domain → npm run/,
  ],
  "a return-path without SPF": [
    (one) => one.dns(BOUNCES, "TXT", null),
    /^critical dns\.spf .* has no SPF record.* → .*"v=spf1 include:_spf\.mx\.cloudflare\.net ~all"/,
  ],
  "a return-path without MX": [
    (one) => one.dns(BOUNCES, "MX", null),
    /^critical dns\.mx .* has no MX record.* → publish MX 10 route1\.mx\.cloudflare\.net and MX 20 /,
  ],
};
