// Checks the guarantees when a storm is over and everything has settled. No accepted message may be
// lost, and none may be sent twice if the service could prevent it (docs/architecture.md §The life
// of a message). The check reads the facts of a round and returns the violations in them. Pure.
import type { SentMessage } from "../clients.ts";
import { excusesOf } from "../email-service/second-copies.ts";
import type { EventFact, JournalFact, MailFact, RoundFacts } from "../recorded-facts.ts";
import { findWrongTimes } from "./event-times.ts";

export interface Violation {
  readonly rule: string;
  /** Token of the message. Null: the violation is not about a single message. */
  readonly token: string | null;
  readonly detail: string;
}

/** A second copy that is excused: no surviving process knew the first copy's outcome. */
export interface UnknownFate {
  readonly token: string;
  readonly recipient: string;
  readonly copies: number;
  readonly why: string;
}

export interface JudgedRound {
  readonly violations: readonly Violation[];
  readonly unknownFates: readonly UnknownFate[];
  /** Number of recipients of the accepted messages. */
  readonly recipients: number;
}

const TERMINAL = new Set(["email.delivered", "email.bounced", "email.suppressed"]);
/**
 * Milliseconds around a final dot. A kill of the gateway in this time makes the outcome unknown,
 * because the gateway may not have read the reply.
 */
const KILL_WINDOW_MS = 2_000;

interface Context {
  readonly facts: RoundFacts;
  readonly violations: Violation[];
  readonly unknownFates: UnknownFate[];
  readonly eventsOf: ReadonlyMap<string, readonly EventFact[]>;
  readonly mailOf: ReadonlyMap<string, readonly MailFact[]>;
  readonly journalOf: ReadonlyMap<string, readonly JournalFact[]>;
}

export function check(facts: RoundFacts): JudgedRound {
  const context: Context = {
    facts,
    violations: [],
    unknownFates: [],
    eventsOf: Map.groupBy(facts.events, ({ email_id: id }) => id),
    mailOf: Map.groupBy(facts.mail, ({ to }) => to),
    journalOf: Map.groupBy(facts.journal, ({ key }) => key.slice(0, key.lastIndexOf("/"))),
  };
  const accepted = facts.sent.flatMap((message) =>
    message.isCanceled
      ? checkCanceled(context, message)
      : idsOf(context, message).map((emailId) => ({ message, emailId })),
  );
  for (const { message, emailId } of accepted)
    message.recipients.forEach((_, index) => checkRecipient(context, message, emailId, index));
  checkUnaccounted(context, new Set(accepted.map(({ emailId }) => emailId)));
  checkHooks(context);
  const recipients = accepted.reduce((sum, { message }) => sum + message.recipients.length, 0);
  if (facts.debited !== null && facts.debited !== recipients)
    violate(
      context,
      "quota",
      null,
      `${facts.debited} were debited, ${recipients} recipients were accepted`,
    );
  return { violations: context.violations, unknownFates: context.unknownFates, recipients };
}

/** Returns the message's ids: the promised id, and the ids of tries whose answer was lost. */
function idsOf(context: Context, message: SentMessage): string[] {
  const ids = new Set(
    context.facts.events
      .filter(({ subject }) => subject === message.token)
      .map(({ email_id: id }) => id),
  );
  if (message.emailId !== null && !ids.has(message.emailId)) {
    violate(context, "lost", message.token, `${message.emailId} was promised, but has no event`);
    ids.add(message.emailId);
  }
  const most = message.keyed ? 1 : message.tries;
  if (ids.size > most)
    violate(context, "accepted twice", message.token, `${[...ids].join(" ")} from ${most} sends`);
  if (saidNothingStored(message) && ids.size > 0)
    violate(context, "stored", message.token, `${[...ids].join(" ")} despite the answer 502`);
  if (message.log.at(-1)?.what.startsWith("refused"))
    violate(context, "refused", message.token, message.log.at(-1)?.what ?? "");
  return [...ids];
}

/** Tells whether the message's only answer is a 502 which says that nothing was stored. */
function saidNothingStored({ keyed, log }: SentMessage): boolean {
  const [only, ...others] = log;
  return (
    !keyed &&
    others.length === 0 &&
    only !== undefined &&
    only.what.startsWith("again: 502") &&
    !only.what.includes("hides whether")
  );
}

