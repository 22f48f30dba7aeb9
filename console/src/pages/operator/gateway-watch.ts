// Describes the state of each gateway, when that state began, and what happens to mail while a
// gateway is down (docs/operating.md §When something is down). Pure.
import type { Deployment } from "../../api/operator/types.ts";
import { formatDuration } from "../../parts/figures.ts";
import { formatOfDay } from "../../parts/time/times.ts";
import type { Tone } from "../../parts/tone.ts";

type Gateway = Deployment["gateways"][number];

export interface WatchedGateway extends Gateway {
  /**
   * The time at which this page saw the state begin, ISO 8601. Null: the state began before the
   * first answer that this page read.
   */
  readonly since: string | null;
  /** The time of the first answer with this state, ISO 8601. */
  readonly seen: string;
}

export interface WatchedDeployment extends Omit<Deployment, "gateways"> {
  readonly gateways: readonly WatchedGateway[];
}

const CLOCK_OFF_MS = 30_000;

const STATES: Readonly<
  Record<Gateway["state"], readonly [word: string, tone: Tone, says: string]>
> = {
  agreed: ["Up", "ok", "answers and accepts the worker’s token"],
  refused: ["Refused", "bad", "rejects the worker’s token"],
  unavailable: ["Unavailable", "bad", "answers but does not accept mail"],
  unreachable: ["Unreachable", "bad", "does not answer"],
  unexpected: ["Unexpected", "bad", "answers, but not as a gateway"],
};

const ADVICE: Readonly<Record<Gateway["state"], string>> = {
  agreed: "",
  refused: "Set the same GATEWAY_TOKEN on the gateway and on the worker.",
  unavailable: "It is shutting down or can’t write its journal. Check its log and its disk.",
  unreachable: "Check the host, the gateway process and its TLS certificate.",
  unexpected: "Check that EGRESS_URL is the gateway’s address.",
};

/**
 * Adds to each gateway the time at which its state began. A comparison with the previous answer
 * shows whether the state has changed.
 */
export function watchGateways(
  before: WatchedDeployment | undefined,
  deployment: Deployment,
): WatchedDeployment {
  const { time } = deployment;
  const gateways = deployment.gateways.map((gateway) => {
    const known = before?.gateways.find(({ url }) => url === gateway.url);
    if (!known) return { ...gateway, since: null, seen: time };
    const isSame = known.state === gateway.state;
    return { ...gateway, since: isSame ? known.since : time, seen: isSame ? known.seen : time };
  });
  return { ...deployment, gateways };
}

export function stateLabel({ state }: Gateway): string {
  return STATES[state][0];
}

export function stateTone({ state }: Gateway): Tone {
  return STATES[state][1];
}

/** Describes the gateway's state, without its address. */
export function describeState({ state }: Gateway): string {
  return STATES[state][2];
}

/** Names the operator's next step; empty: no action is needed. */
export function adviceFor({ state }: Gateway): string {
  return ADVICE[state];
}

/** Quotes the request to the gateway and its answer. */
export function evidenceOf({ url, status }: Gateway): string {
  return `POST ${url}/deliver → ${status === null ? "no answer" : `HTTP ${status}`}`;
}

/** Writes when the gateway's state began, or when this page first noticed the state. */
export function sinceOf({ since, seen }: WatchedGateway, zone: string): string {
  const clock = (time: string): string => formatOfDay(Date.parse(time), zone, "second");
  return since === null ? `noticed at ${clock(seen)}` : `since ${clock(since)}`;
}

/** Describes what happens to mail while gateways are down. */
export function describeWaitingMail({ gateways, outbound }: WatchedDeployment): string {
  const down = gateways.filter(({ state }) => state !== "agreed").length;
  const whose = outbound === "gateway" ? "Mail" : "Mail of teams that use the gateway";
  const which =
    down === gateways.length
      ? `${whose} is accepted and waits.`
      : `${whose} assigned to ${down === 1 ? "it" : "them"} waits: no other gateway takes over, ` +
        "because mail could be delivered twice.";
  return `${which} No mail is lost: the service tries again after 15 seconds, then at growing intervals of up to 8 minutes. These retries use up no delivery attempts.`;
}

/**
 * Describes the difference between the gateway's clock and the worker's; null: the difference is
 * negligible.
 */
export function clockProblem({ date }: Gateway, time: string): string | null {
  if (date === null) return null;
  const off = Date.parse(date) - Date.parse(time);
  if (Math.abs(off) < CLOCK_OFF_MS) return null;
  return `Its clock is ${formatDuration(Math.abs(off))} ${off > 0 ? "ahead" : "behind"}.`;
}
