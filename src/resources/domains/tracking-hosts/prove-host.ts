// Proves that a request over https to a tracking host reaches this service. If it does not, makes
// the custom hostname, with which Cloudflare issues the host's certificate (docs/tracking.md
// §Hosts).
import { sharedCore } from "../../../db/core-shards.ts";
import type { Env } from "../../../env.ts";
import type { Settings } from "../../../settings.ts";
import type { CheckFailure } from "../checks.ts";
import { type CustomHostname, findCustomHostname, makeCustomHostname } from "./custom-hostnames.ts";
import { probeHost } from "./host-probe.ts";
import { claimHost, setHostProblem, setHostname, type TrackingHost } from "./store.ts";

type HostFailure = CheckFailure<
  "tracking_host_taken" | "tracking_certificate_pending" | "tracking_not_served"
>;

/**
 * Proves a host for a domain, and stores the result. Returns null if the domain owns the host and
 * requests to the host reach this service.
 */
export async function proveHost(
  env: Env,
  settings: Settings,
  host: string,
  domainId: string,
  now: number,
): Promise<HostFailure | null> {
  const claimed = await claimHost(env, host, domainId, now);
  if (claimed.domainId !== domainId)
    return toFailure(
      "tracking_host_taken",
      `${host} is the tracking host of another team. Remove it there, or choose another subdomain.`,
    );
  const failure = await checkHost(env, settings, claimed);
  await setHostProblem(sharedCore(env), host, failure?.message ?? null, now);
  return failure;
}

/**
 * Checks a host that has a row. If requests to the host already reach this service, the host needs
 * no custom hostname.
 */
export async function checkHost(
  env: Env,
  settings: Settings,
  host: TrackingHost,
): Promise<HostFailure | null> {
  const silence = await probeHost(settings, host.host);
  if (silence === null) return null;
  const made = await certificateOf(env, settings, host);
  if ("isActive" in made && made.isActive)
    return toFailure(
      "tracking_not_served",
      `${host.host} has its certificate, but ${silence}. If this lasts, ask the operator of this ` +
        "service whether the zone has its fallback origin and its route to the worker.",
    );
  return toFailure(
    "tracking_certificate_pending",
    "isActive" in made
      ? `Cloudflare has not issued the certificate of ${host.host} yet (${made.state}). The ` +
          "service checks again every hour. To check earlier, verify the domain again."
      : `The custom hostname ${host.host} could not be made (${made.reason}). Verify the domain ` +
          "again in some minutes, or ask the operator of this service.",
  );
}

/**
 * Finds or makes the custom hostname. Before the call that makes it, stores that the service makes
 * it, because the response may get lost.
 */
async function certificateOf(
  env: Env,
  settings: Settings,
  { host, isOurs, hostnameId }: TrackingHost,
): Promise<CustomHostname | { readonly reason: string }> {
  let answer = await findCustomHostname(settings, host);
  if (answer.kind === "none") {
    await setHostname(sharedCore(env), host, null);
    answer = await makeCustomHostname(settings, host);
    if (answer.kind === "known") await setHostname(sharedCore(env), host, answer.hostname.id);
  } else if (answer.kind === "known" && isOurs && hostnameId !== answer.hostname.id) {
    // An earlier call made the hostname, but its response was lost. So the id is stored now.
    await setHostname(sharedCore(env), host, answer.hostname.id);
  }
  if (answer.kind === "known") return answer.hostname;
  return { reason: answer.kind === "failed" ? answer.reason : "Cloudflare does not list it" };
}

function toFailure(code: HostFailure["code"], message: string): HostFailure {
  return { code, state: "mismatch", message };
}