/** A canceled message must have no event, and its recipients must not count against the quota. */
function checkCanceled(context: Context, { token, emailId }: SentMessage): never[] {
  const events = context.facts.events.filter(({ subject }) => subject === token);
  if (events.length > 0)
    violate(
      context,
      "canceled",
      token,
      `${emailId} has ${events.map(({ type }) => type).join(", ")}`,
    );
  return [];
}

function checkRecipient(
  context: Context,
  message: SentMessage,
  emailId: string,
  index: number,
): void {
  const recipient = message.recipients[index] ?? "";
  const events = (context.eventsOf.get(emailId) ?? []).filter(
    (event) => event.recipient === recipient,
  );
  const violation = (rule: string, detail: string): void =>
    violate(context, rule, message.token, `${emailId} to ${recipient}: ${detail}`);
  const terminal = events.filter(({ type }) => TERMINAL.has(type));
  const [end] = terminal;
  if (terminal.length !== 1 || !end)
    return violation(
      "one end",
      `the events of the recipient are ${events.map(({ type }) => type).join(", ") || "none"}`,
    );
  const messageIds = messageIdsOf(context, message, recipient, end);
  const mail = (context.mailOf.get(recipient) ?? []).filter(
    (one) => one.what === "refused" || messageIds.has(one.messageId),
  );
  const taken = mail.filter(({ what }) => what === "taken");
  const sent = events.filter(({ type }) => type === "email.sent");
  checkCopies(context, message, emailId, index, taken);
  const times = [
    ...events.map(({ occurred_at: at }) => Date.parse(at)),
    ...taken.map(({ at }) => at),
  ];
  if (Math.min(...times) < message.notBefore)
    violation("too early", `scheduled for ${new Date(message.notBefore).toISOString()}`);
  for (const detail of findWrongTimes(context.facts, recipient, events, taken))
    violation("times", detail);
  if (sent.length > 1 || sent.some(({ occurred_at: at }) => at > end.occurred_at))
    violation("sent before", `${sent.length} sent events`);
  switch (end.type) {
    case "email.delivered":
      if (sent.length === 0 && !message.isSentBefore) violation("sent before", "never sent");
      if (taken.length === 0) violation("delivered", "the mail server does not have the message");
      if (context.facts.bounced.has(recipient))
        violation("suppressed", "the address had bounced permanently before");
      break;
    case "email.bounced":
      if (end.bounce_type !== "permanent")
        violation("bounced", `a ${end.bounce_type} bounce, but the storm took only seconds`);
      if (!mail.some(({ what, reply = "" }) => what === "refused" && reply.startsWith("5")))
        violation("bounced", "the mail server has not refused the message");
      if (countKnown(context, emailId, index, recipient, taken) > 0)
        violation(
          "bounced",
          "the message's courier knew that the mail server had taken the message",
        );
      break;
    default:
      if (taken.length > 0 || sent.length > 0)
        violation("suppressed", "the message was sent nevertheless");
      if (!context.facts.bounced.has(recipient))
        violation("suppressed", "the address has never bounced");
  }
}

/** The Message-IDs of a recipient's copies. The Email Service gives each copy its own id. */
function messageIdsOf(
  { facts: { emailService } }: Context,
  { token }: SentMessage,
  recipient: string,
  end: EventFact,
): ReadonlySet<string | undefined> {
  if (!emailService) return new Set([end.message_id]);
  const own = emailService.copies.filter(
    (copy) => copy.subject === token && copy.recipient === recipient,
  );
  return new Set(own.map(({ messageId }) => messageId));
}

/** All copies but one need an excuse. An unknown outcome is an excuse. */
function checkCopies(
  context: Context,
  message: SentMessage,
  emailId: string,
  index: number,
  taken: readonly MailFact[],
): void {
  const { emailService } = context.facts;
  if (!emailService) return checkGatewayCopies(context, message, emailId, index, taken);
  if (taken.length < 2) return;
  const recipient = message.recipients[index] ?? "";
  const excuses = excusesOf(emailService, recipient, taken);
  const why = excuses.find((excuse) => excuse !== null);
  const known = excuses.filter((excuse) => excuse === null).length;
  if (known > 1 || !why)
    violate(
      context,
      "sent twice",
      message.token,
      `to ${recipient}: ${taken.length} copies, ${known} of them with a known fate`,
    );
  else context.unknownFates.push({ token: message.token, recipient, copies: taken.length, why });
}

