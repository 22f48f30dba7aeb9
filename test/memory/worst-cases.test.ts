// Tests the worker's memory in the worst cases. The platform gives an isolate 128 MB, but workerd
// itself sets no limit. Here V8 limits the heap, and heap-meter.ts counts heap and buffers
// together. The largest requests, queue batches and alarms must each stay below 100 MB.
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Held, MemoryHarness, startReceiver } from "./memory-harness.ts";

const ALLOWED_MEGABYTES = 100;
const MEGABYTE = 1024 * 1024;
const FROM = "hello@bench.example";

let harness: MemoryHarness;

beforeAll(async () => {
  harness = await MemoryHarness.start(ALLOWED_MEGABYTES);
});
afterEach(async () => {
  await harness.clear();
  harness.takeCopies();
});
afterAll(() => harness.stop());

/** Polls until `isSo`. */
async function until<Value>(
  ask: () => Promise<Value>,
  isSo: (value: Value) => boolean,
): Promise<Value> {
  for (;;) {
    const value = await ask();
    if (isSo(value)) return value;
    await wait(100);
  }
}

function expectRoom({ at, ...held }: Held): void {
  expect(held.megabytes, `${JSON.stringify(held)} ${at}`).toBeLessThan(ALLOWED_MEGABYTES);
  // An idle worker has about 9 MB. A larger value shows that the meter measured.
  expect(held.megabytes).toBeGreaterThan(9);
}

const json = async <Body>(response: Promise<Response>): Promise<Body & { status: number }> => {
  const answered = await response;
  return { ...((await answered.json()) as Body), status: answered.status };
};

describe("the meter", () => {
  it("counts buffers that the isolate holds beyond the heap limit", async () => {
    const held = await harness.held(
      async () => void (await harness.fetch("POST", "/memory/hold-buffers?megabytes=110")),
    );
    expect(held.bufferMegabytes).toBeGreaterThan(110);
    expect(() => expectRoom(held)).toThrow("to be less than 100");
  });

  it("counts the heap without garbage", async () => {
    const held = await harness.held(
      async () => void (await harness.fetch("POST", "/memory/hold-heap?megabytes=50")),
    );
    expect(held.heapMegabytes).toBeGreaterThan(50);
    expect((await harness.held(() => Promise.resolve())).megabytes).toBeLessThan(20);
  });
});

/** Makes messages, each to its own recipient. `content` has their other members. */
const emailsTo = (count: number, content: object) =>
  Array.from({ length: count }, (_, index) => ({
    from: FROM,
    to: [`u${index}@example.net`],
    ...content,
  }));

/** Sends a batch whose messages are all accepted, in little memory. */
async function expectAccepted(apiKey: string, batch: { readonly emails: readonly object[] }) {
  const total = batch.emails.length;
  const body = JSON.stringify(batch);
  const held = await harness.held(async () => {
    const answer = await json<{ summary: object }>(
      harness.fetch("POST", "/v1/email/batch", apiKey, body),
    );
    expect(answer).toMatchObject({ status: 202, summary: { total, queued: total, failed: 0 } });
  });
  expectRoom(held);
}

