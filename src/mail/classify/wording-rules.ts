// The order in which the bounce rules on wording are tried (contract.md §Bounces). Rules that blame
// the sender, the source or the message come before those that blame the recipient's address,
// because only a refusal of the address suppresses it. Pure.
import { MAILBOX_ABROAD, QUOTA_ABROAD, REFUSED_ABROAD, SENDER_ABROAD } from "./abroad-rules.ts";
import type { BounceRule } from "./bounce-class.ts";
import { MISCELLANEOUS } from "./other-rules.ts";
import { ADDRESS, MAILBOX, ROUTE, STORAGE, UNMISTAKABLE } from "./recipient-rules.ts";
import { ACCESS, AUTHENTICATION, LIMITS, POLICY, SENDER } from "./sender-rules.ts";
import { HARMFUL, SOURCE, SPAM } from "./spam-rules.ts";

export const WORDING_RULES: readonly BounceRule[] = [
  ...UNMISTAKABLE,
  ...AUTHENTICATION,
  ...HARMFUL,
  ...SOURCE,
  ...ACCESS,
  ...LIMITS,
  ...SPAM,
  ...QUOTA_ABROAD,
  ...STORAGE,
  ...POLICY,
  ...SENDER_ABROAD,
  ...SENDER,
  ...MAILBOX,
  ...ROUTE,
  ...ADDRESS,
  ...MAILBOX_ABROAD,
  ...MISCELLANEOUS,
  ...REFUSED_ABROAD,
];
