// Tests how messages are accepted from the gateway (docs/gateway-protocol.md), from the request to
// the events. The service is the same as over HTTP.
import { Buffer } from "node:buffer";
import { beforeEach, describe, expect, it } from "vitest";
import { call, type ErrorBody, type TestTeam } from "../../support/api.ts";
import { type FakeEgress } from "../../support/fakes/fake-egress.ts";
import { submit } from "../../support/fakes/fake-gateway.ts";
import { someone, Harness } from "../../support/harness.ts";
import { readAccepted, readRefusal } from "./submission-answers.ts";

let harness: Harness;
let egress: FakeEgress;
let team: TestTeam;
let domain: string;

beforeEach(async () => {
  harness = await Harness.make();
  ({ egress, team, domain } = harness);
});

function messageOf(lines: readonly string[] = [], body = "Hello.\r\n"): string {
  return [`From: Sender <hello@${domain}>`, "Subject: Hi", ...lines, "", body].join("\r\n");
}

describe("a submitted message", () => {
  it("goes out as written and signed, only to the envelope's recipients", async () => {
    const [to, hidden] = [someone(), someone()];
    const written = messageOf(
      [
        `To: ${to}`,
        "Cc: shown@elsewhere.example",
        `Message-ID: <1@${domain}>`,
        "Date: Thu, 1 Jan 2026 00:00:00 +0000",
        "X-Kept:  a\r\n\tb",
      ],
      ".\r\n..\r\ntext \r\n\r\n",
    );
    const id = await readAccepted(
      await submit(team.key, [to, hidden, to.toUpperCase()], `Bcc: ${hidden}\r\n${written}`),
    );
    const events = await harness.history(id, 4);
    expect(events.map(({ type, recipient }) => `${recipient} ${type}`).sort()).toEqual(
      [to, hidden].flatMap((who) => [`${who} email.delivered`, `${who} email.sent`]).sort(),
    );
    expect(egress.carried).toHaveLength(2);
    for (const { message, mail_from: mailFrom } of egress.carried) {
      expect(message).toMatch(/^DKIM-Signature: /);
      expect(message.endsWith(`\r\n${written}`)).toBe(true);
      expect(mailFrom).toMatch(new RegExp(`^b\\+[a-z2-7]{61}@bounces\\.${domain}$`));
      expect(message).not.toContain(hidden);
    }
    expect(new Set(egress.carried.map(({ mail_from: mailFrom }) => mailFrom)).size).toBe(2);
    const expected = { message_id: `<1@${domain}>`, subject: "Hi", from: `hello@${domain}` };
    expect(events[0]).toMatchObject(expected);
    expect(await harness.usage()).toMatchObject({ messages: 0, jobs: 0, dailyUsed: 2 });
  });

  it("is sent in 7 bits and keeps every octet of its body", async () => {
    const octets = Uint8Array.from({ length: 40_000 }, (_, index) =>
      index % 80 === 78 ? 13 : index % 80 === 79 ? 10 : 128 + ((index * 7) % 128),
    );
    const head = new TextEncoder().encode(
      messageOf(["MIME-Version: 1.0", "Content-Type: text/plain; charset=koi8-r"], ""),
    );
    const to = someone();
    const message = new Uint8Array([...head, ...octets]);
    await harness.history(await readAccepted(await submit(team.key, [to], message)), 2);
    const copy = egress.to(to)[0]?.message ?? "";
    const [header = "", body = ""] = copy.split("\r\n\r\n");
    expect(header).toMatch(/\r\nContent-Transfer-Encoding: base64$/);
    expect(copy).toMatch(/^[\r\n -~]*$/);
    expect(Uint8Array.from(atob(body.replaceAll("\r\n", "")), (one) => one.charCodeAt(0))).toEqual(
      octets,
    );
  });
});

describe("an idempotency key", () => {
  it("replays the first answer to the same envelope and message, and sends once", async () => {
    const to = someone();
    const message = messageOf(["X-Service-Idempotency-Key: one"]);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => submit(team.key, [to], message)),
    );
    const bodies = await Promise.all(
      responses.filter(({ status }) => status === 202).map((response) => response.text()),
    );
    expect(responses.every(({ status }) => status === 202 || status === 409)).toBe(true);
    expect(new Set(bodies).size).toBe(1);
    await harness.history((JSON.parse(bodies[0] ?? "") as { id: string }).id, 2);
    const replay = await submit(team.key, [to], message);
    expect([replay.status, replay.headers.get("Idempotent-Replayed"), await replay.text()]).toEqual(
      [202, "true", bodies[0]],
    );
    expect(egress.to(to)).toHaveLength(1);
    expect(egress.to(to)[0]?.message).not.toMatch(/idempotency/i);
    expect(await harness.usage()).toMatchObject({ dailyUsed: 1 });
  });

  it("is a mismatch with another message, another envelope, or over HTTP", async () => {
    const to = someone();
    const message = messageOf(["X-Service-Idempotency-Key: one"]);
    await readAccepted(await submit(team.key, [to], message));
    for (const response of [
      await submit(team.key, [to], `${message}more\r\n`),
      await submit(team.key, [to, someone()], message),
      await call("POST", "/v1/email", {
        key: team.key,
        headers: { "Idempotency-Key": "one" },
        body: { from: `hello@${domain}`, to: [to], subject: "x", text: "x" },
      }),
    ]) {
      expect(response.status).toBe(422);
      expect((await response.json<ErrorBody>()).error.type).toBe("idempotency_mismatch");
    }
  });

  it("keeps a refusal for replays, and is refused when it is invalid", async () => {
    const wrong = messageOf(["X-Service-Idempotency-Key: two", "X-Service-Topic: *"]);
    const first = await submit(team.key, [someone()], wrong);
    expect(first.status).toBe(422);
    const to = someone();
    const anew = messageOf(["X-Service-Idempotency-Key: two", "X-Service-Topic: *", "X-A: b"]);
    const kept = await submit(team.key, [to], anew);
    const expected = [422, "idempotency_mismatch"];
    expect([kept.status, (await kept.json<ErrorBody>()).error.type]).toEqual(expected);
    expect(
      await readRefusal(
        await submit(
          team.key,
          [to],
          messageOf(["X-Service-Idempotency-Key: a\tb", "X-Service-Idempotency-Key: b"]),
        ),
      ),
    ).toEqual([400, { idempotency_key: ["is given more than once"] }]);
    expect(
      await readRefusal(
        await submit(team.key, [to], messageOf([`X-Service-Idempotency-Key: ${"k".repeat(256)}`])),
      ),
    ).toEqual([400, { idempotency_key: ["must be 1 to 255 printable ASCII characters"] }]);
  });
});

