// The sending clients. Each makes one call or submission. A client with an idempotency key repeats
// the call until it gets an answer. An answer of 202, 207 or 250 promises delivery. The service may
// have accepted every try, even a try without an answer.
import { setTimeout as sleep } from "node:timers/promises";
import { SENDER_DOMAIN } from "../harness/sample-message.ts";
import type { PlannedMessage, PlannedSend } from "./plan.ts";
import { submitMessage } from "./submit-message.ts";

export interface ChaosTarget {
  readonly origin: string;
  readonly apiKey: string;
  readonly submissionPort: number;
  /** Tells whether the worker is up. A client makes no try while the worker is down. */
  isUp(): boolean;
}

/** The facts that a client knows about one of its messages when its tries are over. */
export interface SentMessage extends PlannedMessage {
  readonly via: PlannedSend["via"];
  readonly keyed: boolean;
  /**
   * Number of tries. Each try may have been accepted as a message of its own if there is no
   * idempotency key.
   */
  tries: number;
  /** The message id in the service's answer. Null: no answer came. */
  emailId: string | null;
  /**
   * The message must not arrive before this time, in Unix milliseconds. 0 means that the message
   * was not scheduled.
   */
  notBefore: number;
  /** True: the service said that the message is canceled. */
  isCanceled: boolean;
  /** True: the message was sent before the round, and a server deferred it. */
  readonly isSentBefore?: true;
  /** The time and the result of each try. */
  readonly log: { readonly at: number; readonly what: string }[];
}

export interface CallResult {
  /** 0 means that the connection was lost. */
  readonly status: number;
  readonly requestId: string | null;
  readonly text: string;
}

type Heard =
  | { readonly kind: "promised"; readonly ids: readonly (string | null)[]; readonly what: string }
  /** `late`: the scheduled time was already over when a slow service checked the send. */
  | { readonly kind: "again" | "refused" | "late"; readonly what: string };

const PAUSE_MS = 150;
const TEXTS: Readonly<Record<PlannedSend["size"], string>> = {
  small: "Nothing much. ".repeat(150),
  large: "All work and no play makes this message a large one. ".repeat(2_300),
  huge: "No end of work.\n".repeat(62_000),
};

/**
 * Makes one planned send. Resolves when the send is answered. A send without an idempotency key
 * also resolves when its connection is lost. The last entry of `log` says `refused` after a
 * refusal.
 */
export async function send(
  target: ChaosTarget,
  plan: PlannedSend,
  seed: number,
): Promise<SentMessage[]> {
  const sent = plan.messages.map((message): SentMessage => ({
    ...message,
    via: plan.via,
    keyed: plan.keyed,
    tries: 0,
    emailId: null,
    notBefore: 0,
    isCanceled: false,
    log: [],
  }));
  const key = plan.keyed ? `chaos-${seed}-${plan.messages[0]?.token}` : null;
  await sleep(plan.at);
  const scheduledAt = plan.schedule && Date.now() + plan.schedule.inMs;
  for (const message of sent) message.notBefore = scheduledAt ?? 0;
  for (let first = true; first || plan.keyed; first = false) {
    if (!first) await sleep(PAUSE_MS);
    while (!target.isUp()) await sleep(PAUSE_MS);
    for (const message of sent) message.tries += 1;
    const outcome = await attempt(target, plan, {
      key,
      hangsUpAfter: first ? plan.hangsUpAfter : null,
      scheduledAt: scheduledAt === null ? null : new Date(scheduledAt).toISOString(),
    }).catch((error: unknown): Heard => ({
      kind: "again",
      what: error instanceof Error ? error.message : String(error),
    }));
    for (const [index, message] of sent.entries()) {
      message.log.push({ at: Date.now(), what: `${outcome.kind}: ${outcome.what}` });
      if (outcome.kind === "promised") message.emailId = outcome.ids[index] ?? null;
    }
    if (outcome.kind !== "again") break;
  }
  return sent;
}

/** The values that differ between a client's tries of the same send. */
interface Try {
  readonly key: string | null;
  readonly hangsUpAfter: number | null;
  /** Null: the messages are not scheduled. */
  readonly scheduledAt: string | null;
}

