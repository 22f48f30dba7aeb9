// Asks the worker about the team of the doctor's API key: its domains and its courier.
import { SetupProblem } from "../setup-problem.ts";
import { type Domain, OperatorClient } from "../operator-client.ts";
import { critical, type CheckResults, ok } from "./check-result.ts";
import type { Target } from "./doctor-target.ts";

export interface KnownTeam {
  readonly domains: readonly Domain[];
  /** The courier of the API key's team. Undefined if no key is known or the key does not work. */
  readonly courier: string | undefined;
  readonly results: CheckResults;
}

export async function lookUpTeam({ url, key }: Target): Promise<KnownTeam> {
  if (key === undefined) return { domains: [], courier: undefined, results: [] };
  const api = new OperatorClient(url);
  try {
    const [domains, courier] = await Promise.all([api.domains(key), api.courier(key)]);
    return { domains, courier, results: ok("key", "the worker accepts the API key") };
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    const isRefused = /: HTTP 40[13]\b/.test(error.message);
    const mend = isRefused
      ? "use a team's key with full access: POST /v1/api-keys creates one"
      : error.mend;
    return { domains: [], courier: undefined, results: critical("key", error.message, mend) };
  }
}
