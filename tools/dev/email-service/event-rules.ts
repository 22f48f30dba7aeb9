// Rules by which the double of the Email Service changes its events. An event can be late, doubled
// or lost, come in reverse order, have another message's id, or have an unknown type. The first
// rule that matches an event applies (docs/local.md §The Email Service).
import type * as z from "zod";
import { FLAG, type RuleList, ruleOf } from "../rule-list.ts";
import { oneOf } from "../set-values.ts";
import {
  ofUnknownType,
  SENDING_EVENT_TYPES,
  type SendingEvent,
  shortTypeOf,
  underOtherId,
} from "./sending-events.ts";
import type { ServiceMessage } from "./taken-messages.ts";

const FLAGS = {
  /** Never publishes the event. */
  lose: FLAG,
  /** Publishes the event twice, with the same event id. */
  double: FLAG,
  /**
   * Keeps the event back until the message has its final result. Then all such events are published
   * in reverse order.
   */
  reverse: FLAG,
  /** Publishes the event with a message id that `send()` never returned. */
  other_id: FLAG,
  /** Publishes an additional event of an unknown type before this event. */
  unknown: FLAG,
};
const FLAG_NAMES = Object.keys(FLAGS) as (keyof typeof FLAGS)[];

/** `delay_ms` publishes the event later. Without a `type`, a rule applies to every type. */
export const EventRule = ruleOf({ type: oneOf(SENDING_EVENT_TYPES).optional(), ...FLAGS }).refine(
  (rule) => rule.delay_ms !== undefined || FLAG_NAMES.some((flag) => rule[flag]),
  `has none of delay_ms, ${FLAG_NAMES.join(", ")}`,
);

export type EventRules = RuleList<z.infer<typeof EventRule>>;

/** Applies the rules to an event, and stores the resulting events with the message. */
export function applyEventRules(
  rules: EventRules,
  message: ServiceMessage,
  event: SendingEvent,
  now: number,
): void {
  const type = shortTypeOf(event);
  const fits = (one: z.infer<typeof EventRule>): boolean => (one.type ?? type) === type;
  const [rule = {}] = rules.applying([event.payload.recipient], fits);
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

/** Returns a message id that `send()` never returned. All events of one message get the same id. */
function otherIdOf(messageId: string): string {
  const at = messageId.indexOf("@");
  return `<${messageId.slice(1, at).split("").toReversed().join("")}${messageId.slice(at)}`;
}
