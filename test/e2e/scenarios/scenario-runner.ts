// Runs the table of scenarios on one stack, all at once: publishes their DNS, configures the mail
// servers, and sends. Waits until everything has ended and a little longer, and reports the results
// in the table's own terms.
import { setTimeout as wait } from "node:timers/promises";
import { patience } from "../../../tools/harness/slowness.ts";
import { ownPort } from "../../../tools/harness/loopback.ts";
import { Stack } from "../stack.ts";
import {
  type ExpectedEvent,
  type Fate,
  MAIL_HOSTS,
  QUEUED,
  runsHere,
  type Scenario,
} from "./scenario-terms.ts";
import { FAILING_DOMAINS, SCENARIOS, SPEEDUP } from "./scenarios.ts";

const POLL_MS = 2_000;
/**
 * The greeting timeout, in seconds: how long an attempt waits for a server that hangs. A server
 * that is only slow must greet before.
 */
const GREETING_SECONDS = 3;
/** Milliseconds to wait at the end, to show that no unexpected event follows. */
const AFTERWARDS_MS = 2_500;
/** If a recipient has at least this many equal delays, the report has one entry for all. */
const RUN_LENGTH = 4;
const OVER: ReadonlySet<string> = new Set(["delivered", "bounced", "suppressed", "complained"]);

interface TimelineEvent extends Omit<ExpectedEvent, "tls" | "attempt"> {
  readonly attempt: number | null;
  readonly tls: string | null;
}

interface Email {
  readonly recipients: readonly {
    readonly recipient: string;
    readonly status: string;
    readonly events: readonly TimelineEvent[];
  }[];
}

interface Told {
  readonly outcome: Fate;
  /** The copies in the inbox. */
  readonly raws: readonly string[];
  readonly attempts: number;
}

/** Results by address. */
type Fates = ReadonlyMap<string, Told>;

/**
 * Starts a stack whose courier asks the local DNS for mail servers. The stack itself takes the mail
 * at the addresses of these servers. With the Email Service, the stack is as strict as the real
 * platform (docs/real-platform.md).
 */
export async function startScenarioStack(courier: "gateway" | "cloudflare"): Promise<Stack> {
  const port = await ownPort();
  return Stack.start({
    OUTBOUND: courier,
    ...(courier === "cloudflare" && { PLATFORM: "real" }),
    RETRY_SPEEDUP: String(SPEEDUP),
    LEASE_SPEEDUP: "12",
    MX_HOSTS: MAIL_HOSTS.join(","),
    MX_PORT: String(port),
    RETURN_PATH: "true",
    RETURN_PATH_PORTS: String(port),
    EGRESS_GREETING_SECONDS: String(patience(GREETING_SECONDS)),
  });
}

export async function runScenarios(
  stack: Stack,
  scenarios: readonly Scenario[] = SCENARIOS.filter(runsHere),
): Promise<Fates> {
  await prepare(stack, scenarios);
  const ids = await Promise.all(scenarios.map(({ fates }) => send(stack, Object.keys(fates))));
  await over(stack, ids);
  const again = scenarios.flatMap(({ fates }) =>
    Object.entries(fates).flatMap(([address, { next }]) => (next ? [address] : [])),
  );
  const nextIds = new Map(
    await Promise.all(
      again.map(async (address) => [address, await send(stack, [address])] as const),
    ),
  );
  await over(stack, [...nextIds.values()]);
  await wait(AFTERWARDS_MS);
  const told = new Map<string, Told>();
  for (const id of ids) {
    for (const one of (await find(stack, id)).recipients) {
      const nextId = nextIds.get(one.recipient);
      const next =
        nextId === undefined ? undefined : (await find(stack, nextId)).recipients[0]?.events;
      told.set(one.recipient, await fateOf(stack, one.recipient, one.events, next));
    }
  }
  return told;
}

async function prepare(stack: Stack, scenarios: readonly Scenario[]): Promise<void> {
  for (const record of scenarios.flatMap((scenario) => scenario.dns)) await stack.publish(record);
  const faults = { dns_query: "servfail", dns_domains: FAILING_DOMAINS };
  await stack.put(`${stack.dev.dns_url}/faults`, faults);
  await stack.rules(scenarios.flatMap(({ rules = [] }) => rules));
}

async function send(stack: Stack, to: readonly string[]): Promise<string> {
  return stack.sent([...to], "Scenario");
}

async function over(stack: Stack, ids: readonly string[]): Promise<void> {
  let open = ids;
  while (open.length > 0) {
    await wait(POLL_MS);
    const found = await Promise.all(open.map(async (id) => ({ id, email: await find(stack, id) })));
    open = found
      .filter(({ email }) => email.recipients.some(({ status }) => !OVER.has(status)))
      .map(({ id }) => id);
  }
}

const find = (stack: Stack, id: string) => stack.ask<Email>("GET", `/v1/email/${id}`);

async function fateOf(
  stack: Stack,
  address: string,
  events: readonly TimelineEvent[],
  next: readonly TimelineEvent[] | undefined,
): Promise<Told> {
  const copies = await stack.inbox(`&to=${address}`);
  const raws = await Promise.all(
    copies.map(async ({ id }) => (await stack.raw(id)).toString("latin1")),
  );
  const attempts = Math.max(0, ...events.map(({ attempt }) => attempt ?? 0));
  const outcome = {
    events: foldDelays(events),
    copies: copies.length,
    suppressed: await suppressionOf(stack, address),
    ...(next && { next: foldDelays(next) }),
  };
  return { outcome, raws, attempts };
}

async function suppressionOf(stack: Stack, address: string): Promise<string | null> {
  const response = await stack.api("GET", `/v1/suppressions/${address}`);
  if (response.status === 404) return null;
  const { data } = (await response.json()) as {
    data: { classification: string | null; smtp_code: number | null }[];
  };
  return data.map(({ classification, smtp_code }) => `${classification} ${smtp_code}`).join();
}

/**
 * Folds four or more consecutive delays that do not differ into one entry. The attempts after them
 * are numbered from `n+1`. Other events stay.
 */
function foldDelays(events: readonly TimelineEvent[]): ExpectedEvent[] {
  const told = events.map(toExpectedEvent);
  const from = told.findIndex(({ type }) => type === "email.delayed");
  const first = told[from];
  if (!first) return told;
  const alike = (event: ExpectedEvent, index: number) =>
    JSON.stringify({ ...event, attempt: null }) === JSON.stringify({ ...first, attempt: null }) &&
    event.attempt === 1 + index;
  const others = told.slice(from).findIndex((event, index) => !alike(event, index));
  const length = others < 0 ? told.length - from : others;
  if (length < RUN_LENGTH) return told;
  const rest = told
    .slice(from + length)
    .map((event) =>
      typeof event.attempt === "number"
        ? { ...event, attempt: `n+${event.attempt - length}` }
        : event,
    );
  return [...told.slice(0, from), { ...first, attempt: "1..n" }, ...rest];
}

function toExpectedEvent(event: TimelineEvent): ExpectedEvent {
  const {
    type,
    attempt,
    smtp_code,
    smtp_response,
    bounce_type,
    bounce_classification,
    mx_host,
    tls,
  } = event;
  return {
    type,
    attempt,
    smtp_code,
    smtp_response:
      smtp_response
        ?.replace(/Kept as [0-9a-f-]{36}$/, "Kept as (id)")
        .replace(/^queued as <\S+>$/, QUEUED) ?? null,
    bounce_type,
    bounce_classification,
    mx_host,
    tls: tls !== null,
  };
}
