// Step: the worker answers, and everything that it depends on answers too. A new custom domain may
// need some minutes for its certificate.
import type { Context, Step } from "../setup-context.ts";
import { member, NoHttpResponse, errorTextOf } from "../json-call.ts";
import { waitingLine } from "../step-outcome.ts";
import { SetupProblem } from "../setup-problem.ts";
import { waitUntil } from "../wait-until.ts";

const WAIT_SECONDS = 300;
const EVERY_MS = 2_000;

export const health: Step = {
  name: "health",
  async run(context) {
    const { api, clock, dryRun } = context;
    let found = await look(context);
    if (found === null) return { kind: "already", detail: `${api.url} is well` };
    if (dryRun) return { kind: "would", detail: `wait for ${api.url}/healthz (now: ${found})` };
    context.terminal.say(
      waitingLine("health", `for ${api.url}/healthz, ${WAIT_SECONDS} s at most (now: ${found})`),
    );
    found = await waitUntil(
      clock,
      WAIT_SECONDS * 1000,
      EVERY_MS,
      () => look(context),
      (now) => now === null,
    );
    if (found === null) return { kind: "already", detail: `${api.url} is well` };
    throw new SetupProblem(
      `${api.url}/healthz: ${found}`,
      "a new custom domain may need some minutes for its certificate; otherwise npx wrangler " +
        "tail shows why. Then run this again",
    );
  },
};

/** Asks the worker for its health. Returns null if the worker is healthy, or else the reason. */
async function look({ api }: Context): Promise<string | null> {
  const answer = await api.health();
  if (answer instanceof NoHttpResponse) return answer.message;
  if (answer.status === 200 && member(answer.json, "status") === "ok") return null;
  const checks = member(answer.json, "checks");
  if (typeof checks !== "object" || checks === null) return errorTextOf(answer);
  const failing = Object.entries(checks).filter(([, isWell]) => isWell !== true);
  return `HTTP ${answer.status}, failing: ${failing.map(([name]) => name).join(", ")}`;
}
