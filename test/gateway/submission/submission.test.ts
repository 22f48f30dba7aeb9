// Tests submission with nodemailer and under load: messages arrive whole, the gateway
// acknowledges none before it is stored, and no memory leaks.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createTransport } from "nodemailer";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { KeyCache } from "../../../smtp-gateway/src/inbound/key-cache.ts";
import { EMAIL_ID, GOOD_KEY } from "../fake-worker.ts";
import { startIntake } from "../mail-harness.ts";
import { SmtpClient } from "../../support/smtp-client.ts";
import { eventually, pause } from "../gateway-harness.ts";

describe("a real client's message", () => {
  it("from nodemailer arrives with the same parts, over one pooled connection", async () => {
    const { port, worker } = await startIntake();
    const auth = { user: "service", pass: GOOD_KEY };
    const pool = { pool: true as const, maxConnections: 1, host: "127.0.0.1", port };
    const tls = { rejectUnauthorized: false };
    const transport = createTransport({ ...pool, requireTLS: true, tls, auth });
    const picture = Buffer.from(Array.from({ length: 3000 }, (_, at) => at % 256));
    for (const subject of ["Grüße aus Köln", "second"]) {
      const info = await transport.sendMail({
        from: "Jörg <joerg@example.test>",
        to: ["one@example.net", "Zwei <two@example.net>"],
        bcc: "hidden@example.net",
        subject,
        text: ".\n..\n.dots\n",
        html: '<img src="cid:picture">',
        attachments: [{ filename: "bücher.bin", content: picture, cid: "picture" }],
      });
      expect(info.response).toBe(`250 2.0.0 ${EMAIL_ID}`);
    }
    transport.close();
    const paths = worker.requests.map(({ path }) => path.replace("/gateway/", ""));
    expect(paths).toEqual(["key", "messages", "messages"]);
    const [asked] = worker.messages;
    expect(JSON.parse(asked!.envelope)).toEqual({
      mail_from: "joerg@example.test",
      rcpt_to: ["one@example.net", "two@example.net", "hidden@example.net"],
    });
    expect(asked).toMatchObject({ client: "127.0.0.1", key: GOOD_KEY });
    const parsed = await PostalMime.parse(Buffer.from(asked!.message, "latin1"));
    expect(parsed).toMatchObject({
      subject: "Grüße aus Köln",
      from: { name: "Jörg" },
      text: expect.stringMatching(/^\.\n\.\.\n\.dots\n+$/),
    });
    expect(parsed.attachments[0]).toMatchObject({ filename: "bücher.bin" });
    expect(Buffer.from(parsed.attachments[0]!.content as ArrayBuffer)).toEqual(picture);
  });
});

describe("a message", () => {
  it("is never acknowledged before the worker has stored it", async () => {
    const { port, worker } = await startIntake();
    const stored = Promise.withResolvers<void>();
    worker.answers["messages"] = [{ status: 202, body: { id: EMAIL_ID }, when: stored.promise }];
    const client = await SmtpClient.inData(port);
    const order: string[] = [];
    const answered = client.command("x\r\n.").then((line) => order.push(line));
    await eventually(() => worker.messages.length === 1);
    await pause(50);
    order.push("stored");
    stored.resolve();
    await answered;
    expect(order).toEqual(["stored", expect.stringContaining(EMAIL_ID)]);
  });

  it("whose client leaves in the middle does not reach the worker", async () => {
    const { port, worker } = await startIntake();
    const client = await SmtpClient.inData(port);
    client.send("Subject: half\r\n");
    await pause(50);
    client.close();
    await pause(100);
    expect(worker.messages).toEqual([]);
    const other = await SmtpClient.inData(port);
    expect(await other.command(".")).toContain("250 2.0.0");
  });

  it("is refused temporarily when there is no memory, and taken when some is free", async () => {
    const { port } = await startIntake("submission", { bytesInFlight: 100_000 });
    const line = `${"x".repeat(98)}\r\n`;
    const holder = await SmtpClient.inData(port);
    holder.send(line.repeat(600));
    const client = await SmtpClient.authenticated(port);
    const attempt = async (): Promise<string> => {
      await client.toData();
      await pause(50);
      client.send(line.repeat(600));
      return client.command(".");
    };
    expect(await attempt()).toContain("452 4.3.1");
    holder.close();
    await expect.poll(attempt).toContain("250 2.0.0");
  });
});

