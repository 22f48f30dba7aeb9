// Plans which parts of the stack are killed in a round, and when. Pure.
import type { Chance } from "./chance.ts";

/**
 * `_softly`: the process is asked to end, as before a new version. `worker_for_minutes`: the worker
 * is silent for a while before it is killed. `ledgers`: every team's ledger is evicted and forgets what
 * is only in memory. `gateway_b_leaves`: the second host gets no new mail, and ends when it has
 * nothing left.
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

/** Kills `victims` `delayMs` after `operation` has happened for the `nth` time (from 1). */
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
 * Moments of kills around questions to the gateway. They mostly come after the storm, because a
 * consumer first waits for a second.
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
 * Moments at which a kill may also come after the storm. Most pages are written after the storm,
 * and replies follow the mail.
 */
const LATE_MOMENTS = new Set(["after_page", ...ASKING_MOMENTS, ...REPLY_MOMENTS]);

/**
 * Other moments at which a kill may come: around the final dot, on the way to the gateway, after a
 * message went to the gateway but before its outcome is asked for, at a call to the ledger, at the
 * webhook receiver, or at any moment (`tick`, ten times a second).
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
/** Further moments of kills, for rounds whose mail the Email Service carries. */
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
  // After this kill, the gateways know only what is in their journals. In production, that is so
  // after 20 minutes.
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

/** Tells whether a kill may also come after the storm. */
export function isLate({ operation }: PlannedKill): boolean {
  return LATE_MOMENTS.has(operation);
}

/**
 * Plans the kills of a round. Successive rounds take the named crash points in turn. `isServices`:
 * the Email Service carries the round.
 */
export function planKills(chance: Chance, round: number, isServices: boolean): PlannedKill[] {
  const kills: PlannedKill[] = [];
  if (chance.happens("crash", 0.6)) {
    const operation = CRASH_POINTS[round % CRASH_POINTS.length] ?? "after_admit";
    // A round writes at most one page of events.
    const last = operation === "after_page" ? 1 : 3;
    kills.push({
      operation,
      nth: chance.between("nth", 1, last),
      delayMs: 0,
      victims: ["worker"],
    });
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
