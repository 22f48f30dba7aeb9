// Tests the whole service with OUTBOUND=smtp (docs/couriers.md) and a relay with STARTTLS and AUTH:
// the settings lead to the relay, and the relay gets a signed message. test/programs/couriers tests
// the outcomes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { selfSigned } from "../../tools/harness/smtp/self-signed.ts";
import { Stack } from "./stack.ts";

const USERNAME = "postern";
const PASSWORD = "relay password $1 'quoted'";

interface Taken {
  readonly from: string;
  readonly to: string;
  readonly message: string;
}

const directory = mkdtempSync(join(tmpdir(), "postern-relay-"));
const taken: Taken[] = [];
const certificate = selfSigned(["localhost"]);
let relay: SMTPServer;
let stack: Stack;

beforeAll(async () => {
  relay = new SMTPServer({
    ...certificate,
    logger: false,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) =>
      username === USERNAME && password === PASSWORD
        ? done(null, { user: username })
        : done(new Error("wrong credentials")),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const to = rcptTo.map(({ address }) => address).join();
        taken.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to,
          message: Buffer.concat(chunks).toString("latin1"),
        });
        done(null, "2.0.0 queued at the relay");
      });
    },
  });
  relay.on("error", () => undefined);
  await new Promise<void>((resolve) => {
    relay.listen(0, "127.0.0.1", resolve);
  });
  const authority = join(directory, "authority.pem");
  writeFileSync(authority, certificate.cert);
  stack = await Stack.start({
    OUTBOUND: "smtp",
    SMTP_RELAY_HOST: "localhost",
    SMTP_RELAY_PORT: String((relay.server.address() as AddressInfo).port),
    SMTP_RELAY_USERNAME: USERNAME,
    SMTP_RELAY_PASSWORD: PASSWORD,
    NODE_EXTRA_CA_CERTS: authority,
    RETRY_SPEEDUP: "60",
    LEASE_SPEEDUP: "12",
  });
});

afterAll(async () => {
  await stack?.destroy();
  await new Promise<void>((resolve) => {
    relay.close(resolve);
  });
  rmSync(directory, { recursive: true });
});

describe("mail by a relay", () => {
  it("is signed and has its own return-path, and counts as delivered when the relay has it", async () => {
    const response = await stack.send("ann@receiver.example", "By relay");
    const { id } = (await response.json()) as { id: string };
    await expect.poll(() => stack.history(id)).toEqual(["email.sent", "email.delivered"]);
    const [copy, ...others] = taken;
    expect([copy?.to, others]).toEqual(["ann@receiver.example", []]);
    expect(copy?.from).toMatch(/^b\+[a-z2-7]{61}@bounces\.example\.test$/);
    expect(copy?.message).toMatch(
      /^DKIM-Signature: [^]*d=example\.test;[^]*\r\nSubject: By relay\r\n/,
    );
  });
});
