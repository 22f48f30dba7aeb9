// Tests the endpoints for scheduled messages (contract.md §Scheduled sends): showing, listing,
// moving and cancelling them.
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/limits.ts";
import type { ErrorBody } from "../../support/api.ts";
import { call, errorsOf, everyPage, makeTeam } from "../../support/api.ts";
import { ofEachTest } from "../../support/before-tests.ts";
import { TestSender } from "../../support/test-sender.ts";

const team = ofEachTest(TestSender.make);

const at = (ms: number): string => new Date(Date.now() + ms).toISOString();

const send = async (more: object = {}): Promise<string> =>
  (await team.sent({ to: ["ann@example.net"], subject: "Hi", ...more })).id;

const get = async (path: string) => {
  const response = await team.get(path);
  return { status: response.status, body: await response.json<Record<string, never>>() };
};
const cancel = (id: string) => team.post(`/v1/email/${id}/cancel`);
const move = (id: string, scheduled_at: unknown) => team.patch(`/v1/email/${id}`, { scheduled_at });

interface CanceledCampaign {
  readonly data: readonly { readonly id: string; readonly canceled_at: string }[];
  readonly has_more: boolean;
}

/** Reads a list of messages page by page, and returns their ids. */
const walk = async (query: string): Promise<string[]> =>
  (await everyPage<{ id: string }>(`/v1/email?${query}`, team.key)).map(({ id }) => id);

/** The status and message of a 409, which is always `not_cancelable`. */
async function refusalOf(response: Response): Promise<[number, unknown]> {
  const { error } = await response.json<ErrorBody>();
  expect(error.type).toBe("not_cancelable");
  return [response.status, error.message];
}

const RELEASED = expect.stringContaining("it was released") as unknown;
const CANCELED = expect.stringContaining("it was canceled") as unknown;
const NEVER_SCHEDULED = expect.stringContaining("without `scheduled_at`") as unknown;

describe("GET /v1/email/{id}", () => {
  it("shows when a message goes out, and when it was canceled", async () => {
    const scheduled_at = at(HOUR_MS);
    const metadata = { order_id: "1042" };
    const id = await send({ scheduled_at, metadata, bcc: ["bob@example.net"] });
    const path = `/v1/email/${id}`;
    expect(await get(path)).toMatchObject({
      status: 200,
      body: {
        id,
        scheduled_at,
        canceled_at: null,
        to: ["ann@example.net"],
        bcc: ["bob@example.net"],
        metadata,
        recipients: [{ status: "scheduled", next_attempt_at: null, events: [] }, {}],
      },
    });
    const { canceled_at } = await (await cancel(id)).json<{ canceled_at: string }>();
    expect(await get(path)).toMatchObject({
      body: { scheduled_at, canceled_at, metadata, recipients: [{ status: "canceled" }, {}] },
    });
  });

  it("shows neither time for a message that was not scheduled", async () => {
    const { body } = await get(`/v1/email/${await send()}`);
    expect(Object.keys(body)).not.toContain("scheduled_at");
    expect(Object.keys(body)).not.toContain("canceled_at");
  });
});

describe("GET /v1/email?status=scheduled", () => {
  it("lists waiting messages, newest first, page by page", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1)
      ids.unshift(await send({ scheduled_at: at(HOUR_MS), subject: `Number ${index}` }));
    await send();
    await cancel(ids[1]!);
    const left = ids.filter((_, index) => index !== 1);
    expect((await walk("status=scheduled&limit=3")).toSorted()).toEqual(left.toSorted());
  });

  it("lists the next messages to go out first, all or those of a campaign, page by page", async () => {
    const hours = [3, 1, 2, 1, 5, 4];
    const ids: string[] = [];
    for (const [index, hour] of hours.entries())
      ids.push(
        await send({
          scheduled_at: at(hour * HOUR_MS),
          ...(index !== 2 && { campaign: "autumn" }),
        }),
      );
    const inOrder = [1, 3, 2, 0, 5, 4].map((index) => ids[index]);
    expect(await walk("order=soonest&limit=2")).toEqual(inOrder);
    const ofAutumn = inOrder.filter((id) => id !== ids[2]);
    expect(await walk("campaign=autumn&limit=2")).toEqual(ofAutumn);
    expect(await walk("status=scheduled&order=soonest&campaign=autumn")).toEqual(ofAutumn);
    expect(await walk("campaign=spring")).toEqual([]);
    const { body } = await get("/v1/email?order=soonest&limit=1");
    const { status, body: refused } = await get(
      `/v1/email?limit=1&after=${String(body["next_cursor"])}`,
    );
    expect([status, refused]).toMatchObject([422, { error: { errors: { after: [/order/] } } }]);
  });

  it("has no other status than `scheduled` and `all`, and refuses parameters of the other list", async () => {
    expect((await get("/v1/email")).status).toBe(200);
    for (const query of ["status=sent", "status=", "status=all&status=all"]) {
      const { status, body } = await get(`/v1/email?${query}`);
      expect(status).toBe(422);
      expect(body).toMatchObject({ error: { errors: { status: [expect.any(String)] } } });
    }
    for (const [query, errors] of [
      ["status=all&order=soonest", { order: ["is only for status=scheduled"] }],
      ["topic=news&tags=a", { topic: ["is only for status=all"], tags: [/only/] }],
      ["status=all&campaign=", { campaign: ["must not be empty"] }],
    ] as const)
      expect(await get(`/v1/email?${query}`)).toMatchObject({
        status: 422,
        body: { error: { errors } },
      });
  });
});

