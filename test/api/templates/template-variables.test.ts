// Tests the variables that templates use: where the API shows them, and how an answer names those
// that a send lacks (contract.md §Template variables; src/mail/accept/render/missing-variables.ts).
import { describe, expect, it } from "vitest";
import { ok, type Page } from "../../support/api.ts";
import type { TestTemplate } from "../../support/templates.ts";
import { at, create, get, patchDraft, publish } from "../../support/templates.ts";
import { ofFile } from "../../support/before-tests.ts";
import { TestSender } from "../../support/test-sender.ts";

const CONTENT = {
  subject: "Order {{order.id}}",
  html:
    "<p>Dear {{name}}</p>{{#each items as |item|}}{{item.title}} {{currency}}{{/each}}<a " +
    'href="{{unsubscribe_url}}">x</a>',
};
const NAMES = ["items", "name", "order.id"];

const team = ofFile(TestSender.make);

async function published(content: Record<string, unknown> = CONTENT): Promise<string> {
  const { id } = await create(team, content);
  await ok(publish(team, id));
  return id;
}

const send = (more: object, headers?: Record<string, string>) =>
  team.send({ subject: undefined, text: undefined, ...more }, headers);
const missing = (response: Response) => response.headers.get("X-Missing-Variables");

describe("the variables of a template", () => {
  it("are those of the published content, or of the draft in responses about the draft", async () => {
    const { id, variables } = await create(team, CONTENT);
    expect(variables).toEqual([]);
    expect((await get<TestTemplate>(team, at(id, "/draft"))).variables).toEqual(NAMES);
    expect((await ok<TestTemplate>(publish(team, id))).variables).toEqual(NAMES);
    expect(
      (await ok<TestTemplate>(patchDraft(team, id, { subject: "Thanks, {{first}}" }))).variables,
    ).toEqual(["first", "items", "name"]);
    expect((await get<TestTemplate>(team, at(id))).variables).toEqual(NAMES);
    expect((await ok<TestTemplate>(team.patch(at(id), {}))).variables).toEqual(NAMES);
    await ok(publish(team, id));
    expect((await get<TestTemplate>(team, at(id))).variables).toEqual(["first", "items", "name"]);
  });

  it("are those of the HTML that Markdown makes", async () => {
    const id = await published({
      kind: "markdown",
      subject: "{{s}}",
      markdown:
        "# Hi {{name}}\n\n[Pay {{amount}}]({{pay_url}})\n\n{{#each lines}}\n- {{text}}\n{{/each}}",
    });
    expect((await get<TestTemplate>(team, at(id))).variables).toEqual(
      "amount lines name pay_url s".split(" "),
    );
  });

  it("are left out of lists", async () => {
    const id = await published();
    const { data } = await get<Page<TestTemplate>>(team, "/v1/templates");
    expect(data.find((one) => one.id === id)).not.toHaveProperty("variables");
  });
});

describe("X-Missing-Variables", () => {
  it("names the variables that the template uses and the send lacks, and the message is sent", async () => {
    const template_id = await published();
    const response = await send({ template_id, variables: { name: "Ann", order: {}, orderId: 7 } });
    expect([response.status, missing(response)]).toEqual([202, "items, order.id"]);
    const none = await send({ template_id });
    expect([none.status, missing(none)]).toEqual([202, "items, name, order.id"]);
  });

  it.each<[string, object]>([
    ["all of them", { variables: { name: "Ann", items: [], order: { id: 7 } } }],
    ["values that print nothing", { variables: { name: "", items: null, order: { id: false } } }],
    [
      "more than the template uses",
      { variables: { name: "Ann", items: [], order: { id: 7, at: 1 }, other: 1 } },
    ],
    ["its own subject", { subject: "Hello {{nobody}}", variables: { name: "Ann", items: [] } }],
    [
      "no template",
      { template_id: undefined, subject: "S {{a}}", text: "{{b}}", variables: { c: 1 } },
    ],
  ])("is absent for a send that has %s", async (_name, members) => {
    const response = await send({ template_id: await published(), ...members });
    expect([response.status, missing(response)]).toEqual([202, null]);
  });

  it("names an entry of a batch before the variable, and the defaults' variables count as given", async () => {
    const template_id = await published({ subject: "S", html: "{{name}} {{code}}" });
    const entry = { to: ["delivered@simulator.postern.test"] };
    const emails = [
      entry,
      { ...entry, variables: { name: "Bob" } },
      { ...entry, variables: { name: "Eve", code: 1 } },
    ];
    const body = {
      defaults: { from: team.from, template_id, variables: { greeting: "Dear" } },
      emails,
    };
    const response = await team.post("/v1/email/batch", body);
    const named = "emails.0.code, emails.0.name, emails.1.code";
    expect([response.status, missing(response)]).toEqual([202, named]);
    const permissive = { ...body, emails: [...emails, {}], validation: "permissive" };
    const partly = await team.post("/v1/email/batch", permissive);
    expect([partly.status, missing(partly)]).toEqual([207, named]);
    expect(partly.headers.has("X-Ignored-Members")).toBe(false);
  });

  it("is also on the refusal of a send whose rendered content is invalid", async () => {
    const template_id = await published({ subject: "{{title}}", html: "x" });
    const response = await send({ template_id, variables: { tilte: "Hello" } });
    expect([response.status, missing(response)]).toEqual([422, "title"]);
  });

  it("is on a replay too, with the bytes of the first answer", async () => {
    const template_id = await published({ subject: "S", html: "{{name}}" });
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const first = await send({ template_id }, headers);
    const again = await send({ template_id }, headers);
    expect([again.headers.get("Idempotent-Replayed"), missing(first), missing(again)]).toEqual([
      "true",
      "name",
      "name",
    ]);
    expect(await again.text()).toBe(await first.text());
  });
});
