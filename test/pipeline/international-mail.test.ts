// Tests sends from and to addresses beyond ASCII through the whole service, over HTTP and SMTP.
// They are mailed, recorded, unsubscribed and bounced, and suppressed in one normal form.
import { beforeEach, describe, expect, it } from "vitest";
import { askGateway } from "../support/fakes/fake-gateway.ts";
import { unsubscribeByOneClick } from "../support/recipient.ts";
import type { TestSuppression } from "../support/suppressions.ts";
import { headersOf, Harness, typesOf, kindsOf } from "../support/harness.ts";

const NO_SMTPUTF8 = {
  kind: "reply",
  code: 553,
  enhanced: "5.6.7",
  text: "The server takes no addresses beyond ASCII (SMTPUTF8)",
  stage: "mail",
  mx_host: "mx.example",
  tls: null,
};

let harness: Harness;
/** The address as it is mailed, with its domain in ASCII. */
let user: string;

beforeEach(async () => {
  harness = await Harness.make();
  user = `Jörg-用户-${crypto.randomUUID().slice(0, 8)}@xn--bcher-kva.example`;
});

const utf8 = (octets: string): string =>
  new TextDecoder().decode(Uint8Array.from(octets, (octet) => octet.charCodeAt(0)));
const asTyped = (address: string): string =>
  address.replace("ö", "o\u0308").replace("xn--bcher-kva", "Bücher");

async function suppressionsOf(email: string): Promise<TestSuppression[]> {
  const response = await harness.team.get(`/v1/suppressions/${encodeURIComponent(email)}`);
  return response.status === 404 ? [] : (await response.json<{ data: TestSuppression[] }>()).data;
}

/** Sends the same message in two ways: over HTTP and by SMTP. */
const ways: [string, (to: string, topic?: string) => Promise<string>][] = [
  [
    "HTTP",
    (to, topic) => harness.send({ to: [to], text: "x", ...(topic === undefined ? {} : { topic }) }),
  ],
  [
    "SMTP",
    (to, topic) =>
      harness.submit(
        [to],
        `From: hello@${harness.domain}\r\nTo: ` +
          `${to}\r\n${topic === undefined ? "" : `X-Service-Topic: ${topic}\r\n`}Subject: ` +
          "Hi\r\n\r\nx\r\n",
      ),
  ],
];

describe.each(ways)("over %s", (_, send) => {
  it("an address beyond ASCII is mailed in normal form, from an ASCII return-path", async () => {
    const events = await harness.history(await send(asTyped(user)), 2);
    expect(kindsOf(events)).toBe("sent delivered");
    expect(events.map(({ recipient }) => recipient)).toEqual([user, user]);
    const [copy] = harness.egress.to(user);
    expect(copy?.mail_from).toMatch(/^b\+[a-z2-7]{61}@[ -~]+$/);
    expect(utf8(copy?.message ?? "")).toMatch(/^To: J.*rg-用户/m);
    expect(
      await harness.events(`recipient=${encodeURIComponent(user.toUpperCase())}`),
    ).toHaveLength(2);
  });

  it("a suppression of an address beyond ASCII applies to every form of it", async () => {
    const { status } = await harness.team.post("/v1/suppressions", {
      email: asTyped(user).toUpperCase(),
    });
    expect(status).toBe(201);
    expect(kindsOf(await harness.history(await send(user), 1))).toBe("suppressed");
    expect(await suppressionsOf(user)).toMatchObject([
      { email: user.toLowerCase(), reason: "manual" },
    ]);
    expect(await suppressionsOf(asTyped(user))).toHaveLength(1);
    expect(
      (await harness.team.delete(`/v1/suppressions/${encodeURIComponent(asTyped(user))}`)).status,
    ).toBe(204);
    expect(kindsOf(await harness.history(await send(user), 2))).toBe("sent delivered");
  });

  it("a server without SMTPUTF8 causes a permanent bounce, and no suppression", async () => {
    harness.egress.replies(user, NO_SMTPUTF8);
    const [, bounced] = await harness.history(await send(user), 2);
    expect(bounced).toMatchObject({
      type: "email.bounced",
      recipient: user,
      smtp_code: 553,
      bounce_type: "permanent",
      bounce_classification: "ProtocolErrors",
    });
    expect(await suppressionsOf(user)).toEqual([]);
  });

  it("a delivery report as of RFC 6533 suppresses the address beyond ASCII", async () => {
    const id = await send(user);
    await harness.history(id, 2);
    const token =
      /^b\+([a-z2-7]{61})@/.exec(harness.egress.to(user)[0]?.mail_from ?? "")?.[1] ?? "";
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
    expect(typesOf(await harness.history(id, 3))).toContain("email.bounced");
    expect(await suppressionsOf(user)).toMatchObject([
      { email: user.toLowerCase(), reason: "permanent_bounce" },
    ]);
  });
});

describe("displayed recipients with an address beyond ASCII", () => {
  it("are shown by name only in copies to an ASCII address", async () => {
    const plain = "plain@receiver.example";
    const ids = [
      await harness.send({ to: [user, plain], text: "é" }),
      await harness.submit(
        [user, plain],
        `From: Zoë <hello@${harness.domain}>\r\nTo: ${user}, ${plain}\r\nSubject: é\r\n\r\né\r\n`,
      ),
    ];
    for (const id of ids) await harness.history(id, 4);
    for (const { message } of harness.egress.to(plain))
      expect(message.split("\r\n\r\n")[0]).toMatch(/^[\r\n -~]*$/);
    for (const { message } of harness.egress.to(user))
      expect(utf8(message)).toMatch(/^To: .*用户.*, plain@receiver\.example\r$/m);
    const expected = [
      { name: user, group: [] },
      { address: plain, name: "" },
    ];
    expect((await harness.copyTo(plain)).to).toEqual(expected);
  });
});

describe("an unsubscribe link", () => {
  it("for an address beyond ASCII suppresses that address", async () => {
    const message = { to: [user], topic: "news", unsubscribe: { mode: "generate" }, text: "x" };
    const id = await harness.send(message);
    await harness.history(id, 2);
    const [value = ""] = headersOf(await harness.copyTo(user), "List-Unsubscribe");
    expect((await unsubscribeByOneClick(value.slice(1, -1))).status).toBe(200);
    expect(typesOf(await harness.history(id, 3))).toContain("email.unsubscribed");
    expect(await suppressionsOf(user)).toMatchObject([{ topic: "news", reason: "unsubscribed" }]);
  });
});
