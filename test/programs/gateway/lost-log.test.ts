// Tests that a process keeps running when the gateway's log can't be written
// (smtp-gateway/src/gateway-log.ts).
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, it } from "vitest";

/** A script that logs ten errors, one at a time, and ends with exit code 7. */
const LOGGING = `
const { log } = await import(${JSON.stringify(new URL("../../../smtp-gateway/src/gateway-log.ts", import.meta.url).href)});
for (let line = 0; line < 10; line += 1) {
  log("error", "line", { line });
  await new Promise((resolve) => setTimeout(resolve, 5));
}
process.exitCode = 7;
`;

it.runIf(existsSync("/dev/full")).each([
  ["to a full disk", '"$0" --input-type=module -e "$1" 2>/dev/full'],
  [
    "to a reader that is gone",
    '{ "$0" --input-type=module -e "$1"; echo $? >&3; } 2>&1 3>&4 | true',
  ],
])("a log that goes %s does not end the process", (_where, command) => {
  const { status, output } = spawnSync("sh", ["-c", command, process.execPath, LOGGING], {
    stdio: ["ignore", "ignore", "pipe", "ignore", "pipe"],
  });
  const exit = command.includes("&4") ? String(output[4]).trim() : String(status);
  expect(exit).toBe("7");
});
