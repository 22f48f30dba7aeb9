// Tests that systemd accepts the gateway's unit (smtp-gateway/systemd), and that its command starts,
// becomes ready, and ends.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../../tools/harness/compatibility.ts";
import { selfSigned } from "../../../tools/harness/smtp/self-signed.ts";
import { TOKEN } from "../../gateway/fake-worker.ts";
import { eventually, temporaryDirectory } from "../../gateway/gateway-harness.ts";
import { startWorker } from "../../gateway/mail-harness.ts";
import { firstValue, pairs, UNIT, values } from "../../gateway/unit-file.ts";
import { startedPort, startGatewayProgram } from "./gateway-program.ts";

const PROGRAM = "systemd-analyze";
const analyze = (...args: string[]) => spawnSync(PROGRAM, args, { encoding: "utf8" });
const hasSystemd = analyze("--version").error === undefined;

it.runIf(hasSystemd)(
  "systemd-analyze accepts the unit, with a good score for its restrictions",
  () => {
    const path = join(temporaryDirectory(), "postern-gateway.service");
    writeFileSync(path, UNIT.replace("/usr/bin/node", process.execPath));
    const checked = analyze("verify", path);
    expect([checked.status, checked.stderr]).toEqual([0, ""]);
    const judged = analyze("security", "--offline=true", "--threshold=20", path);
    expect(judged.status, judged.stdout.slice(-200)).toBe(0);
  },
);

it("the unit runs a gateway that gets ready with its credentials and ends with 0 on SIGTERM", async () => {
  const directory = temporaryDirectory();
  const [credentials, state] = [join(directory, "credentials"), join(directory, "state")];
  mkdirSync(credentials);
  const { cert, key } = selfSigned(["smtp.example.test"]);
  const files = { token: `${TOKEN}\n`, certificate: cert, key };
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(credentials, name), content);
  const worker = await startWorker();
  const environment = pairs(values("Environment")).map(([name, value]) => [
    name,
    value.replace("%d", credentials).replace("%S", state),
  ]);
  const [, script = ""] = firstValue("ExecStart")!.split("/opt/postern-gateway/");
  const gateway = startGatewayProgram([join(ROOT, "smtp-gateway", script)], {
    ...(Object.fromEntries(environment) as Record<string, string>),
    EGRESS_PORT: "0",
    WORKER_URL: worker.origin,
    SUBMISSION_HOST: "127.0.0.1",
    SUBMISSION_PORTS: "0",
  });
  const ready = `http://127.0.0.1:${await startedPort(gateway)}/readyz`;
  expect((await fetch(ready)).status).toBe(200);
  await eventually(() => worker.requests.length > 0);
  gateway.kill(firstValue("KillSignal") as NodeJS.Signals);
  expect(await gateway.ended).toBe(0);
});
