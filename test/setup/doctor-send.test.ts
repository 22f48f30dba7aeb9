// Tests `npm run doctor -- --send`: it sends a real message and waits for its event, or says where
// the message was lost.
import { describe, expect, it } from "vitest";
import { harness, useDoctor } from "./doctor-harness.ts";

useDoctor();

const TO = "me@example.org";
const QUIET = ["--json", "--skip", "message", "--skip", "gateway", "--skip", "smtp"];

async function send(args: readonly string[], courier = "cloudflare") {
  if (courier === "cloudflare") await harness.useEmailService();
  const { code, findings, text } = await harness.examine([...QUIET, ...args]);
  return { code, text, sent: findings.find(({ check }) => check === "send") };
}

describe("a message to a real address", () => {
  it("is sent from the team's verified domain, and is ok when its event arrives", async () => {
    const { code, sent } = await send(["--send", TO]);
    expect(harness.worker.emails.map(({ to }) => to)).toEqual([TO]);
    expect(sent).toMatchObject({
      status: "ok",
      what: expect.stringMatching(
        /^email_\S+ to me@example\.org was delivered after \d+\.\d s: 250 2\.0\.0 OK /,
      ),
    });
    expect(code).toBe(0);
  });

  it("goes to the login's own address if no address is named", async () => {
    expect((await send(["--send"])).sent?.status).toBe("ok");
    expect((await send(["--send", "--skip", "dns"])).sent?.status).toBe("ok");
    expect(harness.worker.emails.map(({ to }) => to)).toEqual([
      "operator@example.com",
      "operator@example.com",
    ]);
  });

  it("needs an address if the login has none", async () => {
    harness.change({ loggedIn: false });
    const { code, sent } = await send(["--send"]);
    expect([code, sent?.mend]).toEqual([1, "give an address of yours: --send you@example.org"]);
    expect(harness.worker.emails).toEqual([]);
  });

  it("needs a verified domain", async () => {
    for (const domain of harness.worker.domains) domain.status = "pending";
    const { code, sent } = await send(["--send", TO]);
    expect([code, sent?.what]).toEqual([
      1,
      "no message was sent: the key's team has no verified domain",
    ]);
  });

  it("is not sent without --send, nor with --skip send", async () => {
    await send([]);
    await send(["--send", TO, "--skip", "send"]);
    expect(harness.worker.emails).toEqual([]);
  });
});

describe("the outcome", () => {
  it("is a fault if no event arrives, and the doctor names the subscription", async () => {
    harness.worker.becomes = "sent";
    const { code, sent } = await send(["--send", TO]);
    expect(code).toBe(1);
    expect(sent).toMatchObject({
      status: "FAIL",
      what: expect.stringMatching(
        /was handed over after \d+\.\d s, and no event about it arrived$/,
      ),
      mend: expect.stringMatching(/^check the subscription .*queues info postern-email-events/),
    });
  });

  it.each(["cloudflare", "gateway"])(
    "of a bounce by the courier %s quotes the server, and is not a fault",
    async (courier) => {
      harness.worker.becomes = "bounced";
      const { code, sent } = await send(["--send", TO], courier);
      expect(code).toBe(0);
      expect(sent).toMatchObject({
        status: "warn",
        what: expect.stringMatching(/bounced after .*: 550 5\.1\.1 The email account/),
        mend: expect.stringContaining("an event arrived"),
      });
    },
  );

  it.each([
    ["delayed", "warn", /451 4\.7\.1 Try again later$/, /retries by itself/],
    ["suppressed", "warn", /is suppressed/, /the address is suppressed/],
    ["queued", "FAIL", /is queued/, /the courier has not sent it/],
  ] as const)("is named: %s", async (becomes, status, what, mend) => {
    harness.worker.becomes = becomes;
    const { sent } = await send(["--send", TO], "gateway");
    expect(sent).toMatchObject({
      status,
      what: expect.stringMatching(what),
      mend: expect.stringMatching(mend),
    });
  });
});
