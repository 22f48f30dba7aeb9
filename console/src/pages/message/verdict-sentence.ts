// The verdict on a message and one of its recipients, as a person would say it: what happened and
// why, to whom, and what follows. Pure.
import { formatDuration, formatExact } from "../../parts/figures.ts";
import { bounceWords } from "./bounce-words.ts";
import { atStage, joinSentences, onAttempt, type Part, textOf } from "./phrase.ts";
import {
  reasonWords,
  suppressedBecause,
  suppressedUntil,
  type SuppressionFacts,
} from "./suppression-words.ts";

export type RecipientOutcome =
  | "scheduled"
  | "canceled"
  | "queued"
  | "sent"
  | "delayed"
  | "delivered"
  | "bounced"
  | "suppressed"
  | "complained";

/** The event that decided, with what is known of it. The log's events know less than a message's. */
export interface DecidingEvent {
  readonly occurred_at: string;
  readonly attempt: number | null;
  readonly smtp_code: number | null;
  readonly smtp_response?: string | null;
  readonly stage?: string | null;
  readonly mx_host?: string | null;
  readonly bounce_type: string | null;
  readonly bounce_classification: string | null;
  readonly suppression?: {
    readonly reason: string;
    readonly topic: string;
    readonly classification: string | null;
  } | null;
  readonly complaint?: { readonly feedback_type: string } | null;
}

export interface VerdictFacts {
  readonly recipient: string;
  readonly status: RecipientOutcome;
  /** Null: nothing has happened yet, or what happened is not loaded. */
  readonly event: DecidingEvent | null;
  /** When the message was accepted, Unix milliseconds; null: not known. */
  readonly acceptedAt: number | null;
  /** The time for which the message was scheduled, Unix milliseconds. Absent: it was not. */
  readonly scheduledAt?: number;
  /** Unix milliseconds; null: no attempt is planned. */
  readonly nextAttemptAt: number | null;
  /** True if the message was delivered before the event. */
  readonly wasDelivered: boolean;
  readonly opens: number;
  readonly clicks: number;
  /** Suppressions in force now that stop a message like this one; null: not known. */
  readonly suppressions: readonly SuppressionFacts[] | null;
  readonly now: number;
}

export interface MessageVerdict {
  readonly status: RecipientOutcome;
  /** The sentence that answers the question. */
  readonly headline: string;
  readonly rest: readonly Part[];
}

export function verdictOf(facts: VerdictFacts): MessageVerdict {
  switch (facts.status) {
    case "bounced":
      return bounced(facts);
    case "complained":
      return complained(facts);
    case "suppressed":
      return suppressed(facts);
    case "delayed":
      return delayed(facts);
    case "delivered":
      return delivered(facts);
    case "scheduled":
      return say(facts, scheduledWords(facts), [
        ["Nothing is sent to ", quoted(facts), " before. It can be moved and canceled until then."],
      ]);
    case "canceled":
      return say(facts, "It was canceled.", [["Nothing of it is sent to ", quoted(facts), "."]]);
    case "sent":
      return say(facts, "It is on its way.", [
        ["The answer of the server for ", quoted(facts), " is awaited."],
      ]);
    case "queued":
      return say(facts, "It waits to be sent.", [
        ["Nothing has been tried for ", quoted(facts), " yet."],
        nextAttempt(facts),
      ]);
  }
}

function scheduledWords({ scheduledAt }: VerdictFacts): string {
  return scheduledAt === undefined
    ? "It waits for its time."
    : `It is scheduled for ${formatExact(scheduledAt)}.`;
}

/** Returns the verdict as plain text. */
export function verdictText({ headline, rest }: MessageVerdict): string {
  return [headline, textOf(rest)].filter((text) => text !== "").join(" ");
}

function bounced(facts: VerdictFacts): MessageVerdict {
  const { event, suppressions } = facts;
  const isExpired = event?.bounce_type === "expired";
  const { headline, advice } = bounceWords(event?.bounce_classification ?? null);
  const isClassed = (event?.bounce_classification ?? null) !== null;
  const isUnclear = isExpired && !isClassed;
  const reason: Part[] = isExpired && isClassed ? [headline] : [];
  return say(facts, isExpired ? "It could not be delivered in time." : headline, [
    reason,
    refusal(facts),
    ...(suppressions ?? []).map((one) => suppressedUntil(one)),
    suppressions?.length === 0
      ? ["The address is not suppressed: the next message to it is tried."]
      : [],
    advice === undefined || isUnclear ? [] : [advice],
  ]);
}

/** Says who refused whom, where and when. */
function refusal(facts: VerdictFacts): Part[] {
  const { event, wasDelivered } = facts;
  if (event === null) return [];
  const { attempt, smtp_code: code, mx_host: mx = null, stage = null } = event;
  const when = onAttempt(attempt);
  if (event.bounce_type === "expired") return lastAnswer(facts, event);
  if (stage !== null)
    return [mx ?? "The server", " refused ", quoted(facts), ending(atStage(stage), when)];
  if (attempt === null || wasDelivered)
    return [`A report${withCode(code)} about `, quoted(facts), " came back after it was sent."];
  if (event.bounce_type === "transient")
    return ["No server could be asked for ", quoted(facts), ending(when)];
  return [
    mx ?? "The other side",
    " refused ",
    quoted(facts),
    ending(when).slice(0, -1),
    withCode(code),
    ".",
  ];
}

