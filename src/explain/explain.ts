// Composes explanations of the texts and what is known (contract.md §Explanations). Pure.
import type { RecipientState, JobHold, SuppressionReason } from "../contracts/recipient-states.ts";
import type { Advice, Cause, Explanation, NoReplyCause, RefusalText } from "./explanation.ts";
import {
  CLASS_TEXTS,
  DELAY_ACTION,
  DELAY_NEXT,
  NO_REPLY_TEXTS,
  HOLD_TEXTS,
  NEXT,
  PATTERNS,
  STATE_TEXTS,
  SUPPRESSION_TEXTS,
} from "./explanation-texts.ts";

/** A bounce's class, or the failure to reach a server. */
export type RefusalCause = keyof typeof CLASS_TEXTS | NoReplyCause;

export type ShownEvidence = NonNullable<Explanation["evidence"]>;

/** A suppression, in force or not. Times are Unix milliseconds. */
export interface ExplainedSuppression {
  readonly email: string;
  readonly topic: string;
  readonly reason: SuppressionReason;
  readonly classification: string | null;
  /** Null: it never expires. */
  readonly expiresAt: number | null;
  readonly evidence: ShownEvidence | null;
}

/** A message to one recipient. Times are Unix milliseconds. */
export interface RecipientFacts {
  readonly address: string;
  readonly state: RecipientState;
  readonly emailId: string;
  readonly fromDomain: string;
  /** Null: the message was not scheduled. */
  readonly scheduledAt: number | null;
  /** When delivery is given up. */
  readonly deadline: number;
  readonly nextAttemptAt: number | null;
  /** Null: the job is done, or the ledger does not have it. */
  readonly hold: JobHold | null;
  /** The messages that leave a minute at most. */
  readonly ratePerMinute: number;
  /** The reason of a delay or a bounce. */
  readonly refusal: RefusalCause;
  /** A bounce comes at an attempt, when the time is over, or as a report after the attempt. */
  readonly bounce: "refused" | "expired" | "returned" | "returnedLater";
  /** The suppression that kept the message back, as it was then. */
  readonly keptBackBy: Pick<ExplainedSuppression, "topic" | "reason" | "classification"> | null;
  /** The suppressions in force that stop such a message, the one that counts first. */
  readonly suppressions: readonly ExplainedSuppression[];
  readonly evidence: ShownEvidence | null;
}

type Words = Readonly<Record<string, string>>;

/** Classes that blame the address, and have no sentence of their own. */
const OF_ADDRESS: ReadonlySet<string> = new Set(["InvalidRecipient", "InactiveMailbox"]);
const EVERY_TOPIC = "*";
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

export function explainSuppression(suppression: ExplainedSuppression): Explanation {
  const { email: address, topic, reason } = suppression;
  const pattern = topic === EVERY_TOPIC ? PATTERNS.suppressed : PATTERNS.suppressedForTopic;
  const words = { address, topic, reason: suppressionReason(suppression, domainOf(address)) };
  return {
    state: "suppressed",
    summary: fill(pattern, words),
    cause: reason,
    evidence: suppression.evidence,
    next: suppressedNext([suppression]),
    actions: [liftAction(suppression)],
  };
}

/** Explains an address without a message and without a suppression. */
export function explainNothing(address: string, days: number): Explanation {
  return {
    state: "unknown",
    ...stateText("unknown", { address, days: String(days) }),
    cause: "no_message",
    evidence: null,
  };
}

export function explainRecipient(facts: RecipientFacts): Explanation {
  const words = wordsOf(facts);
  const { state, evidence } = facts;
  return { state, ...bodyOf(facts, words), evidence };
}

type Body = Pick<Explanation, "summary" | "cause" | "next" | "actions">;

function bodyOf(facts: RecipientFacts, words: Words): Body {
  switch (facts.state) {
    case "scheduled":
      return { cause: "schedule", ...stateText("scheduled", words) };
    case "canceled":
      return { cause: "cancellation", ...stateText("canceled", words) };
    case "queued":
      return explainHold(facts.hold ?? "queue", words);
    case "sent":
      return explainHold("provider", words);
    case "delayed":
      return explainDelay(facts, words);
    case "delivered":
      return { cause: "accepted", ...stateText("delivered", words) };
    case "bounced":
      return explainBounce(facts, words);
    case "suppressed":
      return explainKeptBack(facts, words);
    case "complained":
      return explainComplaint(facts, words);
  }
}

const HOLD_CAUSES: Readonly<Record<JobHold, Cause>> = {
  rate: "delivery_rate",
  queue: "queue",
  attempt: "attempt",
  courier: "courier",
  retry: "queue",
  provider: "provider",
};

function explainHold(hold: JobHold, words: Words): Body {
  const { summary, next, actions } = HOLD_TEXTS[hold];
  return {
    summary: fill(summary, words),
    cause: HOLD_CAUSES[hold],
    next: fill(next, words),
    actions: advise(actions, words),
  };
}

