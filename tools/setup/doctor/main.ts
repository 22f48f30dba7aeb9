// `npm run doctor` finds the faults of a deployment and says how to fix them (docs/operating.md
// §Doctor). It changes nothing. With a key, it sends one message to the simulator, and with --send
// another to a real address.
import { fileURLToPath } from "node:url";
import { SetupProblem } from "../setup-problem.ts";
import { accountLogin } from "./account-login.ts";
import { examine } from "./examine.ts";
import { type Finding, lineFor } from "./finding.ts";
import { optionsFrom, USAGE } from "./doctor-target.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

try {
  const options = optionsFrom(process.argv.slice(2), process.env, ROOT);
  if (options === null) process.stdout.write(`${USAGE}\n`);
  else {
    const login = accountLogin(process.env, ROOT);
    const findings = (await examine(options.target, options.skipped, login)).filter(
      ({ check }) => !isSkipped(options.skipped, check),
    );
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ ok: !hasFailed(findings), findings }, null, 2)}\n`
        : report(findings),
    );
    process.exitCode = hasFailed(findings) ? 1 : 0;
  }
} catch (error) {
  if (!(error instanceof SetupProblem)) throw error;
  process.stderr.write(`doctor: ${error.message}${error.mend === "" ? "" : ` → ${error.mend}`}\n`);
  process.exitCode = 1;
}

function report(findings: readonly Finding[]): string {
  const count = (status: Finding["status"]): number =>
    findings.filter((finding) => finding.status === status).length;
  const sum =
    `${count("ok")} ok, ${count("warn")} to look at, ${count("FAIL")} failed, ${count("skip")} ` +
    "not checked";
  return `${[...findings.map(lineFor), "", sum].join("\n")}\n`;
}

function hasFailed(findings: readonly Finding[]): boolean {
  return findings.some(({ status }) => status === "FAIL");
}

/** `gateway` skips every check named `gateway.…`. */
function isSkipped(skipped: ReadonlySet<string>, check: string): boolean {
  return skipped.has(check) || skipped.has(check.split(".", 1)[0] ?? "");
}
