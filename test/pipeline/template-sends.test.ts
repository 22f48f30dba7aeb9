// Sends templates from the API to the receiving server (src/mail/accept/render/render-emails.ts,
// src/resources/templates/template-cache.ts): what recipients get, and what events show.
import PostalMime from "postal-mime";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { call, type ErrorBody, makeTeam, type TestTeam } from "../support/api.ts";
import { makeSendingDomain } from "../support/domain.ts";
import { FakeEgress } from "../support/fakes/fake-egress.ts";

type Members = Record<string, unknown>;

interface PulledEvent {
  readonly type: string;
  readonly subject: string;
  readonly template_id: string | null;
}

const HTML = "<p>Dear {{name}},</p>{{#each items}}<b>{{title}}</b>{{/each}}";
const VARIABLES = { name: "Ann & Bob", items: [{ title: "Tea <green>" }, { title: "Milk" }] };
const NO_TEMPLATE = "is not a published template of this team";

let egress: FakeEgress;
let team: TestTeam;
let domain: string;

beforeEach(async () => {
  vi.restoreAllMocks();
  egress = new FakeEgress();
  team = await newTeam();
  domain = await makeSendingDomain(team.id);
});

const newTeam = () =>
  makeTeam({ limits: { requests_per_second: 1_000, delivery_rate_per_minute: 60_000 } });
const someone = () => `someone-${crypto.randomUUID().slice(0, 8)}@receiver.example`;

async function ask<Body>(
  method: string,
  path: string,
  status: number,
  body?: Members,
  key = team.key,
): Promise<Body> {
  const response = await call(method, `/v1${path}`, { key, body });
  const text = await response.text();
  expect([response.status, text]).toEqual([status, expect.anything()]);
  return (text === "" ? undefined : JSON.parse(text)) as Body;
}

const errorsOf = ({ error }: ErrorBody) => error.errors;

async function newTemplate(content: Members, key = team.key): Promise<string> {
  return (
    await ask<{ id: string }>(
      "POST",
      "/templates",
      201,
      { name: crypto.randomUUID(), ...content },
      key,
    )
  ).id;
}

const publish = (id: string) => ask("POST", `/templates/${id}/publish`, 200);

async function publishedTemplate(
  content: Members = { subject: "For {{name}}", html: HTML },
): Promise<string> {
  const id = await newTemplate(content);
  await publish(id);
  return id;
}

const sending = (body: Members): Members => ({
  from: `Shop <shop@${domain}>`,
  to: [someone()],
  ...body,
});
const send = (body: Members) => ask<{ id: string }>("POST", "/email", 202, sending(body));
const refused = async (status: number, body: Members) =>
  errorsOf(await ask<ErrorBody>("POST", "/email", status, sending(body)));

/** Waits for the copy that the recipient's server accepted. */
async function copyTo(recipient: string) {
  await expect.poll(() => egress.to(recipient).length, { interval: 50 }).toBe(1);
  const parsed = await PostalMime.parse(egress.to(recipient)[0]?.message ?? "");
  return { ...parsed, text: parsed.text?.trim(), html: parsed.html?.trim() };
}

async function eventsOf(id: string): Promise<PulledEvent[]> {
  const found = async () =>
    (await ask<{ data: PulledEvent[] }>("GET", `/events?limit=100&email_id=${id}`, 200)).data;
  await expect
    .poll(async () => (await found()).length, { interval: 100 })
    .toBeGreaterThanOrEqual(2);
  return found();
}

