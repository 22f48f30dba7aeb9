// `npm run doctor` finds the faults of a deployment and says how to fix them (docs/doctor.md). It
// changes nothing. If an API key is known, the doctor sends a message to the simulator. With
// --send, it also sends a message to a real address.
import type { SetupCommand } from "../run-command.ts";
import { accountLogin } from "./account-login.ts";
import { examine } from "./examine.ts";
import { type CheckResult, lineFor } from "./check-result.ts";
import { optionsFrom, USAGE } from "./doctor-target.ts";

export const diagnose: SetupCommand = async (args, around) => {
  const options = optionsFrom(args, around.environment, around.root);
  if (options === null) {
    around.output.write(`${USAGE}\n`);
    return true;
  }
  const results = (
    await examine(options.target, options.skipped, around.clock, accountLogin(around))
  ).filter(({ check }) => !isSkipped(options.skipped, check));
  const isWell = results.every(({ status }) => status !== "critical");
  around.output.write(
    options.json
      ? `${JSON.stringify({ ok: isWell, findings: results }, null, 2)}\n`
      : report(results),
  );
  return isWell;
};

function report(results: readonly CheckResult[]): string {
  const count = (status: CheckResult["status"]): number =>
    results.filter((result) => result.status === status).length;
  const sum =
    `${count("ok")} ok, ${count("warning")} warning, ${count("critical")} critical, ` +
    `${count("unknown")} unknown`;
  return `${[...results.map(lineFor), "", sum].join("\n")}\n`;
}

/**
 * Tells whether a check is skipped. `skipped` has names of checks, such as `gateway.token`, and
 * names of groups. `gateway` skips every check whose name begins with `gateway.`.
 */
function isSkipped(skipped: ReadonlySet<string>, check: string): boolean {
  return skipped.has(check) || skipped.has(check.split(".", 1)[0] ?? "");
}
