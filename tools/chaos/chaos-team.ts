// A team for some of a campaign's rounds: a key, a verified domain, a webhook of each
// format, and the outcome at each address that the team has written to.
import { patience } from "../harness/slowness.ts";
import { createTenant, VARS } from "../harness/tenant.ts";
import type { EventFact, WebhookFact } from "./recorded-facts.ts";
import type { RemainingState } from "./faulty-worker.ts";
import type { BucketFact } from "./worker/bucket-content.ts";
import type { EntryFact } from "./worker/stored-entries.ts";
import type { RoundCourier } from "./plan.ts";
import type { DeferredRequest } from "./worker/deferred-rows.ts";
import type { ReceivedWebhook } from "./webhook-receiver.ts";
import type { ChaosHarness } from "./chaos-harness.ts";
import type { ToldWebhookFact } from "./replies/reply-check.ts";

export type ChaosTeam = Awaited<ReturnType<typeof joinTeam>>;

interface FoundEmail {
  readonly recipients: readonly {
    readonly events: readonly { readonly smtp_response: string | null }[];
  }[];
}

const PLENTY = 1_000_000_000;
/**
 * Milliseconds for which a call is repeated. A call fails if its ledger is evicted during the call.
 */
const EVICTED_MS = patience(5_000);
/** The number of days for teams that keep content. */
const KEPT_DAYS = 3;
const WEBHOOKS = [
  {
    format: "batch",
    types: [
      "email.sent",
      "email.delivered",
      "email.delayed",
      "email.bounced",
      "email.suppressed",
      "email.replied",
    ],
    wantsAuto: false,
  },
  {
    format: "resend",
    types: ["email.delivered", "email.bounced", "email.replied"],
    wantsAuto: true,
  },
];

export interface NewTeam {
  readonly name: string;
  readonly courier: RoundCourier;
  readonly keepsContent: boolean;
  readonly dkimKey: string;
}

export async function joinTeam(harness: ChaosHarness, wanted: NewTeam) {
  const { runtime, submissionPort } = harness;
  const { team, apiKey, contentDays, call, patch } = await createTeam(harness, wanted);
  const hooks = await makeWebhooks(harness, wanted.name, call);
  const target = { origin: runtime.origin, apiKey, submissionPort, isUp: () => runtime.isUp };
  return {
    apiKey,
    /** The service, as the team's clients reach it. */
    target,
    hooks,
    /** Addresses that are suppressed because of a bounce. */
    bounced: new Set<string>(),
    /** Calls the API with the team's key. Throws for a refusal. */
    call,
    /** The days for which the team keeps the content of its mail. 0 means that it keeps none. */
    contentDays,
    /** Sets the team's deferred messages (worker/deferred-rows.ts), and evicts its ledger. */
    defer: (request: DeferredRequest) =>
      call<number>("POST", "/__chaos/defer", { team, ...request }),
    /** Reads which objects R2 has for these messages, and all kept content after `since`. */
    storedContent: (ids: readonly string[], since: number) =>
      call<BucketFact>("POST", "/__chaos/content", { team, ids, since }),
    remains: () =>
      call<RemainingState>("POST", "/__chaos/state", { team, webhooks: hooks.map(({ id }) => id) }),
    /** Reads the entries of the team's audit trail after `since`. */
    trail: (since: number) => call<EntryFact[]>("POST", "/__chaos/trail", { team, since }),
    /** Reads the Email Service's ids of a message's copies from the message's event history. */
    async notedIds(emailId: string): Promise<string[]> {
      const { recipients } = await call<FoundEmail>("GET", `/v1/email/${emailId}`);
      const words = recipients.flatMap(({ events }) => events.map((one) => one.smtp_response));
      return words.flatMap((text) => /^queued as (\S+)$/.exec(text ?? "")?.[1] ?? []);
    },
    /** Limits releases to this many messages a minute, from the next send on. Null: no limit. */
    async pace(perMinute: number | null): Promise<void> {
      await patch({ limits: { delivery_rate_per_minute: perMinute ?? PLENTY } });
    },
    /** Makes this number of further deliveries to the first webhook fail. */
    failNext(times: number): void {
      hooks[0]!.failing += times;
    },
  };
}

async function createTeam(harness: ChaosHarness, { courier, keepsContent, dkimKey }: NewTeam) {
  const { runtime, workerLines } = harness;
  const errors = () => workerLines.all.map(({ text }) => text);
  const worker = { origin: runtime.origin, stores: runtime.stores, errors };
  const { teamId: team, apiKey } = await createTenant(worker, PLENTY, dkimKey);
  harness.teams.push(team);
  const call = callerOf(harness, apiKey);
  const patch = (changes: object): Promise<unknown> =>
    call("PATCH", `/admin/teams/${team}`, changes, VARS["ADMIN_TOKEN"]);
  await patch({ courier: courier === "gateway" ? courier : "cloudflare" });
  const contentDays = keepsContent ? KEPT_DAYS : 0;
  await call("PATCH", "/v1/team", { content_days: contentDays });
  return { team, apiKey, contentDays, call, patch };
}

/** Records the addresses of the team that have bounced permanently. */
export function learnBounces({ bounced }: ChaosTeam, events: readonly EventFact[]): void {
  // The service does not suppress an address that the Email Service refuses because of its own
  // list.
  for (const { type, recipient, bounce_classification: classification } of events)
    if (type === "email.bounced" && classification === "InvalidRecipient") bounced.add(recipient);
}

/** Makes the team's webhooks, whose deliveries the harness receives. */
async function makeWebhooks(
  { receiver, receiverPort }: ChaosHarness,
  team: string,
  call: ReturnType<typeof callerOf>,
) {
  const hooks: (ReceivedWebhook & WebhookFact & ToldWebhookFact & { readonly id: string })[] = [];
  for (const [index, { format, types, wantsAuto }] of WEBHOOKS.entries()) {
    const name = `/lane-${team}-${index}`;
    const url = `http://127.0.0.1:${receiverPort}${name}`;
    const wish = { name, url, events: types, format, auto_replies: wantsAuto };
    const made = await call<{ id: string; signing_secret: string }>("POST", "/v1/webhooks", wish);
    const hook = receiver.add(name, made.signing_secret);
    hooks.push(Object.assign(hook, { id: made.id, name, types, wantsAuto }));
  }
  return hooks;
}

/** Returns a function that calls the API with the key, or with another token. */
function callerOf(harness: ChaosHarness, apiKey: string) {
  return async <Answer>(
    method: string,
    path: string,
    body?: object,
    token = apiKey,
  ): Promise<Answer> => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    let response = await harness.fetch(path, request);
    for (const until = Date.now() + EVICTED_MS; response.status >= 500 && Date.now() < until;)
      response = await harness.fetch(path, request);
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };
}
