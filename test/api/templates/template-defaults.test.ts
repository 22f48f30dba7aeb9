// Tests the sender, reply addresses and fallback values that a template gives to its sends, through
// the worker's fetch handler (contract.md §Template defaults).
import { describe, expect, it } from "vitest";
import { call, errorsOf, fieldsOf, ok, makeKey } from "../../support/api.ts";
import type { TestTemplate } from "../../support/templates.ts";
import { at, create, get, patchDraft, publish } from "../../support/templates.ts";
import { ofFile } from "../../support/before-tests.ts";
import { TestSender } from "../../support/test-sender.ts";

const DEFAULTS = {
  from: "Shop <shop@shop.example>",
  reply_to: ["help@shop.example", "Ann <ann@shop.example>"],
  fallbacks: { name: "friend", order: { id: 7, items: [1, "two"] } },
};
const NONE = { from: null, reply_to: null, fallbacks: null };

const team = ofFile(TestSender.make);

describe("a template's defaults", () => {
  it("are drafted, published, changed one by one, cleared and copied like the subject", async () => {
    const made = await create(team, { subject: "S", html: "<p>h</p>", ...DEFAULTS });
    expect(made).toMatchObject(NONE);
    expect(await get(team, at(made.id, "/draft"))).toMatchObject(DEFAULTS);
    expect(await ok(publish(team, made.id))).toMatchObject(DEFAULTS);
    const changed = { ...DEFAULTS, subject: "S", html: "<p>h</p>", reply_to: ["x@shop.example"] };
    expect(await ok(patchDraft(team, made.id, { reply_to: "x@shop.example" }))).toMatchObject(
      changed,
    );
    expect(await get(team, at(made.id))).toMatchObject(DEFAULTS);
    const copy = await team.post(at(made.id, "/duplicate"));
    const { id } = await ok<TestTemplate>(copy, 201);
    expect(await get(team, at(id, "/draft"))).toMatchObject(changed);
    expect(await ok(patchDraft(team, made.id, NONE))).toMatchObject(NONE);
    expect(await ok(publish(team, made.id))).toMatchObject({ subject: "S", ...NONE });
    const empty = { reply_to: [], fallbacks: {} };
    const expected = { ...changed, ...NONE, from: DEFAULTS.from };
    expect(await ok(patchDraft(team, id, empty))).toMatchObject(expected);
  });

  it("may be the only content of a draft, but are published only with a body", async () => {
    const { id } = await create(team, { from: "a@shop.example" });
    expect(await get(team, at(id, "/draft"))).toMatchObject({ html: null, from: "a@shop.example" });
    expect(await errorsOf(publish(team, id))).toEqual({ html: ["is empty in the draft"] });
  });

  it("are checked when they are saved and in a preview, with the other content", async () => {
    const { id } = await create(team, { html: "x" });
    const wrong = { from: "nobody", reply_to: ["a@b.example", "nobody"], html: "x" };
    for (const body of [{ ...wrong, subject: "" }, { reply_to: [7] }, { fallbacks: ["x"] }]) {
      const [status, paths] =
        "from" in body ? [400, ["subject", "from", "reply_to.1"]] : [422, Object.keys(body)];
      const named = { name: "N", ...body };
      const made = await team.post("/v1/templates", named);
      expect(await fieldsOf(made, status)).toEqual(paths);
      expect(await fieldsOf(patchDraft(team, id, body), status)).toEqual(paths);
      const shown = await team.post("/v1/templates/preview", body);
      expect(await fieldsOf(shown, status)).toEqual(paths.filter((path) => path !== "subject"));
    }
  });
});

