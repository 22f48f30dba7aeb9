// Tests the whole service with OUTBOUND=smtp (docs/couriers.md) and a relay with STARTTLS and AUTH:
// the settings lead to the relay, and the relay gets a signed message. test/programs/couriers tests
// the outcomes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realRelay, type TestRelay } from "../programs/couriers/smtp-relay.ts";
import { CERTIFICATE } from "../programs/plain-workerd.ts";
import { Stack } from "./stack.ts";

const PASSWORD = "relay password $1 'quoted'";
const directory = mkdtempSync(join(tmpdir(), "postern-relay-"));
let relay: TestRelay;
let stack: Stack;

beforeAll(async () => {
  relay = await realRelay({
    onAuth: ({ username, password }, _session, done) =>
      username === "us" && password === PASSWORD
        ? done(null, { user: username })
        : done(new Error("wrong credentials")),
  });
  const authority = join(directory, "authority.pem");
  writeFileSync(authority, CERTIFICATE.cert);
  stack = await Stack.start({
    OUTBOUND: "smtp",
    SMTP_RELAY_HOST: "localhost",
    SMTP_RELAY_PORT: String(relay.port),
    SMTP_RELAY_USERNAME: "us",
    SMTP_RELAY_PASSWORD: PASSWORD,
    NODE_EXTRA_CA_CERTS: authority,
  });
});

afterAll(async () => {
  await stack?.destroy();
  await relay.close();
  rmSync(directory, { recursive: true });
});

describe("mail by a relay", () => {
  it("is signed and has its own return-path, and counts as delivered when the relay has it", async () => {
    const id = await stack.sent("ann@receiver.example", "By relay");
    await expect.poll(() => stack.history(id)).toEqual(["email.sent", "email.delivered"]);
    const [copy, ...others] = relay.received;
    expect([copy?.to, others]).toEqual(["ann@receiver.example", []]);
    expect(copy?.from).toMatch(/^b\+[a-z2-7]{61}@bounces\.example\.test$/);
    expect(copy?.message).toMatch(
      /^DKIM-Signature: [^]*d=example\.test;[^]*\r\nSubject: By relay\r\n/,
    );
  });
});
