// Tests how sends with a template are accepted: what is stored, how often a template is looked up,
// and how a batch reports an entry that can't be rendered.
import { describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../src/env.ts";
import { bindings } from "../../../support/api.ts";
import {
  acceptedId,
  contentOf,
  type FixtureSender,
  makeSender,
  problemsOf,
  type Result,
  send,
  sendBatch,
} from "./sender-fixture.ts";
import { watchedDatabase } from "../../../support/fakes/watched-database.ts";
import { everyCore, withCore } from "../../../support/every-core.ts";
import { coreWith } from "../../../../src/db/core-shards.ts";

const NO_TEMPLATE = ["is not a published template of this team"];

async function insertTemplate(
  { team }: FixtureSender,
  html: string,
  subject: string | null = "S {{a}}",
): Promise<string> {
  const id = `template_${crypto.randomUUID()}`;
  await coreWith(bindings, team.id)
    .prepare(
      "INSERT INTO templates (id, team_id, name, kind, subject, html, text, published_at, " +
        "created_at, updated_at) VALUES (?, ?, ?, 'html', ?, ?, 'T {{a}}', 1, 1, 1)",
    )
    .bind(id, team.id, id, subject, html)
    .run();
  return id;
}

const templated = (sender: FixtureSender, members: Record<string, unknown>) =>
  sender.body({ subject: undefined, text: undefined, ...members });

/** Returns what a send with a template stores. */
async function contentFor(sender: FixtureSender, members: Record<string, unknown>) {
  return contentOf(sender, acceptedId(await send(sender, templated(sender, members))));
}

const errorsOf = (result: Result) => ({
  status: result.kind === "reply" && result.status,
  errors: problemsOf(result),
});

/** A database that counts its look-ups of templates. */
function countLookups({ team }: FixtureSender): { env: Partial<Env>; lookups: () => number } {
  const prepare = vi.fn((sql: string) => coreWith(bindings, team.id).prepare(sql));
  const env = withCore(team.id, watchedDatabase(prepare));
  return {
    env,
    lookups: () => prepare.mock.calls.filter(([sql]) => sql.includes("FROM templates")).length,
  };
}

describe("a send with a template", () => {
  it("stores the rendered subject and bodies, not the template or the variables", async () => {
    const sender = await makeSender();
    const template_id = await insertTemplate(sender, `{{a}}`);
    const variables = { a: "<1>", b: "unused" };
    expect(await contentFor(sender, { template_id, variables })).toEqual({
      text: "T <1>",
      html: `&lt;1&gt;`,
      attachments: [],
    });
  });

  it("is stored as the template was published when it has no variables", async () => {
    const sender = await makeSender();
    const template_id = await insertTemplate(sender, `{{a}}`);
    expect(await contentFor(sender, { template_id })).toMatchObject({
      text: "T {{a}}",
      html: "{{a}}",
    });
  });

  it("turns HTML in variables into text, but not in a send's own text", async () => {
    const sender = await makeSender();
    const template_id = await insertTemplate(sender, `<p>{{{a}}}</p>`);
    await everyCore
      .prepare("UPDATE templates SET text = ? WHERE id = ?")
      .bind("T {{{a}}} {{a}}", template_id)
      .run();
    const variables = { a: "<b>1</b>" };
    expect(await contentFor(sender, { template_id, variables })).toMatchObject({
      text: "T 1 <b>1</b>",
    });
    const own = { text: "T {{{a}}}", html: `<p>{{{a}}}</p>`, variables };
    expect(await contentFor(sender, { subject: "S", ...own })).toMatchObject({
      text: "T <b>1</b>",
    });
  });

  it("that can't be rendered is refused before the domain check, and replayed", async () => {
    const sender = await makeSender();
    const body = templated(sender, {
      from: "a@elsewhere.example",
      template_id: `template_${crypto.randomUUID()}`,
    });
    const first = await send(sender, body, { key: "k" });
    expect(errorsOf(first)).toEqual({ status: 400, errors: { template_id: NO_TEMPLATE } });
    const { headers } = await send(sender, body, { key: "k" });
    expect(headers["Idempotent-Replayed"]).toBe("true");
  });
});

describe("a template that can't be sent", () => {
  const template_id = `template_${crypto.randomUUID()}`;
  const ONE_TAG = [expect.stringContaining("must be")];

  it("makes the answer a 400, also beside errors that would give 422 without it", async () => {
    const sender = await makeSender();
    const body = templated(sender, { template_id, tags: ["a b"], to: undefined });
    expect(errorsOf(await send(sender, body))).toEqual({
      status: 400,
      errors: { template_id: NO_TEMPLATE, "tags.0": ONE_TAG, to: ["is required"] },
    });
  });

  it("is not reported for a send that names a usable template, or none", async () => {
    const sender = await makeSender();
    const known = await insertTemplate(sender, "x");
    for (const members of [{ template_id: known }, { text: "x" }]) {
      const body = templated(sender, { subject: "S", tags: ["a b"], ...members });
      expect(errorsOf(await send(sender, body))).toEqual({
        status: 422,
        errors: { "tags.0": ONE_TAG },
      });
    }
  });

  it("is reported for each entry of a batch that names it", async () => {
    const sender = await makeSender();
    const emails = [
      sender.body({ tags: ["a b"] }),
      templated(sender, { template_id }),
      null,
      templated(sender, { template_id: "x", tags: ["a b"] }),
      templated(sender, {}),
    ];
    const common = {
      "emails.1.template_id": NO_TEMPLATE,
      "emails.2": [expect.any(String)],
      "emails.3.tags.0": ONE_TAG,
    };
    expect(errorsOf(await sendBatch(sender, { emails, defaults: { template_id } }))).toEqual({
      status: 400,
      errors: {
        ...common,
        "emails.0.tags.0": ONE_TAG,
        "emails.0.template_id": ["cannot be combined with html or text"],
        "emails.3.template_id": NO_TEMPLATE,
        "emails.4.template_id": NO_TEMPLATE,
      },
    });
    const { errors } = errorsOf(await sendBatch(sender, { emails, defaults: { template_id: 1 } }));
    expect(errors).toMatchObject({
      "defaults.template_id": [expect.any(String)],
      "emails.1.template_id": NO_TEMPLATE,
    });
  });

  it("is not looked up beside a text or HTML: that combination is a 422", async () => {
    const sender = await makeSender();
    const { env, lookups } = countLookups(sender);
    expect(errorsOf(await sender.send({ template_id }, { env }))).toEqual({
      status: 422,
      errors: { template_id: ["cannot be combined with html or text"] },
    });
    expect(lookups()).toBe(0);
  });
});

describe("templates of a batch", () => {
  it("are looked up once by an alias too", async () => {
    const sender = await makeSender();
    await everyCore
      .prepare("UPDATE templates SET alias = 'order' WHERE id = ?")
      .bind(await insertTemplate(sender, "x"))
      .run();
    const { env, lookups } = countLookups(sender);
    const emails = [1, 2, 3].map(() => templated(sender, { template_id: "order" }));
    expect(await sendBatch(sender, { emails }, { env })).toMatchObject({ status: 202 });
    await send(sender, emails[0]!, { env });
    expect(lookups()).toBe(1);
  });

  it("are looked up once each, and again after a minute", async () => {
    const sender = await makeSender();
    const [one, two] = [await insertTemplate(sender, "one"), await insertTemplate(sender, "two")];
    const { env, lookups } = countLookups(sender);
    const emails = Array.from({ length: 100 }, (_, index) =>
      templated(sender, { template_id: index % 2 ? one : two, variables: { a: index } }),
    );
    expect(await sendBatch(sender, { emails }, { env })).toMatchObject({ status: 202 });
    expect(lookups()).toBe(2);
    await send(sender, templated(sender, { template_id: one }), { env });
    expect(lookups()).toBe(2);
  });

  it("that don't exist are looked up once each too", async () => {
    const sender = await makeSender();
    const { env, lookups } = countLookups(sender);
    const ids = [
      "00000000-0000-4000-8000-000000000000",
      "00000000-0000-4000-8000-000000000000",
      "x",
    ];
    const emails = ids.map((id) => templated(sender, { template_id: `template_${id}` }));
    expect(await sendBatch(sender, { emails }, { env })).toMatchObject({ status: 400 });
    expect(lookups()).toBe(1);
  });

  it("that are faulty refuse the whole batch, even in an entry that failed for its pool", async () => {
    const sender = await makeSender();
    const batchWith = (text: string) =>
      sendBatch(sender, {
        defaults: { ip_pool: "unknown" },
        emails: [sender.body({ ip_pool: "receipts" }), sender.body({ text, variables: { a: 1 } })],
      });
    expect(errorsOf(await batchWith("{{"))).toEqual({
      status: 400,
      errors: { "emails.1.text": ["has an error at line 1, column 1: the tag is never closed"] },
    });
    expect(await batchWith("{{a}}")).toMatchObject({ status: 207 });
  });
});
