// SMTP submission from the gateway's request to the events (docs/gateway-protocol.md), and that it
// is the same service as over HTTP.
import * as fc from "fast-check";
import PostalMime from "postal-mime";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newEmailId } from "../../src/lib/ids.ts";
import { mintSecret } from "../../src/resources/api-keys/key-secret.ts";
import { bindings, call, type ErrorBody, makeTeam, type TestTeam } from "../support/api.ts";
import { makeSendingDomain } from "../support/domain.ts";
import { DELIVERED, type FakeEgress } from "../support/fake-egress.ts";
import { askGateway, frame, submit } from "../support/fake-gateway.ts";
import { someone, Harness } from "../support/harness.ts";

let stand: Harness;
let egress: FakeEgress;
let team: TestTeam;
let domain: string;

beforeEach(async () => {
  vi.restoreAllMocks();
  stand = await Harness.make();
  ({ egress, team, domain } = stand);
});

function messageOf(lines: readonly string[] = [], body = "Hello.\r\n"): string {
  return [`From: Sender <hello@${domain}>`, "Subject: Hi", ...lines, "", body].join("\r\n");
}

async function accepted(response: Response): Promise<string> {
  expect(response.status).toBe(202);
  const { id, created_at: createdAt } = await response.json<{ id: string; created_at: string }>();
  expect(id).toMatch(/^email_[0-9a-f-]{36}$/);
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return id;
}

async function refused(
  response: Response,
): Promise<[status: number, errors: Record<string, string[]> | undefined]> {
  return [response.status, (await response.json<ErrorBody>()).error.errors];
}

const history = (id: string, count: number) => stand.history(id, count);
const usage = () => stand.usage();