describe("a send with a template", () => {
  it("reaches each recipient rendered, and its events show the rendered subject", async () => {
    const templateId = await publishedTemplate();
    const [to, cc, bcc] = [someone(), someone(), someone()];
    const { id } = await send({
      to: [to],
      cc: [cc],
      bcc: [bcc],
      template_id: templateId,
      variables: VARIABLES,
      headers: { "X-For": "{{name}}" },
    });
    for (const recipient of [to, cc, bcc]) {
      const copy = await copyTo(recipient);
      expect(copy).toMatchObject({
        subject: "For Ann & Bob",
        html: "<p>Dear Ann &amp; Bob,</p><b>Tea &lt;green&gt;</b><b>Milk</b>",
      });
      expect(copy.text).toMatch(/^Dear Ann & Bob,\s+Tea <green> ?Milk$/);
      expect(copy.headers).toContainEqual(
        expect.objectContaining({ key: "x-for", value: "Ann & Bob" }),
      );
    }
    for (const event of await eventsOf(id))
      expect(event).toMatchObject({ subject: "For Ann & Bob", template_id: templateId });
    expect(
      (await ask<{ data: unknown[] }>("GET", `/events?template_id=${templateId}`, 200)).data.length,
    ).toBeGreaterThanOrEqual(2);
  });

  it("without variables is sent as it was published, with its braces", async () => {
    const to = someone();
    await send({ to: [to], template_id: await publishedTemplate() });
    expect(await copyTo(to)).toMatchObject({ subject: "For {{name}}", html: HTML });
  });

  it("renders the request's own subject in place of the template's", async () => {
    const to = someone();
    await send({
      to: [to],
      subject: "Own, {{name}}",
      template_id: await publishedTemplate(),
      variables: VARIABLES,
    });
    expect(await copyTo(to)).toMatchObject({ subject: "Own, Ann & Bob" });
  });

  it("is refused without a subject in the request or the template", async () => {
    const template_id = await publishedTemplate({ html: HTML });
    expect(await refused(422, { template_id, variables: VARIABLES })).toEqual({
      subject: ["is required, since the template has none"],
    });
    expect(
      await refused(422, {
        template_id: await publishedTemplate({ subject: "{{name}}", html: HTML }),
        variables: { other: 1 },
      }),
    ).toEqual({
      subject: ["is empty once rendered"],
    });
    await send({ template_id, subject: "S" });
  });

  it("of Markdown sends HTML and text", async () => {
    const to = someone();
    const template_id = await publishedTemplate({
      kind: "markdown",
      subject: "S",
      markdown: "# Hello {{name}}\n\n{{#each items}}\n- {{title}}\n{{/each}}\n",
    });
    await send({ to: [to], template_id, variables: VARIABLES });
    const copy = await copyTo(to);
    expect(copy.html).toContain("Hello Ann &amp; Bob");
    expect(copy.html).toContain("Tea &lt;green&gt;");
    expect(copy.text).toMatch(/Hello Ann & Bob[^]*Tea <green>[^]*Milk/i);
    expect(copy.text).not.toContain("{{");
  });

  it("is refused with the part of the template that renders to too much", async () => {
    const template_id = await publishedTemplate({
      subject: "S",
      html: "{{#each l}}{{#each @root.l}}{{#each @root.l}}{{/each}}{{/each}}{{/each}}",
    });
    const errors = await refused(422, {
      template_id,
      variables: { l: Array.from({ length: 1_000 }, () => 0) },
    });
    expect(errors?.["template_id"]).toContain(
      "has HTML that takes more than 500000 steps to render",
    );
  });

  it("is refused beside html or text", async () => {
    const template_id = await publishedTemplate();
    for (const body of [{ html: "<p>" }, { text: "x" }, { html: "" }]) {
      expect(await refused(422, { template_id, ...body })).toEqual({
        template_id: ["cannot be combined with html or text"],
      });
    }
  });
});

describe("an accepted send with a template", () => {
  it("keeps its version when the template is published again", async () => {
    const template_id = await publishedTemplate({ subject: "v1", html: "<p>one</p>" });
    const [first, second, third] = [someone(), someone(), someone()];
    await send({ to: [first], template_id });
    await ask("PATCH", `/templates/${template_id}/draft`, 200, {
      subject: "v2",
      html: "<p>two</p>",
    });
    await send({ to: [second], template_id });
    await publish(template_id);
    await send({ to: [third], template_id });
    for (const recipient of [first, second])
      expect(await copyTo(recipient)).toMatchObject({
        subject: "v1",
        html: "<p>one</p>",
        text: "one",
      });
    expect(await copyTo(third)).toMatchObject({ subject: "v2", html: "<p>two</p>", text: "two" });
  });

  it("goes out after the template is deleted", async () => {
    const template_id = await publishedTemplate({ subject: "v1", html: "<p>one</p>" });
    const to = someone();
    const { id } = await send({ to: [to], template_id });
    await ask("DELETE", `/templates/${template_id}`, 204);
    expect(await copyTo(to)).toMatchObject({ subject: "v1", html: "<p>one</p>" });
    expect(await refused(400, { template_id })).toEqual({ template_id: [NO_TEMPLATE] });
    expect((await eventsOf(id))[0]).toMatchObject({ template_id });
  });
});

