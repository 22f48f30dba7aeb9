// Tests that no team sees another team's data (contract.md §Identifiers and times), whatever ids
// and filters the team uses. test/api/contract-not-found.test.ts tries each id on its own path. The
// tests here try each id on the paths of other resources, in lists, in filters and in bodies.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { bindings, busyTeam, errorsOf, ok, refusalOf } from "../support/api.ts";
import { idOfDomain, makeSendingDomain } from "../support/domain.ts";
import { forKeys, named, pathOf, request, errorOf } from "../support/endpoints.ts";
import { ofFile } from "../support/before-tests.ts";
import { TestSender } from "../support/test-sender.ts";

interface Theirs {
  readonly ids: Readonly<Record<string, string>>;
  readonly domain: string;
  readonly recipient: string;
  readonly messageId: string;
}

const TOPIC = "theirs";
const CAMPAIGN = "their-campaign";
const TAG = "their-tag";

/** All lists but the log of requests, which names the ids that its own team asked for. */
const lists = forKeys.filter(
  ({ method, path }) => method === "GET" && !path.includes(":") && path !== "/v1/requests",
);

const owner = ofFile(TestSender.make);
const stranger = ofFile(busyTeam);
const theirs = ofFile(makeEverything);

async function made(path: string, body: unknown): Promise<{ id: string }> {
  const response = await owner.post(path, body);
  expect(response.ok).toBe(true);
  return response.json();
}

async function makeEverything(): Promise<Theirs> {
  const { domain, from } = owner;
  const recipient = `delivered+${crypto.randomUUID()}@simulator.${bindings.SERVICE_DOMAIN}`;
  const [key, template, suppression, webhook] = await Promise.all([
    made("/v1/api-keys", { name: "Theirs", permissions: "full" }),
    made("/v1/templates", { name: "Theirs", subject: "Theirs", html: "<p>Theirs</p>" }),
    made("/v1/suppressions", { email: "theirs@example.net", topic: TOPIC }),
    made("/v1/webhooks", {
      name: "Theirs",
      url: "https://hooks.example.com/theirs",
      events: ["email.unsubscribed"],
    }),
  ]);
  expect((await owner.post(`/v1/templates/${template.id}/publish`)).status).toBe(200);
  const labels = { topic: TOPIC, campaign: CAMPAIGN, tags: [TAG], template_id: template.id };
  const email = await made("/v1/email", { from, to: [recipient], ...labels });
  const event = await deliveredEvent(email.id);
  return {
    ids: {
      team: owner.id,
      key: key.id,
      template: template.id,
      suppression: suppression.id,
      webhook: webhook.id,
      email: email.id,
      event: event.id,
      domain: await idOfDomain(domain),
    },
    domain,
    recipient,
    messageId: event.message_id,
  };
}

async function deliveredEvent(emailId: string): Promise<{ id: string; message_id: string }> {
  return vi.waitUntil(async () => {
    const response = await owner.get(`/v1/events?email_id=${emailId}&event_type=email.delivered`);
    return (await response.json<{ data: { id: string; message_id: string }[] }>()).data[0];
  });
}

/**
 * Returns the text of all lists that the owner of the data can read, to show later that nothing
 * changed.
 */
async function ownersView(): Promise<string> {
  const bodies = await Promise.all(
    lists.map(async (list) => {
      const response = await request(list, { key: owner.key });
      expect(response.status).toBe(200);
      return response.text();
    }),
  );
  return bodies.join("\n").replace(/"last_used_at":"[^"]+"/g, "");
}

describe("ids", () => {
  let before: string;

  beforeAll(async () => {
    before = await ownersView();
  });

  // No request of these tests may change what the owner of the data reads.
  afterAll(async () => {
    expect(await ownersView()).toBe(before);
  });

  it.each(named(forKeys.filter(({ path }) => path.includes(":id"))))(
    "%s answers 404 for ids of another team, and changes nothing",
    async (_, endpoint) => {
      // All endpoints of a resource look ids up alike, so only GET tries ids of other resources.
      const ids = Object.entries(theirs.ids).filter(
        ([noun]) => endpoint.method === "GET" || endpoint.path.includes(noun),
      );
      for (const [, id] of ids)
        await errorOf(request(endpoint, { key: stranger.key }, { id }), 404, "not_found");
    },
  );
});

describe("lists", () => {
  it.each(named(lists))("%s shows nothing of another team", async (_, endpoint) => {
    const response = await stranger.get(await pathOf(endpoint));
    const text = await response.text();
    expect(response.status).toBe(200);
    for (const trace of [
      ...Object.values(theirs.ids),
      theirs.domain,
      theirs.recipient,
      "theirs@example.net",
    ])
      expect(text).not.toContain(trace);
  });

  it("show no event of another team by any filter", async () => {
    const { ids, recipient, messageId } = theirs;
    const filters = {
      email_id: ids["email"],
      template_id: ids["template"],
      recipient,
      message_id: messageId,
      topic: TOPIC,
      campaign: CAMPAIGN,
      tags: TAG,
    };
    for (const [name, value] of Object.entries(filters)) {
      const query = `/v1/events?${new URLSearchParams({ [name]: value ?? "" }).toString()}`;
      const [mine, theirEvents] = await Promise.all([stranger.get(query), owner.get(query)]);
      expect((await theirEvents.json<{ data: unknown[] }>()).data).not.toEqual([]);
      expect(await mine.json()).toEqual({ data: [], has_more: false, next_cursor: null });
    }
  });

  it("treat another team's sending domain as unknown", async () => {
    expect(await errorsOf(stranger.get(`/v1/events?domain=${theirs.domain}`), 400)).toHaveProperty(
      "domain",
    );
  });

  it("refuse a cursor of another team", async () => {
    await made("/v1/templates", { name: "A second one", html: "<p>Second</p>" });
    const page = await ok<{ next_cursor: string }>(owner.get("/v1/templates?limit=1"));
    const after = `/v1/templates?limit=1&after=${encodeURIComponent(page.next_cursor)}`;
    expect((await owner.get(after)).status).toBe(200);
    expect(await errorsOf(stranger.get(after))).toHaveProperty("after");
  });
});

describe("sends", () => {
  const send = {
    to: [`delivered@simulator.${bindings.SERVICE_DOMAIN}`],
    subject: "Hello",
    text: "Hello",
  };

  it("with another team's domain or template are refused like those with an unknown one", async () => {
    const answers = async (body: Record<string, unknown>) => {
      const [status, errors = {}] = await refusalOf(stranger.post("/v1/email", body));
      return [status, Object.keys(errors)];
    };
    expect(await answers({ ...send, from: `hello@${theirs.domain}` })).toEqual([422, ["from"]]);
    expect(await answers({ ...send, from: "hello@nobody.example" })).toEqual([422, ["from"]]);
    const from = `hello@${await makeSendingDomain(stranger.id)}`;
    const templated = { from, to: send.to };
    const expected = [400, ["template_id"]];
    expect(await answers({ ...templated, template_id: theirs.ids["template"] })).toEqual(expected);
    const unknown = `template_${crypto.randomUUID()}`;
    expect(await answers({ ...templated, template_id: unknown })).toEqual(expected);
  });
});
