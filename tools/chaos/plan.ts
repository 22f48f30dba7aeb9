// Plans a round only from the seed and the round's number: the messages with their times, the
// faults with their probabilities, and the kills with their moments. Pure.
import { Chance } from "./chance.ts";
import type { HostName } from "./gateways/host-name.ts";
import { planKills, type PlannedKill } from "./plan-kills.ts";
import { type PlannedSchedule, planSchedule } from "./plan-schedule.ts";
import { DOMAIN, planAddress, planHabit, type ServerHabit } from "./plan-servers.ts";
import type { WorkerFault } from "./worker/worker-faults.ts";

export interface PlannedMessage {
  /** The message's subject, and the first word of its text. */
  readonly token: string;
  readonly recipients: readonly string[];
  /** True: the message's content is never kept. */
  readonly sensitive: boolean;
  /** Present if the message tracks replies, and readers answer it (replies/readers.ts). */
  readonly isTracked?: true;
}

export interface PlannedSend {
  readonly via: "single" | "batch" | "smtp";
  /** Milliseconds after the beginning of the round. */
  readonly at: number;
  readonly messages: readonly PlannedMessage[];
  /**
   * True: the client sends under an idempotency key, and repeats the send until it is answered.
   * False: the client sends once.
   */
  readonly keyed: boolean;
  /**
   * The size of the content. The ledger stores `large` content as bytes in the message's row.
   * `huge` content is too large for the row.
   */
  readonly size: "small" | "large" | "huge";
  /**
   * Milliseconds after which the client gives up its first try. Null: the client waits for the
   * answer.
   */
  readonly hangsUpAfter: number | null;
  /** True: the first recipient is an address that bounced in an earlier round, if there is one. */
  readonly toBounced: boolean;
  /** Null: the messages are not scheduled. */
  readonly schedule: PlannedSchedule | null;
}

interface Odds {
  readonly operation: string;
  readonly probability: number;
  readonly fault: FaultKind;
}

export type FaultKind =
  | WorkerFault["kind"]
  | "refuse"
  | "defer"
  | "drop"
  | "drop_taken"
  | "unknown_type";

/**
 * The courier of a round's mail. `cloudflare_other_ids` is the Email Service with one difference:
 * its events name messages by other ids than `send()` returned.
 */
export type RoundCourier = "gateway" | "cloudflare" | "cloudflare_other_ids";

export interface RoundPlan {
  readonly seed: number;
  readonly round: number;
  readonly courier: RoundCourier;
  readonly habit: ServerHabit;
  /**
   * Hosts of the gateway that look like an earlier version, which can't be asked about copies by
   * key. Only the first round of a storm decides this.
   */
  readonly oldHosts: readonly HostName[];
  readonly sends: readonly PlannedSend[];
  readonly odds: readonly Odds[];
  readonly kills: readonly PlannedKill[];
  /** True: the team's delivery rate is low until the storm is over. */
  readonly isPaced: boolean;
  /**
   * The number of successive deliveries to the team's first webhook that fail. The service pauses
   * the webhook after enough failures (opens its circuit).
   */
  readonly failingDeliveries: number;
  /**
   * The number of deferred messages that the team's ledger has when it restarts at the beginning of
   * the round (deferred-messages.ts).
   */
  readonly deferred: number;
}

/** Milliseconds during which clients send. The storm lasts a little longer. */
const BURST_MS = 900;
/** Number of messages whose events fill a chunk, if each message has two events. */
const PAGE_MESSAGES = 40;

/**
 * The fractions of all rounds with the courier `cloudflare`, with the courier
 * `cloudflare_other_ids`, and with hosts that look like an earlier version.
 */
const CLOUDFLARE_SHARE = 0.3;
const OTHER_IDS_SHARE = 0.1;
const OLD_HOSTS_SHARE = 0.25;
/** The fraction of all messages that are marked sensitive. */
const SENSITIVE_SHARE = 0.25;
/** The fraction of messages that track replies, among those that are not sensitive. */
const TRACKED_SHARE = 0.4;
/** The fraction of rounds with faults at the receipt of replies. */
const REPLY_FAULTS_SHARE = 0.5;
/**
 * The fraction of the gateway's rounds with deferred messages, and the number of these messages.
 */
const DEFERRED_SHARE = 0.03;
const DEFERRED_MESSAGES = 50_000;
/** The kills of a round with deferred messages. */
const DEFERRED_KILLS: readonly PlannedKill[] = [
  { operation: "tick", nth: 4, delayMs: 0, victims: ["ledgers"] },
  { operation: "tick", nth: 12, delayMs: 0, victims: ["worker"] },
  { operation: "tick", nth: 20, delayMs: 0, victims: ["ledgers"] },
];
const OLD_HOSTS: readonly (readonly HostName[])[] = [["a"], ["b"], ["a", "b"]];

type Risk = readonly [operation: string, probability: number, faults: readonly FaultKind[]];

