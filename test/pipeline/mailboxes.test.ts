// Tests the service's own mailboxes, through the gateway and through Email Routing (contract.md
// §Feedback loops, §Postmaster). Complaints at the feedback loops' address find their message. Mail
// to postmaster is forwarded to the operator only.
import { describe, expect, it } from "vitest";
import { forwardEmail, forwardToOperator } from "../../src/mail/deliver/postmaster.ts";
import { receiveEmail } from "../../src/mail/feedback/email.ts";
import { bindings } from "../support/api.ts";
import { DELIVERED } from "../support/fakes/fake-egress.ts";
import { askGateway } from "../support/fakes/fake-gateway.ts";
import { someone, Harness } from "../support/harness.ts";
import type { TestSuppression } from "../support/suppressions.ts";
import { ofEachTest } from "../support/before-tests.ts";

const SERVICE = bindings.SERVICE_DOMAIN ?? "";
const OPERATOR = "operator@home.example";
const env = { ...bindings, POSTMASTER_ADDRESS: OPERATOR };
const bytesOf = (text: string) => new TextEncoder().encode(text);
const MAIL = "From: ann@example.com\r\nTo: postmaster\r\nSubject: Hello\r\n\r\nHello.\r\n";

const harness = ofEachTest(Harness.make);

describe("the gateway's question about a mailbox", () => {
  it.each([
    ["postmaster", SERVICE, 204],
    ["postmaster", SERVICE.toUpperCase(), 204],
    ["postmaster", `feedback.${SERVICE}`, 204],
    ["postmaster", "bounces.shop.example", 204],
    ["fbl", `feedback.${SERVICE}`, 204],
    ["postmaster", "shop.example", 404],
    ["postmaster", `mail.${SERVICE}`, 404],
    ["fbl", SERVICE, 404],
    ["fbl", "bounces.shop.example", 404],
    ["abuse", SERVICE, 404],
    ["hello", `feedback.${SERVICE}`, 404],
  ])("about %s@%s is answered with %i", async (role, host, status) => {
    expect((await askGateway("POST", `/gateway/roles/${role}/${host}`)).status).toBe(status);
  });
});

/** Sends a message. Returns its recipient and the mailed copy. */
async function sendMessage(from = harness): Promise<{
  readonly id: string;
  readonly to: string;
  readonly copy: string;
  readonly mailFrom: string;
}> {
  const to = someone();
  const id = await from.send({
    to: [to],
    text: "Hello.",
    campaign: "spring",
    topic: "news",
    headers: {
      "CFBL-Address": "a@elsewhere.example",
      "CFBL-Feedback-ID": "x",
      "Feedback-ID": "a:b:c:elsewhere",
    },
  });
  await from.history(id, 2);
  const [carried] = from.egress.to(to);
  return { id, to, copy: carried?.message ?? "", mailFrom: carried?.mail_from ?? "" };
}

const complaint = (copy: string, type = "abuse"): string =>
  `From: staff@provider.example
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="x"

--x
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: Loop/1.0
--x
Content-Type: message/rfc822

`.replaceAll("\n", "\r\n") + `${copy}\r\n--x--\r\n`;

const complaintsOf = (id: string) => harness.events(`email_id=${id}&event_type=email.complained`);
const loop = async (raw: string) => (await askGateway("POST", "/gateway/feedback", { raw })).status;

/**
 * Returns the header fields for complaints in a mailed copy, and the names of those that the DKIM
 * signature covers.
 */
function feedbackFieldsOf(copy: string): (string[] | null)[] {
  const header = copy.slice(0, copy.indexOf("\r\n\r\n")).replaceAll("\r\n ", " ");
  const listed = / h=([^;]*);/.exec(header)?.[1]?.replaceAll(" ", "").split(":") ?? [];
  return [
    header.match(/^(?:CFBL|Feedback)-.*$/gim),
    listed.filter((name) => /^(?:cfbl|feedback)-/.test(name)),
  ];
}