describe("a submitted message", () => {
  it("goes out as it was written, signed, to the envelope's recipients alone", async () => {
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
    const id = await accepted(
      await submit(team.key, [to, hidden, to.toUpperCase()], `Bcc: ${hidden}\r\n${written}`),
    );
    const events = await history(id, 4);
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
    expect(events[0]).toMatchObject({
      message_id: `<1@${domain}>`,
      subject: "Hi",
      from: `hello@${domain}`,
    });
    expect(await usage()).toMatchObject({ messages: 0, jobs: 0, dailyUsed: 2 });
  });

  it("keeps every octet of its body", async () => {
    const octets = Uint8Array.from({ length: 40_000 }, (_, index) =>
      index % 80 === 78 ? 13 : index % 80 === 79 ? 10 : 128 + ((index * 7) % 128),
    );
    const head = new TextEncoder().encode(
      messageOf(["Content-Type: text/plain; charset=koi8-r"], ""),
    );
    const to = someone();
    await history(
      await accepted(await submit(team.key, [to], new Uint8Array([...head, ...octets]))),
      2,
    );
    const copy = egress.to(to)[0]?.message ?? "";
    const sent = Array.from(octets, (octet) => String.fromCharCode(octet)).join("");
    expect(copy.slice(copy.indexOf("\r\n\r\n") + 4)).toBe(sent);
  });

  it("may be large, rests in R2 then, and leaves nothing there", async () => {
    const to = someone();
    const attachment = `${"\xff".repeat(76)}\r\n`.repeat(30_000);
    const octets = Uint8Array.from(
      messageOf(["MIME-Version: 1.0", "Content-Type: application/x"], attachment),
      (character) => character.charCodeAt(0),
    );
    const id = await accepted(await submit(team.key, [to], octets));
    await history(id, 2);
    expect(egress.to(to)[0]?.message).toHaveLength(
      (egress.to(to)[0]?.message.indexOf("\r\n\r\n") ?? 0) + 4 + attachment.length,
    );
    await expect.poll(() => bindings.CONTENT.head(`content/${id}`)).toBeNull();
  });

  it("gets its long lines re-encoded, and reads the same", async () => {
    const to = someone();
    const text = "long ".repeat(1_000).trim();
    await history(await accepted(await submit(team.key, [to], messageOf([], `${text}\n`))), 2);
    const copy = egress.to(to)[0]?.message ?? "";
    expect(copy.split("\r\n").every(({ length }) => length <= 998)).toBe(true);
    expect((await PostalMime.parse(copy)).text?.trim()).toBe(text);
  });

  it("bounces and suppresses as any other", async () => {
    const to = someone();
    egress.replies(to, {
      ...DELIVERED,
      code: 550,
      enhanced: "5.1.1",
      text: "No such user",
      stage: "rcpt",
    });
    expect(
      (await history(await accepted(await submit(team.key, [to], messageOf())), 2)).map(
        ({ type }) => type,
      ),
    ).toEqual(["email.sent", "email.bounced"]);
    expect(
      (await history(await accepted(await submit(team.key, [to], messageOf())), 1)).map(
        ({ type }) => type,
      ),
    ).toEqual(["email.suppressed"]);
    expect(egress.carried).toHaveLength(1);
  });

  it("leaves the same events as the same message over HTTP", async () => {
    const [ok, bad] = [someone(), someone()];
    egress.replies(bad, { ...DELIVERED, code: 554, enhanced: "5.7.1", text: "spam", stage: "end" });
    const subject = "Été – news";
    const http = await call("POST", "/v1/email", {
      key: team.key,
      body: {
        from: `Sender <hello@${domain}>`,
        to: [ok, bad],
        subject,
        text: "Hello.",
        headers: { "X-Campaign-Id": "42" },
        tags: ["b", "a"],
        topic: "news",
        campaign: "spring",
      },
    });
    const options = [
      "X-Service-Tags: b, a",
      "X-Service-Topic: news",
      "X-Service-Campaign: spring",
      "X-Campaign-Id: 42",
    ];
    const smtp = await submit(
      team.key,
      [ok, bad],
      `From: Sender <hello@${domain}>\r\nTo: ${ok}, ${bad}\r\nSubject: ${subject}\r\n${options.join("\r\n")}\r\n\r\nHello.\r\n`,
    );
    const eventsOf = async (response: Response) => {
      const id = await accepted(response);
      const uuid = id.slice("email_".length);
      return (await history(id, 4))
        .map((event) => ({
          ...event,
          id: "",
          email_id: "",
          occurred_at: "",
          message_id: String(event["message_id"]).replace(uuid, ""),
        }))
        .sort((left, right) =>
          `${left.recipient}${left.type}`.localeCompare(`${right.recipient}${right.type}`),
        );
    };
    const overHttp = await eventsOf(http);
    expect(overHttp).toHaveLength(4);
    expect(await eventsOf(smtp)).toEqual(overHttp);
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
    await history((JSON.parse(bodies[0] ?? "") as { id: string }).id, 2);
    const replay = await submit(team.key, [to], message);
    expect([replay.status, replay.headers.get("Idempotent-Replayed"), await replay.text()]).toEqual(
      [202, "true", bodies[0]],
    );
    expect(egress.to(to)).toHaveLength(1);
    expect(egress.to(to)[0]?.message).not.toMatch(/idempotency/i);
    expect(await usage()).toMatchObject({ dailyUsed: 1 });
  });

  it("is a mismatch for another message, another envelope, and over HTTP", async () => {
    const to = someone();
    const message = messageOf(["X-Service-Idempotency-Key: one"]);
    await accepted(await submit(team.key, [to], message));
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

  it("keeps a refusal, and is refused itself when it is none", async () => {
    const wrong = messageOf(["X-Service-Idempotency-Key: two", "X-Service-Topic: *"]);
    const first = await submit(team.key, [someone()], wrong);
    expect(first.status).toBe(422);
    const to = someone();
    const kept = await submit(team.key, [to], wrong);
    expect([kept.status, (await kept.json<ErrorBody>()).error.type]).toEqual([
      422,
      "idempotency_mismatch",
    ]);
    expect(
      await refused(
        await submit(
          team.key,
          [to],
          messageOf(["X-Service-Idempotency-Key: a\tb", "X-Service-Idempotency-Key: b"]),
        ),
      ),
    ).toEqual([400, { idempotency_key: ["is given more than once"] }]);
    expect(
      await refused(
        await submit(team.key, [to], messageOf([`X-Service-Idempotency-Key: ${"k".repeat(256)}`])),
      ),
    ).toEqual([400, { idempotency_key: ["must be 1 to 255 printable ASCII characters"] }]);
  });
});

describe("what is refused", () => {
  it("is a sender's domain that is not the team's, or not the key's, under `from` alone", async () => {
    const message = (from: string) => `From: ${from}\r\n\r\nx\r\n`;
    const other = await makeSendingDomain((await makeTeam()).id);
    expect(await refused(await submit(team.key, [someone()], message(`a@${other}`)))).toEqual([
      422,
      { from: [`must be on a verified domain of the team: ${other} is not one`] },
    ]);
    const limited = await makeTeam();
    const own = await makeSendingDomain(limited.id);
    await bindings.DB.prepare(
      "UPDATE api_keys SET allowed_domains = '[\"allowed.example\"]' WHERE id = ?",
    )
      .bind(limited.keyId)
      .run();
    expect(await refused(await submit(limited.key, [someone()], message(`a@${own}`)))).toEqual([
      422,
      { from: [`may not use the domain ${own}: the API key is limited to other domains`] },
    ]);
  });

  it("is a From that shows anybody else, as a 400", async () => {
    expect(
      await refused(
        await submit(team.key, [someone()], `From: boss@bank.example\r\n${messageOf()}`),
      ),
    ).toEqual([400, { from: ["must appear exactly once"] }]);
  });

  it("is the quota, in the API's shape, and nothing is stored", async () => {
    const small = await makeTeam({ limits: { daily: 1 } });
    const from = await makeSendingDomain(small.id);
    const response = await submit(
      small.key,
      [someone(), someone()],
      `From: a@${from}\r\n\r\nx\r\n`,
    );
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({
      error: "quota_exceeded",
      scope: "daily",
      limit: 1,
    });
    expect(await bindings.TEAM_LEDGER.getByName(small.id).usage(Date.now())).toMatchObject({
      messages: 0,
      dailyUsed: 0,
    });
  });

  it("is the request rate, before what is wrong with the message", async () => {
    const slow = await makeTeam({ limits: { requests_per_second: 1 } });
    const statuses = [];
    for (let request = 0; request < 4; request += 1)
      statuses.push((await submit(slow.key, [someone()], "nonsense")).status);
    expect(statuses).toEqual([400, 400, 429, 429]);
  });

  it("is a message over 5 MB, but not one of 5 MB", async () => {
    const head = messageOf([], "");
    const fill = (size: number) =>
      `${head}${`${"x".repeat(78)}\r\n`.repeat(Math.ceil(size / 80))}`
        .slice(0, size - 2)
        .concat("\r\n");
    const to = someone();
    const largest = await submit(team.key, [to], fill(5 * 1024 * 1024));
    expect(largest.status).toBe(202);
    const response = await submit(team.key, [to], fill(5 * 1024 * 1024 + 1));
    expect([response.status, await response.text()]).toEqual([
      413,
      '{"error":"payload_too_large"}',
    ]);
    expect((await submit(team.key, [to], new Uint8Array(6 * 1024 * 1024))).status).toBe(413);
  });

  it.each([
    ["nothing", new Uint8Array()],
    ["half a length", Uint8Array.of(0, 0)],
    ["a length beyond the frame", Uint8Array.of(0, 0, 1, 0, 0x7b)],
    ["a huge length", Uint8Array.of(255, 255, 255, 255, 0x7b)],
    ["an envelope that is no JSON", frame("{", "x")],
    ["an envelope without recipients", frame('{"mail_from":""}', "x")],
    [
      "an envelope with a recipient that is no string",
      frame('{"mail_from":"","rcpt_to":[1]}', "x"),
    ],
    ["an envelope over 32 KB", frame(JSON.stringify({ rcpt_to: ["x".repeat(33_000)] }), "x")],
  ])("is a frame that can't be read, under `envelope`: %s", async (_, raw) => {
    const [status, errors] = await refused(
      await askGateway("POST", "/gateway/messages", { key: team.key, raw }),
    );
    expect([status, Object.keys(errors ?? {})]).toEqual([400, ["envelope"]]);
  });

  it("is never a fault of ours, whatever the octets", async () => {
    const octets = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc
        .array(
          fc.constantFrom(
            `From: a@${domain}`,
            "\r\n",
            "\n",
            "\0",
            ":",
            " ",
            "X-Service-Variables: {",
            "X-Service-Tags:",
            "=?utf-8?B?",
            "\u00ff",
          ),
          { maxLength: 30 },
        )
        .map((pieces) => new TextEncoder().encode(pieces.join(""))),
    );
    await fc.assert(
      fc.asyncProperty(
        octets,
        fc.array(fc.string({ maxLength: 20 }), { maxLength: 3 }),
        async (message, recipients) => {
          const response = await submit(team.key, recipients, message);
          await response.arrayBuffer();
          expect([202, 400, 422]).toContain(response.status);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("the gateway's paths", () => {
  it("are not there without its token, for any method", async () => {
    for (const token of [null, "", "wrong", "gateway-token-for-test"]) {
      for (const [method, path] of [
        ["GET", "/gateway/key"],
        ["POST", "/gateway/messages"],
        ["PUT", "/gateway/messages"],
        ["POST", "/gateway/return-paths/x"],
        ["POST", "/gateway/inbound/x"],
      ] as const) {
        const response = await askGateway(method, path, { key: team.key, token });
        expect([response.status, (await response.json<ErrorBody>()).error.type]).toEqual([
          404,
          "not_found",
        ]);
      }
    }
  });

  it("judge a key by the client's address, at no cost to the team's rate", async () => {
    const slow = await makeTeam({ limits: { requests_per_second: 1 } });
    await bindings.DB.prepare(
      "UPDATE api_keys SET allowed_ips = '[\"198.51.100.0/24\"]' WHERE id = ?",
    )
      .bind(slow.keyId)
      .run();
    for (let request = 0; request < 10; request += 1)
      expect(
        (await askGateway("GET", "/gateway/key", { key: slow.key, ip: "198.51.100.7" })).status,
      ).toBe(204);
    expect(
      (await askGateway("GET", "/gateway/key", { key: slow.key, ip: "198.51.101.7" })).status,
    ).toBe(403);
    expect(
      (await askGateway("GET", "/gateway/key", { key: slow.key, ip: "nonsense" })).status,
    ).toBe(403);
    expect((await askGateway("GET", "/gateway/key", {})).status).toBe(401);
    expect(
      (await askGateway("GET", "/gateway/key", { key: mintSecret(), ip: "203.0.113.77" })).status,
    ).toBe(401);
    expect(
      (
        await call("GET", "/v1/whoami", {
          key: slow.key,
          ip: "198.51.101.7",
          headers: { "X-Client-IP": "198.51.100.7" },
        })
      ).status,
    ).toBe(403);
    expect(
      (
        await call("GET", "/v1/whoami", {
          key: slow.key,
          ip: "198.51.101.7",
          headers: { "X-Client-IP": "198.51.100.7", "X-Gateway-Token": "wrong" },
        })
      ).status,
    ).toBe(403);
    expect(
      (await askGateway("GET", "/v1/whoami", { key: slow.key, ip: "198.51.100.7" })).status,
    ).toBe(200);
  });

  it("take a send_only key, and tell of a team without a subscription", async () => {
    await bindings.DB.prepare("UPDATE api_keys SET permissions = 'send_only' WHERE id = ?")
      .bind(team.keyId)
      .run();
    expect((await askGateway("GET", "/gateway/key", { key: team.key })).status).toBe(204);
    await accepted(await submit(team.key, [someone()], messageOf()));
    const lapsed = await makeTeam({ subscription: "inactive" });
    expect((await askGateway("GET", "/gateway/key", { key: lapsed.key })).status).toBe(402);
    expect((await submit(lapsed.key, [someone()], messageOf())).status).toBe(402);
  });

  it("refuse wrong keys from a client that guesses, and take good keys and messages from the same address", async () => {
    const ip = "203.0.113.200";
    for (let failure = 0; failure < 20; failure += 1)
      expect(
        (await askGateway("GET", "/gateway/key", { key: `guess-${failure}`, ip })).status,
      ).toBe(401);
    const blocked = await askGateway("GET", "/gateway/key", { key: "another-guess", ip });
    expect([blocked.status, Number(blocked.headers.get("Retry-After")) > 890]).toEqual([403, true]);
    expect((await askGateway("GET", "/gateway/key", { key: team.key, ip })).status).toBe(204);
    await accepted(await submit(team.key, [someone()], messageOf(), { ip }));
    expect(
      (await askGateway("GET", "/gateway/key", { key: "another-guess", ip: "203.0.113.201" }))
        .status,
    ).toBe(401);
  });
});

describe("return-paths", () => {
  it("are those of messages that went out, and take mail", async () => {
    const to = someone();
    await history(await accepted(await submit(team.key, [to], messageOf())), 2);
    const token = /^b\+([a-z2-7]{61})@/.exec(egress.to(to)[0]?.mail_from ?? "")?.[1] ?? "";
    expect((await askGateway("POST", `/gateway/return-paths/${token}`)).status).toBe(204);
    expect((await askGateway("POST", `/gateway/return-paths/${token.toUpperCase()}`)).status).toBe(
      204,
    );
    const raw = "From: <>\r\n\r\nno such user\r\n";
    const response = await askGateway("POST", `/gateway/inbound/${token}`, { raw });
    expect([response.status, await response.text()]).toEqual([202, ""]);
    expect(
      (await askGateway("POST", `/gateway/inbound/${token}`, { raw: "x".repeat(256 * 1024 + 1) }))
        .status,
    ).toBe(413);
    expect(
      await refused(
        await askGateway("POST", `/gateway/inbound/${token}`, {
          raw: `A: b\r\n\r\n${"--x\r\n".repeat(201)}`,
        }),
      ),
    ).toEqual([422, { message: ["has more than 200 lines that may be boundaries"] }]);
  });

  it.each(["x", "a".repeat(61), newEmailId(0), "%00", "%ff"])("are not %s", async (token) => {
    expect((await askGateway("POST", `/gateway/return-paths/${token}`)).status).toBe(404);
    expect((await askGateway("POST", `/gateway/inbound/${token}`, { raw: "x" })).status).toBe(404);
  });
});