function lastAnswer(facts: VerdictFacts, event: DecidingEvent): Part[] {
  const { attempt, stage = null, mx_host: mx = null, smtp_code: code } = event;
  const { acceptedAt } = facts;
  const tries =
    attempt === null
      ? "It was tried"
      : `It was tried ${attempt === 1 ? "once" : `${attempt} times`}`;
  const over =
    acceptedAt === null
      ? ""
      : ` within ${formatDuration(Math.max(0, Date.parse(event.occurred_at) - acceptedAt))}`;
  const from = [mx === null ? "" : `from ${mx}`, atStage(stage)].filter(Boolean).join(" ");
  const answer: Part[] = code === null ? [] : [`; the last answer was ${code}${ending(from)}`];
  return [
    `${tries} for `,
    quoted(facts),
    ...(answer.length > 0 ? [over, ...answer] : [`${over}.`]),
  ];
}

function complained(facts: VerdictFacts): MessageVerdict {
  const { event, suppressions } = facts;
  const type = event?.complaint?.feedback_type;
  return say(facts, "The recipient reported it as spam.", [
    type === undefined
      ? ["A complaint about the message to ", quoted(facts), " came back."]
      : ["A complaint (", { code: type }, ") about the message to ", quoted(facts), " came back."],
    ...(suppressions ?? []).map((one) => suppressedUntil(one)),
  ]);
}

function suppressed(facts: VerdictFacts): MessageVerdict {
  const { event, suppressions } = facts;
  const cause = event?.suppression ?? null;
  const why: Part[] =
    cause === null
      ? ["The message to ", quoted(facts), " was kept back by the suppression list."]
      : [
          "The message to ",
          quoted(facts),
          ` was kept back, because ${reasonWords(cause.reason)}`,
          ...(cause.topic === "*" ? [] : [" (topic ", { code: cause.topic }, ")"]),
          ...(cause.classification === null ? [] : [" (", { code: cause.classification }, ")"]),
          ".",
        ];
  const isOver = suppressions?.length === 0;
  const headline = `It was not sent: the address ${suppressions?.length ? "is" : "was"} suppressed.`;
  return say(facts, headline, [
    why,
    ...(suppressions ?? []).flatMap((one) => [suppressedUntil(one), suppressedBecause(one)]),
    isOver ? ["It is not suppressed any more: the next message to it is tried."] : [],
  ]);
}

function delayed(facts: VerdictFacts): MessageVerdict {
  const { event } = facts;
  const { stage = null, mx_host: mx = null, smtp_response: words = null } = event ?? {};
  const when = onAttempt(event?.attempt ?? null);
  const who: Part[] =
    stage === null && mx === null && words !== null
      ? ["No server took ", quoted(facts), ending(when)]
      : [mx ?? "The server", " put off ", quoted(facts), ending(atStage(stage), when)];
  const headline = isGreylisting(words)
    ? "Greylisted, and not delivered yet."
    : "Not delivered yet.";
  return say(facts, headline, [event === null ? [] : who, nextAttempt(facts)]);
}

/** Tells whether the words are those of a server that lets unknown senders come twice. */
export function isGreylisting(words: string | null): boolean {
  return words !== null && /gr[ae]y-?list/i.test(words);
}

function delivered(facts: VerdictFacts): MessageVerdict {
  const { event, acceptedAt, opens, clicks } = facts;
  const { mx_host: mx = null } = event ?? {};
  const after =
    event === null || acceptedAt === null
      ? ""
      : `${formatDuration(Math.max(0, Date.parse(event.occurred_at) - acceptedAt))} after it was accepted`;
  const read = [seen("opened", opens), seen("clicked", clicks)].filter(Boolean).join(" and ");
  return say(facts, "Delivered.", [
    event === null
      ? []
      : [
          mx ?? "The server",
          " took it for ",
          quoted(facts),
          ending([onAttempt(event.attempt), after].filter(Boolean).join(", ")),
        ],
    read === "" ? [] : [`It was ${read}.`],
  ]);
}

function seen(verb: string, count: number): string {
  if (count === 0) return "";
  return count === 1 ? `${verb} once` : `${verb} ${count} times`;
}

/** Says when the next attempt is made; nothing if none is planned. */
function nextAttempt({ nextAttemptAt, now }: VerdictFacts): Part[] {
  if (nextAttemptAt === null) return [];
  const wait = nextAttemptAt - now;
  return [wait < 1_000 ? "The next attempt is due." : `Next attempt in ${formatDuration(wait)}.`];
}

function say(
  { status }: VerdictFacts,
  headline: string,
  sentences: readonly (readonly Part[])[],
): MessageVerdict {
  return { status, headline, rest: joinSentences(sentences) };
}

function quoted({ recipient }: VerdictFacts): Part {
  return { code: recipient };
}

/** Ends a sentence with those of the phrases that are there. */
function ending(...phrases: readonly string[]): string {
  const words = phrases.filter((phrase) => phrase !== "").join(" ");
  return words === "" ? "." : ` ${words}.`;
}

function withCode(code: number | null): string {
  return code === null ? "" : ` with ${code}`;
}
