// Tests that the gateway sends a message once if two requests have the same key
// (docs/egress-protocol.md §Asking twice). The second request joins the attempt under way, or gets
// its outcome from the journal or from memory.
import { describe, expect, it } from "vitest";
import type { Script } from "../fake-mx.ts";
import {
  deliverOne,
  eventually,
  frame,
  pause,
  post,
  startHarness,
  startHolding,
  openRequest,
} from "../gateway-harness.ts";

describe("a key that two requests have", () => {
  it("joins the delivery under way, in the same request or in another", async () => {
    const { mx, port, release } = await startHolding();
    const first = post(port, [frame({ key: "k" }), frame({ key: "k" })]);
    await eventually(() => mx.messages.length === 1);
    const second = post(port, frame({ key: "k" }));
    await pause(50);
    release("250 2.0.0 once");
    const lines = [...(await first).lines, ...(await second).lines];
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatchObject({ key: "k", code: 250, text: "once" });
    expect(mx.messages).toHaveLength(1);
  });

  it.each<[string, Script[string]]>([
    ["a delivery", "250 2.0.0 taken"],
    ["a refusal of the message", "554 5.7.1 spam"],
    ["an unknown fate", { act: "drop" }],
  ])("is answered from the journal after %s", async (_name, end) => {
    const { mx, port } = await startHarness({ end: end! });
    const first = await deliverOne(port, { key: "k" });
    expect(await deliverOne(port, { key: "k" })).toEqual(first);
    expect(mx.messages).toHaveLength(1);
  });

  // Two workers have the same attempt, because the first worker's lease ended. If the gateway sent
  // the message for the second worker too, the retry after the first worker's delay would send
  // another copy.
  it.each<[string, Script, object]>([
    [
      "was deferred",
      { rcpt: (_line, count) => (count === 1 ? "451 4.7.1 later" : "250 ok") },
      { code: 451, stage: "rcpt" },
    ],
    [
      "was refused",
      { rcpt: (_line, count) => (count === 1 ? "550 5.7.1 no" : "250 ok") },
      { code: 550, stage: "rcpt" },
    ],
    [
      "failed",
      { greeting: (_line, _count, connection) => (connection === 1 ? { act: "drop" } : "220 hi") },
      { kind: "failure" },
    ],
  ])(
    "gets the first outcome again when the attempt %s, and the next attempt is sent once",
    async (_name, script, expected) => {
      const { mx, port } = await startHarness(script);
      const first = await deliverOne(port, { key: "email_a/0/1" });
      expect(first).toMatchObject(expected);
      expect(await deliverOne(port, { key: "email_a/0/1" })).toEqual(first);
      expect(mx.messages).toHaveLength(0);
      expect(await deliverOne(port, { key: "email_a/0/2" })).toMatchObject({
        code: 250,
        stage: "end",
      });
      expect(mx.messages).toHaveLength(1);
    },
  );

  it("gets the same outcome if the second request comes at the last moment", async () => {
    const later: ((text: string) => void)[] = [];
    const { mx, port } = await startHarness({
      rcpt: () => ({ act: "later", give: (say) => later.push(say) }),
      data: "503 5.5.1 no recipient",
    });
    const first = post(port, frame({ key: "k" }));
    await eventually(() => later.length === 1);
    const asked = first.then(() => deliverOne(port, { key: "k" }));
    later[0]?.("451 4.7.1 later");
    expect(await asked).toEqual((await first).lines[0]);
    expect(mx.lines.filter((line) => line.startsWith("RCPT"))).toHaveLength(1);
  });

  it("is delivered and remembered even if the first client leaves", async () => {
    const { mx, port, release } = await startHolding();
    const leaving = openRequest(port);
    leaving.on("error", () => {});
    leaving.end(frame({ key: "k" }));
    await eventually(() => mx.messages.length === 1);
    leaving.destroy();
    await pause(50);
    release("250 2.0.0 taken");
    await pause(50);
    expect(await deliverOne(port, { key: "k" })).toMatchObject({ code: 250, text: "taken" });
    expect(mx.messages).toHaveLength(1);
  });
});