describe("a message that a program sends again under its key", () => {
  const html = "<p>Gr\u00fc\u00dfe</p>";
  const file = "JVBERi0=";
  /** Writes a message as nodemailer and PHPMailer do: each time with other words around it. */
  const written = (
    turn: number,
    changes: { text?: string; subject?: string; more?: string } = {},
  ) => {
    const { text = "Gr\u00fc\u00dfe", subject = "Gr\u00fc\u00dfe", more = "X-Mailer: a" } = changes;
    const boundary = `--_NmP-${turn}-Part_1`;
    const isCoded = turn % 2 === 1;
    const base64 = (of: string) => Buffer.from(of, "utf8").toString("base64");
    const encoding = isCoded ? "base64" : "8bit";
    const body = (of: string) => (isCoded ? base64(of) : of);
    const name = isCoded ? "filename*=utf-8''%C3%BC.pdf" : 'filename="\u00fc.pdf"';
    return [
      `Received: from host${turn}`,
      `From: ${isCoded ? "=?utf-8?Q?Zo=C3=AB?=" : "Zo\u00eb"} <hello@${domain}>`,
      `Subject: ${isCoded ? `=?utf-8?B?${base64(subject)}?=` : subject}`,
      `Message-ID: <${turn}@${domain}>`,
      `Date: Thu, ${turn + 1} Jan 2026 00:00:00 +0000`,
      "X-Service-Idempotency-Key: again",
      more,
      "MIME-Version: 1.0",
      `Content-Type: multipart/mixed; boundary="${boundary}"`,
      "",
      `--${boundary}`,
      "Content-Type: text/plain; charset=utf-8",
      `Content-Transfer-Encoding: ${encoding}`,
      "",
      body(text),
      `--${boundary}`,
      "Content-Type: text/html; charset=utf-8",
      `Content-Transfer-Encoding: ${encoding}`,
      "",
      body(html),
      `--${boundary}`,
      "Content-Type: application/pdf",
      "Content-Transfer-Encoding: base64",
      `Content-Disposition: attachment; ${name}`,
      "",
      file,
      `--${boundary}--`,
      "",
    ].join("\r\n");
  };

  it("gets the first reply, and other content or options are a mismatch", async () => {
    const [to, other] = [someone(), someone()];
    const answers = [];
    for (const [turn, recipients] of [
      [0, [to, other]],
      [1, [other, to]],
      [2, [to, other, to]],
    ] as const)
      answers.push(await readAccepted(await submit(team.key, [...recipients], written(turn))));
    expect(new Set(answers).size).toBe(1);
    for (const response of [
      await submit(team.key, [to, other], written(3, { text: "else" })),
      await submit(team.key, [to, other], written(3, { subject: "else" })),
      await submit(team.key, [to, other], written(3, { more: "X-Service-Tags: else" })),
      await submit(team.key, [to, other], written(3).replace(file, "JVBERi4=")),
      await submit(team.key, [to, other], written(4).replace("\u00fc.pdf", "u.pdf")),
      await submit(team.key, [to, other], written(4).replace("Zo\u00eb", "Zoe")),
      await submit(team.key, [to], written(3)),
      await submit(team.key, [someone()], written(3)),
    ])
      expect([response.status, (await response.json<ErrorBody>()).error.type]).toEqual([
        422,
        "idempotency_mismatch",
      ]);
    await harness.history(answers[0]!, 4);
    expect([to, other].flatMap((recipient) => egress.to(recipient))).toHaveLength(2);
  });

  it("to more than 50 recipients is a message for each part, and each part is sent once", async () => {
    const groups = [50, 10].map((count) => Array.from({ length: count }, () => someone()));
    const send = async (group: number, turn: number) =>
      readAccepted(
        await submit(team.key, groups[group]!, `Received: by relay${turn}\r\n${written(0)}`),
      );
    const ids = [await send(0, 1), await send(1, 2)];
    expect(new Set(ids).size).toBe(2);
    expect([await send(1, 3), await send(0, 4)]).toEqual(ids.toReversed());
    const [first] = groups[0]!;
    const overlap = await submit(team.key, [first!, someone()], written(0));
    expect(overlap.status).toBe(422);
    expect(await harness.usage()).toMatchObject({ dailyUsed: 60 });
  });
});
