// Decides whether the service may now call a URL that a team chose (contract.md §Webhook targets),
// by the rules for the URL's text and by the current addresses of its host.
import type { Settings } from "../../settings.ts";
import { WEBHOOK_LOOKUP_TIMEOUT_MS } from "../../limits.ts";
import { dnsResolver } from "../domains/resolver.ts";
import { mayBeAddress, nameToLookUp, targetOptions, targetProblem } from "./webhook-target.ts";

/** All addresses of the host must be public, because the connection may use any of them. */
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
