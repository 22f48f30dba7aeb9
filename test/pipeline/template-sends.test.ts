// Tests sends with templates from the API to the receiving server
// (src/mail/accept/render/render-emails.ts, src/resources/templates/template-cache.ts): what
// recipients get, and what events show.
import { beforeEach, expect, it } from "vitest";
import { Harness, headersOf, someone } from "../support/harness.ts";
import { create, publish } from "../support/templates.ts";

let harness: Harness;

beforeEach(async () => {
  harness = await Harness.make();
});

it("a send with a template reaches each recipient rendered, and its events show the rendered subject", async () => {
  const { id: template_id } = await create(harness.team, {
    subject: "For {{name}}",
    html: "<p>Dear {{name}},</p>{{#each items}}<b>{{title}}</b>{{/each}}",
  });
  await publish(harness.team, template_id);
  const [to, cc, bcc] = [someone(), someone(), someone()];
  const id = await harness.send({
    to: [to],
    cc: [cc],
    bcc: [bcc],
    subject: undefined,
    template_id,
    variables: { name: "Ann & Bob", items: [{ title: "Tea <green>" }, { title: "Milk" }] },
    headers: { "X-For": "{{name}}" },
  });
  const events = await harness.history(id, 6);
  for (const recipient of [to, cc, bcc]) {
    const copy = await harness.copyTo(recipient);
    expect(copy.subject).toBe("For Ann & Bob");
    expect(copy.html?.trim()).toBe("<p>Dear Ann &amp; Bob,</p><b>Tea &lt;green&gt;</b><b>Milk</b>");
    expect(copy.text).toMatch(/^Dear Ann & Bob,\s+Tea <green> ?Milk\s*$/);
    expect(headersOf(copy, "X-For")).toEqual(["Ann & Bob"]);
  }
  for (const event of events)
    expect(event).toMatchObject({ subject: "For Ann & Bob", template_id });
  expect(await harness.events(`template_id=${template_id}`)).toHaveLength(6);
});

it("a generated unsubscribe link differs for each recipient in text, HTML and headers, and is in no event", async () => {
  const people = [someone(), someone()];
  const id = await harness.send({
    to: people,
    subject: "News{{#if unsubscribe_url}}!{{/if}}",
    html: '<a href="{{unsubscribe_url}}">bye</a>',
    text: "Bye: {{unsubscribe_url}}",
    headers: { "X-Bye": "{{unsubscribe_url}}" },
    topic: "news",
    unsubscribe: { mode: "generate" },
  });
  const events = await harness.history(id, 4);
  const links = await Promise.all(
    people.map(async (to) => {
      const copy = await harness.copyTo(to);
      const [, link = ""] = /^Bye: (https?:\/\/\S+)/.exec(copy.text ?? "") ?? [];
      expect([copy.subject, copy.html?.trim()]).toEqual(["News!", `<a href="${link}">bye</a>`]);
      expect(headersOf(copy, "X-Bye")).toEqual([link]);
      expect(headersOf(copy, "List-Unsubscribe")).toEqual([`<${link}>`]);
      return link;
    }),
  );
  expect(new Set(links).size).toBe(2);
  expect(JSON.stringify(events)).not.toMatch(/unsubscribe-|https?:/);
});