function checkGatewayCopies(
  context: Context,
  message: SentMessage,
  emailId: string,
  index: number,
  taken: readonly MailFact[],
): void {
  const recipient = message.recipients[index] ?? "";
  const journal = context.journalOf.get(`${emailId}/${index}`) ?? [];
  const known = countRecorded(context, emailId, index);
  if (known > 1)
    violate(
      context,
      "sent twice",
      message.token,
      `to ${recipient}: the gateway has ${known} deliveries in its journal`,
    );
  const unknown = journal.filter(
    ({ outcome }) => outcome.kind === "failure" && outcome.detail?.startsWith("unknown fate"),
  ).length;
  const cutShort = taken.filter((one) => wasCutShort(context, one)).length;
  const unexplained = taken.length - Math.min(known, 1) - unknown - cutShort;
  if (taken.length > 1 && unexplained > 0) {
    violate(
      context,
      "sent twice",
      message.token,
      `to ${recipient}: ${taken.length} copies, fate known: ${known}, unknown: ${unknown}`,
    );
  } else if (taken.length > 1) {
    const why =
      unknown > 0
        ? "the connection was lost after the final dot"
        : "the gateway was killed around the final dot";
    context.unknownFates.push({ token: message.token, recipient, copies: taken.length, why });
  }
}

function wasCutShort({ facts: { mail, gatewayKills } }: Context, taken: MailFact): boolean {
  const times = mail.filter(({ n }) => n === taken.n).map(({ at }) => at);
  const [from, to] = [Math.min(...times) - KILL_WINDOW_MS, Math.max(...times) + KILL_WINDOW_MS];
  return gatewayKills.some(({ at, by }) => by === taken.by && at >= from && at <= to);
}

/** Returns the number of copies which the mail server took and whose outcome the courier knows. */
function countKnown(
  context: Context,
  emailId: string,
  index: number,
  recipient: string,
  taken: readonly MailFact[],
): number {
  const { emailService } = context.facts;
  if (!emailService) return countRecorded(context, emailId, index);
  return excusesOf(emailService, recipient, taken).filter((excuse) => excuse === null).length;
}

/** Returns the number of deliveries that the gateway has recorded for a recipient. */
function countRecorded(context: Context, emailId: string, index: number): number {
  const journal = context.journalOf.get(`${emailId}/${index}`) ?? [];
  return journal.filter(
    ({ outcome }) => outcome.kind === "reply" && outcome.code !== undefined && outcome.code < 300,
  ).length;
}

/** Mail and events must not exist without a send. */
function checkUnaccounted(context: Context, accepted: ReadonlySet<string>): void {
  const { facts, violations } = context;
  const tokens = new Set(facts.sent.map(({ token }) => token));
  for (const event of facts.events) {
    if (!accepted.has(event.email_id))
      violate(
        context,
        "unaccounted",
        null,
        `event ${event.id} of ${event.email_id}, subject ${event.subject}`,
      );
  }
  const messageIds = new Set(
    facts.emailService
      ? facts.emailService.copies.map(({ messageId }) => messageId)
      : facts.events.map(({ message_id: id }) => id),
  );
  for (const { what, subject = "", messageId = "", to, isOwnText } of facts.mail) {
    if (what === "taken" && !isOwnText)
      violate(context, "unaccounted", subject, `mail ${messageId} to ${to} has another's text`);
    if (what !== "taken" || (tokens.has(subject) && messageIds.has(messageId))) continue;
    violations.push({
      rule: "unaccounted",
      token: tokens.has(subject) ? subject : null,
      detail: `mail ${messageId} to ${to} was never accepted`,
    });
  }
  const twice = Map.groupBy(facts.events, ({ id }) => id);
  for (const [id, events] of twice)
    if (events.length > 1)
      violate(context, "unaccounted", null, `event ${id} is in the history ${events.length} times`);
}

/** Every event reaches every webhook that subscribes to it, and no other webhook. */
function checkHooks(context: Context): void {
  for (const { name, types, received, wrong } of context.facts.hooks) {
    for (const problem of wrong) violate(context, "webhook", null, `${name}: ${problem}`);
    for (const { id, type, subject, recipient } of context.facts.events) {
      if (types.includes(type) && !received.has(id))
        violate(context, "webhook", subject, `${name} never got ${type} ${id} for ${recipient}`);
      if (!types.includes(type) && received.has(id))
        violate(
          context,
          "webhook",
          subject,
          `${name} got ${type} ${id}, which it does not subscribe to`,
        );
    }
  }
}

function violate(
  { violations }: Context,
  rule: string,
  token: string | null,
  detail: string,
): void {
  violations.push({ rule, token, detail });
}
