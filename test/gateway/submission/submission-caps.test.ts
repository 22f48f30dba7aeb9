// Tests the caps on connections with real sockets: a flood of idle connections locks out no
// authenticated client, and a connection over a cap gets a reply that says why.
import { describe, expect, it } from "vitest";
import { GOOD_KEY } from "../fake-worker.ts";
import { startIntake } from "../mail-harness.ts";
import { SmtpClient } from "../../support/smtp-client.ts";
import { eventually, pause, cleanups } from "../gateway-harness.ts";

/** A tenth of the caps that the gateway has by default. */
const CAPS = { connections: 100, connectionsPerAddress: 5 };
const FLOODERS = Array.from({ length: 10 }, (_, at) => `127.0.0.${at + 11}`);

/**
 * Opens `each` idle connections from each address, and opens a new one a second after the server
 * ended one. Resolves when the server has greeted or refused each of the first connections.
 */
async function flood(port: number, addresses: readonly string[], each: number): Promise<void> {
  const open = new Set<SmtpClient>();
  let answered = 0;
  const over = new AbortController();
  const hold = async (from: string): Promise<void> => {
    while (!over.signal.aborted) {
      const client = await SmtpClient.connect(port, from).catch(() => null);
      if (client === null) return;
      if (over.signal.aborted) return client.close();
      open.add(client);
      await client.reply();
      answered += 1;
      while ((await client.reply()) !== "");
      open.delete(client);
      client.close();
      await pause(1_000);
    }
  };
  for (let round = 0; round < each; round += 1) for (const from of addresses) void hold(from);
  cleanups.push(async () => {
    over.abort();
    for (const client of open) client.close();
    await Promise.resolve();
  });
  await eventually(() => answered >= addresses.length * each);
}

async function send(client: SmtpClient): Promise<string> {
  await client.toData();
  return client.command("Subject: x\r\n\r\nx\r\n.");
}

describe("as many idle connections from ten addresses as a gateway may have", () => {
  it("lock out no open session, no known address and no client from a new address", async () => {
    const { port } = await startIntake("submission", CAPS);
    const open = await SmtpClient.authenticated(port, GOOD_KEY, "127.0.0.2");
    await flood(port, FLOODERS, 10);
    const known = await SmtpClient.authenticated(port, GOOD_KEY, "127.0.0.2");
    const fresh = await SmtpClient.authenticated(port, GOOD_KEY, "127.0.0.3");
    for (const client of [open, known, fresh]) {
      expect(await send(client)).toContain("250 2.0.0");
      client.close();
    }
  });
});

describe("a connection beyond a cap", () => {
  it("gets a 421 that says why and is closed, and the other connections stay open", async () => {
    const { port } = await startIntake("submission", { connectionsPerAddress: 1 });
    const first = await SmtpClient.authenticated(port);
    const second = await SmtpClient.connect(port);
    expect(await second.reply()).toBe("421 4.7.0 Too many connections, try again later\r\n");
    expect(await second.reply()).toBe("");
    expect(await first.command("NOOP")).toContain("250");
    first.close();
    await eventually(() => first.closed);
    await expect
      .poll(async () => {
        const third = await SmtpClient.connect(port);
        const greeting = await third.reply();
        third.close();
        return greeting.slice(0, 3);
      })
      .toBe("220");
  });

  it("displaces a silent unauthenticated one, which gets a 421 that says why", async () => {
    const { port } = await startIntake("submission", { connections: 6 });
    const silent = [];
    for (let at = 0; at < 3; at += 1) silent.push(await SmtpClient.connect(port, "127.0.0.11"));
    for (const client of silent) expect(await client.reply()).toContain("220");
    const customer = await SmtpClient.authenticated(port);
    expect(await send(customer)).toContain("250 2.0.0");
    expect(await silent[0]!.reply()).toBe("421 4.7.0 Too many connections, try again later\r\n");
    expect(await silent[0]!.reply()).toBe("");
    expect(await silent[2]!.command("NOOP")).toContain("250");
    for (const client of [customer, ...silent]) client.close();
  });

  it("gets a 421 after too many connections in a minute; authenticated connections do not count", async () => {
    const { port } = await startIntake("submission", { attemptsPerMinute: 2 });
    for (let at = 0; at < 5; at += 1) (await SmtpClient.authenticated(port)).close();
    for (const expected of ["220", "220", "421"]) {
      const client = await SmtpClient.connect(port);
      expect((await client.reply()).slice(0, 3)).toBe(expected);
      client.close();
    }
  });
});
