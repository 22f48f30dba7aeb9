// Tests the log of a team's last requests (contract.md §Log of requests), read by its endpoints and
// by Resend's client.
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { LoggedRequest } from "../../../src/resources/requests/wire.ts";
import { METRICS_OBJECT } from "../../../src/rpc/metrics-calls.ts";
import { flush } from "../../../src/metrics/isolate-counts.ts";
import { bindings, busyTeam, call, fieldsOf, ok, type Page, makeKey } from "../../support/api.ts";
import { resendClient } from "../resend/resend-client.ts";
import { ofEachTest } from "../../support/before-tests.ts";

type Logged = z.output<typeof LoggedRequest>;

const UNKNOWN = "email_01a1fb6c-943e-7e35-b378-f74400936f31";

const team = ofEachTest(busyTeam);

const list = async (query = "status=4xx") =>
  (await ok<Page<Logged>>(team.get(`/v1/requests?${query}`))).data;
const idOf = (response: Response) => response.headers.get("X-Request-Id");

describe("a request that failed", () => {
  it("is found by the X-Request-Id of its answer, with route, type and fields, and by no other team", async () => {
    const sent = await call("POST", "/v1/email", {
      key: team.key,
      body: { from: "ada@example.net", to: ["secret-person"], subject: "secret-subject", html: 5 },
      headers: { "User-Agent": "shop/1 (ops@example.com)" },
    });
    const found = await ok<Logged>(team.get(`/v1/requests/${idOf(sent)}`));
    expect(found).toMatchObject({
      id: idOf(sent),
      method: "POST",
      route: "/v1/email",
      target: null,
      status: sent.status,
      error_type: "validation_error",
      key_id: team.keyId,
      user_agent: "shop/1 (***@example.com)",
      count: 1,
    });
    expect(found.fields).toContain("html");
    expect(JSON.stringify(await list())).not.toMatch(/secret|ada@/);
    const other = await busyTeam();
    expect((await other.get(`/v1/requests/${idOf(sent)}`)).status).toBe(404);
    expect(await ok<Page<Logged>>(other.get("/v1/requests?status=4xx"))).toMatchObject({
      data: [],
    });
  });

  it("has the id of its path, or the masked address, but no other part of the path", async () => {
    await team.get(`/v1/email/${UNKNOWN}`);
    await team.get("/v1/suppressions/jane.doe@example.net/hidden-topic");
    await team.get("/v1/templates/hidden-alias");
    expect((await list()).map(({ route, target }) => [route, target])).toEqual([
      ["/v1/templates/{id}", null],
      ["/v1/suppressions/{email}/{topic}", "j…@example.net"],
      ["/v1/email/{id}", UNKNOWN],
    ]);
    expect(JSON.stringify(await list())).not.toContain("hidden");
  });

  it("shares a row with its repetitions by all keys of the team, also on a path that does not exist", async () => {
    const keys = await Promise.all(
      Array.from({ length: 5 }, () => makeKey(team, { permissions: "send_only" })),
    );
    const answers: Response[] = [];
    for (let round = 0; round < 4; round += 1)
      for (const { key } of keys)
        answers.push(await call("POST", `/v1/hidden-${round}`, { key, body: {} }));
    const [row, ...others] = await list("status=404");
    expect(others).toEqual([]);
    expect(row).toMatchObject({ route: null, status: 404, error_type: "not_found", count: 20 });
    expect(row).toMatchObject({ id: idOf(answers.at(-1)!), key_id: keys.at(-1)!.id });
    const earlier = answers.at(-5)!;
    const found = await ok<Logged>(team.get(`/v1/requests/${idOf(earlier)}`));
    expect(found).toMatchObject({ id: idOf(earlier), count: 20, key_id: keys.at(-5)!.id });
  });

  it("is filtered by status, route, key and time, and the list has pages", async () => {
    const { id, key } = await makeKey(team);
    await call("GET", `/v1/email/${UNKNOWN}`, { key });
    await team.get("/v1/events?limit=0");
    await team.get("/v1/usage/nothing");
    const paths = async (query: string) => (await list(query)).map(({ route }) => route);
    expect(await paths("status=422")).toEqual(["/v1/events"]);
    expect(await paths("route=/v1/events")).toEqual(["/v1/events"]);
    expect(await paths(`key=${id}`)).toEqual(["/v1/email/{id}"]);
    expect(await paths("status=5xx")).toEqual([]);
    expect(await paths(`status=4xx&since=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual(
      [],
    );
    const first = await ok<Page<Logged>>(team.get("/v1/requests?status=4xx&limit=2"));
    const rest = await paths(`status=4xx&after=${first.next_cursor}`);
    // Requests of one millisecond have no order.
    const all = [...first.data.map(({ route }) => route), ...rest];
    expect([first.data.length, rest.length]).toEqual([2, 1]);
    expect(new Set(all)).toEqual(new Set([null, "/v1/events", "/v1/email/{id}"]));
    expect(await fieldsOf(team.get("/v1/requests?status=6xx"))).toEqual(["status"]);
  });
});

it("of a hundred requests that succeed, one is in the log", async () => {
  for (let request = 0; request < 100; request += 1) await team.get("/v1/whoami");
  const found = await list("status=2xx");
  expect(found.map(({ count }) => count)).toEqual([1]);
  expect(found).toMatchObject([{ is_sample: true, error_type: null, fields: [] }]);
});

it("a request without a valid key is in no team's log, and is counted", async () => {
  const counted = async () => {
    await flush(bindings);
    const { counters } = await bindings.METRICS.getByName(METRICS_OBJECT).read(Date.now());
    return counters["postern_unauthenticated_requests_total"] ?? 0;
  };
  const before = await counted();
  const wrong = team.key.slice(0, -1) + (team.key.endsWith("a") ? "b" : "a");
  for (const key of [wrong, undefined])
    expect((await call("GET", "/v1/whoami", key ? { key } : {})).status).toBe(401);
  expect(await counted()).toBe(before + 2);
  expect(await list()).toEqual([]);
});

it("Resend's client finds a failed send in logs.list, and by its request id in logs.get", async () => {
  const resend = resendClient(team.key);
  const { headers, error } = await resend.emails.send({
    from: "hello@example.com",
    to: "not an address",
    subject: "Hello",
    text: "Hello",
  });
  const id = headers?.["x-request-id"]?.slice("req_".length);
  const { data: logs } = await resend.logs.list();
  expect(logs).toEqual({
    object: "list",
    has_more: false,
    data: [
      {
        id,
        created_at: expect.any(String),
        endpoint: "/emails",
        method: "POST",
        response_status: error?.statusCode,
        user_agent: expect.stringContaining("resend"),
      },
    ],
  });
  const { data: log } = await resend.logs.get(id!);
  expect(log).toEqual({
    object: "log",
    ...logs?.data[0],
    request_body: null,
    response_body: { name: "validation_error", fields: ["to.0"] },
  });
  expect((await resend.logs.get(crypto.randomUUID())).error).toMatchObject({ statusCode: 404 });
});