describe("a sent copy", () => {
  const HASH = "[0-9a-f]{12}";
  const expected = (mailFrom = "", labels = `${HASH}:${HASH}`) => [
    [
      `CFBL-Address: ${mailFrom}; report=arf`,
      expect.stringMatching(new RegExp(`^Feedback-ID: ${labels}:${HASH}:postern\\.test$`)),
    ],
    ["cfbl-address", "cfbl-address", "feedback-id", "feedback-id"],
  ];
  const feedbackIdIn = (copy: string) => /^Feedback-ID: (.*)\r$/m.exec(copy)?.[1];

  it("has a signed CFBL-Address and Feedback-ID of its own instead of the caller's", async () => {
    const { id, copy, mailFrom } = await sendMessage();
    expect(feedbackFieldsOf(copy)).toEqual(expected(mailFrom));
    expect(await harness.lookUp(id)).toMatchObject({ feedback_id: feedbackIdIn(copy) });
  });

  it("names its campaign, topic and team by hashes that differ from those of another team", async () => {
    const first = await sendMessage();
    const again = await sendMessage();
    const parts = feedbackIdIn(first.copy)?.split(":") ?? [];
    expect(feedbackIdIn(again.copy)).toBe(parts.join(":"));
    expect(new Set(parts).size).toBe(4);
    expect(first.copy).not.toMatch(/spring|news|team_/);
    const other = await sendMessage(await Harness.make());
    const foreign = feedbackIdIn(other.copy)?.split(":") ?? [];
    expect(parts.filter((part) => foreign.includes(part))).toEqual(["postern.test"]);
  });
});

describe("mail to the feedback loops' address", () => {
  it("records the complaint about the attached message once and suppresses the address", async () => {
    const { id, to, copy } = await sendMessage();
    expect([await loop(complaint(copy)), await loop(complaint(copy))]).toEqual([202, 202]);
    expect(await complaintsOf(id)).toMatchObject([{ recipient: to }]);
    const response = await harness.get(`/v1/suppressions/${to}`);
    expect((await response.json<{ data: TestSuppression[] }>()).data).toMatchObject([
      { reason: "complaint", classification: "abuse" },
    ]);
  });

  it("is accepted and ignored when it is not a complaint or has no genuine token", async () => {
    const { id, copy, mailFrom } = await sendMessage();
    const forged = copy.replaceAll(/b\+[a-z2-7]{61}@/g, `b+${"a".repeat(61)}@`);
    for (const raw of [
      complaint(copy, "not-spam"),
      complaint(forged),
      copy,
      "",
      MAIL,
      `A: b\r\n\r\n${"--x\r\n".repeat(300)}`,
    ])
      expect(await loop(raw)).toBe(202);
    expect(await complaintsOf(id)).toEqual([]);
    expect(await loop(complaint(copy).padEnd(300_000, "x"))).toBe(413);
    const path = `/gateway/inbound/${mailFrom.slice(2, 63)}`;
    expect((await askGateway("POST", path, { raw: complaint(copy) })).status).toBe(202);
    expect(await complaintsOf(id)).toHaveLength(1);
  });

  it("is also accepted through Email Routing", async () => {
    const { id, copy } = await sendMessage();
    const bytes = bytesOf(complaint(copy));
    const rejected: string[] = [];
    const email = {
      from: "staff@provider.example",
      rawSize: bytes.length,
      setReject: (reason: string) => rejected.push(reason),
    };
    const raw = () => new Response(bytes).body!;
    const received = { ...email, to: `FBL@feedback.${SERVICE}`, raw: raw() };
    await receiveEmail(received, bindings, Date.now());
    expect(rejected).toEqual([]);
    expect(await complaintsOf(id)).toHaveLength(1);
    await receiveEmail({ ...email, to: `fbl@${SERVICE}`, raw: raw() }, bindings, Date.now());
    expect(rejected).toEqual([expect.stringMatching(/^5\.7\.1 /)]);
  });
});