describe("GET /v1/email?status=all", () => {
  it("lists open, scheduled and canceled messages, the last accepted first, page by page", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1)
      ids.push(await send(index % 3 === 0 ? {} : { scheduled_at: at(HOUR_MS) }));
    await cancel(ids[5]!);
    expect(await walk("status=all&limit=3")).toEqual(ids.toSorted().toReversed());
    const other = await makeTeam();
    const foreign = await other.get("/v1/email?status=all");
    expect(await foreign.json()).toEqual({ data: [], has_more: false, next_cursor: null });
  });

  it("shows a message with its recipients, labels, times and status", async () => {
    const scheduled_at = at(HOUR_MS);
    const metadata = { order_id: "1042" };
    const facts = { cc: ["bob@example.net"], topic: "news", tags: ["a"], metadata };
    const canceled = await send({ ...facts, scheduled_at });
    const open = await send();
    const { canceled_at } = await (await cancel(canceled)).json<{ canceled_at: string }>();
    const { body } = await get("/v1/email?status=all");
    const common = {
      created_at: expect.stringMatching(/Z$/) as string,
      message_id: expect.stringMatching(/^<.+@.+>$/) as string,
      from: team.from,
      subject: "Hi",
      to: ["ann@example.net"],
    };
    const none = { from_name: null, template_id: null, campaign: null, bcc: [], last_event: null };
    const unlabelled = { cc: [], topic: null, tags: [], metadata: null };
    const times = { scheduled_at, canceled_at };
    const recipients = [...common.to, ...facts.cc];
    const shown = [
      { ...common, ...none, ...unlabelled, id: open, recipients: common.to, status: "queued" },
      { ...common, ...none, ...facts, ...times, id: canceled, recipients, status: "canceled" },
    ];
    const newestFirst = shown.toSorted((one, other) => (one.id < other.id ? 1 : -1));
    expect(body["data"]).toEqual(newestFirst);
  });

  it("finds the messages of a recipient, a campaign, a topic, a template or a tag", async () => {
    const campaign = await send({ campaign: "autumn", scheduled_at: at(HOUR_MS) });
    const topic = await send({ topic: "news", tags: ["a", "b"] });
    const bcc = await send({ bcc: ["Bob@example.net"], tags: ["c"] });
    const found: [string, string[]][] = [
      ["campaign=autumn", [campaign]],
      ["topic=news", [topic]],
      ["tags=c,b", [bcc, topic].toSorted().toReversed()],
      ["recipient=bob@EXAMPLE.net", [bcc]],
      ["recipient=ann@example.net&topic=news", [topic]],
      ["template_id=template_none", []],
    ];
    for (const [query, ids] of found)
      expect([query, await walk(`status=all&limit=1&${query}`)]).toEqual([query, ids]);
  });

  it("accepts only its own cursors, as the two lists of scheduled messages do", async () => {
    for (let count = 0; count < 2; count += 1) await send({ scheduled_at: at(HOUR_MS) });
    const lists = ["status=all", "status=scheduled", "order=soonest"];
    for (const one of lists) {
      const { next_cursor } = (await get(`/v1/email?limit=1&${one}`)).body;
      for (const other of lists)
        expect((await get(`/v1/email?${other}&after=${String(next_cursor)}`)).status).toBe(
          one === other ? 200 : 422,
        );
    }
  });
});

