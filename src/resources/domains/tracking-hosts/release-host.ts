// Removes the custom hostname of a tracking host after the host's domain is deleted. Tracked links
// in sent mail then no longer work. A job of the DNS_CLEANUP queue calls it.
import { coreWith, sharedCore } from "../../../db/core-shards.ts";
import type { Env } from "../../../env.ts";
import type { Settings } from "../../../settings.ts";
import { domainExists } from "../store.ts";
import { findCustomHostname, removeCustomHostname } from "./custom-hostnames.ts";
import { findHost, forgetHost } from "./store.ts";

/** Does the job. Returns null when the job is done, or the reason to retry it. */
export async function releaseHost(
  env: Env,
  settings: Settings,
  name: string,
): Promise<string | null> {
  const host = await findHost(sharedCore(env), name);
  // Another domain may have claimed the host in the meantime.
  if (host === null) return null;
  if (await domainExists(coreWith(env, host.domainId), host.domainId)) return null;
  if (host.isOurs) {
    const answer = await findCustomHostname(settings, name);
    if (answer.kind === "failed") return answer.reason;
    const left =
      answer.kind === "known" ? await removeCustomHostname(settings, answer.hostname.id) : null;
    if (left !== null) return left;
  }
  await forgetHost(sharedCore(env), name);
  return null;
}