/** Operations that may fail, each with its possible faults and their highest probability. */
const RISKS: readonly Risk[] = [
  ["deliver.send", 0.4, ["fail", "fail_after", "lose", "duplicate", "late"]],
  ["deliver.send", 0.4, ["lose", "duplicate"]],
  ["webhook.send", 0.4, ["fail", "fail_after", "lose", "duplicate", "late"]],
  ["shard", 0.25, ["fail", "fail_after", "hang", "slow"]],
  ["core", 0.15, ["fail", "fail_after", "hang", "slow"]],
  ["content.put", 0.6, ["fail", "fail_after", "slow"]],
  ["content.get", 0.6, ["fail", "slow"]],
  ["content.delete", 0.6, ["fail", "fail_after"]],
  ["alarm.ledger", 0.4, ["slow", "fail", "lose"]],
  ["alarm.outbox", 0.4, ["slow", "fail", "lose"]],
  ["egress", 0.5, ["fail", "slow", "cut", "cut", "fail_after"]],
  ["egress.ask", 0.6, ["fail", "slow", "cut", "fail_after"]],
  ["egress.version", 0.8, ["earlier_worker"]],
  ["consumer", 0.3, ["fail", "slow", "fail_after"]],
  ["ledger.admit", 0.3, ["fail", "fail_after", "slow"]],
  ["ledger.begin", 0.3, ["fail", "fail_after"]],
  ["ledger.claim", 0.3, ["fail", "fail_after", "slow"]],
  ["ledger.settle", 0.3, ["fail", "fail_after", "slow"]],
  ["ledger.cancel", 0.5, ["fail", "fail_after", "slow"]],
  ["ledger.move", 0.5, ["fail", "fail_after", "slow"]],
  ["ledger.leave", 0.5, ["fail", "fail_after", "slow"]],
  ["ledger.noteAnswers", 0.5, ["fail", "fail_after", "slow"]],
  ["outbox.enqueue", 0.3, ["fail", "fail_after", "slow"]],
  ["outbox.deliver", 0.3, ["fail", "slow"]],
  ["mx.connect", 0.3, ["defer", "drop", "slow", "hang"]],
  ["mx.rcpt", 0.4, ["defer", "refuse", "drop", "slow"]],
  ["mx.dot", 0.4, ["defer", "refuse", "drop", "drop_taken", "slow", "hang"]],
  ["dns", 0.6, ["fail", "slow"]],
  ["receiver", 0.5, ["fail", "fail_after", "drop", "slow"]],
  ["receiver", 1, ["fail", "drop"]],
];
/** Operations that may fail in rounds whose mail the Email Service carries. */
const SERVICE_RISKS: readonly Risk[] = [
  ["email.send", 0.3, ["fail", "fail_after", "slow"]],
  ["email.send", 0.3, ["rate_limit", "daily_limit", "internal_error"]],
  ["email.event", 0.6, ["late", "duplicate", "unknown_type"]],
  ["consumer.events", 0.4, ["fail", "fail_after", "slow"]],
  ["ledger.matchProviderCopies", 0.3, ["fail", "slow"]],
];
/** The faults at the receipt of replies, both at the gateway's port 25 and at `email()`. */
const REPLY_RISKS: readonly Risk[] = [["reply.receive", 0.5, ["fail", "fail_after", "slow"]]];
/** Faults that may happen in every round. */
const ALWAYS: readonly Odds[] = [
  { operation: "mx.rcpt", probability: 0.06, fault: "defer" },
  { operation: "mx.dot", probability: 0.04, fault: "drop_taken" },
  { operation: "mx.dot", probability: 0.04, fault: "drop" },
  { operation: "receiver", probability: 0.08, fault: "fail" },
  { operation: "receiver", probability: 0.01, fault: "hang" },
];

/** Faults that may happen in every round whose mail the Email Service carries. */
const SERVICE_ALWAYS: readonly Odds[] = [
  { operation: "email.send", probability: 0.04, fault: "fail_after" },
  { operation: "email.send", probability: 0.03, fault: "fail" },
  { operation: "email.event", probability: 0.08, fault: "late" },
  { operation: "email.event", probability: 0.08, fault: "duplicate" },
];

