// Tests GET /openapi.json (src/api/openapi.ts): the document has every endpoint, and its examples
// are valid. call() checks each response against this document; the tests show that call() notices
// a mismatch. test/node/release/frozen-document.test.ts compares it with the last release.
import { describe, expect, it } from "vitest";
import { ADMIN_TOKEN, call, operator } from "../support/api.ts";
import { checkDelivery, takeDeliveryProblems } from "../support/delivery-harness.ts";
import { documented, named, operationOf, published, request } from "../support/endpoints.ts";
import type { MediaType, OpenApi, OpenApiOperation } from "../support/openapi-shapes.ts";
import { checkDescribed, openApi, problemsOf, resolve } from "../support/openapi-shapes.ts";
import { WEBHOOK_EVENT_TYPES } from "../../src/rpc/event-types.ts";

const document = await openApi();
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

describe("GET /openapi.json", () => {
  it("needs no credentials, and names the origin of the request", async () => {
    const response = await call("GET", "/openapi.json");
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(response.headers.get("Cache-Control")).toMatch(/^public, max-age=\d+$/);
    const { openapi, servers, info } = await response.json<OpenApi>();
    expect(openapi).toMatch(/^3\.1\.\d$/);
    expect(servers).toEqual([{ url: "https://api.postern.test" }]);
    const expected = { name: "The operator of this service", url: "https://api.postern.test" };
    expect(info.contact).toEqual(expected);
  });

  it("answers 304 to a client that already has it", async () => {
    const tag = (await call("GET", "/openapi.json")).headers.get("ETag") ?? "";
    expect(tag).toMatch(/^"[0-9a-f]+"$/);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const response = await call("GET", "/openapi.json", { headers: { "If-None-Match": known } });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe("");
    }
    expect(
      (await call("GET", "/openapi.json", { headers: { "If-None-Match": '"other"' } })).status,
    ).toBe(200);
  });

  it("has every published endpoint and the health check, and none of the gateway's endpoints", () => {
    expect(operations).toHaveLength(documented.length + 1);
    for (const endpoint of documented)
      expect(operationOf(document, endpoint).summary).toBe(endpoint.summary);
    expect(Object.keys(document.paths).filter((path) => path.startsWith("/gateway"))).toEqual([]);
  });

  it("puts each operation into a tag that the document describes", () => {
    const rooms = document.tags.map(({ name }) => name);
    for (const { tags } of operations) expect(rooms).toContain(tags[0]);
  });

  it("shows a query parameter's alias as deprecated", () => {
    const { parameters } = operationOf(document, { method: "GET", path: "/v1/events" });
    const alias = expect.objectContaining({ name: "type", deprecated: true });
    expect(parameters).toContainEqual(alias);
  });

  it("asks for an API key under /v1, and for the operator's token under /admin", () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const scheme = path.startsWith("/v1/")
        ? [{ apiKey: [] }]
        : path.startsWith("/admin/")
          ? [{ operatorToken: [] }]
          : [];
      for (const { security } of Object.values(methods)) expect(security).toEqual(scheme);
    }
  });
});

describe("the endpoints of lists", () => {
  it("have pages of the same form", () => {
    for (const endpoint of published.filter(({ paginated }) => paginated === true)) {
      const { parameters = [] } = operationOf(document, endpoint);
      expect(parameters.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["limit", "after"]),
      );
    }
  });
});

describe("examples", () => {
  it.each(named(documented.filter(({ body, accepts }) => Boolean(body ?? accepts))))(
    "%s has an example body that its schema accepts",
    (_, endpoint) => {
      const [media] = Object.values(operationOf(document, endpoint).requestBody?.content ?? {});
      expect(media?.example).toBeDefined();
      if (media) expect(wrongIn(media)).toEqual([]);
      if (endpoint.body) expect(endpoint.body.safeParse(media?.example).error).toBeUndefined();
    },
  );

  it.each(
    named(
      documented.filter(({ responses }) =>
        Object.values(responses).some((schema) => schema !== null),
      ),
    ),
  )("%s has an example answer that its schema accepts, without further members", (_, endpoint) => {
    for (const [status, described] of Object.entries(operationOf(document, endpoint).responses)) {
      if (Number(status) >= 300) continue;
      const [media] = Object.values(resolve(document, described).content ?? {});
      expect(media?.example).toBeDefined();
      if (media) expect(wrongIn(media)).toEqual([]);
    }
  });

  /** The generator writes `…` for a text without an example (tools/openapi/derive-example.ts). */
  function wrongIn({ schema, example }: MediaType): string[] {
    expect(JSON.stringify(example)).not.toContain('"…"');
    return problemsOf(document, schema, example, true);
  }
});

