// Checks the guarantees when a storm is over and everything has settled. No accepted message may be
// lost, and none may be sent twice if the service could prevent it (docs/architecture.md §The life
// of a message). The check reads the facts of a round and returns the violations in them. Pure.
import type { SentMessage } from "../clients.ts";
import { excusesOf } from "../email-service/second-copies.ts";
import type { EventFact, JournalFact, MailFact, RoundFacts } from "../recorded-facts.ts";
import { findWrongTimes } from "./event-times.ts";

export interface Violation {
  readonly rule: string;
  /** The message's token (its subject). Null: the violation is not about a single message. */
  readonly token: string | null;
  readonly detail: string;
}

/** A second copy that is excused: no surviving process knew the first copy's outcome. */
interface UnknownFate {
  readonly token: string;
  readonly recipient: string;
  readonly copies: number;
  readonly why: string;
}

export type JudgedRound = ReturnType<typeof check>;

const TERMINAL = new Set(["email.delivered", "email.bounced", "email.suppressed"]);
/**
 * Milliseconds around a final dot. A kill of the gateway in this time makes the outcome unknown,
 * because the gateway may not have read the reply.
 */
const KILL_WINDOW_MS = 2_000;

/** A recipient's copy of an accepted message. */
interface AcceptedCopy {
  readonly message: SentMessage;
  readonly emailId: string;
  readonly recipient: string;
  /** The copy in the gateway's journal: `<email id>/<recipient index>`. */
  readonly key: string;
}

/** `recipients` is the number of recipients of the accepted messages. */
export function check(facts: RoundFacts) {
  return new RoundCheck(facts).judge();
}

class RoundCheck {
  readonly #facts: RoundFacts;
  readonly #violations: Violation[] = [];
  readonly #unknownFates: UnknownFate[] = [];
  readonly #eventsOf: ReadonlyMap<string, readonly EventFact[]>;
  readonly #mailOf: ReadonlyMap<string, readonly MailFact[]>;
  readonly #journalOf: ReadonlyMap<string, readonly JournalFact[]>;

  constructor(facts: RoundFacts) {
    this.#facts = facts;
    this.#eventsOf = Map.groupBy(facts.events, ({ email_id: id }) => id);
    this.#mailOf = Map.groupBy(facts.mail, ({ to }) => to);
    this.#journalOf = Map.groupBy(facts.journal, ({ key }) => key.slice(0, key.lastIndexOf("/")));
  }

  judge() {
    const { sent, debited } = this.#facts;
    const accepted = sent.flatMap((message) =>
      message.isCanceled
        ? this.#checkCanceled(message)
        : this.#idsOf(message).map((emailId) => ({ message, emailId })),
    );
    const copies = accepted.flatMap((one) =>
      one.message.recipients.map((recipient, index) => ({
        ...one,
        recipient,
        key: `${one.emailId}/${index}`,
      })),
    );
    for (const copy of copies) this.#checkCopy(copy);
    this.#checkUnaccounted(new Set(accepted.map(({ emailId }) => emailId)));
    this.#checkHooks();
    const recipients = copies.length;
    if (debited !== null && debited !== recipients)
      this.#violate("quota", null, `${debited} debited, ${recipients} recipients accepted`);
    return { violations: this.#violations, unknownFates: this.#unknownFates, recipients };
  }

  /** Returns the message's ids: the promised id, and the ids of tries whose answer was lost. */
  #idsOf(message: SentMessage): string[] {
    const { token, emailId, log } = message;
    const ids = new Set(this.#eventsAbout(token).map(({ email_id: id }) => id));
    if (emailId !== null && !ids.has(emailId)) {
      this.#violate("lost", token, `${emailId} was promised, but has no event`);
      ids.add(emailId);
    }
    const all = [...ids].join(" ");
    const most = message.keyed ? 1 : message.tries;
    if (ids.size > most) this.#violate("accepted twice", token, `${all} from ${most} sends`);
    if (saidNothingStored(message) && ids.size > 0)
      this.#violate("stored", token, `${all} despite the answer 502`);
    const last = log.at(-1)?.what ?? "";
    if (last.startsWith("refused")) this.#violate("refused", token, last);
    return [...ids];
  }

  /** A canceled message must have no event, and its recipients must not count against the quota. */
  #checkCanceled({ token, emailId }: SentMessage): never[] {
    const events = this.#eventsAbout(token);
    if (events.length > 0) this.#violate("canceled", token, `${emailId} has ${typesOf(events)}`);
    return [];
  }