describe("a send by template", () => {
  const to = ["delivered@simulator.postern.test"];
  const post = (path: string, body: unknown) => team.post(path, body);
  const send = (more: object) => post("/v1/email", { to, ...more });
  const shown = async (id: string) => get<Record<string, unknown>>(team, `/v1/email/${id}`);

  async function published(content: object): Promise<string> {
    const { id } = await create(team, { subject: "For {{name}}", html: "x", ...content });
    await ok(publish(team, id));
    return id;
  }

  it("is from the template's sender, unless the send or the defaults of its batch name a sender", async () => {
    const template_id = await published({ from: `Shop <shop@${team.domain}>` });
    const { id } = await ok<{ id: string }>(send({ template_id }), 202);
    expect(await shown(id)).toMatchObject({ from: `shop@${team.domain}` });
    const own = { from: `own@${team.domain}`, template_id };
    const single = await ok<{ id: string }>(send(own), 202);
    expect(await shown(single.id)).toMatchObject({ from: `own@${team.domain}` });
    const emails = [{ to, from: `own@${team.domain}` }, { to }];
    const bodies = [
      { defaults: { template_id }, emails },
      { defaults: { template_id, from: `batch@${team.domain}` }, emails },
    ];
    const senders = bodies.map(async (body) => {
      const { data } = await ok<{ data: { id: string }[] }>(post("/v1/email/batch", body), 202);
      return Promise.all(data.map(async (one) => (await shown(one.id))["from"]));
    });
    const expected = [
      [`own@${team.domain}`, `shop@${team.domain}`],
      [`own@${team.domain}`, `batch@${team.domain}`],
    ];
    expect(await Promise.all(senders)).toEqual(expected);
  });

  it("is refused at `from` without a sender, and for an unusable domain of the template's sender", async () => {
    const none = await published({});
    const foreign = await published({ from: "shop@unknown.example" });
    expect(await errorsOf(send({ template_id: none }))).toEqual({
      from: ["is required, since the template has none"],
    });
    expect(await errorsOf(send({ template_id: foreign }))).toEqual({
      from: ["must be on a verified domain of the team: unknown.example is not one"],
    });
    expect(await errorsOf(send({ subject: "S", text: "x" }))).toEqual({ from: ["is required"] });
    const batch = {
      emails: [
        { to, from: `a@${team.domain}`, template_id: none },
        { to, template_id: none },
      ],
    };
    expect(await errorsOf(post("/v1/email/batch", batch), 400)).toEqual({
      "emails.1.from": ["is required, since the template has none"],
    });
    const limited = await makeKey(team, { allowed_domains: ["other.example"] });
    const body = { to, template_id: await published({ from: `shop@${team.domain}` }) };
    expect(await fieldsOf(call("POST", "/v1/email", { key: limited.key, body }))).toEqual(["from"]);
  });

  it("is rendered with fallbacks for the variables that it leaves out, without a warning", async () => {
    const template_id = await published({
      subject: "{{order.id}} {{order.at}} for {{name}}",
      from: `shop@${team.domain}`,
      fallbacks: { name: "friend", order: { id: 7 } },
    });
    const subjectOf = async (variables?: object) => {
      const response = await send({ template_id, ...(variables && { variables }) });
      const missing = response.headers.get("X-Missing-Variables");
      const { id } = await ok<{ id: string }>(response, 202);
      return [(await shown(id))["subject"], missing];
    };
    expect([
      await subjectOf(),
      await subjectOf({ name: "Ada", order: { at: "noon" } }),
      await subjectOf({ name: null, order: { id: 8, at: "noon" } }),
    ]).toEqual([
      ["7  for friend", "order.at"],
      ["7 noon for Ada", null],
      ["8 noon for ", null],
    ]);
  });

  it("is previewed with its fallbacks", async () => {
    const body = {
      subject: "For {{name}}",
      html: "{{order.id}} {{order.at}}",
      fallbacks: { name: "friend", order: { id: 7 } },
      variables: { order: { id: 8 } },
    };
    expect(await ok(post("/v1/templates/preview", body))).toMatchObject({
      subject: "For friend",
      html: "8 ",
      variables: ["name", "order.at", "order.id"],
      missing: ["order.at"],
      problems: [],
    });
  });
});