describe("the check of responses", () => {
  const headers = {
    "X-Request-Id": "req_019e5b6c-943e-7e35-b378-f74400936f31",
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  };
  const rated = {
    ...headers,
    "RateLimit-Limit": "10",
    "RateLimit-Remaining": "9",
    "RateLimit-Reset": "1",
  };
  const asking = { ...headers, "WWW-Authenticate": "Bearer" };
  const identity = { team: null, api_key: { id: "key_x", permissions: "full" }, limits: null };
  const withKey = (more: object) => ({ ...identity, api_key: { ...identity.api_key, ...more } });
  const error = (type: string) => ({ error: { type, message: "" } });
  const checked = (
    status: number,
    body: unknown,
    given: Record<string, string> = rated,
    path = "/v1/whoami",
  ) =>
    checkDescribed(
      "GET",
      path,
      new Response(body === null ? null : JSON.stringify(body), { status, headers: given }),
    );

  it("accepts a correct response, and leaves it unread", async () => {
    const response = new Response(JSON.stringify(identity), { headers: rated });
    await checkDescribed("GET", "/v1/whoami", response);
    expect(await response.json()).toEqual(identity);
  });

  it.each([
    ["an additional member", 200, { ...identity, extra: 1 }, rated],
    ["an additional nested member", 200, withKey({ name: "x" }), rated],
    ["a missing member", 200, { team: null, limits: null }, rated],
    ["another type", 200, { ...identity, limits: 7 }, rated],
    ["an unknown choice", 200, withKey({ permissions: "admin" }), rated],
    ["no body", 200, null, rated],
    ["a status that is not described", 201, identity, rated],
    ["no request id", 200, identity, { ...rated, "X-Request-Id": "" }],
    ["a response that may be cached", 200, identity, { ...rated, "Cache-Control": "private" }],
    ["a type that may be guessed", 200, identity, { ...rated, "X-Content-Type-Options": "" }],
    ["no rate", 200, identity, headers],
    ["a rate that is no number", 200, identity, { ...rated, "RateLimit-Limit": "ten" }],
    ["another type of content", 200, identity, { ...rated, "Content-Type": "text/plain" }],
    ["an error of another type", 401, error("not_found"), asking],
    ["an error without its header", 401, error("authentication_error"), headers],
    ["a 429 without Retry-After", 429, { error: "rate_limit_exceeded", message: "" }, rated],
  ])("fails for %s", async (_, status, body, given) => {
    await expect(checked(status, body, given)).rejects.toThrow(`GET /v1/whoami → ${status}`);
  });

  it("fails for a successful response to an operation that the document lacks", async () => {
    await expect(checked(200, identity, rated, "/v1/nothing")).rejects.toThrow("no such operation");
  });
});

describe("the example body", () => {
  it.each(["createTeam", "createApiKey", "createSuppression", "createWebhook", "createTemplate"])(
    "of %s creates a resource unchanged",
    async (id) => {
      const endpoint = published.find((one) => operationOf(document, one).operationId === id);
      if (!endpoint) throw new Error(`no operation ${id}`);
      const made = await operator.post("/admin/teams", { name: "Examples" });
      const { api_key: apiKey } = await made.json<{ api_key: { key: string } }>();
      const key = endpoint.permission === "operator" ? ADMIN_TOKEN : apiKey.key;
      expect((await request(endpoint, { key })).status).toBe(201);
    },
  );
});

describe("the webhooks section", () => {
  const { webhooks } = document as unknown as {
    webhooks: Record<string, { post: OpenApiOperation }>;
  };

  it("has each type of event, webhook.test and the format resend, with headers and a valid example", () => {
    expect(Object.keys(webhooks)).toEqual([...WEBHOOK_EVENT_TYPES, "webhook.test", "resend"]);
    for (const [entry, { post }] of Object.entries(webhooks)) {
      expect(post.parameters?.map(({ name }) => name)).toEqual([
        ..."Service-Signature Service-Timestamp Service-Batch-Id webhook-id".split(" "),
        ..."webhook-timestamp webhook-signature".split(" "),
        ...(entry === "resend" ? ["svix-id", "svix-timestamp", "svix-signature"] : []),
      ]);
      const media = post.requestBody?.content["application/json"];
      if (!media) throw new Error("no body");
      expect(problemsOf(document, media.schema, media.example, true)).toEqual([]);
    }
  });

  const headers = {
    "service-signature": `t=1,v1=${"a".repeat(64)}`,
    "service-timestamp": "1",
    "service-batch-id": "wb_1",
    "webhook-id": "wb_1",
    "webhook-timestamp": "1",
    "webhook-signature": `v1,${"A".repeat(43)}=`,
  };
  const bounced = webhooks["email.bounced"]?.post.requestBody?.content["application/json"]
    ?.example as { events: [{ data: object }] };
  const withData = (more: object) => {
    const [event] = bounced.events;
    return { ...bounced, events: [{ ...event, data: { ...event.data, ...more } }] };
  };
  const check = async (body: unknown, given: Record<string, string> = headers) => {
    await checkDelivery({ headers: given, body: JSON.stringify(body) });
    return takeDeliveryProblems();
  };

  it("accepts a correct delivery", async () => {
    expect(await check(bounced)).toEqual([]);
  });

  it.each<[string, unknown, Record<string, string>]>([
    ["an additional member", { ...bounced, extra: 1 }, headers],
    ["an additional member of data", withData({ extra: 1 }), headers],
    ["null where a member does not apply", withData({ topic: null }), headers],
    ["an event of an unknown type", { ...bounced, events: [{ type: "email.exploded" }] }, headers],
    ["no timestamp", { ...bounced, timestamp: undefined }, headers],
    ["a signature in another form", bounced, { ...headers, "webhook-signature": "v2,x" }],
  ])("fails for a delivery with %s", async (_name, body, given) => {
    expect((await check(body, given)).length).toBeGreaterThan(0);
  });
});

describe("the operator's endpoints", () => {
  it("stand under one heading, in a group apart from the customers'", () => {
    const { "x-tagGroups": groups } = document as unknown as {
      "x-tagGroups": { name: string; tags: string[] }[];
    };
    expect(groups.map(({ name }) => name)).toEqual(["API", "For the operator"]);
    expect(groups.flatMap(({ tags }) => tags)).toEqual(document.tags.map(({ name }) => name));
    expect(groups[1]?.tags).toEqual(["Operator"]);
    for (const [path, methods] of Object.entries(document.paths))
      for (const { tags } of Object.values(methods))
        expect(tags[0] === "Operator").toBe(/^\/(?:admin\/|healthz$)/.test(path));
  });
});
