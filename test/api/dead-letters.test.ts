// Tests the operator's dead letters (src/resources/dead-letters, docs/operating.md §Dead letters):
// listing them, putting them back into their queue, and deleting them.
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { z } from "zod";
import type { DeadLetter } from "../../src/resources/dead-letters/wire.ts";
import {
  ADMIN_TOKEN,
  bindings,
  everyPage,
  fieldsOf,
  ok,
  type Page,
  askDeployment,
  operator,
} from "../support/api.ts";

const key = ADMIN_TOKEN;

type Letter = z.output<typeof DeadLetter>;

beforeEach(async () => {
  await bindings.DB.prepare("DELETE FROM dead_letters").run();
});

async function keep(
  count: number,
  queue = "postern-dns-cleanup",
  body: string | null = '{"recordIds":["gone"]}',
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `dead_${crypto.randomUUID()}`);
  const insert = bindings.DB.prepare(
    "INSERT INTO dead_letters VALUES (?, ?, ?, 'no answer', 21, ?, ?)",
  );
  await bindings.DB.batch(
    ids.map((id, index) => insert.bind(id, queue, body, 1_000 * (index + 1), 1_000 * (index + 2))),
  );
  return ids;
}

async function page(query = ""): Promise<Page<Letter>> {
  return ok(operator.get(`/admin/dead-letters${query}`));
}

describe("the list of dead letters", () => {
  it("shows each job with its error and attempts, newest first", async () => {
    const [older, newer] = await keep(2);
    expect((await page()).data).toEqual([
      expect.objectContaining({ id: newer }),
      {
        id: older,
        queue: "postern-dns-cleanup",
        body: { recordIds: ["gone"] },
        error: "no answer",
        attempts: 21,
        first_failed_at: "1970-01-01T00:00:01.000Z",
        last_failed_at: "1970-01-01T00:00:02.000Z",
      },
    ]);
  });

  it("comes page by page, and can be filtered by queue", async () => {
    const dns = await keep(5);
    const body = '{"teamId":"team_x","emailId":"email_x","recipientIndex":0}';
    const [deliver] = await keep(1, "postern-deliver", body);
    const path = "/admin/dead-letters?limit=2&queue=postern-dns-cleanup";
    const seen = await everyPage<Letter>(path, key);
    expect(seen.map(({ id }) => id)).toEqual(dns.toReversed());
    expect((await page("?queue=postern-deliver")).data.map(({ id }) => id)).toEqual([deliver]);
    expect((await page()).data).toHaveLength(6);
  });

  it("answers 422 to a queue that does not exist", async () => {
    expect(await fieldsOf(operator.get("/admin/dead-letters?queue=postern-other"))).toEqual([
      "queue",
    ]);
  });
});

describe("putting a job back", () => {
  it("sends the job to its queue as it was, and deletes the dead letter", async () => {
    const sent: unknown[] = [];
    const send = async (body: unknown) => void sent.push(body);
    const [id] = await keep(1);
    const path = `/admin/dead-letters/${id}/requeue`;
    const taken = ok(askDeployment({ DNS_CLEANUP: { send } }, "POST", path, key), 202);
    expect(await taken).toMatchObject({ id, queue: "postern-dns-cleanup" });
    expect(sent).toEqual([{ recordIds: ["gone"] }]);
    expect((await page()).data).toEqual([]);
  });

  it("keeps the dead letter when the queue does not take the job", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const [id] = await keep(1);
    const path = `/admin/dead-letters/${id}/requeue`;
    const DNS_CLEANUP = { send: () => Promise.reject(new Error("down")) };
    expect((await askDeployment({ DNS_CLEANUP }, "POST", path, key)).status).toBe(500);
    expect((await page()).data).toHaveLength(1);
  });

  it("answers 422 for a dead letter that was no job, and 404 for an unknown dead letter", async () => {
    const [id] = await keep(1, "postern-deliver", null);
    expect(await fieldsOf(operator.post(`/admin/dead-letters/${id}/requeue`))).toEqual(["body"]);
    expect((await operator.post("/admin/dead-letters/dead_none/requeue")).status).toBe(404);
  });
});

describe("deleting a dead letter", () => {
  it("works once, and then gets 404", async () => {
    const [id] = await keep(1);
    expect((await operator.delete(`/admin/dead-letters/${id}`)).status).toBe(204);
    expect((await operator.delete(`/admin/dead-letters/${id}`)).status).toBe(404);
    expect((await page()).data).toEqual([]);
  });
});
