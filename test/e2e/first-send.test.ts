// A newcomer's first steps through everything that `npm start` starts: send, read the inbox, read
// the events.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publishedKey, verifyDkim } from "./dkim-reader.ts";
import { Stack } from "./stack.ts";

let stack: Stack;

beforeAll(async () => {
  // A minute between two attempts becomes half a second, 72 hours become 36 minutes.
  stack = await Stack.start({ RETRY_SPEEDUP: "120" });
});
afterAll(() => stack.destroy());

async function expectAccepted(response: Response): Promise<string> {
  expect(response.status).toBe(202);
  return ((await response.json()) as { id: string }).id;
}

const settled = (id: string, ...types: string[]) =>
  expect.poll(() => stack.history(id), { interval: 200 }).toEqual(types);

describe("a first send", () => {
  it("is in the inbox, signed by the published key, and in the history", async () => {
    const id = await expectAccepted(await stack.send("first@example.net", "First"));
    await settled(id, "email.sent", "email.delivered");
    const [message, ...others] = await stack.inbox("&to=first@example.net");
    expect(others).toEqual([]);
    const raw = await stack.raw(message?.id ?? "");
    expect(await verifyDkim(raw, (host) => publishedKey(stack.dev.dns_url, host))).toBe("pass");
    const file = join(stack.state, "first.eml");
    writeFileSync(file, raw);
    // An independent implementation, if the machine has one.
    if (spawnSync("/usr/bin/python3", ["-c", "import dkim"]).status === 0) {
      const check =
        "import dkim,sys; print(dkim.verify(open(sys.argv[1],'rb').read(), dnsfunc=lambda " +
        "name, timeout=5: sys.argv[2].encode()))";
      const host = /s=([^;]+);/.exec(raw.toString("latin1"))?.[1] ?? "";
      const key = await publishedKey(stack.dev.dns_url, `${host}._domainkey.example.test`);
      expect(spawnSync("/usr/bin/python3", ["-c", check, file, key]).stdout.toString().trim()).toBe(
        "True",
      );
    }
  });
});

describe("a message whose receiver", () => {
  it("answers 451 twice is delayed twice and then delivered", async () => {
    await stack.rules([{ rcpt: "^later@", stage: "rcpt", reply: "451 4.7.1 try later", times: 2 }]);
    const id = await expectAccepted(await stack.send("later@example.net", "Later"));
    await settled(id, "email.sent", "email.delayed", "email.delayed", "email.delivered");
    expect(await stack.inbox("&to=later@example.net")).toHaveLength(1);
  });

  it("answers 550 5.1.1 bounces, and the next send to the address is suppressed", async () => {
    await stack.rules([{ rcpt: "^nobody@", stage: "rcpt", reply: "550 5.1.1 No such user" }]);
    await settled(
      await expectAccepted(await stack.send("nobody@example.net", "One")),
      "email.sent",
      "email.bounced",
    );
    await settled(
      await expectAccepted(await stack.send("nobody@example.net", "Two")),
      "email.suppressed",
    );
  });

  it("hangs up after the data is retried and not lost", async () => {
    await stack.rules([{ rcpt: "^dropped@", stage: "end", drop: true, times: 1 }]);
    const id = await expectAccepted(await stack.send("dropped@example.net", "Dropped"));
    await settled(id, "email.sent", "email.delayed", "email.delivered");
  });
});

describe("200 identical sends at once", () => {
  it("are one id, one message in the inbox and one debit", async () => {
    const responses = await Promise.all(
      Array.from({ length: 200 }, () =>
        stack.send("once@example.net", "Once", { "Idempotency-Key": "once" }),
      ),
    );
    expect(responses.filter(({ status }) => status !== 202 && status !== 409)).toEqual([]);
    const bodies = await Promise.all(
      responses.filter(({ status }) => status === 202).map((response) => response.text()),
    );
    expect(new Set(bodies).size).toBe(1);
    await settled(
      (JSON.parse(bodies[0] ?? "{}") as { id: string }).id,
      "email.sent",
      "email.delivered",
    );
    expect(await stack.inbox("&to=once@example.net")).toHaveLength(1);
  });
});
