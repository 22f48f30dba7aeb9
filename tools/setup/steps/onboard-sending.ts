// Step of the courier `cloudflare`: the Email Service may send from each domain of the first team.
// For each domain, a subscription sends the events to the worker's queue. This step comes before
// verification, because Cloudflare then publishes records that verification needs.
import { AccountApi, type AccountZone, type EventSubscription } from "../account-api.ts";
import { EVENT_TYPES } from "../../../src/operator/subscribed-events.ts";
import {
  findSubscription,
  mendedSubscription,
  neededSubscription,
} from "../event-subscriptions.ts";
import { nameSendingDomain } from "./name-sending-domain.ts";
import { publish } from "./publish.ts";
import type { Context, Step } from "../setup-context.ts";
import { CallProblem, SetupProblem } from "../setup-problem.ts";
import type { StepOutcome } from "../step-outcome.ts";

/**
 * Seconds for which a failed attempt is repeated after a domain was enabled. Parts of Cloudflare
 * learn of the domain later than others.
 */
const WAIT_SECONDS = 30;
const EVERY_MS = 2_000;

const NO_QUOTA =
  "waiting  the Email Service gives this account no quota yet, and refuses its mail until then " +
  "(10203): mail waits; npm run doctor shows the quota";

type Done = "already" | "done" | "changed" | "would" | "outside";

interface Account {
  readonly api: AccountApi;
  /** The id of the events' queue. Null: the run is a dry run, and the queue does not exist yet. */
  readonly queueId: string | null;
  readonly subscriptions: readonly EventSubscription[];
}

interface Onboarded {
  readonly kind: Done;
  readonly note: string;
}

export const emailService: Step = {
  name: "email service",
  applies: ({ settings }) => settings["OUTBOUND"] === "cloudflare",
  plan: ({ settings, config: { eventsQueue } }) => [
    `enable sending for ${settings["SENDING_DOMAIN"]} and subscribe ${eventsQueue} to its ` +
      "events, if this was not done yet",
  ],
  async run(context) {
    const names = await domainsOf(context);
    if (names.length === 0)
      return { kind: "skipped", detail: "no domain is named: set SENDING_DOMAIN" };
    const api = await AccountApi.open(context.wrangler, context.environment);
    const { eventsQueue } = context.config;
    const queueId = await api.queueId(eventsQueue);
    if (queueId === null && !context.dryRun)
      throw new SetupProblem(`the queue ${eventsQueue} does not exist`, "run this again");
    const account = { api, queueId, subscriptions: await api.subscriptions() };
    const all: Onboarded[] = [];
    for (const name of names) all.push(await onboard(context, account, name));
    const outcome = summary(all, names);
    const { quota } = await api.sendingLimits();
    if (quota !== null) return outcome;
    return { ...outcome, notes: [...(outcome.notes ?? []), NO_QUOTA] };
  },
};

/** Returns the domain that the operator named, and the first team's other domains. */
async function domainsOf(context: Context): Promise<readonly string[]> {
  const named = await nameSendingDomain(context);
  const { api, teamKey } = context;
  const known = teamKey === null ? [] : (await api.domains(teamKey)).map(({ name }) => name);
  return [...new Set([...(named === undefined ? [] : [named]), ...known])];
}

async function onboard(context: Context, account: Account, name: string): Promise<Onboarded> {
  const zone = await account.api.zoneOf(name);
  if (zone === null)
    return onboarded(
      "outside",
      name,
      "is in no zone of this account, so the Email Service can't send from it: add its zone " +
        "to the account, or give its team another courier (PATCH /admin/teams/{id})",
    );
  const known = (await account.api.sendingDomains(zone)).find((domain) => domain.name === name);
  const isEnabled = known?.enabled === true;
  if (!isEnabled && context.watchedDomain === name)
    await publish(context, context.zone, {
      name: `_dmarc.${name}`,
      type: "TXT",
      records: [{ type: "TXT", name: `_dmarc.${name}`, content: "v=DMARC1; p=none" }],
    });
  if (!isEnabled && !context.dryRun) await account.api.enableSending(zone, name);
  const events = await subscribe(context, account, zone, name, isEnabled);
  const sending = isEnabled ? "sending was enabled" : "sending enabled";
  if (context.dryRun && (!isEnabled || events.kind === "would"))
    return onboarded("would", name, `${isEnabled ? "" : "enable sending, "}${events.note}`);
  const kind = isEnabled ? events.kind : known === undefined ? "done" : "changed";
  return onboarded(kind, name, `${sending}, ${events.note}`);
}

async function subscribe(
  context: Context,
  { api, queueId, subscriptions }: Account,
  zone: AccountZone,
  name: string,
  wasEnabled: boolean,
): Promise<{ readonly kind: Done; readonly note: string }> {
  const { eventsQueue } = context.config;
  const found = findSubscription(subscriptions, name, queueId);
  const count = `all ${EVENT_TYPES.length} types of events`;
  if (found.kind === "found" && found.faults.length === 0)
    return { kind: "already", note: `${count} go to ${eventsQueue}` };
  const missing = found.kind === "missing";
  const why = missing ? "" : ` (before: ${found.faults.join(", ")})`;
  if (queueId === null || context.dryRun)
    return { kind: "would", note: `subscribe ${eventsQueue} to ${count}${why}` };
  if (missing) {
    const needed = neededSubscription(zone.id, name, queueId);
    await patiently(context, !wasEnabled, () => api.subscribe(needed));
    return { kind: "done", note: `${count} go to ${eventsQueue} now` };
  }
  const { subscription } = found;
  await api.changeSubscription(subscription.id, mendedSubscription(subscription, queueId));
  return { kind: "changed", note: `${count} go to ${eventsQueue} now${why}` };
}

/** Makes an attempt. If the domain is new, a failed attempt is repeated for some seconds. */
async function patiently(
  { clock: { now, wait } }: Context,
  isNew: boolean,
  attempt: () => Promise<void>,
): Promise<void> {
  const deadline = now() + (isNew ? WAIT_SECONDS * 1000 : 0);
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof CallProblem) || now() + EVERY_MS > deadline) throw error;
      await wait(EVERY_MS);
    }
  }
}

function onboarded(kind: Done, name: string, words: string): Onboarded {
  const word = kind === "outside" ? "needed" : kind;
  return { kind, note: `${word.padEnd(8)} ${name}  ${words}` };
}

function summary(all: readonly Onboarded[], names: readonly string[]): StepOutcome {
  const has = (kind: Done): boolean => all.some((one) => one.kind === kind);
  const notes = all.map(({ note }) => note);
  const kind = (["would", "changed", "done", "already"] as const).find(has) ?? "skipped";
  const inside = names.filter((_, index) => all[index]?.kind !== "outside");
  const detail =
    kind === "skipped"
      ? "can send from none of the domains"
      : `${kind === "would" ? "would send" : "sends"} from ${inside.join(", ")}`;
  return { kind, detail, notes };
}
