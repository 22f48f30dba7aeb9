// Asking twice never sends twice (docs/egress-protocol.md): keys under way are joined, keys that
// ended are answered from the journal.
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import type { Script } from "../fake-mx.ts";
import {
  deliverOne,
  eventually,
  frame,
  held,
  pause,
  post,
  stand,
  TOKEN,
} from "../gateway-harness.ts";

describe("asking twice never sends twice", () => {
  it("joins a key that is under way, within a request and across two", async () => {
    const { script, release } = held();
    const { mx, port } = await stand(script);
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
    ["a fate that is unknown", { act: "drop" }],
  ])("answers %s from the journal", async (_name, end) => {
    const { mx, port } = await stand({ end: end! });
    const first = await deliverOne(port, { key: "k" });
    expect(await deliverOne(port, { key: "k" })).toEqual(first);
    expect(mx.messages).toHaveLength(1);
  });

  // The first worker's lease ran out, and another holds the same attempt. Had the server taken the
  // second one's try, the attempt that follows the first one's delay would be a second message.
  it.each<[string, Script, object]>([
    [
      "was put off",
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
    "tells two holders of one attempt that %s the same, and sends once",
    async (_name, script, expected) => {
      const { mx, port } = await stand(script);
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

  it("tells a holder that joins at the last moment what the first is told", async () => {
    const later: ((text: string) => void)[] = [];
    const { mx, port } = await stand({
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

  it("finishes and remembers what a client that left had asked for", async () => {
    const { script, release } = held();
    const { mx, port } = await stand(script);
    const leaving = request({
      port,
      host: "127.0.0.1",
      path: "/deliver",
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
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
