// Tests `npm run doctor -- --send`: it sends a real message and waits for its event, or says where
// the message was lost.
import { describe, expect, it } from "vitest";
import { harness, useDoctor } from "./doctor-harness.ts";

useDoctor();

const TO = "me@example.org";
const LOUD = "--json --skip message --skip gateway --skip smtp --skip mailboxes";
const QUIET = `${LOUD} --skip replies`;

async function send(args: string, courier = "cloudflare") {
  if (courier === "cloudflare") await harness.useEmailService();
  const { code, findings, text } = await harness.examine(`${QUIET} ${args}`.trim());
  return { code, text, sent: findings.find(({ check }) => check === "send") };
}

/** Sends to TO, and expects the exit code, the result's status, its words and its remedy. */
async function expectSent(
  result: readonly [code: number, status: string],
  what: RegExp,
  mend?: RegExp,
  courier?: string,
) {
  const { code, sent } = await send(`--send ${TO}`, courier);
  expect([code, sent?.status]).toEqual(result);
  expect(sent?.what).toMatch(what);
  if (mend) expect(sent?.mend).toMatch(mend);
}

describe("a message to a real address", () => {
  it("is sent from the team's verified domain, and is ok when its event arrives", async () => {
    await expectSent(
      [0, "ok"],
      /^email_\S+ to me@example\.org was delivered after \d+\.\d s: 250 2\.0\.0 OK /,
    );
    expect(harness.worker.emails).toMatchObject([{ to: TO }]);
  });

  it("goes to the login's own address if no address is named", async () => {
    expect((await send("--send")).sent?.status).toBe("ok");
    expect((await send("--send --skip dns")).sent?.status).toBe("ok");
    const to = "operator@example.com";
    expect(harness.worker.emails).toMatchObject([{ to }, { to }]);
  });

  it("needs an address if the login has none", async () => {
    harness.change({ loggedIn: false });
    const { code, sent } = await send("--send");
    expect([code, sent?.mend]).toEqual([1, "give an address of yours: --send you@example.org"]);
    expect(harness.worker.emails).toEqual([]);
  });

  it("is not sent to a verified destination of the account, about which no event comes", async () => {
    const verified = "2026-10-01T00:00:00Z";
    harness.change({
      destinations: [
        { email: "other@example.org", verified: null },
        { email: "Me@example.org", verified },
      ],
    });
    const { code, sent } = await send(`--send ${TO}`);
    expect([code, sent?.mend]).toEqual([1, expect.stringMatching(/--send someone@example\.org$/)]);
    expect(harness.worker.emails).toEqual([]);
    expect((await send("--send other@example.org")).sent?.status).toBe("ok");
    harness.change({ fault: { at: "GET /accounts/acc1/email/routing", kind: "refuse" } });
    expect((await send(`--send ${TO}`)).sent?.status).toBe("ok");
  });

  it("needs a verified domain", async () => {
    for (const domain of harness.worker.domains) domain.status = "pending";
    const { code, sent } = await send(`--send ${TO}`);
    const what = "no message was sent: the key's team has no verified domain";
    expect([code, sent?.what]).toEqual([1, what]);
  });

  it("is not sent without --send, nor with --skip send", async () => {
    await send("");
    await send(`--send ${TO} --skip send`);
    expect(harness.worker.emails).toEqual([]);
  });
});

describe("the outcome", () => {
  it("is a fault if no event arrives, and the doctor names the subscription", async () => {
    harness.worker.becomes = "sent";
    await expectSent(
      [1, "critical"],
      /was handed over after \d+\.\d s, and no event about it arrived$/,
      /^check the subscription .*queues info postern-email-events/,
    );
  });

  it.each(["cloudflare", "gateway"])(
    "of a bounce by the courier %s quotes the server, and is not a fault",
    async (courier) => {
      harness.worker.becomes = "bounced";
      const reply = /bounced after .*: 550 5\.1\.1 The email account/;
      await expectSent([0, "warning"], reply, /an event arrived/, courier);
    },
  );

  it.each([
    ["delayed", "warning", /451 4\.7\.1 Try again later$/, /retries by itself/],
    ["suppressed", "warning", /is suppressed/, /the address is suppressed/],
    ["queued", "critical", /is queued/, /the courier has not sent it/],
  ] as const)("is named: %s", async (becomes, status, what, mend) => {
    harness.worker.becomes = becomes;
    await expectSent([status === "critical" ? 1 : 0, status], what, mend, "gateway");
  });
});

describe("a mail to a reply address", () => {
  const examine = async () => {
    await harness.useEmailService();
    const { code, findings } = await harness.examine(`${LOUD} --send ${TO}`);
    return { code, found: findings.find(({ check }) => check === "replies") };
  };

  it("proves that replies arrive, and goes to the address that the simulator answered", async () => {
    expect(await examine()).toMatchObject({
      code: 0,
      found: {
        status: "ok",
        what: expect.stringMatching(/^a mail to reply\.post.* a reply to em/),
      },
    });
    const sent = harness.worker.emails.map(({ to }) => to).filter((to) => to !== TO);
    expect(sent).toEqual(["replies@simulator.post.example.com", expect.stringMatching(/^r\+a+@/)]);
  });

  it("that is refused names the switch, the rule and subaddressing", async () => {
    harness.worker.takesReplies = false;
    const { code, found } = await examine();
    expect([code, found?.what]).toEqual([
      1,
      expect.stringMatching(/is bounced and no .*: 550 5\.1/),
    ]);
    expect(found?.mend).toMatch(
      /Email Routing, Settings, add reply\.post\.\S+; .*send r@reply\.\S+ to .*Subaddressing on/,
    );
  });

  it("is not sent for a team that reads no replies", async () => {
    harness.worker.readsReplies = false;
    expect(await examine()).toMatchObject({ code: 0, found: { status: "unknown" } });
  });
});