describe("a batch of 5 MB", () => {
  it("is accepted in less than 100 MB", async () => {
    const { apiKey } = await harness.tenant();
    const emails = emailsTo(100, { subject: "s", text: "\u044f".repeat(25_000) });
    expect(Buffer.byteLength(JSON.stringify({ emails }))).toBeGreaterThan(4.7 * MEGABYTE);
    await expectAccepted(apiKey, { emails });
  });

  it.each(["{}", "[[]]"])("with the maximum of %s is refused in less than 100 MB", async (unit) => {
    const { apiKey } = await harness.tenant();
    const body = `{"emails":[${`${unit},`.repeat(Math.floor((4.99 * MEGABYTE) / (unit.length + 1)))}${unit}]}`;
    const held = await harness.held(async () => {
      expect((await harness.fetch("POST", "/v1/email/batch", apiKey, body)).status).toBe(400);
    });
    expectRoom(held);
  });

  it("with an attachment that ten messages share is accepted in less than 100 MB", async () => {
    const { apiKey } = await harness.tenant();
    const content = Buffer.alloc(800_000, "pdf").toString("base64");
    const batch = {
      defaults: { attachments: [{ filename: "a.pdf", content }] },
      emails: emailsTo(10, { subject: "s", text: "t" }),
    };
    await expectAccepted(apiKey, batch);
  });

  it("with the largest templates is accepted in less than 100 MB", async () => {
    const { apiKey } = await harness.tenant();
    const content = {
      name: "Large",
      subject: "s",
      html: `{{name}}${"\u044f".repeat(130_000)}`,
      text: `{{name}}${"\u044f".repeat(32_000)}`,
    };
    const { id } = await json<{ id: string }>(
      harness.fetch("POST", "/v1/templates", apiKey, JSON.stringify(content)),
    );
    expect((await harness.fetch("POST", `/v1/templates/${id}/publish`, apiKey, "{}")).status).toBe(
      200,
    );
    const emails = emailsTo(100, { template_id: id }).map((email, index) => ({
      ...email,
      variables: { name: `u${index}` },
    }));
    await expectAccepted(apiKey, { emails });
  });
});

describe("a batch of the queue", () => {
  it.each([
    ["of eight teams with a message of 5 MB each", 8, 8, 3_700_000],
    ["of one team with thirty messages of 1 MB in its ledger", 1, 30, 1_000_000],
    ["of one team with a hundred messages of 96 KB", 1, 100, 97_000],
  ])("%s is delivered in less than 100 MB", async (_name, teams, messages, bytes) => {
    const tenants = await Promise.all(Array.from({ length: teams }, () => harness.tenant()));
    const teamIds = tenants.map(({ teamId }) => teamId);
    await harness.fetch("POST", "/memory/hold-back", undefined, JSON.stringify(teamIds));
    const attachments = [
      { filename: "a.pdf", content: Buffer.alloc(bytes, "pdf").toString("base64") },
    ];
    const emails = emailsTo(messages, { subject: "s", text: "t", attachments });
    for (const [index, email] of emails.entries()) {
      const { apiKey } = tenants[index % teams]!;
      const sent = await harness.fetch("POST", "/v1/email", apiKey, JSON.stringify(email));
      expect(sent.status).toBe(202);
    }
    await until(
      () => json<object>(harness.fetch("POST", "/memory/held-back")),
      (back) => (back as { count?: number }).count === messages,
    );
    harness.takeCopies();
    const held = await harness.held(async () => {
      const delivered = await json<{ acknowledged: number }>(
        harness.fetch("POST", "/memory/deliver"),
      );
      expect(delivered.acknowledged).toBe(messages);
      // The worker may acknowledge a job before the gateway has the job's copy, so the test waits
      // for the copies.
      const recipients = () => new Set(harness.copies.map(({ rcpt_to: recipient }) => recipient));
      await until(
        () => Promise.resolve(recipients().size),
        (size) => size === messages,
      );
    });
    expect(Math.min(...harness.copies.map(({ size }) => size))).toBeGreaterThan((bytes * 4) / 3);
    expectRoom(held);
  });
});

describe("an import of 5 MB", () => {
  it("is kept and stored in less than 100 MB", async () => {
    const { apiKey } = await harness.tenant();
    const rows = 5_000;
    const csv = `email,note\n${Array.from({ length: rows }, (_, index) => `user-${index}@example.net,${"n".repeat(1_000)}`).join("\n")}`;
    const held = await harness.held(async () => {
      const { id } = await json<{ id: string }>(
        harness.fetch("POST", "/v1/suppressions/import", apiKey, csv, {
          "Content-Type": "text/csv",
        }),
      );
      const show = async () =>
        (await harness.fetch("GET", `/v1/suppressions/imports/${id}`, apiKey)).json() as Promise<{
          status: string;
        }>;
      expect(await until(show, ({ status }) => status !== "running")).toMatchObject({
        status: "done",
        total: rows,
        imported: rows,
      });
    });
    expectRoom(held);
  });
});

