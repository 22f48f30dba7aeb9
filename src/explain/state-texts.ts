// The texts on mail that waits or went its way (contract.md §Explanations), as data. A word in braces
// stands for a fact: {domain} is the recipient's. Pure.
import type { JobHold } from "../contracts/recipient-states.ts";
import type { Advice, StateText } from "./explanation.ts";

const WAIT: Advice = { kind: "wait", text: "Wait: there is nothing to do for now." };

/** A message that waits before anything became of it, by what it waits for. */
export const HOLD_TEXTS: Readonly<Record<JobHold, StateText>> = {
  rate: {
    summary:
      "The message waits for its turn: at most {rate} messages a minute leave for your team.",
    next: "It is sent as soon as the messages before it have left.",
    actions: [
      {
        kind: "raise_limit",
        text: "Wait, or ask the operator of this service for a higher delivery rate.",
        href: "/v1/usage",
      },
    ],
  },
  queue: {
    summary: "The message is about to be sent to {domain}.",
    next: "It is sent within moments.",
    actions: [WAIT],
  },
  attempt: {
    summary: "The message is being sent to {domain} now.",
    next: "The server's answer is recorded as soon as it comes.",
    actions: [WAIT],
  },
  courier: {
    summary: "The message waits, because no mail can leave this service at the moment.",
    next: "The service tries again every few minutes.",
    actions: [
      {
        kind: "contact_operator",
        text: "If this lasts longer than a few minutes, tell the operator of this service.",
      },
    ],
  },
  retry: {
    summary: "The message waits for its next attempt at {domain}.",
    next: "The service tries again at {next_attempt}, and gives up at {deadline}.",
    actions: [WAIT],
  },
  provider: {
    summary: "The mail provider has the message, and has not reported an outcome yet.",
    next: "The service waits for the provider's report until {deadline}.",
    actions: [WAIT],
  },
};

/** The sentences on what follows a delay, by what the job waits for now. */
export const DELAY_NEXT: Readonly<Record<JobHold, string>> = {
  rate: "The service tries again soon, and gives up at {deadline}.",
  queue: "The service tries again now, and gives up at {deadline}.",
  attempt: "The service is trying again now, and gives up at {deadline}.",
  courier: "The service tries again when mail can leave again, and gives up at {deadline}.",
  retry: "The service tries again at {next_attempt}, and gives up at {deadline}.",
  provider: "The mail provider goes on trying until {deadline}.",
};

export const DELAY_ACTION: Advice = {
  kind: "wait",
  text: "Wait: the message may still be delivered.",
};

/** The states that have one text each. */
export const STATE_TEXTS = {
  scheduled: {
    summary: "The message is scheduled for {scheduled}.",
    next: "It is sent to {address} at that time.",
    actions: [
      {
        kind: "change_schedule",
        text: "Until then you can reschedule or cancel the message.",
        href: "/v1/email/{email_id}",
      },
    ],
  },
  canceled: {
    summary: "The message was canceled before its time came.",
    next: "It will not be sent.",
    actions: [],
  },
  delivered: {
    summary: "{domain} accepted the message.",
    next: "{domain} decides whether the message goes to the inbox or to spam.",
    actions: [],
  },
  complained: {
    summary: "The recipient reported the message as spam.",
    next: "",
    actions: [
      {
        kind: "remove_from_list",
        text: "Take the address off your lists, and find out why the message was unwanted.",
      },
    ],
  },
  unknown: {
    summary: "No message to {address} is known from the last {days} days.",
    next: "The address is not suppressed: the next message to it will be sent.",
    actions: [
      {
        kind: "correct_address",
        text: "Check that your program sent to exactly this address.",
      },
    ],
  },
} as const satisfies Readonly<Record<string, StateText>>;