function attempt(target: ChaosTarget, plan: PlannedSend, one: Try): Promise<Heard> {
  return plan.via === "smtp" ? submit(target, plan, one) : post(target, plan, one);
}

async function post(
  { origin, apiKey }: ChaosTarget,
  plan: PlannedSend,
  { key, hangsUpAfter, scheduledAt }: Try,
): Promise<Heard> {
  const emails = plan.messages.map(({ token, recipients, sensitive, isTracked }) => ({
    from: `hello@${SENDER_DOMAIN}`,
    to: recipients,
    subject: token,
    text: textOf(plan.size, token),
    ...(scheduledAt !== null && { scheduled_at: scheduledAt }),
    ...(sensitive && { sensitive }),
    ...(isTracked && { reply_tracking: true }),
  }));
  const isBatch = plan.via === "batch";
  const response = await fetch(`${origin}/v1/email${isBatch ? "/batch" : ""}`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${apiKey}`,
      "Content-Type": "application/json",
      ...(key === null ? {} : { "Idempotency-Key": key }),
    },
    body: JSON.stringify(isBatch ? { emails } : emails[0]),
    signal: hangsUpAfter === null ? null : AbortSignal.timeout(hangsUpAfter),
  });
  const text = await response.text();
  const what = `${response.status} ${text.slice(0, 200)}`;
  if (response.status === 202 || response.status === 207) {
    const body = JSON.parse(text) as { id?: string; data?: { status: string; id?: string }[] };
    const ids = isBatch ? (body.data ?? []).map(({ id }) => id ?? null) : [body.id ?? null];
    return { kind: ids.includes(null) ? "refused" : "promised", ids, what };
  }
  if (scheduledAt !== null && isLate(text)) return { kind: "late", what };
  return {
    kind:
      response.status >= 500 || response.status === 409 || response.status === 429
        ? "again"
        : "refused",
    what,
  };
}

/** Tells whether an answer refuses a scheduled time because that time has passed. */
export function isLate(answer: string): boolean {
  return answer.includes("is in the past");
}

async function submit(
  { apiKey, submissionPort }: ChaosTarget,
  plan: PlannedSend,
  { key, hangsUpAfter, scheduledAt }: Try,
): Promise<Heard> {
  const from = `hello@${SENDER_DOMAIN}`;
  const [{ token, recipients, sensitive, isTracked }] = plan.messages as [PlannedMessage];
  const header = [
    `From: ${from}`,
    `To: ${recipients.join(", ")}`,
    `Subject: ${token}`,
    ...(key === null ? [] : [`X-Service-Idempotency-Key: ${key}`]),
    ...(scheduledAt === null ? [] : [`X-Service-Send-At: ${scheduledAt}`]),
    ...(sensitive ? ["X-Service-Sensitive: true"] : []),
    ...(isTracked ? ["X-Service-Reply-Tracking: true"] : []),
  ];
  const text = textOf(plan.size, token)
    .replaceAll("\n", "\r\n")
    .replace(/(.{70})/g, "$1\r\n");
  const message = `${header.join("\r\n")}\r\n\r\n${text}`;
  const reply = await submitMessage({
    port: submissionPort,
    apiKey,
    from,
    recipients,
    message,
    hangsUpAfter,
  });
  const [, id] = /^250 2\.0\.0 (email_[\w-]+)/.exec(reply) ?? [];
  if (id !== undefined) return { kind: "promised", ids: [id], what: reply };
  if (scheduledAt !== null && isLate(reply)) return { kind: "late", what: reply };
  return { kind: reply.startsWith("5") ? "refused" : "again", what: reply };
}

/** Calls the API once, with the team's key. A body that is a text is CSV. */
export async function callOnce(
  { origin, apiKey }: ChaosTarget,
  method: string,
  path: string,
  body?: object | string,
): Promise<CallResult> {
  const isText = typeof body === "string";
  try {
    const response = await fetch(origin + path, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && { "Content-Type": isText ? "text/csv" : "application/json" }),
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, requestId: response.headers.get("X-Request-Id"), text };
  } catch (error) {
    return { status: 0, requestId: null, text: String(error) };
  }
}

/** Tells whether the service refused a request and would refuse it again. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** Returns the text of the message with this token. */
export function textOf(size: PlannedSend["size"], token: string): string {
  return `${token}. ${TEXTS[size]}`;
}
