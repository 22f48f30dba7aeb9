// The variables that a template reads (src/lib/template/compile.ts, variable-names.ts).
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../../../src/lib/template/compile.ts";

function variablesOf(source: string): string[] {
  const template = compileTemplate(source);
  if (template.kind === "error") throw new Error(template.message);
  return template.variables.map((path) => path.join(".")).toSorted();
}

describe("the variables of a template", () => {
  it.each<[string, string[]]>([
    ["no tag", []],
    ["{{! {{comment}} }}{{!-- {{a}} --}}", []],
    ["{{name}} {{{html}}} {{&raw}} {{name}}", ["html", "name", "raw"]],
    [
      "{{user.name}} {{user.[first name]}} {{items.0.title}}",
      ["items.0.title", "user.first name", "user.name"],
    ],
    ["{{this.name}} {{./other}} {{this}} {{.}}", ["name", "other"]],
    ['{{12}} {{"a b"}}', ["12", "a b"]],
    ["\\{{escaped}} {{a}}", ["a"]],
    ["{{#if a}}{{b}}{{else if c}}{{d}}{{else}}{{e}}{{/if}}", ["a", "b", "c", "d", "e"]],
    ["{{#unless a}}{{b}}{{/unless}}", ["a", "b"]],
    ["{{#if a includeZero=b}}{{/if}}", ["a", "b"]],
    [
      "{{#each items}}{{title}}{{@index}}{{@key}}{{this}}{{else}}{{none}}{{/each}}",
      ["items", "none"],
    ],
    ["{{#each order.items}}{{title}}{{../currency}}{{/each}}", ["currency", "order.items"]],
    ["{{#each items as |item index|}}{{item.title}}{{index}}{{item}}{{other}}{{/each}}", ["items"]],
    [
      "{{#each items}}{{#each parts}}{{../title}}{{../../currency}}{{/each}}{{/each}}",
      ["currency", "items"],
    ],
    [
      "{{#with user}}{{name}}{{../greeting}}{{else}}{{nobody}}{{/with}}",
      ["greeting", "nobody", "user"],
    ],
    ["{{#with user as |u|}}{{u.name}}{{/with}}{{u}}", ["u", "user"]],
    ["{{#user}}{{name}}{{/user}}{{^user}}{{stranger}}{{/user}}", ["stranger", "user"]],
    [
      "{{#each items}}{{#if sale}}{{price}}{{/if}}{{#if ../member}}{{../discount}}{{/if}}{{/each}}",
      ["discount", "items", "member"],
    ],
    [
      "{{#each items}}{{@root.shop.name}}{{@../root.code}}{{/each}}{{@root}}",
      ["code", "items", "shop.name"],
    ],
    ["{{lookup prices currency}} {{lookup (lookup a b) 'c'}}", ["a", "b", "currency", "prices"]],
    ["{{#with (lookup people id)}}{{name}}{{/with}}", ["id", "people"]],
    ["{{../beyond}} {{@first}}", []],
    ["{{{{raw}}}}{{a}}{{{{/raw}}}}", ["raw"]],
    ["{{unsubscribe_url}}", ["unsubscribe_url"]],
  ])("of %s are %j", (source, names) => {
    expect(variablesOf(source)).toEqual(names);
  });

  it("are the same when the template comes from the cache", () => {
    const source = `{{a}} {{b.c}} ${crypto.randomUUID()}`;
    expect([variablesOf(source), variablesOf(source)]).toEqual([
      ["a", "b.c"],
      ["a", "b.c"],
    ]);
  });
});
