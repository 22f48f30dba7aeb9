// The events of a message that never was, all of it derived from its number: a team has a hundred recipients, twenty campaigns, three topics, eight templates and
// forty tags, and what becomes of a message is as usual: 95 % delivered, 30 % opened, 5 % clicked.

/** An event as the history takes it. */
export type RecordedEvent = Readonly<Record<string, unknown>>;

/** How the worker makes ids. */
export interface Maker {
  readonly eventId: (occurredAt: number, ...happening: readonly string[]) => string;
  readonly uuidv7: (at: number) => string;
}

export interface Day {
  readonly teamIds: readonly string[];
  /** Unix milliseconds. */
  readonly dayStart: number;
  readonly perDay: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const RECIPIENTS = 500;
/** Neighbours are of one team, so that it has messages of every kind. */
const BLOCK = 20;

export function recipientOf(number: number): string {
  return `first.last${(number * 7_919) % RECIPIENTS}@receiver.example`;
}

export const domainOf = (number: number): string => `mail${number % 2}.customer.example`;
export const topicOf = (number: number): string => ["receipts", "product.updates", "security"][number % 3]!;
export const campaignOf = (number: number): string | null => (number % 5 < 3 ? `spring-${(number * 7) % 20}` : null);
export const templateOf = (number: number): string => `template_00000000-0000-4000-8000-00000000000${(number * 3) % 8}`;
export const tagsOf = (number: number): string[] => [`tag-${(number * 11) % 40}`, `tag-${(number * 13 + 1) % 40}`];

export function eventsOf(number: number, { teamIds, dayStart, perDay }: Day, { eventId, uuidv7 }: Maker): RecordedEvent[] {
  const at = dayStart + Math.floor(((number + 0.5) * (DAY_MS - 120_000)) / perDay);
  const uuid = uuidv7(at);
  const fromDomain = domainOf(number);
  const message = {
    teamId: teamIds[Math.floor(number / BLOCK) % teamIds.length]!,
    emailId: `email_${uuid}`,
    from: `notifications@${fromDomain}`,
    fromDomain,
    subject: `Your order #${number} has been shipped today`,
    messageId: `<${uuid}@${fromDomain}>`,
    tags: [...new Set(tagsOf(number))],
    topic: topicOf(number),
    campaign: campaignOf(number),
    templateId: templateOf(number),
    ipPool: null,
    headers: {},
    recipient: recipientOf(number),
  };
  const nothing = { attempt: null, smtpCode: null, bounce: null, complaint: null, suppression: null, tracking: null };
  const event = (type: string, afterMs: number, facts: RecordedEvent): RecordedEvent => ({
    ...message,
    ...nothing,
    id: eventId(at + afterMs, message.emailId, message.recipient, type),
    type,
    occurredAt: at + afterMs,
    ...facts,
  });
  const bounce = { type: "permanent", classification: "InvalidRecipient", smtpCode: 550, smtpResponse: "550 5.1.1 no such user" };
  return [
    event("email.sent", 50, {}),
    number % 20 === 7
      ? event("email.bounced", 900, { attempt: 1, smtpCode: 550, bounce })
      : event("email.delivered", 900, { attempt: 1, smtpCode: 250 }),
    ...(number % 10 < 3
      ? [event("email.opened", 60_000, { tracking: { user_agent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)" } })]
      : []),
    ...(number % 20 === 1 ? [event("email.clicked", 90_000, { tracking: { url: "https://shop.example.com/orders/12345" } })] : []),
  ];
}
