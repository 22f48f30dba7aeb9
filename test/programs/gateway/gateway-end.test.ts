// Tests a gateway whose process is killed. test/gateway/run-gateway.test.ts tests the other ends.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../../tools/harness/compatibility.ts";
import { frame, post, startMx, temporaryDirectory, TOKEN } from "../../gateway/gateway-harness.ts";
import { startedPort, startGatewayProgram } from "./gateway-program.ts";

it("a gateway that was killed after an outcome still has it after a restart", async () => {
  const mx = await startMx();
  const directory = temporaryDirectory();
  const keys = Array.from({ length: 20 }, (_, at) => `k${at}`);
  const answers: unknown[] = [];
  for (let start = 0; start < 2; start += 1) {
    const gateway = startGatewayProgram([join(ROOT, "smtp-gateway/src/main.ts")], {
      GATEWAY_TOKEN: TOKEN,
      EGRESS_PORT: "0",
      EGRESS_STATE: directory,
      EGRESS_ROUTES: `*=127.0.0.1:${mx.port}`,
    });
    const frames = Buffer.concat(keys.map((key) => frame({ key })));
    const { lines } = await post(await startedPort(gateway), frames);
    answers.push(lines.toSorted((a, b) => a.key.localeCompare(b.key)));
    gateway.kill("SIGKILL");
    await gateway.ended;
  }
  expect(answers[0]).toHaveLength(20);
  expect(answers[1]).toEqual(answers[0]);
  expect(mx.messages).toHaveLength(20);
  expect(readdirSync(directory)).toHaveLength(1);
});
