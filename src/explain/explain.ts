// Composes explanations from the texts and the known facts (contract.md §Explanations). Pure.
import type { OwnEvent } from "../rpc/event-records.ts";
import type { ActiveHold } from "../rpc/holds.ts";
import type { RecipientState, WaitReason, SuppressionReason } from "../rpc/recipient-states.ts";
import type {
  Advice,
  Cause,
  Explanation,
  Mitigation,
  RefusalText,
  StateText,
} from "./explanation.ts";
import {
  CLASS_TEXTS,
  NEXT,
  NO_REPLY_TEXTS,
  PATTERNS,
  SUPPRESSION_TEXTS,
} from "./explanation-texts.ts";
import { explainHeldMessage } from "./explain-hold.ts";
import { fill, type TextFacts } from "./fill.ts";
import { classOf, type RefusalCause } from "./refusal-cause.ts";
import { dayText, timeText } from "./time-texts.ts";
import { DELAY_ACTION, DELAY_NEXT, WAIT_TEXTS, STATE_TEXTS } from "./state-texts.ts";

export type ShownEvidence = NonNullable<Explanation["evidence"]>;

/** A suppression, in force or not. Times are Unix milliseconds. */
export interface ExplainedSuppression {
  readonly email: string;
  readonly topic: string;
  readonly reason: SuppressionReason;
  readonly classification: string | null;
  /**
   * When the suppression ends. Null means that it never ends. Undefined means that the end is not
   * known.
   */
  readonly expiresAt: number | null | undefined;
}

/** The facts of a delay or a final outcome. */
export interface OutcomeFacts {
  readonly address: string;
  readonly state: "delayed" | "bounced" | "complained" | "suppressed";
  readonly fromDomain: string;
  readonly emailId: string;
  /**
   * The page of the provider that refused the message. Null means that the provider has no page, so
   * people write to its postmaster.
   */
  readonly mitigation: Mitigation | null;
  /** The reason of a delay or a bounce. */
  readonly refusal: RefusalCause;
  /**
   * `refused`: the server refused an attempt. `expired`: the message could not be delivered within
   * 72 hours. `returned`: the server took the message and returned it later.
   */
  readonly bounce: "refused" | "expired" | "returned";
  /** The suppression that stopped the message, as it was at that time. */
  readonly keptBackBy: Pick<ExplainedSuppression, "topic" | "reason" | "classification"> | null;
  /**
   * The suppressions that would stop the same message if it were sent now. The text names only the
   * first. Null means that the suppressions are not known.
   */
  readonly suppressions: readonly ExplainedSuppression[] | null;
}

/** A message to one recipient. Times are Unix milliseconds. */
export interface RecipientFacts extends Omit<OutcomeFacts, "state"> {
  readonly state: RecipientState;
  /**
   * The time for which the message was scheduled. Null means that the message was not scheduled.
   */
  readonly scheduledAt: number | null;
  /** The time of the last possible delivery attempt. */
  readonly deadline: number;
  readonly nextAttemptAt: number | null;
  /**
   * True if the message counts as delivered without a report, because the provider reports nothing
   * for its address.
   */
  readonly isUnreported: boolean;
  /**
   * Why the delivery waits. Null means that the delivery is done, or the ledger does not know it.
   */
  readonly waitReason: WaitReason | null;
  /** The hold that stops the message's mail. Null means that no hold stops it. */
  readonly hold: ActiveHold | null;
  /** The team's delivery rate: the maximum number of messages that are released per minute. */
  readonly ratePerMinute: number;
  readonly evidence: ShownEvidence | null;
}

/**
 * Bounce classes whose explanation says that the server refused the address. The explanation of any
 * other class says that the server refused the message.
 */
const OF_ADDRESS: ReadonlySet<string> = new Set(["InvalidRecipient", "InactiveMailbox"]);
const EVERY_TOPIC = "*";

export function explainSuppression(
  suppression: ExplainedSuppression,
  evidence: ShownEvidence | null,
): Explanation {
  const { email: address, topic, reason } = suppression;
  const pattern = topic === EVERY_TOPIC ? PATTERNS.suppressed : PATTERNS.suppressedForTopic;
  const words = { address, topic, reason: suppressionReason(suppression, domainOf(address)) };
  return {
    state: "suppressed",
    summary: fill(pattern, words),
    cause: reason,
    evidence,
    next: suppressedNext([suppression]).join(" "),
    actions: liftActions([suppression]),
  };
}

