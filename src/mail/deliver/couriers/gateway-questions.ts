// Asks gateways for the outcomes of attempts, only by the attempts' keys (docs/egress-protocol.md
// §Asking by key). One request asks a gateway about many attempts. The gateway responds immediately
// and does not wait for outcomes.
import type { AttemptQuestion, GatewayCopy } from "../../../rpc/question-calls.ts";
import { attemptKey } from "../../../rpc/attempt-key.ts";
import type { Grant } from "../../../rpc/ledger-calls.ts";
import { logError, logWarning } from "../../../lib/log.ts";
import type { Settings } from "../../../settings.ts";
import type { RoomAhead } from "../courier.ts";
import { egressHostOf } from "./egress-hosts.ts";
import { type AttemptStatus, readOutcomeLine, readLines } from "./gateway-lines.ts";

type KnownAnswer = Extract<AttemptStatus, { kind: "known" }>;

/**
 * The gateways' responses. An attempt is left out if no gateway that may have the copy responded.
 */
export interface GatewayResults {
  /** `waitsSince` is present if a copy has waited for a connection for more than a minute. */
  readonly underWay: readonly GatewayCopy[];
  /** The copies that a gateway gave back, each with the time at which a connection will be free. */
  readonly waiting: readonly (Grant & RoomAhead)[];
  readonly neverHeard: readonly Grant[];
  readonly known: readonly { readonly grant: Grant; readonly answer: KnownAnswer }[];
}

type Hosts = Pick<Settings, "egressUrls" | "leavingUrls" | "gatewayToken">;

/** The responses of a gateway by key. Null means that the gateway did not respond. */
type HostAnswers = ReadonlyMap<string, AttemptStatus> | null;

const REQUEST_TIMEOUT_MS = 10_000;
/**
 * Minimum length of a wait for a connection that is reported. A shorter wait is normal in an
 * attempt.
 */
const WAIT_IS_LONG_MS = 60_000;

/**
 * Asks, for each attempt, the gateway that has the copy. If that gateway is unknown, asks all
 * gateways. After a restart, the copy may be at another gateway than it would go to now.
 */
export async function askGateways(
  hosts: Hosts,
  asks: readonly AttemptQuestion[],
): Promise<GatewayResults> {
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
  const [underWay, neverHeard]: [GatewayCopy[], Grant[]] = [[], []];
  const waiting: (Grant & RoomAhead)[] = [];
  const known: { grant: Grant; answer: KnownAnswer }[] = [];
  for (const { ask, key, from } of placed) {
    const { emailId, recipientIndex, attempt } = ask;
    const grant = { emailId, recipientIndex, attempt };
    const said = from.map((host) => ({ host, answer: answers.get(host)?.get(key) }));
    const end = said.map(({ answer }) => answer).find((answer) => answer?.kind === "known");
    const holder = said.find(({ answer }) => answer?.kind === "under_way");
    const room = said.map(({ answer }) => roomOf(answer)).find((one) => one !== undefined);
    if (end) known.push({ grant, answer: end });
    else if (holder) underWay.push({ ...grant, host: holder.host, ...longWaitOf(holder.answer) });
    else if (!haveNotHeard(hosts, key, said)) continue;
    else if (room) waiting.push({ ...grant, ...room });
    else neverHeard.push(grant);
  }
  return { underWay, waiting, neverHeard, known };
}

function roomOf(answer: AttemptStatus | undefined): RoomAhead | undefined {
  return answer?.kind === "not_taken" ? answer.room : undefined;
}

/** Returns the time since which the copy waits for a connection, if the wait is long. */
function longWaitOf(answer: AttemptStatus | undefined): Pick<Grant, "waitsSince"> {
  const waitsSince = answer?.kind === "under_way" ? answer.waitsSince : undefined;
  const isLong = waitsSince !== undefined && waitsSince <= Date.now() - WAIT_IS_LONG_MS;
  return isLong ? { waitsSince } : {};
}

/**
 * Returns whether all gateways that may have the copy responded that they do not know it. If only
 * one gateway was asked, only that gateway may have it. If all were asked, it may be at the gateway
 * that would get it now, or at a gateway that is being removed.
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
    // A gateway of an earlier version does not know this path, so the response counts as "never
    // heard" for each attempt. If the gateway gets a copy again, the copy joins the attempt that is
    // still running.
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
      const { key, answer } = readOutcomeLine(line, now) ?? {};
      if (key !== undefined && answer) answers.set(key, answer);
    }
  return answers;
}
