// Cases of templates with blocks, each with the output of Handlebars: conditions, loops, contexts,
// lookups and sections.
export interface TemplateCase {
  readonly template: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Default: true. */
  readonly escape?: boolean;
  readonly text: string;
}

export const BLOCK_CASES: Readonly<Record<string, readonly TemplateCase[]>> = {
  conditions: [
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v " +
        "includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: true },
      text: "yes no yes",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v " +
        "includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: false },
      text: "no yes no",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v " +
        "includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: 0 },
      text: "no yes yes",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v " +
        "includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: 1 },
      text: "yes no yes",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v " +
        "includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: "" },
      text: "no yes no",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v " +
        "includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: "x" },
      text: "yes no yes",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v " +
        "includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: null },
      text: "no yes no",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v " +
        "includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: [] },
      text: "no yes no",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v " +
        "includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: [0] },
      text: "yes no yes",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v " +
        "includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: {} },
      text: "yes no yes",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v " +
        "includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: "0" },
      text: "yes no yes",
    },
    {
      template: "{{#if missing}}x{{/if}}|{{#unless missing}}x{{/unless}}",
      variables: {},
      text: "|x",
    },
    {
      template: "{{#if a}}A{{else if b}}B{{else if c}}C{{else}}D{{/if}}",
      variables: { b: 1 },
      text: "B",
    },
    {
      template: "{{#if a}}A{{else if b}}B{{else if c}}C{{else}}D{{/if}}",
      variables: { c: 1 },
      text: "C",
    },
    {
      template: "{{#if a}}A{{else if b}}B{{else if c}}C{{else}}D{{/if}}",
      variables: {},
      text: "D",
    },
    {
      template: "{{#if a}}{{name}} {{../name}}{{/if}}",
      variables: { a: { name: "inner" }, name: "outer" },
      text: "outer ",
    },
    {
      template: "{{^if a}}none{{/if}} {{^if a}}none{{else}}some{{/if}}",
      variables: { a: 0 },
      text: "none none",
    },
    { template: "{{#if a}}x{{^}}y{{/if}}", variables: {}, text: "y" },
    {
      template: "{{#unless a}}x{{else if b}}y{{else}}z{{/unless}}",
      variables: { a: 1, b: 2 },
      text: "y",
    },
    { template: "{{#if a includeZero=b}}x{{else}}y{{/if}}", variables: { a: 0, b: 1 }, text: "x" },
    {
      template:
        '{{#if ""}}x{{else}}y{{/if}} {{#if 0}}x{{else}}y{{/if}} {{#if true}}x{{/if}} {{#if ' +
        "null}}x{{else}}y{{/if}}",
      variables: {},
      text: "y y x y",
    },
  ],
  loops: [
    {
      template: "{{#each l}}{{this}},{{/each}}",
      variables: { l: [1, "b", null, true] },
      text: "1,b,,true,",
    },
    {
      template: "{{#each l}}{{@index}}:{{@key}}:{{@first}}:{{@last}} {{/each}}",
      variables: { l: ["a", "b", "c"] },
      text: "0:0:true:false 1:1:false:false 2:2:false:true ",
    },
    {
      template: "{{#each o}}{{@key}}={{this}} {{@index}} {{@first}} {{@last}};{{/each}}",
      variables: { o: { a: 1, b: 2 } },
      text: "a=1 0 true false;b=2 1 false true;",
    },
    {
      template:
        "{{#each l}}x{{else}}none{{/each}}|{{#each o}}x{{else}}none{{/each}}|{{#each " +
        "m}}x{{else}}none{{/each}}|{{#each s}}x{{else}}none{{/each}}",
      variables: { l: [], o: {}, s: "text" },
      text: "none|none|none|none",
    },
    {
      template: "{{#each l as |item i|}}{{i}}{{item.n}} {{/each}}",
      variables: { l: [{ n: "a" }, { n: "b" }] },
      text: "0a 1b ",
    },
    {
      template: "{{#each o as |v k|}}{{k}}{{v}} {{/each}}",
      variables: { o: { x: 1, y: 2 } },
      text: "x1 y2 ",
    },
    {
      template:
        "{{#each a as |x|}}{{#each b as |y|}}{{x}}{{y}} {{/each}}{{#each ../b as " +
        "|y|}}{{x}}{{y}} {{/each}}{{/each}}",
      variables: { a: [1, 2], b: ["p", "q"] },
      text: "1p 1q 2p 2q ",
    },
    {
      template:
        "{{#each rows}}{{#each cells}}{{@../index}}.{{@index}} {{../name}} " +
        "{{../../title}};{{/each}}{{/each}}",
      variables: {
        title: "T",
        rows: [
          { name: "r1", cells: [1, 2] },
          { name: "r2", cells: [3] },
        ],
      },
      text: "0.0 r1 T;0.1 r1 T;1.0 r2 T;",
    },
    {
      template: "{{#each l}}{{@root.t}}{{@root.l.[0].x}}{{x}}{{/each}}",
      variables: { t: "T", l: [{ x: 1 }, { x: 2 }] },
      text: "T11T12",
    },
    {
      template: "{{#each l}}{{.}}{{#unless @last}}, {{/unless}}{{/each}}",
      variables: { l: ["a", "b", "c"] },
      text: "a, b, c",
    },
    {
      template: "{{#each l}}{{@index.x}}{{@first.x}}|{{/each}}",
      variables: { l: [1, 2] },
      text: "0|false|",
    },
    {
      template: "{{#each l}}{{#if this}}{{this}}{{else}}[{{this}}]{{/if}}{{/each}}",
      variables: { l: [0, null, 1] },
      text: "[0][[object Object]]1",
    },
    {
      template: "{{#each l}}{{#each ../l}}{{this}}{{../this}} {{/each}}{{/each}}",
      variables: { l: [1, 2] },
      text: "1[object Object] 21 12 2[object Object] ",
    },
    { template: "{{@index}}{{@key}}|{{@../index}}|{{@root.a}}", variables: { a: 1 }, text: "||1" },
    {
      template: "{{#each l as |constructor|}}{{constructor}}{{/each}}",
      variables: { l: [1] },
      text: "1",
    },
    {
      template: '{{#each (lookup o "k")}}{{this}}{{/each}}',
      variables: { o: { k: [1, 2] } },
      text: "12",
    },
    {
      template: "{{#each l as |mythis|}}{{mythis}}{{/each}}",
      variables: { l: [{ mythis: "member" }] },
      text: "member",
    },
    { template: "{{#each l as |if|}}{{if}}{{/each}}", variables: { l: [1] }, text: "1" },
    {
      template: "{{#each l}}a{{else if x}}b{{else each m as |v|}}{{v}}{{else}}c{{/each}}",
      variables: { l: [], m: [1, 2] },
      text: "12",
    },
  ],
  with: [
    {
      template: "{{#with a}}{{b}} {{../c}}{{/with}}",
      variables: { a: { b: 1 }, c: 2 },
      text: "1 2",
    },
    { template: "{{#with a as |x|}}{{x.b}}{{b}}{{/with}}", variables: { a: { b: 1 } }, text: "11" },
    {
      template:
        "{{#with a}}x{{else}}none{{/with}} {{#with b}}x{{else}}none{{/with}} {{#with " +
        "z}}{{this}}{{/with}}",
      variables: { a: null, b: [], z: 0 },
      text: "none none 0",
    },
    {
      template: "{{#with s}}{{length}} {{this}}{{/with}}",
      variables: { s: "text" },
      text: "4 text",
    },
    {
      template: "{{#with this}}{{#with a}}{{../b}}{{/with}}{{/with}}",
      variables: { a: { c: 1 }, b: 2 },
      text: "2",
    },
  ],
  lookup: [
    {
      template: '{{lookup l 1}} {{lookup o "b"}} {{lookup o k}} {{lookup o "none"}}',
      variables: { l: ["a", "b"], o: { b: 1, c: 2 }, k: "c" },
      text: "b 1 2 ",
    },
    {
      template: "{{#each k}}{{lookup ../v @index}} {{/each}}",
      variables: { k: [1, 2], v: ["a", "b"] },
      text: "a b ",
    },
    { template: '{{lookup (lookup o "a") "b"}}', variables: { o: { a: { b: 1 } } }, text: "1" },
    {
      template: '{{lookup null "a"}}|{{lookup z "a"}}|{{lookup s "length"}}|{{lookup s 0}}',
      variables: { z: 0, s: "xy" },
      text: "|0|2|x",
    },
    {
      template: '{{#if (lookup o "a")}}yes{{/if}} {{#with (lookup o "a")}}{{b}}{{/with}}',
      variables: { o: { a: { b: 1 } } },
      text: "yes 1",
    },
    {
      template: "{{lookup o null}} {{lookup o true}} {{lookup o undefined}}",
      variables: { o: { null: 1, true: 2, undefined: 3 } },
      text: "1 2 3",
    },
    {
      template: '{{lookup o "h"}} {{{lookup o "h"}}}',
      variables: { o: { h: "<" } },
      text: "&lt; <",
    },
    { template: '{{#lookup o "h"}}body{{/lookup}}', variables: { o: { h: "<" } }, text: "<" },
  ],
  sections: [
    { template: "{{#a}}{{b}}{{/a}}", variables: { a: { b: 1 } }, text: "1" },
    { template: "{{#l}}{{this}}{{@index}} {{/l}}", variables: { l: ["a", "b"] }, text: "a0 b1 " },
    {
      template:
        "{{#t}}{{a}}{{/t}} {{#f}}x{{else}}no{{/f}} {{#n}}x{{^}}no{{/n}} {{#m}}x{{else}}no{{/m}}",
      variables: { t: true, f: false, n: null, a: 1 },
      text: "1 no no no",
    },
    { template: "{{#l}}x{{else}}none{{/l}}", variables: { l: [] }, text: "none" },
    {
      template: "{{^a}}none{{/a}} {{^l}}none{{/l}} {{^t}}x{{else}}some{{/t}}",
      variables: { l: [], t: true },
      text: "none none some",
    },
    {
      template:
        "{{#z}}[{{this}}]{{else}}no{{/z}} {{#e}}[{{this}}]{{else}}no{{/e}} {{#o}}[{{this}}]{{/o}}",
      variables: { z: 0, e: "", o: {} },
      text: "[0] [] [[object Object]]",
    },
    {
      template: "{{#a.b}}{{c}}{{../d}}{{/a.b}}",
      variables: { a: { b: { c: 1 } }, d: 2 },
      text: "12",
    },
    { template: "{{#l as |x i|}}{{x}}{{i}} {{/l}}", variables: { l: ["a", "b"] }, text: "a0 b1 " },
    { template: "{{#this}}{{a}}{{/this}} {{#.}}{{a}}{{/.}}", variables: { a: 1 }, text: "1 1" },
    {
      template: "{{#each l}}{{#@first}}first {{/@first}}{{^@last}}more {{/@last}}{{/each}}",
      variables: { l: [1, 2] },
      text: "first more ",
    },
    {
      template: "{{#a}}A{{else if b}}B{{else c}}{{x}}{{else}}D{{/a}}",
      variables: { c: { x: "C" } },
      text: "C",
    },
  ],
};
