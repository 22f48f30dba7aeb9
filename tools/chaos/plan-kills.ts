// Plans which parts of the stack are killed in a round, and when. Pure.
import type { Chance } from "./chance.ts";

/**
 * The parts that a kill ends:
 * - `_softly`: the process is asked to end, as before an update.
 * - `worker_for_minutes`: the worker is silent for a while before it is killed.
 * - `ledgers`: every team's ledger is evicted and loses its memory.
 * - `gateway_b_leaves`: the second host gets no new mail, and ends when it has no mail left.
 */
export type Victim =
  | "worker"
  | "worker_for_minutes"
  | "ledgers"
  | "gateway_a"
  | "gateway_b"
  | "gateway_a_softly"
  | "gateway_b_softly"
  | "gateway_b_leaves"
  | "mx"
  | "email_service";

/** Kills `victims` `delayMs` after the `nth` occurrence of `operation`. `nth` counts from 1. */
export interface PlannedKill {
  readonly operation: string;
  readonly nth: number;
  readonly delayMs: number;
  readonly victims: readonly Victim[];
}

export const CRASH_POINTS = [
  "after_admit",
  "after_release",
  "after_claim",
  "after_smtp",
  "after_hand_over",
  "before_ask",
  "after_ask",
  "after_append",
  "after_settle",
  "after_page",
  "reply_after_raw",
  "reply_after_row",
  "webhook_after_enqueue",
  "webhook_after_claim",
  "webhook_after_post",
] as const;

/**
 * Moments of kills around the worker's questions to the gateway. A consumer waits one second before
 * it asks, so most questions come after the storm.
 */
const ASKING_MOMENTS = [
  "after_hand_over",
  "before_ask",
  "after_ask",
  "egress.ask",
  "ledger.leave",
  "ledger.noteAnswers",
];
/** Moments of kills around a reply. */
const REPLY_MOMENTS = ["reply_after_raw", "reply_after_row", "reply.receive"];
/**
 * Moments at which a kill may also come after the storm. Most chunks are written after the storm,
 * and replies arrive after the mail.
 */
const LATE_MOMENTS = new Set(["after_page", ...ASKING_MOMENTS, ...REPLY_MOMENTS]);

/**
 * Other moments of kills: around the final dot, on the way to the gateway, between a message's
 * transfer to the gateway and the question for its outcome, at a call to the ledger, at the webhook
 * receiver, or at any moment (`tick`, ten times a second).
 */
const OTHER_MOMENTS = [
  "mx.dot",
  "mx.dot",
  "mx.taken",
  "mx.taken",
  "egress",
  ...ASKING_MOMENTS,
  ...REPLY_MOMENTS,
  "ledger.admit",
  "ledger.settle",
  "ledger.cancel",
  "ledger.move",
  "shard",
  "outbox.enqueue",
  "content.put",
  "receiver",
  "tick",
];
/** Additional moments of kills, for rounds whose mail the Email Service carries. */
const SERVICE_MOMENTS = ["email.send", "email.send", "email.event", "mx.taken"];

const VICTIMS: readonly (readonly Victim[])[] = [
  ["gateway_a"],
  ["gateway_b"],
  ["gateway_a", "gateway_b"],
  ["gateway_a_softly"],
  ["gateway_b_softly"],
  ["gateway_b_leaves"],
  ["mx"],
  ["worker"],
  ["worker_for_minutes"],
  // The gateways know only the outcomes in their journals after this kill. In production, they
  // forget all other outcomes after 20 minutes.
  ["worker_for_minutes", "gateway_a_softly", "gateway_b_softly"],
  ["ledgers"],
  ["ledgers"],
  ["gateway_a", "gateway_b", "mx"],
  ["worker", "gateway_a", "gateway_b", "mx"],
];
const SERVICE_VICTIMS: readonly (readonly Victim[])[] = [
  ["email_service"],
  ["email_service"],
  ["worker"],
  ["ledgers"],
  ["email_service", "worker"],
];

/** Tells whether the kill may also come after the storm. */
export function isLate({ operation }: PlannedKill): boolean {
  return LATE_MOMENTS.has(operation);
}

/**
 * Plans the kills of a round. Successive rounds use the named crash points in turn. `isServices`:
 * the Email Service carries the round's mail.
 */
export function planKills(chance: Chance, round: number, isServices: boolean): PlannedKill[] {
  const kills: PlannedKill[] = [];
  if (chance.happens("crash", 0.6)) {
    const operation = CRASH_POINTS[round % CRASH_POINTS.length] ?? "after_admit";
    // A round writes at most one chunk of events.
    const last = operation === "after_page" ? 1 : 3;
    kills.push({ operation, nth: chance.between("nth", 1, last), delayMs: 0, victims: ["worker"] });
  }
  if (chance.happens("kill", 0.5)) {
    const victims = chance.one("victims", isServices ? SERVICE_VICTIMS : VICTIMS);
    const operation = chance.one(
      "moment",
      isServices ? [...SERVICE_MOMENTS, ...OTHER_MOMENTS] : OTHER_MOMENTS,
    );
    kills.push({
      operation,
      nth: chance.between("nth", 1, LATE_MOMENTS.has(operation) ? 3 : 6),
      delayMs: chance.one("delay", [0, 0, 1, 5, 20, 100]),
      victims,
    });
  }
  return kills;
}
