// Really sends a message: from a verified domain of the key's team to the simulator, through the
// queue and back into the history (README "The simulator").
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { SetupProblem } from "../setup-problem.ts";
import { type Domain, OperatorClient } from "../operator-client.ts";
import { fail, type Finding, ok, skip } from "./finding.ts";
import type { Target } from "./doctor-target.ts";

const EVERY_MS = 500;

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
    return {
      domains,
      courier,
      findings: [ok("key", "the worker takes the API key")],
    };
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    const isRefused = /: HTTP 40[13]\b/.test(error.message);
    return {
      domains: [],
      courier: undefined,
      findings: [
        fail(
          "key",
          error.message,
          isRefused ? "use a full key of a team: POST /v1/api-keys makes one" : error.mend,
        ),
      ],
    };
  }
}

export async function checkDelivery(
  { url, key, serviceDomain, waitMs }: Target,
  domains: readonly Domain[],
): Promise<Finding> {
  const from = domains.find(({ status }) => status === "verified")?.name;
  if (key === undefined || serviceDomain === undefined)
    return skip("message", "none was sent: it needs --key and the service domain");
  if (from === undefined)
    return skip("message", "none was sent: the key's team has no verified domain");
  const api = new OperatorClient(url);
  const to = `delivered@simulator.${serviceDomain}`;
  const startedAt = performance.now();
  const seconds = (): string => ((performance.now() - startedAt) / 1000).toFixed(1);
  try {
    const { id } = await api.send(key, `doctor-${randomUUID()}`, {
      from: `doctor@${from}`,
      to: [to],
      subject: "Doctor",
      text: "npm run doctor sent this message to see whether mail is delivered.",
    });
    let status = "unknown";
    while (performance.now() - startedAt < waitMs) {
      status = (await api.email(key, id))?.recipients[0]?.status ?? "unknown";
      if (status === "delivered")
        return ok("message", `${id} to the simulator was delivered after ${seconds()} s`);
      await wait(EVERY_MS);
    }
    return fail(
      "message",
      `${id} to the simulator is ${status} after ${seconds()} s`,
      "the queue postern-deliver does not move: npx wrangler queues info postern-deliver, " +
        "npx wrangler tail; then docs/operating.md, Stuck",
    );
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    return fail("message", `no message could be sent: ${error.message}`, error.mend);
  }
}
