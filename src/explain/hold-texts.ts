// The texts on held mail, as data, with the remedy (contract.md §Explanations). Mail is held while
// its domain or the operator's account may not send. {from_domain} stands for the sending domain,
// {held_since} for the time of the first refusal, {hold_words} for the provider's words. Pure.
import type { Hold, HoldCode } from "../rpc/holds.ts";
import { tellOperator } from "./advice-texts.ts";
import type { Advice, RefusalText } from "./explanation.ts";

interface HoldText {
  /** The reason of the hold, which continues a sentence after a colon. */
  readonly reason: string;
  readonly remedy: Advice;
  readonly next: string;
}

const UP_TO =
  "Mail is held for 7 days at most, and this time does not count in the 72 hours of a message.";
const SOON = `Mail is sent within a minute once that is mended. ${UP_TO}`;

/** Advice if the provider does not accept mail of the sending domain. */
export const SET_UP_DOMAIN: Advice = tellOperator(
  "Ask the operator of this service to set up exactly {from_domain} in Cloudflare's Email " +
    "Service: a domain above it does not count.",
);

const SEND_AGAIN: Advice = {
  kind: "send_again",
  text: "Send the message again once that is mended.",
};

/** The texts on mail that expired because a hold lasted too long. */
export const HELD_OUT_TEXTS: Readonly<Record<`held_${Hold["scope"]}`, RefusalText>> = {
  held_domain: {
    reason: "the mail provider did not let this service send from {from_domain} for 7 days",
    sentence:
      "The message expired, because the mail provider did not let this service send from " +
      "{from_domain} for 7 days: that is for the operator of this service to change.",
    actions: [SET_UP_DOMAIN, SEND_AGAIN],
  },
  held_account: {
    reason: "the mail provider let this service send nothing for 7 days",
    sentence:
      "The message expired, because the mail provider let this service send nothing for 7 days: " +
      "that is for the operator of this service to change.",
    actions: [
      tellOperator(
        "Ask the operator of this service to check its Cloudflare account: its daily quota of " +
          "Email Sending, and whether sending is enabled.",
      ),
      SEND_AGAIN,
    ],
  },
};

export const HOLD_TEXTS: Readonly<Record<HoldCode, HoldText>> = {
  not_onboarded: {
    reason: "{from_domain} is not set up for sending in this service's Cloudflare account",
    remedy: SET_UP_DOMAIN,
    next: SOON,
  },
  sending_disabled: {
    reason: "Cloudflare has switched off sending from {from_domain}",
    remedy: tellOperator(
      "Ask the operator of this service to switch on sending from {from_domain} in Cloudflare's " +
        "Email Service, or to ask Cloudflare why it is off.",
    ),
    next: SOON,
  },
  not_entitled: {
    reason: "this service's Cloudflare account may not send mail",
    remedy: tellOperator(
      "Ask the operator of this service to check the plan of its Cloudflare account: Email " +
        "Sending needs Workers Paid.",
    ),
    next: SOON,
  },
  quota_used_up: {
    reason: "this service has used up its daily quota at Cloudflare",
    remedy: {
      kind: "wait",
      text:
        "Wait until the quota returns, or ask the operator of this service to get a higher quota " +
        "from Cloudflare.",
    },
    next: `Mail is sent within ten minutes after the quota returns. ${UP_TO}`,
  },
  unknown_words: {
    reason: "Cloudflare refuses mail from {from_domain} with words that this service does not know",
    remedy: tellOperator(
      'Send Cloudflare\'s words to the operator of this service: "{hold_words}".',
    ),
    next: SOON,
  },
};

export const HOLD_PATTERNS = {
  message: "The message is held since {held_since}: {hold_reason}.",
  domain: "Mail from {from_domain} is held: {hold_reason}. {hold_remedy}",
  quote: ' Cloudflare\'s words: "{hold_words}".',
} as const;
