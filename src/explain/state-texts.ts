// The texts on mail that waits or was not refused (contract.md §Explanations), as data. A word in
// braces stands for a fact: {domain} is the recipient's domain. Pure.
import type { WaitReason } from "../rpc/recipient-states.ts";
import { tellOperator } from "./advice-texts.ts";
import type { Advice, StateText } from "./explanation.ts";

const WAIT: Advice = { kind: "wait", text: "Wait: you do not need to do anything now." };
/** Advice for states that look the same when a part of the service is down. */
const WAIT_TEN_MINUTES: Advice = {
  kind: "wait",
  text: "Wait. If this lasts longer than ten minutes, tell the operator of this service.",
};

/** Texts on a message without an event, for each reason why it waits. */
export const WAIT_TEXTS: Readonly<Record<WaitReason, StateText>> = {
  rate: {
    summary: "The message is waiting its turn: your team can send to {rate} recipients per minute.",
    next: "It will be sent once the messages ahead of it have left.",
    actions: [
      {
        kind: "raise_limit",
        text: "Wait, or ask the operator of this service for a higher delivery rate.",
        href: "/v1/usage",
      },
    ],
  },
  queue: {
    summary: "The message is waiting to be sent to {domain}.",
    next: "It will be sent shortly.",
    actions: [WAIT_TEN_MINUTES],
  },
  attempt: {
    summary: "The message is being sent to {domain}.",
    next: "The server's answer is recorded as soon as it comes.",
    actions: [WAIT_TEN_MINUTES],
  },
  room: {
    summary:
      "The message is waiting for its turn at {domain}, which takes only so much mail at once.",
    next: "It will be sent after the older mail for {domain}; attempts end at {deadline}.",
    actions: [WAIT],
  },
  courier: {
    summary: "The message is waiting: this service cannot send mail right now.",
    next: "The service will try again every few minutes.",
    actions: [
      tellOperator("If this lasts longer than a few minutes, tell the operator of this service."),
    ],
  },
  retry: {
    summary: "The message is waiting for its next attempt at {domain}.",
    next: "Next retry at {next_attempt}; retries end at {deadline}.",
    actions: [WAIT],
  },
  provider: {
    summary: "The sending provider has the message but has not reported an outcome yet.",
    next: "The service will wait for the provider's report until {deadline}.",
    actions: [WAIT],
  },
};

/** Texts on the next step after a delay, for each reason why the delivery waits now. */
export const DELAY_NEXT: Readonly<Record<WaitReason, string>> = {
  rate: "The service will retry soon; retries end at {deadline}.",
  queue: "The service is about to retry; retries end at {deadline}.",
  attempt: "The service is retrying now; retries end at {deadline}.",
  room: "The service will retry after the older mail for {domain}; retries end at {deadline}.",
  courier: "The service will retry once it can send mail; retries end at {deadline}.",
  retry: "Next retry at {next_attempt}; retries end at {deadline}.",
  provider: "The sending provider will retry until {deadline}.",
};

export const DELAY_ACTION: Advice = {
  kind: "wait",
  text: "Wait: the message may still be delivered.",
};

/** The texts of states that need only one text. */
export const STATE_TEXTS = {
  scheduled: {
    summary: "The message is scheduled for {scheduled}.",
    next: "It will be sent to {address} at that time.",
    actions: [
      {
        kind: "change_schedule",
        text: "Until then you can reschedule or cancel the message.",
        href: "/v1/email/{email_id}",
      },
    ],
  },
  canceled: {
    summary: "The message was canceled before it was sent.",
    next: "It will not be sent.",
    actions: [],
  },
  delivered: {
    summary: "{domain} accepted the message.",
    next: "{domain} decides whether the message goes to the inbox or to spam.",
    actions: [],
  },
  unreported: {
    summary: "Cloudflare took the message, and reports nothing for this address.",
    next:
      "The address is a verified destination of the Cloudflare account that sends the mail: " +
      "Cloudflare delivers such mail as a rule, and publishes no event about it.",
    actions: [],
  },
  complained: {
    summary: "The recipient reported the message as spam.",
    next: "",
    actions: [
      {
        kind: "remove_from_list",
        text: "Remove the address from your lists, and find out why the message was unwanted.",
      },
    ],
  },
  unknown: {
    summary: "No messages to {address} in the last {days} days.",
    next: "The address is not suppressed: you can send to it.",
    actions: [
      {
        kind: "correct_address",
        text: "Check that your code used exactly this address.",
      },
    ],
  },
} as const satisfies Readonly<Record<string, StateText>>;
