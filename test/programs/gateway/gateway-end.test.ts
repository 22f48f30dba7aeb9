// Tests a gateway whose process is killed. test/gateway/run-gateway.test.ts tests the other ends.
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { frame, post, startMx, temporaryDirectory } from "../../gateway/gateway-harness.ts";
import { startedPort, startGatewayTo } from "./gateway-program.ts";

it("a gateway that was killed after an outcome still has it after a restart", async () => {
  const mx = await startMx();
  const directory = temporaryDirectory();
  const keys = Array.from({ length: 20 }, (_, at) => `k${at}`);
  const answers: unknown[] = [];
  for (let start = 0; start < 2; start += 1) {
    const gateway = startGatewayTo(mx.port, directory);
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
