// Looks up what the API key of the doctor opens: its team's domains and courier.
import { SetupProblem } from "../setup-problem.ts";
import { type Domain, OperatorClient } from "../operator-client.ts";
import { fail, type Finding, ok } from "./finding.ts";
import type { Target } from "./doctor-target.ts";

export interface KnownTeam {
  readonly domains: readonly Domain[];
  /** Undefined if no key is known, or it does not work. */
  readonly courier: string | undefined;
  readonly findings: readonly Finding[];
}

/** Returns what the key's team sends from and by, or a finding if the key does not work. */
export async function lookUpTeam({ url, key }: Target): Promise<KnownTeam> {
  if (key === undefined) return { domains: [], courier: undefined, findings: [] };
  const api = new OperatorClient(url);
  try {
    const [domains, courier] = await Promise.all([api.domains(key), api.courier(key)]);
    return { domains, courier, findings: [ok("key", "the worker takes the API key")] };
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    const isRefused = /: HTTP 40[13]\b/.test(error.message);
    const mend = isRefused ? "use a full key of a team: POST /v1/api-keys makes one" : error.mend;
    return { domains: [], courier: undefined, findings: [fail("key", error.message, mend)] };
  }
}
