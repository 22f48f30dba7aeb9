// From a report at a real return-path to its event and suppression (contract.md §Bounce reports):
// once, for the right recipient, and never for what only looks like one.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newEmailId, timeOfUuidv7 } from "../../src/lib/ids.ts";
import { receiveEmail } from "../../src/mail/feedback/email.ts";
import { receiveReport } from "../../src/mail/feedback/inbound.ts";
import { releaseDayAt } from "../../src/mail/recipient-ref.ts";
import { mintToken } from "../../src/mail/token.ts";
import { suppressionsOf as listOf } from "../../src/db/client.ts";
import { findActiveSuppressions } from "../../src/resources/suppressions/store.ts";
import { teamFor } from "../../src/resources/team-settings/team-cache.ts";
import { ADMIN_TOKEN, bindings, call, makeTeam, numberOf, type TestTeam } from "../support/api.ts";
import { DELIVERED, type FakeEgress } from "../support/fake-egress.ts";
import { askGateway } from "../support/fake-gateway.ts";
import { someone, Harness, typesOf } from "../support/harness.ts";
import type { TestSuppression } from "../support/suppressions.ts";
import { settingsOf } from "../../src/settings.ts";
import { fixture } from "../unit/mail/feedback/reading.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const BOUNCED = "email.bounced";
const COMPLAINED = "email.complained";

let stand: Harness;
let egress: FakeEgress;
let team: TestTeam;
let domain: string;

beforeEach(async () => {
  vi.restoreAllMocks();
  stand = await Harness.make();
  ({ egress, team, domain } = stand);
});

/**
 * A sent message, once everything about it is recorded, and its recipients' tokens in their order.
 */
async function send(...to: string[]): Promise<{ id: string; tokens: string[] }> {
  const id = await stand.send({
    from: `hello@${domain}`,
    to,
    text: "Hello.",
    topic: "news",
    tags: ["a"],
  });
  await stand.history(id, 2 * to.length);
  return { id, tokens: to.map((address) => tokenIn(egress.to(address)[0]?.mail_from)) };
}

function tokenIn(mailFrom: string | undefined): string {
  return /^b\+([a-z2-7]{61})@/.exec(mailFrom ?? "")?.[1] ?? "none";
}

interface Minted {
  readonly purpose?: string;
  readonly of?: TestTeam;
  readonly recipientIndex?: number;
}

/**
 * A token of a message that was released on the day of its id; a recipient's genuine return-path
 * unless told otherwise.
 */
async function minted(
  emailId: string,
  { purpose = "return-path", of = team, recipientIndex = 0 }: Minted = {},
): Promise<string> {
  const releaseDay = releaseDayAt(timeOfUuidv7(emailId.slice("email_".length)));
  const ref = { teamNumber: await numberOf(of.id), emailId, recipientIndex, releaseDay };
  return mintToken(settingsOf(bindings).signingKey, purpose, ref);
}

const eventsOf = (id: string, type?: string) =>
  stand.events(`email_id=${id}${type === undefined ? "" : `&event_type=${type}`}`);

async function suppressionsOf(address: string): Promise<TestSuppression[]> {
  const response = await call("GET", `/v1/suppressions/${address}`, { key: team.key });
  return response.status === 404 ? [] : (await response.json<{ data: TestSuppression[] }>()).data;
}

/** A fixture about `address`. */
const about = (name: string, address: string) =>
  fixture(name).replaceAll("ann@example.com", address);

const report = async (token: string, message: string) =>
  (await askGateway("POST", `/gateway/inbound/${token}`, { raw: message })).status;