describe("a template that can't be sent", () => {
  it("has the same answer whether it is another team's, unknown, or not an id at all", async () => {
    const other = await newTeam();
    const foreign = await newTemplate({ subject: "S", html: "<p>secret</p>" }, other.key);
    await ask("POST", `/templates/${foreign}/publish`, 200, undefined, other.key);
    const unpublished = await newTemplate({ subject: "S", html: "<p>draft</p>" }, other.key);
    const ids = [
      foreign,
      unpublished,
      `template_${crypto.randomUUID()}`,
      "template_x",
      "",
      "x".repeat(100_000),
      foreign.toUpperCase(),
    ];
    const answers = await Promise.all(
      ids.map(async (template_id) => {
        const response = await call("POST", "/v1/email", {
          key: team.key,
          body: sending({ template_id }),
        });
        return `${response.status} ${await response.text()}`;
      }),
    );
    expect(new Set(answers)).toEqual(
      new Set([
        `400 {"error":{"type":"validation_error","message":"The request is not valid: template_id ${NO_TEMPLATE}","errors":{"template_id":["${NO_TEMPLATE}"]}}}`,
      ]),
    );
  });

  it("can be sent as soon as it is published for the first time", async () => {
    const template_id = await newTemplate({ subject: "S", html: "<p>x</p>" });
    const hint = `it was never published. Publish its draft first: POST /v1/templates/${template_id}/publish`;
    expect(await refused(400, { template_id })).toEqual({
      template_id: [`${NO_TEMPLATE}: ${hint}`],
    });
    await publish(template_id);
    await send({ template_id });
  });
});

describe("a batch", () => {
  it("renders each entry with the defaults' template and merged variables", async () => {
    const template_id = await publishedTemplate({
      subject: "{{greeting}} {{name}}",
      html: "<p>{{name}}</p>",
    });
    const own = await publishedTemplate({ subject: "Own {{name}}", html: "<b>{{name}}</b>" });
    const [ann, bob, eve] = [someone(), someone(), someone()];
    await ask("POST", "/email/batch", 202, {
      defaults: {
        from: `shop@${domain}`,
        template_id,
        variables: { greeting: "Dear", name: "customer" },
      },
      emails: [
        { to: [ann], variables: { name: "Ann" } },
        { to: [bob], variables: { name: "Bob", greeting: "Hi" } },
        { to: [eve], template_id: own },
      ],
    });
    expect(await copyTo(ann)).toMatchObject({ subject: "Dear Ann", html: "<p>Ann</p>" });
    expect(await copyTo(bob)).toMatchObject({ subject: "Hi Bob", html: "<p>Bob</p>" });
    expect(await copyTo(eve)).toMatchObject({ subject: "Own customer", html: "<b>customer</b>" });
  });

  it("is refused as a whole for one entry's template or variables, under its path", async () => {
    const good = { ...sending({ subject: "S", text: "{{a}}", variables: { a: 1 } }) };
    const body = {
      emails: [
        good,
        { ...good, text: "{{#if a}}" },
        sending({ template_id: "template_x" }),
        { ...good, variables: { deep: { a: { b: { c: { d: 1 } } } } } },
      ],
    };
    expect(errorsOf(await ask<ErrorBody>("POST", "/email/batch", 400, body))).toEqual({
      "emails.2.template_id": [NO_TEMPLATE],
      "emails.3.variables.deep.a.b.c": [expect.stringContaining("nested")],
    });
    body.emails.pop();
    expect(errorsOf(await ask<ErrorBody>("POST", "/email/batch", 400, body))).toEqual({
      "emails.1.text": [
        "has an error at line 1, column 1: the block that begins here is never closed",
      ],
      "emails.2.template_id": [NO_TEMPLATE],
    });
    expect(egress.carried).toEqual([]);
  });
});

describe("a generated unsubscribe link in the text of a send", () => {
  it("is each recipient's own in text, HTML and headers, and is in no event", async () => {
    const [one, two] = [someone(), someone()];
    const { id } = await send({
      to: [one, two],
      subject: "News{{#if unsubscribe_url}}!{{/if}}",
      html: '<a href="{{unsubscribe_url}}">bye</a>',
      text: "Bye: {{unsubscribe_url}}",
      headers: { "X-Bye": "{{unsubscribe_url}}" },
      topic: "news",
      unsubscribe: { mode: "generate" },
    });
    const copies = await Promise.all([one, two].map(copyTo));
    const links = copies.map(({ text }) => /^Bye: (https?:\/\/\S+)$/.exec(text ?? "")?.[1]);
    expect(new Set(links).size).toBe(2);
    for (const [index, copy] of copies.entries()) {
      expect(copy).toMatchObject({ subject: "News!", html: `<a href="${links[index]}">bye</a>` });
      expect(copy.headers).toContainEqual(
        expect.objectContaining({ key: "x-bye", value: links[index] }),
      );
      expect(copy.headers).toContainEqual(
        expect.objectContaining({ key: "list-unsubscribe", value: `<${links[index]}>` }),
      );
    }
    expect(JSON.stringify(await eventsOf(id))).not.toMatch(/unsubscribe-|https?:/);
  });
});
