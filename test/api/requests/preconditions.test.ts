// Tests changes with If-Match (contract.md §Preconditions): a change of a resource that another
// request has changed meanwhile is refused, and changes nothing.
import { describe, expect, it } from "vitest";
import { ADMIN_TOKEN, busyTeam, call, ok } from "../../support/api.ts";
import { idOfDomain, makeSendingDomain } from "../../support/domain.ts";
import { ofFile } from "../../support/before-tests.ts";

type Body = Record<string, unknown>;

interface Subject {
  /** The path of the resource, which is made for the test. */
  readonly make: () => Promise<string>;
  /** Returns two changes that differ only in `member`. */
  readonly changes: () => readonly [Body, Body];
  readonly member: string;
  readonly key?: () => string;
}

const team = ofFile(busyTeam);

const made = async (path: string, body: Body) =>
  `${path}/${(await ok<{ id: string }>(team.post(path, body), 201)).id}`;
const makeTemplate = () =>
  made("/v1/templates", { name: crypto.randomUUID(), subject: "First", html: "<p>First</p>" });
const key = (name: string) => ({ name, permissions: "full" });
/** Aliases are unique in a team, so each test has its own. */
const aliasOf = (whose: string) => `${whose}-${crypto.randomUUID()}`;
const webhook = (name: string) => ({
  name,
  url: "https://hooks.example.com/",
  events: ["email.bounced"],
  status: "active",
});
const opens = (subdomain: string) => ({ tracking: { opens_enabled: true, subdomain } });

const SUBJECTS: Record<string, Subject> = {
  "an API key": {
    make: () => made("/v1/api-keys", key("First")),
    changes: () => [key("Mine"), key("Theirs")],
    member: "name",
  },
  "a template": {
    make: makeTemplate,
    changes: () => [{ alias: aliasOf("mine") }, { alias: aliasOf("theirs") }],
    member: "alias",
  },
  "a draft": {
    make: async () => `${await makeTemplate()}/draft`,
    changes: () => [{ html: "<p>Mine</p>" }, { html: "<p>Theirs</p>" }],
    member: "html",
  },
  "a webhook": {
    make: () => made("/v1/webhooks", webhook("First")),
    changes: () => [webhook("Mine"), webhook("Theirs")],
    member: "name",
  },
  "a domain": {
    make: async () => `/v1/domains/${await idOfDomain(await makeSendingDomain(team.id))}`,
    changes: () => [opens("mine"), opens("theirs")],
    member: "tracking",
  },
  "a team": {
    make: async () => `/admin/teams/${(await busyTeam()).id}`,
    changes: () => [{ name: "Mine" }, { name: "Theirs" }],
    member: "name",
    key: () => ADMIN_TOKEN,
  },
};

describe.each(Object.entries(SUBJECTS))("%s", (_, { make, changes, member, key: secret }) => {
  const ask = (method: string, path: string, tag?: string | null, body?: Body) =>
    call(method, path, {
      key: secret?.() ?? team.key,
      ...(body && { body }),
      ...(tag != null && { headers: { "If-Match": tag } }),
    });
  const tagOf = ({ headers }: Response) => headers.get("ETag") ?? "";

  it("is not changed with the tag of an older state, and the answer has the current tag", async () => {
    const path = await make();
    const [mine, theirs] = changes();
    const first = tagOf(await ask("GET", path));
    const saved = await ask("PATCH", path, first, theirs);
    expect([saved.status, tagOf(saved)]).toEqual([200, tagOf(await ask("GET", path))]);
    const refused = await ask("PATCH", path, first, mine);
    expect([refused.status, tagOf(refused)]).toEqual([412, tagOf(saved)]);
    expect(await refused.json()).toMatchObject({ error: { type: "precondition_failed" } });
    if (secret === undefined) expect((await ask("DELETE", path, first)).status).toBe(412);
    const now = await ask("GET", path);
    expect(tagOf(now)).toBe(tagOf(saved));
    expect((await now.json<Body>())[member]).toMatchObject(theirs[member] as object);
    for (const tag of [undefined, "*", `"other", W/${tagOf(saved)}`])
      expect((await ask("PATCH", path, tag, theirs)).status).toBe(200);
  });

  it("is changed once by two changes at once with one tag", async () => {
    const path = await make();
    const tag = tagOf(await ask("GET", path));
    const answers = await Promise.all(changes().map((body) => ask("PATCH", path, tag, body)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 412]);
  });
});

describe("a template without a draft", () => {
  it("has a tag for its first draft, which is refused after another draft or publication", async () => {
    const path = await makeTemplate();
    const draftTag = (await team.get(`${path}/draft`)).headers.get("ETag")!;
    const patch = (tag: string, html: string) =>
      call("PATCH", `${path}/draft`, {
        key: team.key,
        body: { html },
        headers: { "If-Match": tag },
      });
    const publish = (tag: string) =>
      call("POST", `${path}/publish`, { key: team.key, headers: { "If-Match": tag } });
    const published = await publish(draftTag);
    const tag = published.headers.get("ETag")!;
    expect((await patch(draftTag, "<p>Late</p>")).status).toBe(412);
    const draft = await patch(tag, "<p>Second</p>");
    expect(draft.status).toBe(200);
    expect((await patch(tag, "<p>Third</p>")).status).toBe(412);
    expect((await publish(tag)).status).toBe(412);
    expect(await ok(team.get(path))).toMatchObject({ html: "<p>First</p>", has_draft: true });
    expect((await publish(draft.headers.get("ETag")!)).status).toBe(200);
    expect(await ok(team.get(path))).toMatchObject({ html: "<p>Second</p>", has_draft: false });
  });
});
