// Starts the account of `npm start -- --account=<case>` (account-stack.ts). Each start begins with
// a new account.
import { rmSync } from "node:fs";
import { claimPorts, StartProblem } from "../dev-settings.ts";
import { LogFile } from "../processes/log-file.ts";
import { recordGroups } from "../processes/stale-processes.ts";
import { startProcess } from "../processes/start-process.ts";
import type { SupervisedProcess } from "../processes/supervise.ts";
import { ACCOUNT_CASES, accountCase } from "./account-cases.ts";
import { AccountStack } from "./account-stack.ts";

/**
 * Returns the text for the terminal. `deployed` gets each worker that a deployment starts. Throws a
 * StartProblem if the case is unknown.
 */
export async function startAccount(
  name: string,
  state: string,
  stop: AbortSignal,
  deployed: Set<SupervisedProcess>,
  { hasFront }: { readonly hasFront: boolean },
): Promise<string> {
  const given = accountCase(name);
  if (given === undefined)
    throw new StartProblem(
      `--account: ${name} is not one of ${Object.keys(ACCOUNT_CASES).join(", ")}`,
    );
  rmSync(state, { recursive: true, force: true });
  recordGroups(state, []);
  const stack = await AccountStack.start({
    ports: await claimPorts(process.env, undefined, { hasAccount: true, hasFront }),
    state,
    given,
    retrySpeedup: Number(process.env["RETRY_SPEEDUP"]) || 1,
    start: (spec) => {
      const log = new LogFile(spec.logPath);
      const child = startProcess(spec, (line) => void log.append(line));
      deployed.add(child);
      recordGroups(state, [child.pid]);
      return child;
    },
    stop,
  });
  return stack.words(name);
}
