// Tests which variables a template reads (src/lib/template/compile.ts, variable-names.ts).
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { sampleVariables } from "../../../../src/resources/templates/sample-variables.ts";

function variablesOf(source: string): string[] {
  const template = compileTemplate(source);
  if (template.kind === "error") throw new Error(template.message);
  return template.variables.map((path) => path.join(".")).toSorted();
}

describe("the variables of a template", () => {
  it.each<[string, string]>([
    ["no tag", ""],
    ["{{! {{comment}} }}{{!-- {{a}} --}}", ""],
    ["{{name}} {{{html}}} {{&raw}} {{name}}", "html, name, raw"],
    [
      "{{user.name}} {{user.[first name]}} {{items.0.title}}",
      "items.0.title, user.first name, user.name",
    ],
    ["{{this.name}} {{./other}} {{this}} {{.}}", "name, other"],
    ['{{12}} {{"a b"}}', "12, a b"],
    ["\\{{escaped}} {{a}}", "a"],
    ["{{#if a}}{{b}}{{else if c}}{{d}}{{else}}{{e}}{{/if}}", "a, b, c, d, e"],
    ["{{#unless a}}{{b}}{{/unless}}", "a, b"],
    ["{{#if a includeZero=b}}{{/if}}", "a, b"],
    ["{{#each items}}{{title}}{{@index}}{{@key}}{{this}}{{else}}{{none}}{{/each}}", "items, none"],
    ["{{#each order.items}}{{title}}{{../currency}}{{/each}}", "currency, order.items"],
    ["{{#each items as |item index|}}{{item.title}}{{index}}{{item}}{{other}}{{/each}}", "items"],
    [
      "{{#each items}}{{#each parts}}{{../title}}{{../../currency}}{{/each}}{{/each}}",
      "currency, items",
    ],
    ["{{#with user}}{{name}}{{../greeting}}{{else}}{{nobody}}{{/with}}", "greeting, nobody, user"],
    ["{{#with user as |u|}}{{u.name}}{{/with}}{{u}}", "u, user"],
    ["{{#user}}{{name}}{{/user}}{{^user}}{{stranger}}{{/user}}", "stranger, user"],
    [
      "{{#each items}}{{#if sale}}{{price}}{{/if}}{{#if ../member}}{{../discount}}{{/if}}{{/each}}",
      "discount, items, member",
    ],
    [
      "{{#each items}}{{@root.shop.name}}{{@../root.code}}{{/each}}{{@root}}",
      "code, items, shop.name",
    ],
    ["{{lookup prices currency}} {{lookup (lookup a b) 'c'}}", "a, b, currency, prices"],
    ["{{#with (lookup people id)}}{{name}}{{/with}}", "id, people"],
    ["{{../beyond}} {{@first}}", ""],
    ["{{{{raw}}}}{{a}}{{{{/raw}}}}", "raw"],
    ["{{unsubscribe_url}}", "unsubscribe_url"],
  ])("of %s are: %s", (source, names) => {
    expect(variablesOf(source).join(", ")).toBe(names);
  });

  it("are the same when the template comes from the cache", () => {
    const source = `{{a}} {{b.c}} ${crypto.randomUUID()}`;
    for (const names of [variablesOf(source), variablesOf(source)])
      expect(names).toEqual(["a", "b.c"]);
  });
});

describe("the samples of a template's variables", () => {
  const samplesOf = (html: string, subject: string | null = null) =>
    sampleVariables({ subject, html, text: null });

  it.each<[string, unknown]>([
    ["{{#if company}}{{company.name}}{{/if}}", { company: { name: "Ada" } }],
    ["{{#each items}}{{name}}{{price}}{{/each}}", { items: [{ name: "Ada", price: "price" }] }],
    [
      "{{#with company}}{{name}} {{../greeting}}{{/with}}",
      { company: { name: "Ada" }, greeting: "greeting" },
    ],
    ["{{#company}}{{city}}{{/company}}", { company: { city: "city" } }],
    [
      "{{#each tags}}{{this}}{{/each}}{{#each others}}-{{/each}}",
      { tags: ["one", "two"], others: ["one", "two"] },
    ],
    [
      "{{#each order.items as |item index|}}{{index}}{{item.title}}{{/each}}",
      { order: { items: [{ title: "title" }] } },
    ],
    ["{{#with user as |u|}}{{u.name}}{{/with}}", { user: { name: "Ada" } }],
    [
      "{{#each a}}{{#each parts}}{{size}}{{../title}}{{@root.shop}}{{/each}}{{/each}}",
      { a: [{ parts: ["one", "two"], title: "title" }], shop: "shop" },
    ],
    [
      "{{#if paid}}x{{else if trial}}{{ends}}{{/if}}{{#unless old}}y{{/unless}}",
      { paid: true, trial: true, ends: "ends", old: true },
    ],
    [
      "{{#if items}}{{items.length}}{{#each items}}{{sku}}{{/each}}{{/if}}",
      { items: [{ sku: "sku" }] },
    ],
    ["{{items.0.title}}{{items.1.title}}", { items: [{ title: "title" }, { title: "title" }] }],
    [
      "{{#each items}}{{#if sale}}{{price}}{{/if}}{{/each}}",
      { items: [{ sale: true, price: "price" }] },
    ],
    [
      "{{#with (lookup people 'ann')}}{{email}}{{/with}}",
      { people: { ann: { email: "ada@example.com" } } },
    ],
    [
      "{{#each names}}{{lookup ../ages @index}}{{/each}}",
      { names: ["one", "two"], ages: ["one", "two"] },
    ],
    [
      "{{__proto__.x}} {{unsubscribe_url}} {{order_url}}",
      { ["__proto__"]: { x: "x" }, order_url: "https://example.com/" },
    ],
    ["{{lookup prices currency}}", { prices: { currency: "currency" }, currency: "currency" }],
    ["{{a.b.c.d.e}}", { a: { b: { c: { d: "d" } } } }],
  ])("of %s are of the kinds that it makes of them", (source, samples) => {
    expect(samplesOf(source)).toEqual(samples);
    const compiled = compileTemplate(source);
    expect(compiled.kind).toBe("template");
  });

  it("are of all parts, and within the limits of a send's variables", () => {
    expect(samplesOf("{{#each items}}{{title}}{{/each}}", "{{items.length}} {{name}}")).toEqual({
      items: [{ title: "title" }],
      name: "Ada",
    });
    const many = Array.from({ length: 150 }, (_, index) => `{{v${index}}}`).join("");
    expect(Object.keys(samplesOf(many))).toHaveLength(100);
    expect(samplesOf(`{{${"x".repeat(2_000)}}}`)).not.toEqual({});
    const long = Array.from({ length: 40 }, (_, index) => `{{v${index}${"x".repeat(2_000)}}}`);
    expect(samplesOf(long.join(""))).toEqual({});
  });
});