describe("a bounce that comes back", () => {
  it("is an event of its message, and suppresses the address", async () => {
    const to = someone();
    const { id, tokens } = await send(to);
    expect(await report(tokens[0] ?? "", about("postfix-user-unknown", to))).toBe(202);
    const [bounced, ...others] = await eventsOf(id, BOUNCED);
    expect(others).toEqual([]);
    expect(bounced).toMatchObject({
      recipient: to,
      smtp_code: 550,
      bounce_type: "permanent",
      bounce_classification: "InvalidRecipient",
      attempt: null,
      tracking: null,
      subject: "Hi",
      topic: "news",
      tags: ["a"],
      from: `hello@${domain}`,
    });
    const [suppression, ...more] = await suppressionsOf(to);
    expect(more).toEqual([]);
    expect(suppression).toMatchObject({
      topic: "*",
      reason: "permanent_bounce",
      origin: "auto",
      classification: "InvalidRecipient",
      smtp_code: 550,
      suppressed_at: bounced?.["occurred_at"],
    });
    expect(
      Date.parse(suppression?.expires_at ?? "") - Date.parse(suppression?.suppressed_at ?? ""),
    ).toBe(90 * DAY_MS);
  });

  it("is one event, however often it is delivered, and at once", async () => {
    const to = someone();
    const { id, tokens } = await send(to);
    const text = about("qmail-remote", to);
    const statuses = await Promise.all(
      Array.from({ length: 8 }, () => report(tokens[0] ?? "", text)),
    );
    expect(new Set([...statuses, await report((tokens[0] ?? "").toUpperCase(), text)])).toEqual(
      new Set([202]),
    );
    expect(await eventsOf(id, BOUNCED)).toHaveLength(1);
    expect(await suppressionsOf(to)).toHaveLength(1);
  });

  it("is the first of several, of whatever kind, even at the same moment", async () => {
    const to = someone();
    const { id, tokens } = await send(to);
    expect(await report(tokens[0] ?? "", about("postfix-mailbox-full", to))).toBe(202);
    expect(await report(tokens[0] ?? "", about("postfix-user-unknown", to))).toBe(202);
    expect(await eventsOf(id, BOUNCED)).toMatchObject([
      { bounce_classification: "QuotaIssues", smtp_code: 552 },
    ]);
    expect(await suppressionsOf(to)).toEqual([]);
    const other = someone();
    const second = await send(other);
    await Promise.all(
      ["exim", "gmail", "yahoo", "postfix-mailbox-full"].map((name) =>
        report(second.tokens[0] ?? "", about(name, other)),
      ),
    );
    expect(await eventsOf(second.id, BOUNCED)).toHaveLength(1);
  });

  it("is a server's where nobody is its sender, whatever name it bears", async () => {
    const to = someone();
    const { id, tokens } = await send(to);
    const notice = new TextEncoder().encode(
      "From: Front desk <desk@mx.example.com>\r\nSubject: Undeliverable: Hi\r\n\r\nNo such mailbox.\r\n",
    );
    await receiveReport(bindings, tokens[0] ?? "", notice, Date.now(), false);
    expect(await eventsOf(id, BOUNCED)).toEqual([]);
    await receiveReport(bindings, tokens[0] ?? "", notice, Date.now(), true);
    expect(await eventsOf(id, BOUNCED)).toMatchObject([
      { recipient: to, bounce_classification: "InvalidRecipient" },
    ]);
    expect(await suppressionsOf(to)).toEqual([]);
  });

  it("adds nothing to what the server refused in the transaction", async () => {
    const to = someone();
    egress.replies(to, {
      ...DELIVERED,
      code: 552,
      enhanced: "5.2.2",
      text: "Mailbox full",
      stage: "rcpt",
    });
    const { id, tokens } = await send(to);
    expect(await report(tokens[0] ?? "", about("postfix-user-unknown", to))).toBe(202);
    expect(await eventsOf(id, BOUNCED)).toMatchObject([
      { attempt: 1, bounce_classification: "QuotaIssues" },
    ]);
    expect(await suppressionsOf(to)).toEqual([]);
  });

  it("concerns the recipient of its return-path alone", async () => {
    const [first, second] = [someone(), someone()];
    const { id, tokens } = await send(first, second);
    expect(await report(tokens[0] ?? "", about("postfix-user-unknown", second))).toBe(202);
    expect(await eventsOf(id, BOUNCED)).toEqual([]);
    expect(await report(tokens[1] ?? "", about("postfix-user-unknown", second))).toBe(202);
    expect(await eventsOf(id, BOUNCED)).toMatchObject([{ recipient: second }]);
    expect(await suppressionsOf(first)).toEqual([]);
    expect(await suppressionsOf(second)).toHaveLength(1);
  });

  it("does not bring back a suppression that the team has lifted", async () => {
    const to = someone();
    const { tokens } = await send(to);
    await report(tokens[0] ?? "", about("exim", to));
    expect((await call("DELETE", `/v1/suppressions/${to}`, { key: team.key })).status).toBe(204);
    await report(tokens[0] ?? "", about("exim", to));
    expect(await suppressionsOf(to)).toEqual([]);
  });

  it("that is temporary or unsure suppresses nothing", async () => {
    for (const [name, type] of [
      ["postfix-expired", "transient"],
      ["dsn-host-below-the-domain", "permanent"],
    ] as const) {
      const to = someone();
      const { id, tokens } = await send(to);
      const below = about(name, to).replace(
        "ann@store7.mail.example.com",
        to.replace("@", "@store7."),
      );
      expect(await report(tokens[0] ?? "", below)).toBe(202);
      expect(await eventsOf(id, BOUNCED), name).toMatchObject([{ bounce_type: type }]);
      expect(await suppressionsOf(to)).toEqual([]);
    }
  });
});