  #eventsAbout(token: string): EventFact[] {
    return this.#facts.events.filter(({ subject }) => subject === token);
  }

  #checkCopy(copy: AcceptedCopy): void {
    const { message, emailId, recipient } = copy;
    const events = (this.#eventsOf.get(emailId) ?? []).filter((one) => one.recipient === recipient);
    const violation = (rule: string, detail: string): void =>
      this.#violate(rule, message.token, `${emailId} to ${recipient}: ${detail}`);
    const [end, ...others] = events.filter(({ type }) => TERMINAL.has(type));
    if (!end || others.length > 0)
      return violation("one end", `the events of the recipient are ${typesOf(events) || "none"}`);
    const messageIds = this.#messageIdsOf(copy, end);
    const mail = (this.#mailOf.get(recipient) ?? []).filter(
      (one) => one.what === "refused" || messageIds.has(one.messageId),
    );
    const taken = mail.filter(({ what }) => what === "taken");
    const sent = events.filter(({ type }) => type === "email.sent");
    this.#checkCopies(copy, taken);
    const times = [...events.map(timeOf), ...taken.map(({ at }) => at)];
    if (Math.min(...times) < message.notBefore)
      violation("too early", `scheduled for ${new Date(message.notBefore).toISOString()}`);
    for (const detail of findWrongTimes(this.#facts, recipient, events, taken))
      violation("times", detail);
    if (sent.length > 1 || sent.some(({ occurred_at: at }) => at > end.occurred_at))
      violation("sent before", `${sent.length} sent events`);
    const hadBounced = this.#facts.bounced.has(recipient);
    switch (end.type) {
      case "email.delivered":
        if (sent.length === 0 && !message.isSentBefore) violation("sent before", "never sent");
        if (taken.length === 0) violation("delivered", "the mail server does not have the message");
        if (hadBounced) violation("suppressed", "the address had bounced permanently before");
        break;
      case "email.bounced":
        if (end.bounce_type !== "permanent")
          violation("bounced", `a ${end.bounce_type} bounce, but the storm took only seconds`);
        if (!mail.some(({ what, reply = "" }) => what === "refused" && reply.startsWith("5")))
          violation("bounced", "the mail server has not refused the message");
        if (this.#countKnown(copy, taken) > 0)
          violation("bounced", "the courier knew that the mail server had taken the message");
        break;
      default:
        if (taken.length > 0 || sent.length > 0)
          violation("suppressed", "the message was sent nevertheless");
        if (!hadBounced) violation("suppressed", "the address has never bounced");
    }
  }

  /** The Message-IDs of a recipient's copies. The Email Service gives each copy its own id. */
  #messageIdsOf(
    { message: { token }, recipient }: AcceptedCopy,
    end: EventFact,
  ): ReadonlySet<string | undefined> {
    const { emailService } = this.#facts;
    if (!emailService) return new Set([end.message_id]);
    const own = emailService.copies.filter(
      (copy) => copy.subject === token && copy.recipient === recipient,
    );
    return new Set(own.map(({ messageId }) => messageId));
  }

  /** All copies but one need an excuse. An unknown outcome is an excuse. */
  #checkCopies(copy: AcceptedCopy, taken: readonly MailFact[]): void {
    const { emailService } = this.#facts;
    if (!emailService) return this.#checkGatewayCopies(copy, taken);
    if (taken.length < 2) return;
    const excuses = excusesOf(emailService, copy.recipient, taken);
    const why = excuses.find((excuse) => excuse !== null);
    const known = this.#countKnown(copy, taken);
    if (known > 1 || !why)
      this.#sentTwice(copy, `${taken.length} copies, ${known} of them with a known fate`);
    else this.#excuse(copy, taken, why);
  }

  #checkGatewayCopies(copy: AcceptedCopy, taken: readonly MailFact[]): void {
    const known = this.#countKnown(copy, taken);
    if (known > 1) this.#sentTwice(copy, `the gateway has ${known} deliveries in its journal`);
    const unknown = (this.#journalOf.get(copy.key) ?? []).filter(
      ({ outcome }) => outcome.kind === "failure" && outcome.detail?.startsWith("unknown fate"),
    ).length;
    const cutShort = taken.filter((one) => this.#wasCutShort(one)).length;
    const unexplained = taken.length - Math.min(known, 1) - unknown - cutShort;
    if (taken.length < 2) return;
    if (unexplained > 0)
      this.#sentTwice(copy, `${taken.length} copies, fate known: ${known}, unknown: ${unknown}`);
    else
      this.#excuse(
        copy,
        taken,
        unknown > 0
          ? "the connection was lost after the final dot"
          : "the gateway was killed around the final dot",
      );
  }

  #sentTwice({ message, recipient }: AcceptedCopy, detail: string): void {
    this.#violate("sent twice", message.token, `to ${recipient}: ${detail}`);
  }

  #excuse({ message, recipient }: AcceptedCopy, taken: readonly MailFact[], why: string): void {
    this.#unknownFates.push({ token: message.token, recipient, copies: taken.length, why });
  }

  #wasCutShort(taken: MailFact): boolean {
    const { mail, gatewayKills } = this.#facts;
    const times = mail.filter(({ n }) => n === taken.n).map(({ at }) => at);
    const [from, to] = [Math.min(...times) - KILL_WINDOW_MS, Math.max(...times) + KILL_WINDOW_MS];
    return gatewayKills.some(({ at, by }) => by === taken.by && at >= from && at <= to);
  }

  /** Returns the number of copies which the mail server took and whose outcome the courier knows. */
  #countKnown({ recipient, key }: AcceptedCopy, taken: readonly MailFact[]): number {
    const { emailService } = this.#facts;
    if (emailService)
      return excusesOf(emailService, recipient, taken).filter((excuse) => excuse === null).length;
    return (this.#journalOf.get(key) ?? []).filter(
      ({ outcome }) => outcome.kind === "reply" && outcome.code !== undefined && outcome.code < 300,
    ).length;
  }

  /** Mail and events must not exist without a send. */
  #checkUnaccounted(accepted: ReadonlySet<string>): void {
    const { sent, events, mail, emailService } = this.#facts;
    const violation = (token: string | null, detail: string): void =>
      this.#violate("unaccounted", token, detail);
    const tokens = new Set(sent.map(({ token }) => token));
    for (const { id, email_id: emailId, subject } of events)
      if (!accepted.has(emailId)) violation(null, `event ${id} of ${emailId}, subject ${subject}`);
    const messageIds = new Set(
      emailService
        ? emailService.copies.map(({ messageId }) => messageId)
        : events.map(({ message_id: id }) => id),
    );
    for (const { what, subject = "", messageId = "", to, isOwnText } of mail) {
      if (what !== "taken") continue;
      if (!isOwnText) violation(subject, `mail ${messageId} to ${to} has another's text`);
      const isSent = tokens.has(subject);
      if (!isSent || !messageIds.has(messageId))
        violation(isSent ? subject : null, `mail ${messageId} to ${to} was never accepted`);
    }
    for (const [id, { length }] of Map.groupBy(events, (event) => event.id))
      if (length > 1) violation(null, `event ${id} is in the history ${length} times`);
  }

  /** Every event reaches every webhook that subscribes to it, and no other webhook. */
  #checkHooks(): void {
    for (const { name, types, received, wrong } of this.#facts.hooks) {
      for (const problem of wrong) this.#violate("webhook", null, `${name}: ${problem}`);
      for (const { id, type, subject, recipient } of this.#facts.events) {
        const isWanted = types.includes(type);
        if (isWanted === received.has(id)) continue;
        const detail = isWanted
          ? `never got ${type} ${id} for ${recipient}`
          : `got ${type} ${id}, which it does not subscribe to`;
        this.#violate("webhook", subject, `${name} ${detail}`);
      }
    }
  }

  #violate(rule: string, token: string | null, detail: string): void {
    this.#violations.push({ rule, token, detail });
  }
}

/** Tells whether the message's only answer is a 502 which says that nothing was stored. */
function saidNothingStored({ keyed, log }: SentMessage): boolean {
  const [{ what } = { what: "" }, ...others] = log;
  const isAlone = !keyed && others.length === 0;
  return isAlone && what.startsWith("again: 502") && !what.includes("hides whether");
}

function typesOf(events: readonly EventFact[]): string {
  return events.map(({ type }) => type).join(", ");
}

function timeOf({ occurred_at: at }: EventFact): number {
  return Date.parse(at);
}