describe("POST /v1/email/{id}/cancel", () => {
  it("answers 409 for a message that was never scheduled", async () => {
    expect(await refusalOf(await cancel(await send()))).toEqual([409, NEVER_SCHEDULED]);
  });
});

describe("a campaign that waits", () => {
  const schedule = async (count: number, campaign: string, { key, from } = team) => {
    for (let left = count; left > 0; left -= 100) {
      const emails = Array.from({ length: Math.min(100, left) }, (_, index) => ({
        to: [`reader${left - index}@example.net`],
        scheduled_at: at(HOUR_MS + (left - index) * 1_000),
      }));
      const defaults = { from, subject: "Hi", text: "Hello", campaign };
      const sent = await call("POST", "/v1/email/batch", { key, body: { defaults, emails } });
      expect(sent.status).toBe(202);
    }
  };
  const cancelCampaign = async (campaign: unknown, key = team.key) => {
    const response = await call("POST", "/v1/email/cancel", { key, body: { campaign } });
    return { status: response.status, body: await response.json<CanceledCampaign>() };
  };

  it("is counted, and each call cancels a hundred messages, those that would go out next first", async () => {
    await schedule(120, "autumn");
    await schedule(2, "spring");
    await send({ scheduled_at: at(2 * HOUR_MS) });
    const other = await TestSender.make();
    await schedule(1, "autumn", other);
    const { body } = await get("/v1/email/campaigns");
    expect(body).toEqual({
      data: ["autumn", "spring"].map((campaign) => ({
        campaign,
        messages: campaign === "autumn" ? 120 : 2,
        is_complete: true,
        first_at: expect.stringMatching(/Z$/),
        last_at: expect.stringMatching(/Z$/),
      })),
    });
    const inOrder = await walk("campaign=autumn&limit=100");
    const first = await cancelCampaign("autumn");
    expect(first).toMatchObject({ status: 200, body: { has_more: true } });
    expect(first.body.data.map(({ id }) => id)).toEqual(inOrder.slice(0, 100));
    expect((await get("/v1/usage")).body).toMatchObject({
      daily: { used: 23 },
      monthly: { used: 23 },
    });
    const [gone] = first.body.data;
    expect(gone).toEqual({ id: inOrder[0], canceled_at: expect.stringMatching(/Z$/) });
    expect(await (await cancel(gone!.id)).json()).toEqual(gone);
    const second = await cancelCampaign("autumn");
    expect(second.body.data.map(({ id }) => id)).toEqual(inOrder.slice(100));
    const expected = [false, { status: 200, body: { data: [], has_more: false } }];
    expect([second.body.has_more, await cancelCampaign("autumn")]).toEqual(expected);
    expect(await walk("campaign=spring")).toHaveLength(2);
    expect((await cancelCampaign("autumn", other.key)).body.data).toHaveLength(1);
  });

  it("must be named by a text that is not empty", async () => {
    for (const wrong of [undefined, "", 1, null])
      expect(await cancelCampaign(wrong)).toMatchObject({
        status: 422,
        body: { error: { errors: { campaign: [expect.any(String)] } } },
      });
  });
});

describe("PATCH /v1/email/{id}", () => {
  it("moves a message, and releases it when its time is now", async () => {
    const id = await send({ scheduled_at: at(HOUR_MS) });
    const later = at(29 * DAY_MS);
    const moved = await move(id, later);
    expect([moved.status, await moved.json()]).toEqual([200, { id, scheduled_at: later }]);
    expect((await get(`/v1/email/${id}`)).body).toMatchObject({ scheduled_at: later });
    expect((await move(id, at(-1_000))).status).toBe(200);
    expect(await refusalOf(await move(id, later))).toEqual([409, RELEASED]);
    expect(await refusalOf(await cancel(id))).toEqual([409, RELEASED]);
  });

  it("refuses the times that a send refuses, and a message that was canceled", async () => {
    const id = await send({ scheduled_at: at(HOUR_MS) });
    for (const wrong of ["soon", at(31 * DAY_MS), at(-HOUR_MS), undefined]) {
      expect(await errorsOf(move(id, wrong))).toHaveProperty("scheduled_at");
    }
    await cancel(id);
    expect(await refusalOf(await move(id, at(HOUR_MS)))).toEqual([409, CANCELED]);
    expect(await refusalOf(await move(await send(), at(HOUR_MS)))).toEqual([409, NEVER_SCHEDULED]);
  });
});