export function planRound(seed: number, round: number): RoundPlan {
  const chance = new Chance(`${seed}/${round}/plan`);
  const habit = planHabit(chance);
  const sends = Array.from({ length: chance.between("sends", 4, 7) }, (_, index) =>
    planSend(chance, habit, { seed, round, index }),
  );
  const courier = planCourier(chance);
  const isDeferred = courier === "gateway" && chance.happens("deferred", DEFERRED_SHARE);
  const kills = planKills(chance, round, courier !== "gateway");
  const killsAtPage = kills.some(({ operation }) => operation === "after_page");
  return {
    seed,
    round,
    courier,
    habit,
    oldHosts: chance.happens("old hosts", OLD_HOSTS_SHARE)
      ? chance.one("which hosts", OLD_HOSTS)
      : [],
    sends: killsAtPage ? [...sends, pageSend(seed, round)] : sends,
    odds: [
      ...ALWAYS,
      ...planOdds(chance, RISKS, chance.between("operations", 3, 5)),
      ...(courier === "gateway" ? [] : planServiceOdds(chance)),
      ...(chance.happens("reply faults", REPLY_FAULTS_SHARE)
        ? planOdds(chance, REPLY_RISKS, 1)
        : []),
    ],
    kills: isDeferred ? [...kills, ...DEFERRED_KILLS] : kills,
    isPaced: chance.happens("paced", 0.12),
    failingDeliveries: chance.happens("deaf", 0.1) ? chance.between("deaf for", 10, 14) : 0,
    deferred: isDeferred ? DEFERRED_MESSAGES : 0,
  };
}

/** Plans one batch whose events fill a chunk. */
function pageSend(seed: number, round: number): PlannedSend {
  const items = Array.from({ length: PAGE_MESSAGES }, (_, item) => `page${item}`);
  return plainSend("batch", { seed, round }, items);
}

/**
 * Plans one additional message for the end of a round. The message tells the ledger the team's
 * restored delivery rate.
 */
export function releasingSend({ seed, round }: RoundPlan): PlannedSend {
  return plainSend("single", { seed, round }, ["release"]);
}

/** Plans a send without any of the choices that a seed makes. */
function plainSend(
  via: PlannedSend["via"],
  { seed, round }: Pick<RoundPlan, "seed" | "round">,
  names: readonly string[],
): PlannedSend {
  const messages = names.map((name) => {
    const token = `s${seed}r${round}${name}`;
    return { token, recipients: [`ok-${token}@${DOMAIN}`], sensitive: false };
  });
  const unchosen = { hangsUpAfter: null, toBounced: false, schedule: null };
  return { via, at: 0, messages, keyed: true, size: "small", ...unchosen };
}

function planSend(
  chance: Chance,
  habit: ServerHabit,
  { seed, round, index }: { readonly seed: number; readonly round: number; readonly index: number },
): PlannedSend {
  const via = chance.one("via", ["single", "single", "batch", "smtp"] as const);
  // The ledger stores large batches and small batches in different ways.
  const [least, most] = chance.happens("many", 0.2) ? ([16, 24] as const) : ([2, 5] as const);
  const count = via === "batch" ? chance.between("batch", least, most) : 1;
  const messages = Array.from({ length: count }, (_, item) => {
    const token = `s${seed}r${round}n${index}i${item}`;
    const recipients = Array.from(
      { length: via === "batch" ? 1 : chance.between("recipients", 1, 3) },
      (__, at) => planAddress(chance, habit, round, `${token}-${at}`),
    );
    const sensitive = chance.happens("sensitive", SENSITIVE_SHARE);
    const isTracked = !sensitive && chance.happens("tracked", TRACKED_SHARE);
    return { token, recipients, sensitive, ...(isTracked && { isTracked }) };
  });
  return {
    via,
    at: chance.between("at", 0, BURST_MS),
    messages,
    keyed: chance.happens("keyed", 0.7),
    schedule: planSchedule(chance),
    size:
      via !== "batch" && chance.happens("large", 0.15)
        ? chance.one("size", ["large", "huge"] as const)
        : "small",
    hangsUpAfter: chance.happens("hangs up", 0.2) ? chance.between("hangs up after", 2, 80) : null,
    toBounced: via === "single" && chance.happens("to bounced", 0.15),
  };
}

/** Returns the plan of the round that made this token. Null: the token belongs to no round. */
export function planOf(token: string): RoundPlan | null {
  const [, seed, round] = /^s(\d+)r(\d+)(?:n|page|release|edge)/.exec(token) ?? [];
  return round === undefined ? null : planRound(Number(seed), Number(round));
}

function planCourier(chance: Chance): RoundCourier {
  const drawn = chance.draw("courier");
  if (drawn < OTHER_IDS_SHARE) return "cloudflare_other_ids";
  return drawn < OTHER_IDS_SHARE + CLOUDFLARE_SHARE ? "cloudflare" : "gateway";
}

function planServiceOdds(chance: Chance): Odds[] {
  const operations = chance.between("of the service", 1, 3);
  return [...SERVICE_ALWAYS, ...planOdds(chance, SERVICE_RISKS, operations)];
}

function planOdds(chance: Chance, risks: readonly Risk[], operations: number): Odds[] {
  return chance.some("operation", risks, operations).flatMap(([operation, most, faults]) =>
    chance.some("fault", faults, chance.between("faults", 1, 2)).map((fault) => ({
      operation,
      probability: Math.round(most * (0.4 + 0.6 * chance.draw("probability")) * 100) / 100,
      fault,
    })),
  );
}