describe("a complaint", () => {
  it("is an event, and suppresses the address for good", async () => {
    const to = someone();
    const { id, tokens } = await send(to);
    await report(tokens[0] ?? "", about("arf-minimal", to));
    await report(tokens[0] ?? "", about("arf-fraud", to));
    expect(await eventsOf(id, COMPLAINED)).toMatchObject([
      { recipient: to, attempt: null, smtp_code: null, bounce_type: null, topic: "news" },
    ]);
    expect(await suppressionsOf(to)).toMatchObject([
      {
        topic: "*",
        reason: "complaint",
        origin: "auto",
        classification: "abuse",
        smtp_code: null,
        expires_at: null,
      },
    ]);
  });

  it("stays, whatever bounces later", async () => {
    const to = someone();
    const { id, tokens } = await send(to);
    await report(tokens[0] ?? "", about("arf-minimal", to));
    await report(tokens[0] ?? "", about("exim", to));
    expect(await eventsOf(id, BOUNCED)).toHaveLength(1);
    expect(await eventsOf(id, COMPLAINED)).toHaveLength(1);
    expect(await suppressionsOf(to)).toMatchObject([{ reason: "complaint", expires_at: null }]);
  });

  it("of a kind that asks for nothing is nothing", async () => {
    const to = someone();
    const { id, tokens } = await send(to);
    for (const name of ["arf-not-spam", "arf-auth-failure", "arf-other"])
      expect(await report(tokens[0] ?? "", about(name, to))).toBe(202);
    expect(await eventsOf(id)).toHaveLength(2);
    expect(await suppressionsOf(to)).toEqual([]);
  });
});

