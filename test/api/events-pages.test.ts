// Tests GET /v1/events page by page: a client may use every cursor that the service gave, and no
// other.
import { beforeEach, describe, expect, it } from "vitest";
import { decodeBase64, encodeBase64Url } from "../../src/lib/crypto/base64.ts";
import { makeTeam, ok, type Page } from "../support/api.ts";
import { anEvent, write } from "../unit/resources/events/sample-events.ts";
import { numbered } from "../support/shard-bindings.ts";
import { ofEachTest } from "../support/before-tests.ts";

const team = ofEachTest(makeTeam);
let ids: string[];

beforeEach(async () => {
  const now = Date.now();
  const events = [1, 2, 3, 4, 5].map((second) =>
    anEvent(team.id, { occurredAt: now - second * 1_000 }),
  );
  await write(await numbered(team.id), events);
  ids = events.map(({ id }) => id);
});

const get = (query: string) => team.get(`/v1/events?${query}`);

async function page(query: string): Promise<Page<{ readonly id: string }>> {
  return ok(get(query));
}

describe("the pages of GET /v1/events", () => {
  it("show every event once, though more are recorded meanwhile, and go on from any cursor repeatedly", async () => {
    const first = await page("limit=2");
    await write(await numbered(team.id), [anEvent(team.id, { occurredAt: Date.now() })]);
    const second = await page(`limit=2&after=${first.next_cursor}`);
    const third = await page(`limit=2&after=${second.next_cursor}`);
    const expected = [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)];
    expect([first, second, third].map(({ data }) => data.map(({ id }) => id))).toEqual(expected);
    expect([third.has_more, third.next_cursor]).toEqual([false, null]);
    expect((await page(`limit=2&after=${first.next_cursor}`)).data).toEqual(second.data);
  });

  it("have cursors that fit into a URL: at most 250 letters, digits, hyphens and underscores", async () => {
    expect((await page("limit=2")).next_cursor).toMatch(/^[\w-]{1,250}$/);
  });

  it("refuse a cursor with any character changed, also in its bookmark", async () => {
    const { next_cursor: cursor } = await page("limit=2");
    const bytes = decodeBase64(cursor!)!;
    for (const place of [0, 15, 16, 30, bytes.length - 20, bytes.length - 1]) {
      const changed = bytes.slice();
      changed[place]! ^= 1;
      expect(await ok(get(`after=${encodeBase64Url(changed)}`), 422)).toMatchObject({
        error: { type: "validation_error", errors: { after: [expect.any(String)] } },
      });
    }
  });
});
