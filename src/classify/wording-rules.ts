// The order in which the bounce rules on wording are tried (contract.md §Bounces). Rules that blame
// the sender, the source or the message come before those that blame the recipient's address,
// because only a refusal of the address suppresses it. Pure.
import { MAILBOX_ABROAD, QUOTA_ABROAD, REFUSED_ABROAD, SENDER_ABROAD } from "./abroad-rules.ts";
import { ABSENT_ADDRESS, INACTIVE, UNMISTAKABLE } from "./address-rules.ts";
import type { BounceRule } from "./bounce-class.ts";
import { MISCELLANEOUS, NO_REASON } from "./other-rules.ts";
import { LOOK_UP, ROUTE, STORAGE } from "./recipient-rules.ts";
import { ACCESS, AUTHENTICATION, LIMITS, POLICY, SENDER } from "./sender-rules.ts";
import { CONTENT, HARMFUL, SOURCE, SPAM } from "./spam-rules.ts";
import { LEANINGS, TOPICS } from "./topic-rules.ts";

export const WORDING_RULES: readonly BounceRule[] = [
  ...LOOK_UP,
  ...UNMISTAKABLE,
  ...AUTHENTICATION,
  ...HARMFUL,
  ...SOURCE,
  ...ACCESS,
  ...LIMITS,
  ...SPAM,
  ...CONTENT,
  ...QUOTA_ABROAD,
  ...STORAGE,
  ...POLICY,
  ...SENDER_ABROAD,
  ...SENDER,
  ...INACTIVE,
  ...ROUTE,
  ...ABSENT_ADDRESS,
  ...MAILBOX_ABROAD,
  ...MISCELLANEOUS,
  ...TOPICS,
  ...NO_REASON,
  ...REFUSED_ABROAD,
  ...LEANINGS,
];