describe("nothing comes of", () => {
  it("answers, delays, receipts and forwarding hops", async () => {
    const to = someone();
    const { id, tokens } = await send(to);
    for (const name of [
      "vacation",
      "vacation-sieve",
      "left-the-company",
      "challenge",
      "ticket",
      "read-receipt",
      "postfix-delayed",
      "exim-warning",
      "gmail-delay",
      "postfix-forwarded",
      "qmail-forwarded",
      "dsn-delivered",
    ])
      expect(await report(tokens[0] ?? "", about(name, to)), name).toBe(202);
    expect(await eventsOf(id)).toHaveLength(2);
    expect(await suppressionsOf(to)).toEqual([]);
  });

  it("a token that is forged, too old or another message's", async () => {
    const to = someone();
    const { id, tokens } = await send(to);
    const token = tokens[0] ?? "";
    const text = about("exim", to);
    const forged = [
      token.replace(/^./, (first) => (first === "a" ? "b" : "a")),
      "a".repeat(61),
      await minted(id, { purpose: "unsubscribe" }),
    ];
    for (const wrong of [
      ...forged,
      `${token}a`,
      token.slice(0, -1),
      await minted(newEmailId(Date.now() - 31 * DAY_MS)),
    ])
      expect(await report(wrong, text)).toBe(404);
    const other = await send(someone());
    expect(await report(other.tokens[0] ?? "", text)).toBe(202);
    expect(await eventsOf(id, BOUNCED)).toEqual([]);
    expect(await eventsOf(other.id, BOUNCED)).toEqual([]);
    expect(await suppressionsOf(to)).toEqual([]);
  });

  it("a recipient that the message never had", async () => {
    const to = someone();
    const { id } = await send(to);
    expect(await report(await minted(id, { recipientIndex: 9 }), about("exim", to))).toBe(202);
    expect(await eventsOf(id, BOUNCED)).toEqual([]);
  });

  it("a message that is found nowhere, or that another team has", async () => {
    const to = someone();
    const { id } = await send(to);
    const text = about("exim", to);
    for (const unknown of [newEmailId(Date.now()), newEmailId(Date.now() - 20 * DAY_MS)])
      expect(await report(await minted(unknown), text)).toBe(202);
    expect(await report(await minted(id, { of: await makeTeam() }), text)).toBe(202);
    expect(await stand.events(`event_type=${BOUNCED}`)).toEqual([]);
    expect(await suppressionsOf(to)).toEqual([]);
  });

  it("a team that was deleted", async () => {
    const to = someone();
    const { tokens } = await send(to);
    const gone = await teamFor(bindings, team.id, Date.now());
    expect((await call("DELETE", `/admin/teams/${team.id}`, { key: ADMIN_TOKEN })).status).toBe(
      204,
    );
    expect(await report(tokens[0] ?? "", about("exim", to))).toBe(202);
    expect((await findActiveSuppressions(listOf(bindings, gone!), [to], Date.now())).size).toBe(0);
  });
});

describe("a report that follows delivery at once", () => {
  it("finds its message, however little of it is written yet", async () => {
    const to = someone();
    const id = await stand.send({ from: `hello@${domain}`, to: [to], text: "Hello." });
    await expect.poll(() => egress.to(to).length, { interval: 5 }).toBe(1);
    expect(
      await report(tokenIn(egress.to(to)[0]?.mail_from), about("postfix-user-unknown", to)),
    ).toBe(202);
    const events = await stand.history(id, 3);
    expect(typesOf(events).toSorted()).toEqual([BOUNCED, "email.delivered", "email.sent"]);
    expect(await suppressionsOf(to)).toMatchObject([{ classification: "InvalidRecipient" }]);
  });
});

describe("Email Routing's door", () => {
  it("leads to the same", async () => {
    const to = someone();
    const { id, tokens } = await send(to);
    const bytes = new TextEncoder().encode(about("sendmail-plain", to));
    const raw = new Response(bytes).body;
    if (!raw) throw new Error("no stream");
    const rejected: string[] = [];
    const email = {
      to: `b+${tokens[0]}@bounces.${domain}`,
      raw,
      rawSize: bytes.length,
      setReject: (reason: string) => void rejected.push(reason),
    };
    await receiveEmail(email, bindings, Date.now());
    expect(rejected).toEqual([]);
    expect(await eventsOf(id, BOUNCED)).toMatchObject([{ smtp_code: 550 }]);
    expect(await suppressionsOf(to)).toHaveLength(1);
  });
});

it("is refused when it is a bomb of empty parts", async () => {
  const { tokens } = await send(someone());
  const bomb = `Content-Type: multipart/mixed; boundary=x\r\n\r\n${"--x\r\n\r\n".repeat(700_000)}`;
  expect(await report(tokens[0] ?? "", bomb)).toBe(413);
  expect(await report(tokens[0] ?? "", bomb.slice(0, 250_000))).toBe(422);
});
