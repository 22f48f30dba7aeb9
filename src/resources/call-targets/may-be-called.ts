// Decides whether the service may call a URL of a team (contract.md §Webhook targets), by the URL's
// text and by the current addresses of its host.
import type { Settings } from "../../settings.ts";
import { WEBHOOK_LOOKUP_TIMEOUT_MS } from "../../limits.ts";
import { dnsResolver } from "../domains/resolver.ts";
import { mayBeAddress, nameToLookUp, targetOptions, targetProblem } from "./call-target.ts";

/** Returns whether the service may call the URL now. */
export async function mayBeCalled(settings: Settings, url: URL): Promise<boolean> {
  return (await callProblem(settings, url)) === undefined;
}

/**
 * Returns the reason to refuse the URL now, as a text that follows the field's name. Returns
 * undefined if the URL is allowed. All addresses of the host must be public, because the connection
 * may use any of them.
 */
export async function callProblem(settings: Settings, url: URL): Promise<string | undefined> {
  const options = targetOptions(settings);
  const problem = targetProblem(url, options);
  const name = nameToLookUp(url);
  if (problem !== undefined || name === undefined) return problem;
  const resolver = dnsResolver(
    settings.dnsResolverUrl,
    WEBHOOK_LOOKUP_TIMEOUT_MS,
    WEBHOOK_LOOKUP_TIMEOUT_MS,
  );
  const found = await resolver.everyAddress(name);
  if (found.kind === "failed") return "has a host that DNS gives no answer for";
  if (found.kind !== "answer") return "must be a public host: DNS has no address for it";
  return found.values.every((address) => mayBeAddress(address, options))
    ? undefined
    : "must be a public host: it has an address that is not public";
}
