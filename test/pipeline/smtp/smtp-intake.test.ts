// Tests how messages are accepted from the gateway (docs/gateway-protocol.md), from the request to
// the events. The service is the same as over HTTP.
import { describe, expect, it } from "vitest";
import { call, type ErrorBody, refusalOf } from "../../support/api.ts";
import { submit } from "../../support/fakes/fake-gateway.ts";
import { someone, Harness } from "../../support/harness.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const harness = ofEachTest(Harness.make);

describe("a submitted message", () => {
  it("goes out as written and signed, only to the envelope's recipients", async () => {
    const [to, hidden] = [someone(), someone()];
    const written = harness.written(
      [
        `To: ${to}`,
        "Cc: shown@elsewhere.example",
        `Message-ID: <1@${harness.domain}>`,
        "Date: Thu, 1 Jan 2026 00:00:00 +0000",
        "X-Kept:  a\r\n\tb",
      ],
      ".\r\n..\r\ntext \r\n\r\n",
    );
    const id = await harness.submit([to, hidden, to.toUpperCase()], `Bcc: ${hidden}\r\n${written}`);
    const events = await harness.history(id, 4);
    expect(events.map(({ type, recipient }) => `${recipient} ${type}`).sort()).toEqual(
      [to, hidden].flatMap((who) => [`${who} email.delivered`, `${who} email.sent`]).sort(),
    );
    expect(harness.egress.carried).toHaveLength(2);
    for (const { message, mail_from: mailFrom } of harness.egress.carried) {
      expect(message).toMatch(/^DKIM-Signature: [^]*\r\nCFBL-Address: [^]*\r\nFeedback-ID: /);
      expect(message.endsWith(`\r\n${written}`)).toBe(true);
      expect(mailFrom).toMatch(new RegExp(`^b\\+[a-z2-7]{61}@bounces\\.${harness.domain}$`));
      expect(message).not.toContain(hidden);
    }
    expect(new Set(harness.egress.carried.map(({ mail_from: mailFrom }) => mailFrom)).size).toBe(2);
    const expected = {
      message_id: `<1@${harness.domain}>`,
      subject: "Hi",
      from: `hello@${harness.domain}`,
    };
    expect(events[0]).toMatchObject(expected);
    expect(await harness.usage()).toMatchObject({ messages: 0, jobs: 0, dailyUsed: 2 });
  });
});

describe("an idempotency key", () => {
  it("replays the first answer to the same envelope and message, and sends once", async () => {
    const to = someone();
    const message = harness.written(["X-Service-Idempotency-Key: one"]);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => submit(harness.key, [to], message)),
    );
    const bodies = await Promise.all(
      responses.filter(({ status }) => status === 202).map((response) => response.text()),
    );
    expect(responses.every(({ status }) => status === 202 || status === 409)).toBe(true);
    expect(new Set(bodies).size).toBe(1);
    await harness.history((JSON.parse(bodies[0] ?? "") as { id: string }).id, 2);
    const replay = await submit(harness.key, [to], message);
    expect([replay.status, replay.headers.get("Idempotent-Replayed"), await replay.text()]).toEqual(
      [202, "true", bodies[0]],
    );
    expect(harness.egress.to(to)).toHaveLength(1);
    expect(harness.egress.to(to)[0]?.message).not.toMatch(/idempotency/i);
    expect(await harness.usage()).toMatchObject({ dailyUsed: 1 });
  });

  it("is a mismatch with another message, another envelope, or over HTTP", async () => {
    const to = someone();
    const message = harness.written(["X-Service-Idempotency-Key: one"]);
    await harness.submit([to], message);
    for (const response of [
      await submit(harness.key, [to], `${message}more\r\n`),
      await submit(harness.key, [to, someone()], message),
      await call("POST", "/v1/email", {
        key: harness.key,
        headers: { "Idempotency-Key": "one" },
        body: { from: `hello@${harness.domain}`, to: [to], subject: "x", text: "x" },
      }),
    ]) {
      expect(response.status).toBe(422);
      expect((await response.json<ErrorBody>()).error.type).toBe("idempotency_mismatch");
    }
  });

  it.each([
    ["given twice", "a\r\nX-Service-Idempotency-Key: b", "is given more than once"],
    ["too long", "k".repeat(256), "must be 1 to 255 printable ASCII characters"],
  ])("is refused when it is %s", async (_, key, problem) => {
    const message = harness.written([`X-Service-Idempotency-Key: ${key}`]);
    expect(await refusalOf(submit(harness.key, [someone()], message))).toEqual([
      400,
      { idempotency_key: [problem] },
    ]);
  });
});

describe("a message that a program sends again under its key", () => {
  const written = (turn: number, subject = "Hi") =>
    `Received: from host${turn}\r\nFrom: hello@${harness.domain}\r\nSubject: ${subject}\r\n` +
    `Message-ID: <${turn}@${harness.domain}>\r\nX-Service-Idempotency-Key: again\r\n\r\nHello.\r\n`;

  it("gets the first reply, and other content is a mismatch", async () => {
    const [to, other] = [someone(), someone()];
    const first = await harness.submit([to, other], written(0));
    expect(await harness.submit([other, to], written(1))).toBe(first);
    expect((await submit(harness.key, [to, other], written(2, "else"))).status).toBe(422);
    expect(await harness.usage()).toMatchObject({ dailyUsed: 2 });
  });
});