describe("mail to postmaster", () => {
  it("is accepted and dropped when the operator configured no address", async () => {
    expect((await askGateway("POST", "/gateway/postmaster", { raw: MAIL })).status).toBe(202);
    expect(
      (await askGateway("POST", "/gateway/postmaster", { raw: "x".repeat(300_000) })).status,
    ).toBe(413);
    expect(harness.egress.carried).toEqual([]);
  });

  it("is forwarded unchanged to the operator with a null sender and a trace header", async () => {
    expect(await forwardToOperator(env, bytesOf(MAIL), Date.UTC(2101, 0))).toBe("taken");
    expect(harness.egress.carried).toMatchObject([
      { mail_from: "", rcpt_to: OPERATOR, message: `X-Loop: postmaster@${SERVICE}\r\n${MAIL}` },
    ]);
  });

  it("is forwarded with line ends that no server can take for the end of the mail", async () => {
    const raw = `${MAIL}a\n.\nMAIL FROM:<>\r.\rb\0c\r\n${"x".repeat(2_000)}`;
    expect(await forwardToOperator(env, bytesOf(raw), Date.UTC(2101, 6))).toBe("taken");
    const message = harness.egress.carried[0]?.message ?? "";
    expect(message.replaceAll("\r\n", "")).not.toMatch(/[\r\n\0]/);
    expect(Math.max(...message.split("\r\n").map(({ length }) => length))).toBeLessThanOrEqual(998);
    expect(message).toMatch(/\r\n$/);
  });

  it.each([
    ["has passed this service before", `x-loop: PostMaster@${SERVICE}\r\n${MAIL}`],
    ["has come over too many hosts", `${"Received: from a by b\r\n".repeat(26)}${MAIL}`],
    ["is an automatic answer", `Auto-Submitted:\r\n auto-replied (vacation)\r\n${MAIL}`],
  ])("is not forwarded when it %s", async (_, raw) => {
    expect(await forwardToOperator(env, bytesOf(raw), Date.UTC(2102, 0))).toBe("taken");
    expect(harness.egress.carried).toEqual([]);
  });

  it("is retried when the operator's server refuses it temporarily, and dropped when permanently", async () => {
    const reply = { ...DELIVERED, code: 451, enhanced: "4.3.0" };
    harness.egress.replies(OPERATOR, reply, { ...DELIVERED, code: 550, enhanced: "5.1.1" });
    const tries = [
      await forwardToOperator(env, bytesOf(MAIL), Date.UTC(2103, 0)),
      await forwardToOperator(env, bytesOf(MAIL), Date.UTC(2103, 0)),
    ];
    expect(tries).toEqual(["later", "taken"]);
    harness.egress.up = false;
    expect(await forwardToOperator(env, bytesOf(MAIL), Date.UTC(2104, 0))).toBe("later");
  });

  it("is rate limited: excess mail must be retried", async () => {
    const now = Date.UTC(2105, 0);
    const tries: string[] = [];
    for (let count = 0; count < 25; count += 1)
      tries.push(await forwardToOperator(env, bytesOf(MAIL), now + count));
    expect(tries).toEqual(
      Array.from({ length: 25 }, (_, count) => (count < 20 ? "taken" : "later")),
    );
    expect(harness.egress.carried).toHaveLength(20);
    expect(await forwardToOperator(env, bytesOf(MAIL), now + 60 * 60_000)).toBe("taken");
  });

  it("is forwarded by Email Routing when it arrived there", async () => {
    const forwarded: [string, string | null][] = [];
    const rejected: string[] = [];
    const email = (text: string) => ({
      raw: new Response(text).body!,
      rawSize: text.length,
      setReject: (reason: string) => void rejected.push(reason),
      forward: (address: string, headers?: Headers) =>
        Promise.resolve(forwarded.push([address, headers?.get("X-Loop") ?? null])),
    });
    await forwardEmail(email(MAIL), env, Date.UTC(2106, 0));
    await forwardEmail(email(`X-Loop: postmaster@${SERVICE}\r\n${MAIL}`), env, Date.UTC(2106, 0));
    await forwardEmail(email(MAIL), bindings, Date.UTC(2106, 0));
    await forwardEmail(email("x".repeat(300_000)), env, Date.UTC(2106, 0));
    expect(forwarded).toEqual([[OPERATOR, `postmaster@${SERVICE}`]]);
    expect(rejected).toEqual([expect.stringMatching(/^5\.3\.4 /)]);
  });
});
