// Addresses beyond ASCII through the whole service, over HTTP and SMTP alike: mailed, recorded,
// suppressed in one normal form, unsubscribed, bounced back.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { call } from "../support/api.ts";
import { DELIVERED } from "../support/fake-egress.ts";
import { askGateway } from "../support/fake-gateway.ts";
import { unsubscribeByOneClick } from "../support/recipient.ts";
import type { TestSuppression } from "../support/suppressions.ts";
import { headersOf, Harness, typesOf } from "../support/harness.ts";

const NO_SMTPUTF8 = {
  kind: "reply",
  code: 553,
  enhanced: "5.6.7",
  text: "The server takes no addresses beyond ASCII (SMTPUTF8)",
  stage: "mail",
  mx_host: "mx.example",
  tls: null,
};

let stand: Harness;
/** As it is mailed: its domain in ASCII. */
let user: string;

beforeEach(async () => {
  vi.restoreAllMocks();
  stand = await Harness.make();
  user = `Jörg-用户-${crypto.randomUUID().slice(0, 8)}@xn--bcher-kva.example`;
});

const utf8 = (octets: string): string =>
  new TextDecoder().decode(Uint8Array.from(octets, (octet) => octet.charCodeAt(0)));
const asTyped = (address: string): string =>
  address.replace("ö", "o\u0308").replace("xn--bcher-kva", "Bücher");

async function suppressionsOf(email: string): Promise<TestSuppression[]> {
  const response = await call("GET", `/v1/suppressions/${encodeURIComponent(email)}`, {
    key: stand.team.key,
  });
  return response.status === 404 ? [] : (await response.json<{ data: TestSuppression[] }>()).data;
}

/** The same message both ways. */
const ways: [string, (to: string, topic?: string) => Promise<string>][] = [
  [
    "HTTP",
    (to, topic) => stand.send({ to: [to], text: "x", ...(topic === undefined ? {} : { topic }) }),
  ],
  [
    "SMTP",
    (to, topic) =>
      stand.submit(
        [to],
        `From: hello@${stand.domain}\r\nTo: ${to}\r\n${topic === undefined ? "" : `X-Service-Topic: ${topic}\r\n`}Subject: Hi\r\n\r\nx\r\n`,
      ),
  ],
];

