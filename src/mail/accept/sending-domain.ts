// Finds the domain of a send's sender. The domain must be verified for the team (contract.md
// §Senders and recipients), and the API key must allow it (contract.md §Permissions and
// restrictions).
import type { Caller } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { coreFor } from "../../db/client.ts";
import { findSendingDomain, type SendingDomain } from "../../resources/domains/domain-lookups.ts";
import type { FieldProblems } from "./field-problems.ts";

const UNVERIFIED =
  "is added, but not verified yet. Publish its DNS records, then POST /v1/domains/{id}/verify";

/**
 * Returns the sending domain with that name (ASCII, lower case). Undefined means that an error was
 * reported under `from`.
 */
export async function requireSendingDomain(
  env: Env,
  caller: Caller,
  name: string,
  problems: FieldProblems,
): Promise<SendingDomain | undefined> {
  const allowed = caller.key?.allowedDomains;
  if (allowed && !allowed.some((domain) => domain.toLowerCase() === name)) {
    problems.invalid(
      "from",
      `may not use the domain ${name}: the API key is limited to other domains`,
    );
    return undefined;
  }
  const domain = await findSendingDomain(coreFor(env, caller.team.id), name);
  if (typeof domain === "object") return domain;
  const reason = domain === "unverified" ? UNVERIFIED : "is not one";
  problems.invalid("from", `must be on a verified domain of the team: ${name} ${reason}`);
  return undefined;
}
