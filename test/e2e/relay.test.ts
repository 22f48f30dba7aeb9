// Tests the whole service with OUTBOUND=smtp (docs/couriers.md) and a relay with STARTTLS and AUTH:
// what the relay gets, and that a message whose outcome is unknown is sent again under the same
// Message-ID.
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
        const isFirst = taken.filter((one) => one.to === to).length === 1;
        if (to.startsWith("lost@") && isFirst) {
          for (const connection of relay.connections)
            (connection as unknown as { _socket: { destroy: () => void } })._socket.destroy();
          return;
        }
        if (to.startsWith("refused@"))
          done(Object.assign(new Error("5.7.1 Message refused by policy"), { responseCode: 554 }));
        else done(null, "2.0.0 queued at the relay");
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

const takenBy = (to: string) => taken.filter((one) => one.to === to);

async function sent(to: string): Promise<string> {
  const response = await stack.send(to, "By relay");
  expect(response.status).toBe(202);
  return ((await response.json()) as { id: string }).id;
}

describe("mail by a relay", () => {
  it("is signed and has its own return-path, and counts as delivered when the relay has it", async () => {
    const id = await sent("ann@receiver.example");
    await expect.poll(() => stack.history(id)).toEqual(["email.sent", "email.delivered"]);
    const [copy, ...others] = takenBy("ann@receiver.example");
    expect(others).toEqual([]);
    expect(copy?.from).toMatch(/^b\+[a-z2-7]{61}@bounces\.example\.test$/);
    expect(copy?.message).toMatch(
      /^DKIM-Signature: [^]*d=example\.test;[^]*\r\nSubject: By relay\r\n/,
    );
  });

  it("that the relay refuses bounces with the relay's words", async () => {
    const id = await sent("refused@receiver.example");
    await expect.poll(() => stack.history(id)).toEqual(["email.sent", "email.bounced"]);
    const events = (await (await stack.api("GET", `/v1/email/${id}`)).json()) as {
      recipients: { events: Record<string, unknown>[] }[];
    };
    expect(events.recipients[0]?.events.find(({ type }) => type === "email.bounced")).toMatchObject(
      {
        smtp_code: 554,
        smtp_response: expect.stringContaining("Message refused by policy"),
        stage: "end",
        mx_host: "localhost",
        tls: "TLS",
      },
    );
  });

  it("with an unknown fate is sent again under the same Message-ID", async () => {
    const id = await sent("lost@receiver.example");
    await expect
      .poll(() => stack.history(id))
      .toEqual(["email.sent", "email.delayed", "email.delivered"]);
    const copies = takenBy("lost@receiver.example");
    expect(copies.length).toBe(2);
    expect(
      new Set(copies.map(({ message }) => /^Message-ID: (\S+)/m.exec(message)?.[1])).size,
    ).toBe(1);
  });

  it("is named in whoami as the courier `smtp`", async () => {
    expect(await (await stack.api("GET", "/v1/whoami")).json()).toMatchObject({
      sending: { courier: "smtp" },
    });
  });
});