describe.each(ways)("over %s", (_, send) => {
  it("an address beyond ASCII is mailed in its normal form, from an ASCII return-path, and recorded so", async () => {
    const events = await stand.history(await send(asTyped(user)), 2);
    expect(typesOf(events)).toEqual(["email.sent", "email.delivered"]);
    expect(events.map(({ recipient }) => recipient)).toEqual([user, user]);
    const [copy] = stand.egress.to(user);
    expect(copy?.mail_from).toMatch(/^b\+[a-z2-7]{61}@[ -~]+$/);
    expect(utf8(copy?.message ?? "")).toMatch(/^To: J.*rg-用户/m);
    expect(await stand.events(`recipient=${encodeURIComponent(user.toUpperCase())}`)).toHaveLength(
      2,
    );
  });

  it("a suppression of it holds in whatever form it was typed, and is found in any", async () => {
    const { status } = await call("POST", "/v1/suppressions", {
      key: stand.team.key,
      body: { email: asTyped(user).toUpperCase() },
    });
    expect(status).toBe(201);
    expect(typesOf(await stand.history(await send(user), 1))).toEqual(["email.suppressed"]);
    expect(await suppressionsOf(user)).toMatchObject([
      { email: user.toLowerCase(), reason: "manual" },
    ]);
    expect(await suppressionsOf(asTyped(user))).toHaveLength(1);
    expect(
      (
        await call("DELETE", `/v1/suppressions/${encodeURIComponent(asTyped(user))}`, {
          key: stand.team.key,
        })
      ).status,
    ).toBe(204);
    expect(typesOf(await stand.history(await send(user), 2))).toEqual([
      "email.sent",
      "email.delivered",
    ]);
  });

  it("a server without SMTPUTF8 makes a permanent bounce at once, and suppresses nobody", async () => {
    stand.egress.replies(user, NO_SMTPUTF8);
    const [, bounced] = await stand.history(await send(user), 2);
    expect(bounced).toMatchObject({
      type: "email.bounced",
      recipient: user,
      smtp_code: 553,
      bounce_type: "permanent",
      bounce_classification: "ProtocolErrors",
    });
    expect(await suppressionsOf(user)).toEqual([]);
  });

  it("a refusal of the address suppresses it", async () => {
    stand.egress.replies(user, {
      ...DELIVERED,
      code: 550,
      enhanced: "5.1.1",
      text: "No such user",
      stage: "rcpt",
    });
    await stand.history(await send(user), 2);
    await expect
      .poll(() => suppressionsOf(user))
      .toMatchObject([{ reason: "permanent_bounce", classification: "InvalidRecipient" }]);
    expect(typesOf(await stand.history(await send(asTyped(user)), 1))).toEqual([
      "email.suppressed",
    ]);
  });

  it("a report that comes back as RFC 6533 has it is about it", async () => {
    const id = await send(user);
    await stand.history(id, 2);
    const token = /^b\+([a-z2-7]{61})@/.exec(stand.egress.to(user)[0]?.mail_from ?? "")?.[1] ?? "";
    const report = [
      "From: MAILER-DAEMON@mx.example",
      "MIME-Version: 1.0",
      'Content-Type: multipart/report; report-type=global-delivery-status; boundary="x"',
      "",
      "--x",
      "Content-Type: message/global-delivery-status",
      "",
      "Reporting-MTA: dns; mx.example",
      "",
      `Final-Recipient: utf-8; ${user}`,
      "Action: failed",
      "Status: 5.1.1",
      "Diagnostic-Code: smtp; 550 5.1.1 No such user",
      "",
      "--x--",
      "",
    ].join("\r\n");
    expect((await askGateway("POST", `/gateway/inbound/${token}`, { raw: report })).status).toBe(
      202,
    );
    expect(typesOf(await stand.history(id, 3))).toContain("email.bounced");
    expect(await suppressionsOf(user)).toMatchObject([
      { email: user.toLowerCase(), reason: "permanent_bounce" },
    ]);
  });
});

describe("others who are shown", () => {
  it("cost nobody the message: in a copy to an address in ASCII, one beyond it is a name", async () => {
    const plain = "plain@receiver.example";
    const ids = [
      await stand.send({ to: [user, plain], text: "é" }),
      await stand.submit(
        [user, plain],
        `From: Zoë <hello@${stand.domain}>\r\nTo: ${user}, ${plain}\r\nSubject: é\r\n\r\né\r\n`,
      ),
    ];
    for (const id of ids) await stand.history(id, 4);
    for (const { message } of stand.egress.to(plain))
      expect(message.split("\r\n\r\n")[0]).toMatch(/^[\r\n -~]*$/);
    for (const { message } of stand.egress.to(user))
      expect(utf8(message)).toMatch(/^To: .*用户.*, plain@receiver\.example\r$/m);
    expect((await stand.copyTo(plain)).to).toEqual([
      { name: user, group: [] },
      { address: plain, name: "" },
    ]);
  });
});

describe("an unsubscribe link", () => {
  it("carries the address, and suppresses it", async () => {
    const id = await stand.send({
      to: [user],
      topic: "news",
      unsubscribe: { mode: "generate" },
      text: "x",
    });
    await stand.history(id, 2);
    const [value = ""] = headersOf(await stand.copyTo(user), "List-Unsubscribe");
    expect((await unsubscribeByOneClick(value.slice(1, -1))).status).toBe(200);
    expect(typesOf(await stand.history(id, 3))).toContain("email.unsubscribed");
    expect(await suppressionsOf(user)).toMatchObject([{ topic: "news", reason: "unsubscribed" }]);
  });
});