function explainDelay({ refusal, hold }: RecipientFacts, words: Words): Body {
  const { actions } = refusalText(refusal);
  // The service sends it again by itself.
  const others = actions.filter(({ kind }) => kind !== "send_again");
  return {
    summary: fill(PATTERNS.delayed, words),
    cause: refusal,
    next: fill(DELAY_NEXT[hold ?? "queue"], words),
    actions: advise([DELAY_ACTION, ...others], words),
  };
}

function explainBounce({ refusal, bounce, suppressions }: RecipientFacts, words: Words): Body {
  const { sentence, actions } = refusalText(refusal);
  const summary = (bounce === "refused" ? sentence : undefined) ?? PATTERNS[bounce];
  return {
    summary: fill(summary, words),
    cause: refusal,
    next: `${NEXT.over} ${suppressedNext(suppressions)}`,
    actions: [...advise(actions, words), ...suppressions.map(liftAction)],
  };
}

function explainKeptBack(
  { address, keptBackBy, suppressions }: RecipientFacts,
  words: Words,
): Body {
  const by = keptBackBy ?? suppressions[0];
  const reason = by ? suppressionReason(by, domainOf(address)) : SUPPRESSION_TEXTS.manual.reason;
  return {
    summary: fill(PATTERNS.notSent, { ...words, reason }),
    cause: by?.reason ?? "manual",
    next: suppressedNext(suppressions),
    actions: suppressions.map(liftAction),
  };
}

function explainComplaint({ suppressions }: RecipientFacts, words: Words): Body {
  const { summary, actions } = stateText("complained", words);
  return {
    summary,
    cause: "complaint",
    next: suppressedNext(suppressions),
    actions: [...actions, ...suppressions.map(liftAction)],
  };
}

/** Says what the suppressions in force stop, or that none does. */
function suppressedNext([first]: readonly ExplainedSuppression[]): string {
  if (!first) return NEXT.open;
  const { topic, expiresAt } = first;
  if (expiresAt !== null) return fill(NEXT.suppressedUntil, { until: dayText(expiresAt) });
  return topic === EVERY_TOPIC ? NEXT.suppressed : fill(NEXT.topicSuppressed, { topic });
}

function suppressionReason(
  { reason, classification }: Pick<ExplainedSuppression, "reason" | "classification">,
  domain: string,
): string {
  const refusal = CLASS_TEXTS[classOf(classification)].reason;
  return fill(SUPPRESSION_TEXTS[reason].reason, { domain, refusal });
}

/** The topics `.` and `..` can't be named in a path. */
function liftAction({ email, topic, reason }: ExplainedSuppression): Explanation["actions"][0] {
  const href = `/v1/suppressions/${encodeURIComponent(email)}/${encodeURIComponent(topic)}`;
  return {
    kind: "lift_suppression",
    text: SUPPRESSION_TEXTS[reason].action,
    ...(!/^\.{1,2}$/.test(topic) && { href }),
  };
}

/** Returns the class of this name; any other text counts as uncategorized. */
export function classOf(name: string | null): keyof typeof CLASS_TEXTS {
  return name !== null && Object.hasOwn(CLASS_TEXTS, name)
    ? (name as keyof typeof CLASS_TEXTS)
    : "Uncategorized";
}

function refusalText(cause: RefusalCause): RefusalText {
  return { ...CLASS_TEXTS, ...NO_REPLY_TEXTS }[cause];
}

function stateText(state: keyof typeof STATE_TEXTS, words: Words) {
  const { summary, next, actions } = STATE_TEXTS[state];
  return {
    summary: fill(summary, words),
    next: fill(next, words),
    actions: advise(actions, words),
  };
}

function advise(actions: readonly Advice[], words: Words): Explanation["actions"] {
  return actions.map(({ kind, text, href }) => ({
    kind,
    text: fill(text, words),
    ...(href !== undefined && { href: fill(href, words) }),
  }));
}

function wordsOf(facts: RecipientFacts): Words {
  const { address, refusal, scheduledAt, nextAttemptAt, deadline } = facts;
  const words = {
    address,
    domain: domainOf(address),
    from_domain: facts.fromDomain,
    email_id: facts.emailId,
    rate: facts.ratePerMinute.toLocaleString("en-US"),
    refused: OF_ADDRESS.has(refusal) ? "address" : "message",
    scheduled: scheduledAt === null ? "" : timeText(scheduledAt),
    next_attempt: nextAttemptAt === null ? "" : timeText(nextAttemptAt),
    deadline: timeText(deadline),
  };
  return { ...words, reason: fill(refusalText(refusal).reason, words) };
}

function fill(text: string, words: Words): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole);
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

/** Writes a day in UTC: `22 November 2026`. */
function dayText(at: number): string {
  const day = new Date(at);
  return `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
}

/** Writes a moment to the minute: `14:03 UTC on 22 November 2026`. */
function timeText(at: number): string {
  const [, time = ""] = new Date(at).toISOString().split("T");
  return `${time.slice(0, "14:03".length)} UTC on ${dayText(at)}`;
}