/** Explains an address that has neither a message nor a suppression. */
export function explainNothing(address: string, days: number): Explanation {
  return {
    state: "unknown",
    ...stateText("unknown", { address, days: String(days) }),
    cause: "no_message",
    evidence: null,
  };
}

export function explainRecipient(facts: RecipientFacts): Explanation {
  const { state, evidence } = facts;
  return { state, ...bodyOf(facts), evidence };
}

type Body = Pick<Explanation, "summary" | "cause" | "next" | "actions">;

/** Explains a delay or a final outcome. Does not say why a delayed message waits now. */
export function explainOutcome(facts: OutcomeFacts): Body {
  const words = outcomeWords(facts);
  switch (facts.state) {
    case "delayed":
      return explainDelay(facts, words);
    case "bounced":
      return explainBounce(facts, words);
    case "suppressed":
      return explainKeptBack(facts, words);
    case "complained":
      return explainComplaint(facts, words);
  }
}

/** Returns how a bounce happened: refused, expired or returned. */
export function bounceOf(event: Pick<OwnEvent, "bounce" | "attempt">): OutcomeFacts["bounce"] {
  const { bounce, attempt } = event;
  if (bounce?.type === "expired") return "expired";
  return attempt === null ? "returned" : "refused";
}

function bodyOf(facts: RecipientFacts): Body {
  const { state, waitReason } = facts;
  const words = { ...outcomeWords(facts), ...jobWords(facts) };
  const held =
    waitReason === "courier" && facts.hold ? explainHeldMessage(facts.hold, words) : null;
  switch (state) {
    case "scheduled":
      return { cause: "schedule", ...stateText("scheduled", words) };
    case "canceled":
      return { cause: "cancellation", ...stateText("canceled", words) };
    case "queued":
      return held ?? explainWait(waitReason ?? "queue", words);
    case "sent":
      return explainWait("provider", words);
    case "delivered":
      return facts.isUnreported
        ? { cause: "unreported", ...stateText("unreported", words) }
        : { cause: "accepted", ...stateText("delivered", words) };
    case "delayed": {
      if (held) return held;
      const next = waitReason && { next: fill(DELAY_NEXT[waitReason], words) };
      return { ...explainOutcome({ ...facts, state }), ...next };
    }
    case "bounced":
    case "suppressed":
    case "complained":
      return explainOutcome({ ...facts, state });
  }
}

const WAIT_CAUSES: Readonly<Record<WaitReason, Cause>> = {
  rate: "delivery_rate",
  queue: "queue",
  attempt: "attempt",
  room: "no_free_connection",
  courier: "courier",
  retry: "queue",
  provider: "provider",
};

function explainWait(waitReason: WaitReason, words: TextFacts): Body {
  return { cause: WAIT_CAUSES[waitReason], ...fillAll(WAIT_TEXTS[waitReason], words) };
}

function explainDelay(facts: OutcomeFacts, words: TextFacts): Body {
  const { refusal } = facts;
  const { actions } = refusalText(refusal);
  // The advice to send again is left out, because the service itself retries the message.
  const others = actions.filter(({ kind }) => kind !== "send_again");
  return {
    summary: fill(PATTERNS.delayed, words),
    cause: refusal,
    next: NEXT.triedAgain,
    actions: advise([DELAY_ACTION, ...others], words, facts.mitigation),
  };
}

function explainBounce(facts: OutcomeFacts, words: TextFacts): Body {
  const { refusal, bounce, suppressions } = facts;
  const { sentence, actions } = refusalText(refusal);
  const isWhole = bounce === "refused" || refusal === "held_domain" || refusal === "held_account";
  const summary = (isWhole ? sentence : undefined) ?? PATTERNS[bounce];
  return {
    summary: fill(summary, words),
    cause: refusal,
    next: [NEXT.over, ...suppressedNext(suppressions)].join(" "),
    actions: [...advise(actions, words, facts.mitigation), ...liftActions(suppressions)],
  };
}

