// The refusals of a provider that carries mail, such as Cloudflare's Email Service
// (docs/couriers.md). The provider may refuse a message without asking the recipient's server. The
// `rule` of an attempt names the refusal, so that an explanation can distinguish the provider's
// words from a server's. Pure.

export const PROVIDER_REFUSALS = [
  "suppressed_by_provider", // the recipient is on the provider's own suppression list
  "recipient_not_allowed_by_provider", // the account may not send to this recipient
  "sender_not_set_up_at_provider", // the sending domain is not onboarded
  "content_refused_by_provider", // the message's form or size
  "refused_by_provider", // any other reason
  "undelivered_by_provider", // the provider gave up, and quotes no reply of a server
  "unclear_answer_of_provider", // the provider's words are unknown, so it may have accepted the message
] as const;

export type ProviderRefusal = (typeof PROVIDER_REFUSALS)[number];

const PREFIX = "provider: ";

/** Returns the refusal as the rule of an attempt. */
export function ruleOfProvider(refusal: ProviderRefusal): string {
  return PREFIX + refusal;
}

/** Finds the refusal that a rule names. Undefined means that the provider did not refuse. */
export function providerRefusalIn(rule: string | null | undefined): ProviderRefusal | undefined {
  return PROVIDER_REFUSALS.find((refusal) => rule === ruleOfProvider(refusal));
}