describe("a webhook's replay", () => {
  it("of a hundred events with the longest headers is sent in less than 100 MB", async () => {
    const { apiKey } = await harness.tenant();
    const headers = Object.fromEntries(
      Array.from({ length: 25 }, (_, index) => [`X-Header-${index}`, "h".repeat(8_000)]),
    );
    const email = {
      from: FROM,
      to: ["delivered@simulator.postern.example"],
      subject: "s",
      text: "t",
      headers,
    };
    for (let batch = 0; batch < 4; batch += 1) {
      const body = JSON.stringify({ emails: Array.from({ length: 25 }, () => email) });
      expect((await harness.fetch("POST", "/v1/email/batch", apiKey, body)).status).toBe(202);
    }
    const events = async () => {
      const response = await harness.fetch(
        "GET",
        "/v1/events?limit=100&event_type=email.delivered",
        apiKey,
      );
      return ((await response.json()) as { data: object[] }).data.length;
    };
    await until(events, (count) => count === 100);
    const receiver = await startReceiver(harness, apiKey);
    const held = await harness.held(async () => {
      const asked = await harness.fetch(
        "POST",
        `/v1/webhooks/${receiver.webhookId}/replay`,
        apiKey,
        JSON.stringify({ start: new Date(Date.now() - 3_600_000).toISOString() }),
      );
      expect(asked.status, await asked.text()).toBe(202);
      await until(
        () => Promise.resolve(receiver.events.size),
        (count) => count === 100,
      );
    });
    expectRoom(held);
  });
});

describe("a message of 5 MB by SMTP", () => {
  it("with tracked links, to 50 recipients, is taken and delivered in less than 100 MB", async () => {
    const { apiKey, teamId } = await harness.tenant();
    const tracked =
      "opens_enabled = 1, clicks_enabled = 1, tracking_host = 'links.bench.example', " +
      "tracking_status = 'verified'";
    await harness.worker.stores.run(
      "DB",
      `UPDATE domains SET ${tracked} WHERE team_id = ?1`,
      teamId,
    );
    const row = `<p><a href="https://shop.example/offers">${"x".repeat(900)}</a></p>\r\n`;
    const head =
      `From: ${FROM}\r\nTo: a@example.net\r\nSubject: s\r\nMIME-Version: 1.0\r\nContent-Type: ` +
      "text/html; charset=utf-8\r\n\r\n";
    const message = Buffer.from(`${head}${row.repeat(Math.floor((4.98 * MEGABYTE) / row.length))}`);
    // The worker makes a message's copies one after the other, so three copies need as much memory
    // as fifty.
    const copies = 3;
    harness.takeCopies(copies);
    const held = await harness.held(async () => {
      const recipients = Array.from({ length: 50 }, (_, index) => `u${index}@example.net`);
      expect((await harness.submit(apiKey, recipients, message)).status).toBe(202);
      await until(
        () => Promise.resolve(harness.copies.length),
        (count) => count >= copies,
      );
    });
    // Tracked links are longer than the original links, so the mailed copies are larger than the
    // message.
    expect(Math.min(...harness.copies.map(({ size }) => size))).toBeGreaterThan(
      message.length + 50_000,
    );
    expectRoom(held);
  });
});

describe("the limit of the heap", () => {
  // The last test of the file, because it ends workerd.
  it("ends workerd when it is exceeded", async () => {
    await expect(harness.fetch("POST", "/memory/hold-heap?megabytes=150")).rejects.toThrow(
      "fetch failed",
    );
  });
});
