// Makes the events of invented messages. Everything is derived from a message's number. A team has
// a hundred recipients, twenty campaigns, three topics, eight templates and forty tags. The
// outcomes are typical: 95 % delivered, 30 % opened, 5 % clicked.

/** Fields of a message as the worker's chunks store them. */
interface MadeMessage extends Readonly<Record<string, unknown>> {
  readonly emailId: string;
}

/** Events that a ledger appends together, at the time `at` (Unix milliseconds). */
export interface AppendedEvents {
  /** The position of the team among the teams of the day. */
  readonly team: number;
  readonly at: number;
  readonly message: MadeMessage;
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

/** The worker's function that makes ids. */
export interface Maker {
  readonly eventId: (occurredAt: number, ...happening: readonly string[]) => string;
  readonly uuidv7: (at: number) => string;
}

export interface MadeDay {
  readonly teams: readonly { readonly id: string }[];
  /** Unix milliseconds. */
  readonly dayStart: number;
  readonly perDay: number;
}

export const DAY_MS = 24 * 60 * 60 * 1_000;
const RECIPIENTS = 500;
/**
 * Messages go to the teams in blocks of this size. The outcome depends on the message's number
 * modulo 20, so the block of each team has messages with every outcome.
 */
const BLOCK = 20;

export function recipientOf(number: number): string {
  return `first.last${(number * 7_919) % RECIPIENTS}@receiver.example`;
}

/** Fields that are empty in most types of events. */
const NO_DETAILS = {
  attempt: null,
  smtpCode: null,
  bounce: null,
  complaint: null,
  suppression: null,
  tracking: null,
  exchange: null,
};

const OPEN_DETAILS = { user_agent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)" };
const SERVER = { mxHost: "mx1.receiver.example", tls: "TLSv1.3" };

export const domainOf = (number: number): string => `mail${number % 2}.customer.example`;
export const topicOf = (number: number): string =>
  ["receipts", "product.updates", "security"][number % 3]!;
export const campaignOf = (number: number): string | null =>
  number % 5 < 3 ? `spring-${(number * 7) % 20}` : null;
export const templateOf = (number: number): string =>
  `template_00000000-0000-4000-8000-00000000000${(number * 3) % 8}`;
export const tagsOf = (number: number): string[] => [
  `tag-${(number * 11) % 40}`,
  `tag-${(number * 13 + 1) % 40}`,
];
/** Returns a word for the subject that only few messages contain. */
export const wordOf = (number: number): string => `A${number * 37}`;

/** Returns the events of one message, in the groups in which its ledger appends them. */
export function eventsOf(
  number: number,
  day: MadeDay,
  { eventId, uuidv7 }: Maker,
): AppendedEvents[] {
  const at = day.dayStart + Math.floor(((number + 0.5) * (DAY_MS - 120_000)) / day.perDay);
  const uuid = uuidv7(at);
  const recipient = recipientOf(number);
  const team = Math.floor(number / BLOCK) % day.teams.length;
  const message = messageOf(number, day.teams[team]!.id, uuid, recipient);
  const event = (
    type: string,
    afterMs: number,
    attempt: number | null,
    details: object,
  ): AppendedEvents["events"][number] => ({
    ...NO_DETAILS,
    id: eventId(at + afterMs, `email_${uuid}`, recipient, type, String(attempt ?? number)),
    type,
    occurredAt: at + afterMs,
    recipient,
    attempt,
    ...details,
  });
  const append = (afterMs: number, ...events: AppendedEvents["events"]): AppendedEvents => ({
    team,
    at: at + afterMs,
    message,
    events,
  });
  const url = `https://shop.example.com/orders/${number}`;
  return [
    append(
      1_000,
      event("email.sent", 50, 1, {}),
      number % 20 === 7
        ? event("email.bounced", 900, 1, refusedDelivery())
        : event("email.delivered", 900, 1, acceptedDelivery(uuid)),
    ),
    ...(number % 10 < 3
      ? [append(60_000, event("email.opened", 60_000, null, { tracking: OPEN_DETAILS }))]
      : []),
    ...(number % 20 === 1
      ? [append(90_000, event("email.clicked", 90_000, null, { tracking: { url } }))]
      : []),
  ];
}

function messageOf(number: number, teamId: string, uuid: string, recipient: string): MadeMessage {
  const fromDomain = domainOf(number);
  return {
    teamId,
    emailId: `email_${uuid}`,
    domainId: `domain_00000000-0000-4000-8000-00000000000${number % 2}`,
    from: `notifications@${fromDomain}`,
    fromDomain,
    subject: `Your order ${wordOf(number)} has been shipped today`,
    messageId: `<${uuid}@${fromDomain}>`,
    tags: [...new Set(tagsOf(number))],
    topic: topicOf(number),
    campaign: campaignOf(number),
    templateId: templateOf(number),
    ipPool: null,
    headers: {},
    recipients: [recipient],
    roles: "t",
  };
}

function refusedDelivery(): object {
  const response = "550 5.1.1 no such user";
  const verdict = { type: "permanent", classification: "InvalidRecipient" };
  return {
    smtpCode: 550,
    bounce: { ...verdict, smtpCode: 550, smtpResponse: response },
    exchange: { stage: "rcpt", response, ...SERVER, rule: "5.1.1" },
  };
}

/** A receiving server gives each accepted message its own queue id. */
function acceptedDelivery(uuid: string): object {
  const response = `250 2.0.0 OK: queued as ${uuid.slice(-12).toUpperCase()}`;
  return { smtpCode: 250, exchange: { stage: "end", response, ...SERVER, rule: null } };
}
