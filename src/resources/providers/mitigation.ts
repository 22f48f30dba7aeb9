// Names the page on which a provider accepts senders' requests about refused mail. Findings and
// explanations of single messages both give this advice (contract.md §Explanations). Pure.
import { addressDomain } from "../../lib/address.ts";
import type { Mitigation } from "../../explain/explanation.ts";
import { providerOf, type RealProvider } from "./provider-of.ts";
import { PROVIDER_RULES } from "./provider-rules.ts";

/** Returns the provider's page, or null if the provider is unknown. */
export function mitigationOf(provider: RealProvider | null): Mitigation | null {
  const rules = PROVIDER_RULES.find(({ name }) => name === provider);
  if (!rules) return null;
  const href = "contact" in rules ? rules.contact : rules.source;
  return { text: `Ask ${rules.title} for mitigation: ${href}`, href };
}

/** Returns the page of the provider whose server answered, or of the recipient's domain. */
export function mitigationAt(mxHost: string | null, recipient: string): Mitigation | null {
  return mitigationOf(providerOf(mxHost, addressDomain(recipient)));
}