describe("a key", () => {
  it("that was valid is not checked again within a minute, unless a message is refused", async () => {
    const { port, worker } = await startIntake();
    const clients = [await SmtpClient.authenticated(port), await SmtpClient.authenticated(port)];
    expect(worker.requests.map(({ path }) => path)).toEqual(["/gateway/key"]);
    worker.answers["messages"] = [{ status: 401 }];
    await clients[0]!.toData();
    expect(await clients[0]!.command(".")).toContain("535 5.7.8");
    clients.push(await SmtpClient.authenticated(port));
    const paths = worker.requests.map(({ path }) => path.replace("/gateway/", ""));
    expect(paths).toEqual(["key", "messages", "key"]);
  });
});

describe("a good key", () => {
  it("is remembered for a minute, together with the address that used it", () => {
    const clock = { now: 0 };
    const keys = new KeyCache(() => clock.now);
    keys.noteGood("ps_a", "192.0.2.1");
    const isGood = (key: string) => keys.isGood(key, "192.0.2.1");
    expect(keys.isGood("ps_a", "192.0.2.2")).toBe(false);
    expect(["ps_a", "ps_b"].map(isGood)).toEqual([true, false]);
    clock.now = 59_999;
    expect(keys.isGood("ps_a", "192.0.2.1")).toBe(true);
    clock.now = 60_000;
    expect(keys.isGood("ps_a", "192.0.2.1")).toBe(false);
    for (let at = 0; at < 10_001; at += 1) keys.noteGood(`ps_${at}`, "192.0.2.1");
    expect(["ps_0", "ps_1"].map(isGood)).toEqual([false, true]);
  });
});

describe("a session", () => {
  it("ends when its client falls silent, even in the middle of a message", async () => {
    const { port, worker } = await startIntake("submission", { idleMs: 150 });
    const unauthenticated = await SmtpClient.connect(port);
    await unauthenticated.reply();
    const others = [await SmtpClient.authenticated(port), await SmtpClient.inData(port)];
    for (const client of [...others, unauthenticated]) {
      expect(await client.reply()).toMatch(/^421 4\.4\.2 /);
      expect(await client.reply()).toBe("");
    }
    expect(worker.messages).toEqual([]);
  });

  it("is not given up when the worker takes longer than a client may be silent", async () => {
    const { port, worker } = await startIntake("submission", { idleMs: 100 });
    worker.answers["messages"] = [{ status: 202, body: { id: EMAIL_ID }, after: 400 }];
    const client = await SmtpClient.inData(port);
    expect(await client.command(".")).toContain(EMAIL_ID);
  });
});

describe("a thousand messages", () => {
  it("leave nothing behind in memory", async () => {
    const { port, worker } = await startIntake();
    const message = `Subject: x\r\n\r\n${`${"y".repeat(70)}\r\n`.repeat(40)}`;
    const opening = Array.from({ length: 8 }, () => SmtpClient.authenticated(port));
    const clients = await Promise.all(opening);
    const send = async (count: number): Promise<void> => {
      for (let sent = 0; sent < count; sent += clients.length) {
        await Promise.all(
          clients.map(async (client) => {
            await client.toData();
            expect(await client.command(`${message}.`)).toContain("250 2.0.0");
          }),
        );
        worker.requests.length = 0;
      }
    };
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const held = (): number => {
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    await send(200);
    const before = held();
    await send(800);
    await expect.poll(() => held() - before, { interval: 500 }).toBeLessThan(1_000_000);
  });
});
