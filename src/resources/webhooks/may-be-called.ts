// Decides whether a URL that a stranger chose may be called now (contract.md §Webhook targets): by
// the rules for its text, and by the addresses that its host has at this moment.
import type { Settings } from "../../settings.ts";
import { WEBHOOK_LOOKUP_TIMEOUT_MS } from "../../limits.ts";
import { dnsResolver } from "../domains/resolver.ts";
import { mayBeAddress, nameToLookUp, targetOptions, targetProblem } from "./webhook-target.ts";

/** All addresses of the name must be public, because the connection may use any of them. */
export async function mayBeCalled(settings: Settings, url: URL): Promise<boolean> {
  const options = targetOptions(settings);
  if (targetProblem(url, options) !== undefined) return false;
  const name = nameToLookUp(url);
  if (name === undefined) return true;
  const resolver = dnsResolver(
    settings.dnsResolverUrl,
    WEBHOOK_LOOKUP_TIMEOUT_MS,
    WEBHOOK_LOOKUP_TIMEOUT_MS,
  );
  const found = await resolver.everyAddress(name);
  return found.kind === "answer" && found.values.every((address) => mayBeAddress(address, options));
}
