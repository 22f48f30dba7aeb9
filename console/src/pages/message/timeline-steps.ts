// The steps of a message to one recipient: the time, the event, and the server's reply. Pure.
import type { Email, Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { formatDuration } from "../../parts/figures.ts";
import { type Clock, formatExact, formatOfDay, formatStamp } from "../../parts/time/times.ts";
import { typeset } from "../../parts/typography.ts";
import { bounceSentence, className } from "./bounce-sentence.ts";
import { commandOf, type Part, textOf } from "./phrase.ts";
import type { Recipient, TimelineEvent } from "./recipient-facts.ts";
import { reasonName } from "./suppression-texts.ts";

type ShownSuppression = Pick<Suppression, "topic" | "reason" | "suppressed_at" | "explanation">;

interface ShownSuppressions {
  readonly inForce: readonly ShownSuppression[];
  readonly lifted: readonly { readonly suppression: ShownSuppression; readonly at: number }[];
}

export interface TimelineStep {
  readonly id: string;
  /** The status that decides the colour of the step. */
  readonly status: string;
  readonly title: string;
  /** The attempt's number as text, such as `attempt 2`, shown beside the title. */
  readonly note?: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** The time of day, or the time since the message was accepted. */
  readonly time: string;
  readonly text: readonly Part[];
  readonly said?: { readonly command: string | null; readonly words: string };
  readonly chips?: readonly (readonly [name: string, value: string | null])[];
  /** The API's class of the bounce, and the rule that assigned it. */
  readonly classified?: { readonly name: string; readonly rule: string | null };
}

/** The longest time between a bounce or a complaint and its suppression. */
const SAME_MOMENT_MS = 1_000;

const TITLES: Readonly<Record<TimelineEvent["type"], string>> = {
  "email.sent": "Sent",
  "email.delivered": "Delivered",
  "email.delayed": "Delayed",
  "email.bounced": "Bounced",
  "email.complained": "Complained",
  "email.suppressed": "Suppressed",
  "email.unsubscribed": "Unsubscribed",
  "email.opened": "Opened",
  "email.clicked": "Clicked",
};

/**
 * Returns the steps. `inForce` has the address's current suppressions. `lifted` has the
 * suppressions that were lifted in this tab.
 */
export function stepsOf(
  email: Email,
  recipient: Recipient,
  { inForce, lifted }: ShownSuppressions,
  clock: Clock,
): TimelineStep[] {
  const start = Date.parse(email.created_at);
  const steps = [
    accepted(email, start, clock.zone),
    ...recipient.events.map((event) => toStep(event, start)),
    ...inForce
      .filter((one) => isConsequence(one, recipient.events))
      .map((one) => suppressedStep(one, start)),
    ...lifted
      .filter(({ suppression }) => isConsequence(suppression, recipient.events))
      .flatMap(({ suppression, at }) => [
        suppressedStep(suppression, start, null),
        liftedStep(suppression, at, start),
      ]),
  ].toSorted((left, right) => left.at - right.at);
  const next = recipient.next_attempt_at;
  return next === null ? steps : [...steps, nextStep(Date.parse(next), clock)];
}

/** Returns the steps as plain text. Each step and each reply of a server has its own line. */
export function stepsText(steps: readonly TimelineStep[], zone: string): string {
  return steps
    .flatMap(({ at, title, note, text, said }) => [
      [formatStamp(at, zone), title, note ?? "", textOf(text)].filter(Boolean).join("  "),
      ...(said ? [`    ${said.command === null ? "" : `${said.command} → `}${said.words}`] : []),
    ])
    .join("\n");
}

function accepted({ from, recipients }: Email, at: number, zone: string): TimelineStep {
  const others = recipients.length === 1 ? "one recipient" : `${recipients.length} recipients`;
  return {
    id: "accepted",
    status: "accepted",
    title: "Accepted",
    at,
    time: formatOfDay(at, zone, "millisecond"),
    text: ["From ", { code: from }, ` for ${others}.`],
  };
}

function toStep(event: TimelineEvent, start: number): TimelineStep {
  const at = Date.parse(event.occurred_at);
  const { type, attempt, stage, smtp_response: words } = event;
  return {
    id: event.id,
    status: type,
    title: TITLES[type],
    at,
    time: offset(at, start),
    // The page's first sentence already explains a refusal, so this step shows only the server's
    // reply.
    text: words !== null && type === "email.bounced" ? [] : textOfEvent(event),
    chips: chipsOf(event),
    ...(attempt !== null && type !== "email.sent" && { note: `attempt ${attempt}` }),
    ...(words !== null && { said: { command: commandOf(stage), words } }),
    ...(event.bounce_classification !== null && {
      classified: { name: event.bounce_classification, rule: event.rule },
    }),
  };
}

function textOfEvent(event: TimelineEvent): Part[] {
  const { complaint, tracking } = event;
  switch (event.type) {
    case "email.sent":
      return ["Delivery started."];
    case "email.delivered":
      return ["The receiving server accepted the message."];
    case "email.delayed":
      return [delayOf(event)];
    case "email.bounced":
      return bounceOf(event);
    case "email.complained":
      return complaint?.user_agent
        ? ["Reported as spam through ", { code: complaint.user_agent }, "."]
        : ["Reported as spam."];
    case "email.suppressed":
      return ["Not sent: the address was suppressed."];
    case "email.unsubscribed":
      return ["The recipient used the unsubscribe link."];
    case "email.opened":
      return tracking?.bot
        ? ["Images loaded by the proxy ", { code: tracking.bot.source }, "."]
        : ["Images loaded."];
    case "email.clicked":
      return tracking?.url === undefined
        ? ["Link clicked."]
        : ["Link clicked: ", { code: tracking.url }];
  }
}

function delayOf({ stage, mx_host: mx, smtp_response: words }: TimelineEvent): string {
  if (stage === null && mx === null && words !== null) return "No server answered.";
  return "The server asked to try again later.";
}

function bounceOf(event: TimelineEvent): Part[] {
  const { bounce_type: type, bounce_classification: name } = event;
  const kind = {
    permanent: "Permanent failure",
    transient: "Temporary failure, not retried",
    expired: "Not delivered within the time limit",
    none: "Returned",
  }[type ?? "none"];
  return [name === null ? `${kind}.` : `${kind}: ${typeset(bounceSentence(event))}.`];
}

function chipsOf(event: TimelineEvent): (readonly [string, string | null])[] {
  const { suppression, complaint, tracking } = event;
  const chips: (readonly [string, string | null | undefined])[] = [
    ["server", event.mx_host],
    ["TLS", event.tls?.replace(/^TLSv/, "")],
    ["stage", event.stage?.toUpperCase()],
    ["reason", suppression && reasonName(suppression.reason)],
    ["topic", suppression && suppression.topic !== "*" ? suppression.topic : null],
    ["bounce", suppression?.classification && className(suppression.classification)],
    ["report type", complaint?.feedback_type],
    ["client", tracking?.user_agent],
  ];
  return chips.flatMap(([label, value]) => (value ? [[label, value] as const] : []));
}

function isConsequence(
  { suppressed_at: since }: ShownSuppression,
  events: readonly TimelineEvent[],
): boolean {
  const at = Date.parse(since);
  return events.some(
    ({ type, occurred_at: when }) =>
      /^email\.(?:bounced|complained|unsubscribed)$/.test(type) &&
      Math.abs(Date.parse(when) - at) <= SAME_MOMENT_MS,
  );
}

/**
 * Returns the step of a suppression. `next` is the sentence about the suppression's current effect.
 * Null: the suppression was lifted.
 */
function suppressedStep(
  { topic, reason, suppressed_at: since, explanation }: ShownSuppression,
  start: number,
  next: string | null = explanation.next,
): TimelineStep {
  const at = Date.parse(since);
  const text = [next ?? "After this, no mail was sent to the address."];
  return {
    id: `suppressed ${topic}`,
    status: "suppressed",
    title: "Address suppressed",
    at,
    time: offset(at, start),
    text,
    chips: [["reason", reasonName(reason)]],
  };
}

function liftedStep({ topic }: ShownSuppression, at: number, start: number): TimelineStep {
  return {
    id: `lifted ${topic} ${at}`,
    status: "accepted",
    title: "Suppression lifted",
    at,
    time: offset(at, start),
    text: ["You can send to the address again."],
  };
}

function nextStep(at: number, clock: Clock): TimelineStep {
  const wait = at - clock.now;
  return {
    id: "next",
    status: "planned",
    title: "Next retry",
    at,
    time: wait < 1_000 ? "due" : `in ${formatDuration(wait)}`,
    text: [`Planned for ${formatExact(at, clock)}.`],
  };
}

function offset(at: number, start: number): string {
  return `+ ${formatDuration(Math.max(0, at - start))}`;
}
