// The order in which the wording rules for bounces are tried (contract.md §Bounces). A bounce that
// blames the recipient's address suppresses it. So the rules that blame the sender, the source or
// the message come first. Pure.
import {
  FOREIGN_MAILBOX,
  FOREIGN_QUOTA,
  FOREIGN_REFUSAL,
  FOREIGN_SENDER,
} from "./foreign-language-rules.ts";
import { ABSENT_ADDRESS, UNMISTAKABLE } from "./address-rules.ts";
import type { BounceRule } from "./bounce-class.ts";
import { INACTIVE } from "./inactive-rules.ts";
import { MISCELLANEOUS, NO_REASON } from "./other-rules.ts";
import { DNS_LOOKUP, ROUTE, STORAGE } from "./recipient-rules.ts";
import { ACCESS, AUTHENTICATION, LIMITS, POLICY, SENDER } from "./sender-rules.ts";
import { CONTENT, HARMFUL, SOURCE, SPAM } from "./spam-rules.ts";
import { TOPIC_HINTS, TOPICS } from "./topic-rules.ts";

export const WORDING_RULES: readonly BounceRule[] = [
  ...DNS_LOOKUP,
  ...UNMISTAKABLE,
  ...AUTHENTICATION,
  ...HARMFUL,
  ...SOURCE,
  ...ACCESS,
  ...LIMITS,
  ...SPAM,
  ...CONTENT,
  ...FOREIGN_QUOTA,
  ...STORAGE,
  ...POLICY,
  ...FOREIGN_SENDER,
  ...SENDER,
  ...INACTIVE,
  ...ROUTE,
  ...ABSENT_ADDRESS,
  ...FOREIGN_MAILBOX,
  ...MISCELLANEOUS,
  ...TOPICS,
  ...NO_REASON,
  ...FOREIGN_REFUSAL,
  ...TOPIC_HINTS,
];
