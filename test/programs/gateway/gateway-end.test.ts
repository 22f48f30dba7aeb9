// Tests how a gateway's process ends. test/gateway/run-gateway.test.ts has the other rules.
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { fakeMx } from "../../gateway/fake-mx.ts";
import {
  cleanups,
  eventually,
  frame,
  holdFinalReply,
  post,
  temporaryDirectory,
} from "../../gateway/gateway-harness.ts";
import { startedPort, startGatewayTo } from "./gateway-program.ts";

it("a gateway that was killed after an outcome still has it after a restart", async () => {
  const mx = await fakeMx();
  cleanups.push(mx.close);
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

it("a gateway ends with exit code 0 on SIGTERM when its transactions are finished", async () => {
  const { script, release } = holdFinalReply();
  const mx = await fakeMx(script);
  cleanups.push(mx.close);
  const gateway = startGatewayTo(mx.port);
  const answer = post(await startedPort(gateway), frame({ key: "k" }));
  await eventually(() => mx.messages.length === 1);
  gateway.kill("SIGTERM");
  await gateway.says(/"event":"draining"/);
  release("250 2.0.0 taken");
  expect((await answer).lines[0]).toMatchObject({ code: 250 });
  expect(await gateway.ended).toBe(0);
});