function explainKeptBack(
  { address, keptBackBy, suppressions }: OutcomeFacts,
  words: TextFacts,
): Body {
  const by = keptBackBy ?? suppressions?.[0];
  const reason = by ? suppressionReason(by, domainOf(address)) : SUPPRESSION_TEXTS.manual.reason;
  return {
    summary: fill(PATTERNS.notSent, { ...words, reason }),
    cause: by?.reason ?? "manual",
    next: suppressions?.length === 0 ? NEXT.lifted : suppressedNext(suppressions).join(" "),
    actions: liftActions(suppressions),
  };
}

function explainComplaint({ suppressions }: OutcomeFacts, words: TextFacts): Body {
  const { summary, actions } = stateText("complained", words);
  return {
    summary,
    cause: "complaint",
    next: suppressedNext(suppressions).join(" "),
    actions: [...actions, ...liftActions(suppressions)],
  };
}

/**
 * Says until when suppressions stop mail to the address, or that none stops it. Returns nothing if
 * the suppressions are not known.
 */
function suppressedNext(suppressions: readonly ExplainedSuppression[] | null): string[] {
  if (!suppressions) return [];
  const [first] = suppressions;
  if (!first) return [NEXT.open];
  const { topic, expiresAt } = first;
  if (expiresAt === undefined) return [NEXT.suppressedForNow];
  if (expiresAt !== null) return [fill(NEXT.suppressedUntil, { until: dayText(expiresAt) })];
  return [topic === EVERY_TOPIC ? NEXT.suppressed : fill(NEXT.topicSuppressed, { topic })];
}

function suppressionReason(
  { reason, classification }: Pick<ExplainedSuppression, "reason" | "classification">,
  domain: string,
): string {
  const refusal = CLASS_TEXTS[classOf(classification)].reason;
  return fill(SUPPRESSION_TEXTS[reason].reason, { domain, refusal });
}

function liftActions(suppressions: readonly ExplainedSuppression[] | null): Explanation["actions"] {
  return (suppressions ?? []).map(liftAction);
}

/**
 * Makes the action that lifts a suppression. The topics `.` and `..` get no path, because a path
 * cannot contain them.
 */
function liftAction({ email, topic, reason }: ExplainedSuppression): Explanation["actions"][0] {
  const href = `/v1/suppressions/${encodeURIComponent(email)}/${encodeURIComponent(topic)}`;
  return {
    kind: "lift_suppression",
    text: SUPPRESSION_TEXTS[reason].action,
    ...(!/^\.{1,2}$/.test(topic) && { href }),
  };
}

function refusalText(cause: RefusalCause): RefusalText {
  return { ...CLASS_TEXTS, ...NO_REPLY_TEXTS }[cause];
}

function stateText(state: keyof typeof STATE_TEXTS, words: TextFacts): Omit<Body, "cause"> {
  return fillAll(STATE_TEXTS[state], words);
}

function fillAll({ summary, next, actions }: StateText, words: TextFacts): Omit<Body, "cause"> {
  return {
    summary: fill(summary, words),
    next: fill(next, words),
    actions: advise(actions, words),
  };
}

/**
 * Fills the advice with the message's facts. `mitigation` is the page of the provider that refused
 * the message. Null means that the provider has no page, so people write to its postmaster.
 */
function advise(
  actions: readonly Advice[],
  words: TextFacts,
  mitigation: Mitigation | null = null,
): Explanation["actions"] {
  return actions.map(({ kind, text, href }) => ({
    kind,
    text: fill(text, words),
    ...(href !== undefined && { href: fill(href, words) }),
    ...(kind === "contact_provider" && mitigation),
  }));
}

function outcomeWords(facts: Omit<OutcomeFacts, "state">): TextFacts {
  const { address, emailId, refusal, fromDomain } = facts;
  const words = {
    address,
    address_in_path: encodeURIComponent(address),
    email_id: emailId,
    domain: domainOf(address),
    from_domain: fromDomain,
    refused: OF_ADDRESS.has(refusal) ? "address" : "message",
  };
  return { ...words, reason: fill(refusalText(refusal).reason, words) };
}

function jobWords(facts: RecipientFacts): TextFacts {
  const { ratePerMinute, scheduledAt, nextAttemptAt, deadline } = facts;
  return {
    rate: ratePerMinute.toLocaleString("en-US"),
    scheduled: scheduledAt === null ? "" : timeText(scheduledAt),
    next_attempt: nextAttemptAt === null ? "" : timeText(nextAttemptAt),
    deadline: timeText(deadline),
  };
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}
