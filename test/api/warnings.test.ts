// Tests the warnings about names that the service ignores (contract.md §Ignored members, §Query
// parameters). Each endpoint of the table warns in its answer, whatever the answer's status.
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Endpoint } from "../../src/endpoint.ts";
import type { Env } from "../../src/env.ts";
import { ADMIN_TOKEN, call, fieldsOf, ok, askDeployment } from "../support/api.ts";
import {
  exampleOf,
  isForOperators,
  named,
  pathOf,
  published,
  request,
} from "../support/endpoints.ts";
import { ofFile } from "../support/before-tests.ts";
import { TestSender } from "../support/test-sender.ts";

const team = ofFile(TestSender.make);

beforeEach(() => {
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network"));
});

const keyFor = (endpoint: Endpoint) => (isForOperators(endpoint) ? ADMIN_TOKEN : team.key);
const members = (response: Response) => response.headers.get("X-Ignored-Members");
const parameters = (response: Response) => response.headers.get("X-Ignored-Parameters");
const sendBatch = (body: object) => team.post("/v1/email/batch", body);

describe("X-Ignored-Members", () => {
  it.each(named(published.filter(({ body }) => body !== undefined)))(
    "is on the answer of %s to a body with an unknown member",
    async (_, endpoint) => {
      const example = await exampleOf(endpoint);
      const response = await request(endpoint, {
        key: keyFor(endpoint),
        body: { ...example, notAMember: 1, "an other": 2 },
      });
      expect(members(response)).toBe("notAMember, +1");
      const known = await request(endpoint, { key: keyFor(endpoint), body: example });
      expect(members(known)).toBeNull();
    },
  );

  it("names members at every depth of a send, and the message is still sent", async () => {
    const response = await team.send({
      scheduledAt: "tomorrow",
      replyTo: "a@example.net",
      tracking: { opens: true, open: true },
      attachments: [
        { filename: "a.txt", content: "YQ==" },
        { filename: "b.txt", content: "YQ==", contentType: "text/plain" },
      ],
    });
    expect(response.status).toBe(202);
    expect(members(response)).toBe(
      "attachments.1.contentType, replyTo, scheduledAt, tracking.open",
    );
  });

  it("does not name headers and variables, which a caller names freely", async () => {
    const response = await team.send({
      headers: { "X-Order": "7" },
      variables: { any: { thing: [{ at: "all" }] } },
    });
    expect([response.status, members(response)]).toEqual([202, null]);
  });

  it("names members of a batch under their entry and under the defaults", async () => {
    const { from: sender, ...entry } = team.mail();
    const entries = [entry, entry, entry, { ...entry, replyTo: "a@example.net" }];
    const defaults = { from: sender, to: ["b@example.net"] };
    const response = await sendBatch({ emails: entries, defaults, extra: 1 });
    expect(response.status).toBe(202);
    expect(members(response)).toBe("defaults.to, emails.3.replyTo, extra");
  });

  it.each([
    ["a field that is wrong", { subject: 7 }, 422],
    ["an attachment that is no base64", { attachments: [{ filename: "a", content: "%" }] }, 400],
  ])("is on the refusal of a send for %s", async (_name, more, status) => {
    const response = await team.send({ ...more, replyTo: "a@example.net" });
    expect([response.status, members(response)]).toEqual([status, "replyTo"]);
  });

  it("is on a replay too, with the status and the bytes of the first answer", async () => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const [first, again] = [
      await team.send({ replyTo: "a@example.net" }, headers),
      await team.send({ replyTo: "a@example.net" }, headers),
    ];
    expect([again.status, await again.text()]).toEqual([first.status, await first.text()]);
    expect([again.headers.get("Idempotent-Replayed"), members(first), members(again)]).toEqual([
      "true",
      "replyTo",
      "replyTo",
    ]);
  });

  it("is on no answer to a body that can't be read, or to an unknown caller", async () => {
    expect(members(await call("POST", "/v1/email", { key: team.key, raw: "{" }))).toBeNull();
    expect(members(await call("POST", "/v1/templates", { body: { extra: 1 } }))).toBeNull();
  });

  it("names no member that PATCH /v1/templates/{id} refuses", async () => {
    const body = { name: crypto.randomUUID() };
    const { id } = await ok<{ id: string }>(team.post("/v1/templates", body), 201);
    const response = await team.patch(`/v1/templates/${id}`, { subject: "x", tag: 1 });
    expect([response.status, members(response)]).toEqual([422, "tag"]);
  });
});

describe("X-Ignored-Parameters", () => {
  it.each(named(published))(
    "is on the answer of %s to an unknown parameter",
    async (_, endpoint) => {
      const body = endpoint.body ? { body: await exampleOf(endpoint) } : {};
      const path = await pathOf(endpoint);
      const response = await call(
        endpoint.method,
        `${path}?recipent=a&zebra=&zebra=2&${encodeURIComponent("a b")}=1`,
        { key: keyFor(endpoint), ...body },
      );
      const isCsv = endpoint.accepts !== undefined;
      expect([response.status, parameters(response)]).toEqual([
        response.status,
        isCsv && response.status === 415 ? null : "recipent, zebra, +1",
      ]);
      await response.body?.cancel();
    },
  );

  it("names no parameter that the endpoint has", async () => {
    const response = await team.get("/v1/events?limit=1&start=2026-01-01&topic=a&tags=b");
    expect([response.status, parameters(response)]).toEqual([200, null]);
  });

  it("is on a refusal of the other parameters", async () => {
    const response = await team.get("/v1/events?event_type=sent&evnet_type=x");
    expect([response.status, parameters(response)]).toEqual([422, "evnet_type"]);
  });
});

describe("type on GET /v1/events", () => {
  const ask = (query: string) => team.get(`/v1/events?${query}`);

  it("is taken for event_type", async () => {
    const response = await ask("type=email.bounced");
    expect([response.status, parameters(response)]).toEqual([200, null]);
    expect(await fieldsOf(ask("type=bounced"))).toEqual(["type"]);
  });

  it("is ignored beside event_type, and named as ignored", async () => {
    const response = await ask("type=bounced&event_type=email.bounced");
    expect([response.status, parameters(response)]).toEqual([200, "type"]);
  });
});

describe("the log of a worker on a developer's machine", () => {
  const ask = async (env: Partial<Env>, path: string, body: object) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const response = await askDeployment(env, "POST", path, team.key, body);
    const lines = warn.mock.calls.map(
      ([line]) => JSON.parse(String(line)) as { event: string; names: string[]; header: string },
    );
    return { response, lines: lines.filter(({ event }) => event === "names_not_used") };
  };

  it("suggests the member that was probably meant", async () => {
    const { response, lines } = await ask(
      { GATEWAY_TOKEN: "local-only-token" },
      "/v1/email?debug=1",
      team.mail({ replyTo: "a@example.net", scheduledAt: "tomorrow" }),
    );
    expect(response.status).toBe(202);
    expect(lines).toMatchObject([
      { header: "X-Ignored-Parameters", names: ["debug"] },
      {
        header: "X-Ignored-Members",
        names: ["replyTo: did you mean reply_to?", "scheduledAt: did you mean scheduled_at?"],
      },
    ]);
  });

  it("is silent in a deployment", async () => {
    const { response, lines } = await ask({}, "/v1/email", team.mail({ replyTo: "a@example.net" }));
    expect([response.status, members(response), lines]).toEqual([202, "replyTo", []]);
  });
});
