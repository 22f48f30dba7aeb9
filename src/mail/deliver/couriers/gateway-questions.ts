// Asks gateways what became of attempts, by their keys alone (docs/egress-protocol.md §Asking by
// key). A gateway is asked for many at once and answers at once.
import type { AttemptAsk, HandedOver } from "../../../rpc/ask-calls.ts";
import { attemptKey } from "../../../rpc/attempt-key.ts";
import type { Grant } from "../../../rpc/ledger-calls.ts";
import { logError, logWarning } from "../../../lib/log.ts";
import type { Settings } from "../../../settings.ts";
import { egressHostOf } from "./egress-hosts.ts";
import { type AttemptStatus, readAnswer, readLines } from "./gateway-lines.ts";

type KnownAnswer = Extract<AttemptStatus, { kind: "known" }>;

/** The gateways' answers. An attempt about which one did not answer is left out. */
export interface GatewayAnswers {
  readonly underWay: readonly HandedOver[];
  readonly neverHeard: readonly Grant[];
  readonly known: readonly { readonly grant: Grant; readonly answer: KnownAnswer }[];
}

type Hosts = Pick<Settings, "egressUrls" | "leavingUrls" | "gatewayToken">;

/** A gateway's answers by key; null: it did not answer. */
type HostAnswers = ReadonlyMap<string, AttemptStatus> | null;

const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Asks for each attempt the gateway that has its copy. Where that is unknown, all are asked: after
 * a restart another host may have the copy than the one that would get it now.
 */
export async function askGateways(
  hosts: Hosts,
  asks: readonly AttemptAsk[],
): Promise<GatewayAnswers> {
  const all = [...new Set([...hosts.egressUrls, ...hosts.leavingUrls])];
  const placed = asks.map((ask) => ({
    ask,
    key: attemptKey(ask),
    from: ask.host !== null && all.includes(ask.host) ? [ask.host] : all,
  }));
  const answers = new Map<string, HostAnswers>();
  const askHost = async (host: string): Promise<void> => {
    const keys = placed.filter(({ from }) => from.includes(host)).map(({ key }) => key);
    if (keys.length > 0) answers.set(host, await askGateway(host, hosts.gatewayToken, keys));
  };
  await Promise.all(all.map(askHost));
  const [underWay, neverHeard]: [HandedOver[], Grant[]] = [[], []];
  const known: { grant: Grant; answer: KnownAnswer }[] = [];
  for (const { ask, key, from } of placed) {
    const { emailId, recipientIndex, attempt } = ask;
    const grant = { emailId, recipientIndex, attempt };
    const said = from.map((host) => ({ host, answer: answers.get(host)?.get(key) }));
    const end = said.map(({ answer }) => answer).find((answer) => answer?.kind === "known");
    const holder = said.find(({ answer }) => answer?.kind === "under_way");
    if (end) known.push({ grant, answer: end });
    else if (holder) underWay.push({ ...grant, host: holder.host });
    else if (haveNotHeard(hosts, key, said)) neverHeard.push(grant);
  }
  return { underWay, neverHeard, known };
}

/**
 * Tells whether the gateways that may have the copy answered that they never heard of it. Those are
 * the one that was asked alone; else the one that would get the copy now, and all that leave.
 */
function haveNotHeard(
  { egressUrls, leavingUrls }: Hosts,
  key: string,
  said: readonly { readonly host: string; readonly answer: AttemptStatus | undefined }[],
): boolean {
  const next = egressUrls.length > 0 ? egressHostOf(key, egressUrls) : null;
  return said
    .filter(({ host }) => said.length === 1 || host === next || leavingUrls.includes(host))
    .every(({ answer }) => answer !== undefined);
}

async function askGateway(
  url: string,
  gatewayToken: string,
  keys: readonly string[],
): Promise<HostAnswers> {
  const gateway = URL.parse(url)?.host ?? "";
  try {
    const response = await fetch(`${url}/ask`, {
      method: "POST",
      headers: { Authorization: `Bearer ${gatewayToken}`, "Content-Type": "application/json" },
      body: JSON.stringify({ keys }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    if (response.status === 200 && response.body) return await readAnswers(response.body);
    await response.body?.cancel();
    // An earlier gateway has no such path. It joins the attempt when it gets the copy again.
    if (response.status === 404) return new Map(keys.map((key) => [key, { kind: "never_heard" }]));
    logWarning("egress_refused", { gateway, status: response.status });
  } catch (error) {
    logError("egress_unreachable", error, { gateway });
  }
  return null;
}

async function readAnswers(body: ReadableStream<Uint8Array>): Promise<HostAnswers> {
  const answers = new Map<string, AttemptStatus>();
  const now = Date.now();
  for await (const lines of readLines(body))
    for (const line of lines) {
      const { key, answer } = readAnswer(line, now) ?? {};
      if (key !== undefined && answer) answers.set(key, answer);
    }
  return answers;
}
