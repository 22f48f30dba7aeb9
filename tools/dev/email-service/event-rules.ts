// Rules by which the double of the Email Service changes its events: they can be late, doubled,
// lost, in reverse order, of another message, or of an unknown type. The first rule that matches an
// event applies (docs/local.md §The Email Service). The rules survive a restart.
import { Problem } from "../http-server.ts";
import { parsePattern } from "../inbox/inbox-rules.ts";
import { StateMirror } from "./state-mirror.ts";
import {
  ofUnknownType,
  SENDING_EVENT_TYPES,
  type SendingEvent,
  type SendingEventType,
  shortTypeOf,
  underOtherId,
} from "./sending-events.ts";
import type { ServiceMessage } from "./taken-messages.ts";

const DELAY_MAX_MS = 60 * 60 * 1000;
const FLAGS = ["lose", "double", "reverse", "other_id", "unknown"] as const;
const MEMBERS: ReadonlySet<string> = new Set([...FLAGS, "type", "rcpt", "times", "delay_ms"]);

export interface EventRule {
  /** The type of the events that the rule applies to. Absent means every type. */
  readonly type?: SendingEventType;
  /**
   * Case-insensitive regular expression. The rule applies if a part of the recipient's address
   * matches. Absent means every recipient.
   */
  readonly rcpt?: string;
  /** Number of events that the rule applies to. Absent means no limit. */
  readonly times?: number;
  /** Publishes the event after this number of milliseconds. */
  readonly delay_ms?: number;
  /** Never publishes the event. */
  readonly lose?: boolean;
  /** Publishes the event twice, with the same event id. */
  readonly double?: boolean;
  /**
   * Keeps the event back until the message has its final result. Then all events that were kept
   * back are published in reverse order.
   */
  readonly reverse?: boolean;
  /** Publishes the event with a message id that `send()` never returned. */
  readonly other_id?: boolean;
  /** Publishes another event of an unknown type before this event. */
  readonly unknown?: boolean;
}

interface HeldRule {
  readonly rule: EventRule;
  readonly pattern: RegExp | null;
  used: number;
}

export class EventRules {
  readonly #file: StateMirror;
  #held: HeldRule[] = [];

  constructor(path: string) {
    this.#file = new StateMirror(path, () => this.list());
    const kept = this.#file.read() as { rules: unknown; used: number[] } | undefined;
    if (!kept) return;
    this.#held = parseRules(kept.rules);
    for (const [index, held] of this.#held.entries()) held.used = kept.used[index] ?? 0;
  }

  /** Replaces all rules and resets their counts. Throws a 400 Problem. */
  replace(rules: unknown): void {
    this.#held = parseRules(rules);
    this.#file.keep();
  }

  /**
   * Returns the rules as they were given, and for each rule the number of events that it was
   * applied to.
   */
  list(): { rules: EventRule[]; used: number[] } {
    return {
      rules: this.#held.map(({ rule }) => rule),
      used: this.#held.map(({ used }) => used),
    };
  }

  /** Applies the rules to an event, and stores the resulting events with the message. */
  note(message: ServiceMessage, event: SendingEvent, now: number): void {
    const rule = this.#ruleFor(event);
    const due = now + (rule.delay_ms ?? 0);
    const told = rule.other_id ? underOtherId(event, otherIdOf(message.messageId)) : event;
    const events = [
      ...(rule.unknown ? [ofUnknownType(told)] : []),
      ...(rule.lose ? [] : [told]),
      ...(rule.double && !rule.lose ? [told] : []),
    ];
    if (rule.reverse) message.held.unshift(...events);
    else message.pending.push(...events.map((one) => ({ event: one, due })));
    if (!event.payload.terminal) return;
    message.pending.push(...message.held.map((one) => ({ event: one, due })));
    message.held = [];
  }

  #ruleFor(event: SendingEvent): EventRule {
    const type = shortTypeOf(event);
    const fitting = this.#held.find(
      ({ rule, pattern, used }) =>
        used < (rule.times ?? Infinity) &&
        (rule.type === undefined || rule.type === type) &&
        (pattern === null || pattern.test(event.payload.recipient)),
    );
    if (!fitting) return {};
    fitting.used += 1;
    this.#file.keep();
    return fitting.rule;
  }
}

/** Returns a message id that `send()` never returned. All events of one message get the same id. */
function otherIdOf(messageId: string): string {
  const at = messageId.indexOf("@");
  return `<${messageId.slice(1, at).split("").toReversed().join("")}${messageId.slice(at)}`;
}

function parseRules(value: unknown): HeldRule[] {
  if (!Array.isArray(value)) throw new Problem(400, "rules: is not a list");
  return value.map((rule: unknown, index) => parseRule(rule, `rules.${index}`));
}

function parseRule(value: unknown, path: string): HeldRule {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Problem(400, `${path}: is not an object`);
  const rule = value as Record<string, unknown>;
  for (const member of Object.keys(rule))
    if (!MEMBERS.has(member))
      throw new Problem(400, `${path}.${member}: is not a member of a rule`);
  const { type, times, delay_ms: delay } = rule;
  if (type !== undefined && !SENDING_EVENT_TYPES.includes(type as SendingEventType))
    throw new Problem(400, `${path}.type: is not one of ${SENDING_EVENT_TYPES.join(", ")}`);
  if (times !== undefined && !(Number.isSafeInteger(times) && (times as number) >= 1))
    throw new Problem(400, `${path}.times: is not a whole number of at least 1`);
  const isDelay =
    delay === undefined ||
    (Number.isSafeInteger(delay) && (delay as number) >= 0 && (delay as number) <= DELAY_MAX_MS);
  if (!isDelay)
    throw new Problem(400, `${path}.delay_ms: is not a whole number from 0 to ${DELAY_MAX_MS}`);
  for (const flag of FLAGS)
    if (rule[flag] !== undefined && typeof rule[flag] !== "boolean")
      throw new Problem(400, `${path}.${flag}: is not true or false`);
  if (delay === undefined && !FLAGS.some((flag) => rule[flag] === true))
    throw new Problem(400, `${path}: has none of delay_ms, ${FLAGS.join(", ")}`);
  const problem = (member: string, words: string) => new Problem(400, `${path}${member}: ${words}`);
  return { rule, pattern: parsePattern(rule["rcpt"], problem), used: 0 };
}
