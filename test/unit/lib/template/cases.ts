// Cases of templates, each with the output of Handlebars. A test in Node runs Handlebars to confirm
// each output.
export interface TemplateCase {
  readonly template: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly escape: boolean;
  readonly text: string;
}

type Variables = TemplateCase["variables"];
type Row = readonly [template: string, variables: Variables, text: string, escape?: boolean];

/** Returns the rows of one template over several variables. */
const over = (template: string, results: readonly (readonly [Variables, string])[]): Row[] =>
  results.map(([variables, text]) => [template, variables, text]);

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  expressions: [
    ["{{name}}", { name: "Ada" }, "Ada"],
    ["{{a.b.c}} {{a/b/c}} {{a.b/c}}", { a: { b: { c: 1 } } }, "1 1 1"],
    ["{{missing}}|{{missing.deep.er}}|{{a.b.c}}", { a: null }, "||"],
    ["{{this.a}} {{./a}} {{this/a}}", { a: 1 }, "1 1 1"],
    [
      "{{[first name]}} {{a.[b c]}} {{list.[1]}}",
      { "first name": "Ada", a: { "b c": 2 }, list: [1, 2] },
      "Ada 2 2",
    ],
    [
      "{{12}} {{\"a b\"}} {{'q'}} {{true}} {{null}} {{undefined}} {{-1.5}}",
      {
        "12": "twelve",
        "a b": "spaced",
        q: "quoted",
        true: "yes",
        null: "nil",
        undefined: "undef",
        "-1.5": "minus",
      },
      "twelve spaced quoted yes nil undef minus",
    ],
    ["{{ name }} {{\nname\n}}", { name: "x" }, "x x"],
    ["{{a.[length]}} {{s.length}} {{s.[1]}}", { a: [1, 2, 3], s: "héllo" }, "3 5 é"],
    ["{{a-b}} {{é}} {{_x$}} {{a:b}}", { "a-b": 1, é: 2, _x$: 3, "a:b": 4 }, "1 2 3 4"],
    ['{{#with a}}{{""}}{{[]}}{{[].b}}{{/with}}', { a: "x" }, "xxx"],
    ["{{this}}|{{.}}", { a: 1 }, "[object Object]|[object Object]"],
    ["{{zero.a}}|{{false.a}}|{{empty.length}}", { zero: 0, false: false, empty: "" }, "||0"],
  ],
  values: [
    [
      "{{a}} {{b}} {{c}} {{d}} {{e}}",
      { a: 0, b: -1.5, c: 1e21, d: 1e-7, e: 123456789012 },
      "0 -1.5 1e+21 1e-7 123456789012",
    ],
    ["{{t}} {{f}} [{{n}}]", { t: true, f: false, n: null }, "true false []"],
    [
      "{{a}}|{{b}}|{{c}}",
      { a: [1, "two", null, [3, [4]], {}], b: [], c: { x: 1 } },
      "1,two,,3,4,[object Object]||[object Object]",
    ],
    ["{{{f}}} {{{z}}} [{{{n}}}]", { f: false, z: 0, n: null }, "false 0 []"],
    ["{{list}}", { list: ["<", "&"] }, "&lt;,&amp;"],
  ],
  escaping: [
    ["{{s}}", { s: "& < > \" ' ` = / \\ é" }, "&amp; &lt; &gt; &quot; &#x27; &#x60; &#x3D; / \\ é"],
    [
      "{{{s}}} {{& s}} {{&s}}",
      { s: "& < > \" ' ` =" },
      "& < > \" ' ` = & < > \" ' ` = & < > \" ' ` =",
    ],
    ["{{s}} {{{s}}}", { s: "<a b='c'>" }, "<a b='c'> <a b='c'>", false],
    ["&amp; <b>{{s}}</b>", { s: "&amp;" }, "&amp; <b>&amp;amp;</b>"],
    ["{{{a}}}{{{b}}}", { a: "1", b: "2" }, "12"],
  ],
  "white space": [
    ["a {{~x~}} b", { x: 1 }, "a1b"],
    ["a \n {{~#if x~}} \n b \n {{~else~}} c {{~/if~}} \n d", { x: 1 }, "abd"],
    ["a\n{{#if x}}\nb\n{{else}}\nc\n{{/if}}\nd", { x: 1 }, "a\nb\nd"],
    [
      "a\r\n  {{#each l}}  \r\n- {{this}}\r\n  {{/each}}\r\nb",
      { l: [1, 2] },
      "a\r\n- 1\r\n- 2\r\nb",
    ],
    ["a\n  {{! comment }}  \nb", {}, "a\nb"],
    ["a\n{{!-- {{x}} -- }} --}}\nb", { x: 1 }, "a\nb"],
    ["a {{! b }} c", {}, "a  c"],
    ["a  {{~! b ~}}  c", {}, "ac"],
    ["a {{!-- b --~}}  c", {}, "a c"],
    ["  {{x}}  \n", { x: 1 }, "  1  \n"],
    ["{{#if x}}\n\n{{/if}}\n", { x: 1 }, "\n"],
    ["{{~{x}~}} a {{~{ x }~}}", { x: 1 }, "1a1"],
    ["a\n\n{{#x}}\n{{/x}}\n\nb", { x: true }, "a\n\n\nb"],
    ["{{{{raw}}}}\n x \n{{{{/raw}}}}\n", { raw: true }, " x \n"],
  ],
  "raw blocks and escapes": [
    ...over("{{{{raw}}}} {{x}} {{{{/raw}}}}", [
      [{ x: 1 }, ""],
      [{ raw: true }, " {{x}} "],
    ]),
    [
      "{{{{raw}}}}{{{{in}}}}{{x}}{{{{/in}}}}{{{{/raw}}}}",
      { raw: {} },
      "{{{{in}}}}{{x}}{{{{/in}}}}",
    ],
    ["{{{{if a}}}} {{#if}} {{{{/if}}}}", { a: 1 }, " {{#if}} "],
    ["{{{{each l}}}}{{x}} {{{{/each}}}}", { l: [1, 2] }, "{{x}} {{x}} "],
    ["\\{{a}} {{a}}", { a: 1 }, "{{a}} 1"],
    ["\\\\{{a}}", { a: 1 }, "\\1"],
    ["\\\\\\{{a}}", { a: 1 }, "\\\\1"],
    ["\\{{{a}}} \\{{a}} \\\\{{a}}", { a: 1 }, "{{{a}}} {{a}} \\1"],
    ["\\{{a", {}, "{{a"],
    ["\\a {{a}} \\", { a: 1 }, "\\a 1 \\"],
    ["\\{{#if a}} {{#if a}}x{{/if}}", { a: 1 }, "{{#if a}} x"],
    ["{{!--}}x{{!}}y{{!-- a --b }} -- --}}", {}, "xy"],
    ["} }} {a} { {a}} }}}", {}, "} }} {a} { {a}} }}}"],
  ],
  "what is not the data's own": [
    ["{{constructor}}|{{__proto__}}|{{toString}}|{{hasOwnProperty}}|{{valueOf}}", {}, "||||"],
    [
      "{{a.constructor}}|{{a.constructor.name}}|{{a.__proto__}}|{{s.constructor}}|" +
        "{{s.toUpperCase}}|{{n.toFixed}}|{{l.push}}|{{l.map.constructor}}",
      { a: {}, s: "x", n: 1, l: [] },
      "|||||||",
    ],
    [
      '{{lookup this "constructor"}}|{{lookup l "constructor"}}|' +
        '{{lookup (lookup s "constructor") "name"}}',
      { l: [], s: "" },
      "||",
    ],
    [
      "{{#with this}}{{constructor}}{{__defineGetter__}}{{/with}}{{#constructor}}x" +
        "{{/constructor}}{{#each __proto__}}x{{/each}}",
      {},
      "",
    ],
    [
      "{{@root.constructor}}|{{@constructor}}|{{@__proto__}}|{{@root.__proto__.polluted}}",
      {},
      "|||",
    ],
  ],
  "what is the data's own, whatever its name": [
    [
      "{{constructor}} {{hasOwnProperty}} {{a.prototype}} {{a.call}}",
      { constructor: 1, hasOwnProperty: 2, a: { prototype: 3, call: 4 } },
      "1 2 3 4",
    ],
    ["{{a.toHTML}} {{{a}}}", { a: { toHTML: "<b>" } }, "&lt;b&gt; [object Object]"],
  ],
  conditions: [
    ...over(
      "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} " +
        "{{#if v includeZero=true}}yes{{else}}no{{/if}}",
      [
        [{ v: true }, "yes no yes"],
        [{ v: false }, "no yes no"],
        [{ v: 0 }, "no yes yes"],
        [{ v: 1 }, "yes no yes"],
        [{ v: "" }, "no yes no"],
        [{ v: "x" }, "yes no yes"],
        [{ v: null }, "no yes no"],
        [{ v: [] }, "no yes no"],
        [{ v: [0] }, "yes no yes"],
        [{ v: {} }, "yes no yes"],
        [{ v: "0" }, "yes no yes"],
      ],
    ),
    ["{{#if missing}}x{{/if}}|{{#unless missing}}x{{/unless}}", {}, "|x"],
    ...over("{{#if a}}A{{else if b}}B{{else if c}}C{{else}}D{{/if}}", [
      [{ b: 1 }, "B"],
      [{ c: 1 }, "C"],
      [{}, "D"],
    ]),
    ["{{#if a}}{{name}} {{../name}}{{/if}}", { a: { name: "inner" }, name: "outer" }, "outer "],
    ["{{^if a}}none{{/if}} {{^if a}}none{{else}}some{{/if}}", { a: 0 }, "none none"],
    ["{{#if a}}x{{^}}y{{/if}}", {}, "y"],
    ["{{#unless a}}x{{else if b}}y{{else}}z{{/unless}}", { a: 1, b: 2 }, "y"],
    ["{{#if a includeZero=b}}x{{else}}y{{/if}}", { a: 0, b: 1 }, "x"],
    [
      '{{#if ""}}x{{else}}y{{/if}} {{#if 0}}x{{else}}y{{/if}} {{#if true}}x{{/if}} ' +
        "{{#if null}}x{{else}}y{{/if}}",
      {},
      "y y x y",
    ],
  ],
  loops: [
    ["{{#each l}}{{this}},{{/each}}", { l: [1, "b", null, true] }, "1,b,,true,"],
    [
      "{{#each l}}{{@index}}:{{@key}}:{{@first}}:{{@last}} {{/each}}",
      { l: ["a", "b", "c"] },
      "0:0:true:false 1:1:false:false 2:2:false:true ",
    ],
    [
      "{{#each o}}{{@key}}={{this}} {{@index}} {{@first}} {{@last}};{{/each}}",
      { o: { a: 1, b: 2 } },
      "a=1 0 true false;b=2 1 false true;",
    ],
    [
      "{{#each l}}x{{else}}none{{/each}}|{{#each o}}x{{else}}none{{/each}}|{{#each m}}x" +
        "{{else}}none{{/each}}|{{#each s}}x{{else}}none{{/each}}",
      { l: [], o: {}, s: "text" },
      "none|none|none|none",
    ],
    ["{{#each l as |item i|}}{{i}}{{item.n}} {{/each}}", { l: [{ n: "a" }, { n: "b" }] }, "0a 1b "],
    ["{{#each o as |v k|}}{{k}}{{v}} {{/each}}", { o: { x: 1, y: 2 } }, "x1 y2 "],
    [
      "{{#each a as |x|}}{{#each b as |y|}}{{x}}{{y}} {{/each}}{{#each ../b as |y|}}{{x}}" +
        "{{y}} {{/each}}{{/each}}",
      { a: [1, 2], b: ["p", "q"] },
      "1p 1q 2p 2q ",
    ],
    [
      "{{#each rows}}{{#each cells}}{{@../index}}.{{@index}} {{../name}} {{../../title}};" +
        "{{/each}}{{/each}}",
      {
        title: "T",
        rows: [
          { name: "r1", cells: [1, 2] },
          { name: "r2", cells: [3] },
        ],
      },
      "0.0 r1 T;0.1 r1 T;1.0 r2 T;",
    ],
    [
      "{{#each l}}{{@root.t}}{{@root.l.[0].x}}{{x}}{{/each}}",
      { t: "T", l: [{ x: 1 }, { x: 2 }] },
      "T11T12",
    ],
    ["{{#each l}}{{.}}{{#unless @last}}, {{/unless}}{{/each}}", { l: ["a", "b", "c"] }, "a, b, c"],
    ["{{#each l}}{{@index.x}}{{@first.x}}|{{/each}}", { l: [1, 2] }, "0|false|"],
    [
      "{{#each l}}{{#if this}}{{this}}{{else}}[{{this}}]{{/if}}{{/each}}",
      { l: [0, null, 1] },
      "[0][[object Object]]1",
    ],
    [
      "{{#each l}}{{#each ../l}}{{this}}{{../this}} {{/each}}{{/each}}",
      { l: [1, 2] },
      "1[object Object] 21 12 2[object Object] ",
    ],
    ["{{@index}}{{@key}}|{{@../index}}|{{@root.a}}", { a: 1 }, "||1"],
    ["{{#each l as |constructor|}}{{constructor}}{{/each}}", { l: [1] }, "1"],
    ['{{#each (lookup o "k")}}{{this}}{{/each}}', { o: { k: [1, 2] } }, "12"],
    ["{{#each l as |mythis|}}{{mythis}}{{/each}}", { l: [{ mythis: "member" }] }, "member"],
    ["{{#each l as |if|}}{{if}}{{/each}}", { l: [1] }, "1"],
    [
      "{{#each l}}a{{else if x}}b{{else each m as |v|}}{{v}}{{else}}c{{/each}}",
      { l: [], m: [1, 2] },
      "12",
    ],
  ],
  with: [
    ["{{#with a}}{{b}} {{../c}}{{/with}}", { a: { b: 1 }, c: 2 }, "1 2"],
    ["{{#with a as |x|}}{{x.b}}{{b}}{{/with}}", { a: { b: 1 } }, "11"],
    [
      "{{#with a}}x{{else}}none{{/with}} {{#with b}}x{{else}}none{{/with}} {{#with z}}" +
        "{{this}}{{/with}}",
      { a: null, b: [], z: 0 },
      "none none 0",
    ],
    ["{{#with s}}{{length}} {{this}}{{/with}}", { s: "text" }, "4 text"],
    ["{{#with this}}{{#with a}}{{../b}}{{/with}}{{/with}}", { a: { c: 1 }, b: 2 }, "2"],
  ],
  lookup: [
    [
      '{{lookup l 1}} {{lookup o "b"}} {{lookup o k}} {{lookup o "none"}}',
      { l: ["a", "b"], o: { b: 1, c: 2 }, k: "c" },
      "b 1 2 ",
    ],
    ["{{#each k}}{{lookup ../v @index}} {{/each}}", { k: [1, 2], v: ["a", "b"] }, "a b "],
    ['{{lookup (lookup o "a") "b"}}', { o: { a: { b: 1 } } }, "1"],
    [
      '{{lookup null "a"}}|{{lookup z "a"}}|{{lookup s "length"}}|{{lookup s 0}}',
      { z: 0, s: "xy" },
      "|0|2|x",
    ],
    [
      '{{#if (lookup o "a")}}yes{{/if}} {{#with (lookup o "a")}}{{b}}{{/with}}',
      { o: { a: { b: 1 } } },
      "yes 1",
    ],
    [
      "{{lookup o null}} {{lookup o true}} {{lookup o undefined}}",
      { o: { null: 1, true: 2, undefined: 3 } },
      "1 2 3",
    ],
    ['{{lookup o "h"}} {{{lookup o "h"}}}', { o: { h: "<" } }, "&lt; <"],
    ['{{#lookup o "h"}}body{{/lookup}}', { o: { h: "<" } }, "<"],
  ],
  sections: [
    ["{{#a}}{{b}}{{/a}}", { a: { b: 1 } }, "1"],
    ["{{#l}}{{this}}{{@index}} {{/l}}", { l: ["a", "b"] }, "a0 b1 "],
    [
      "{{#t}}{{a}}{{/t}} {{#f}}x{{else}}no{{/f}} {{#n}}x{{^}}no{{/n}} {{#m}}x{{else}}no{{/m}}",
      { t: true, f: false, n: null, a: 1 },
      "1 no no no",
    ],
    ["{{#l}}x{{else}}none{{/l}}", { l: [] }, "none"],
    [
      "{{^a}}none{{/a}} {{^l}}none{{/l}} {{^t}}x{{else}}some{{/t}}",
      { l: [], t: true },
      "none none some",
    ],
    [
      "{{#z}}[{{this}}]{{else}}no{{/z}} {{#e}}[{{this}}]{{else}}no{{/e}} {{#o}}[{{this}}]{{/o}}",
      { z: 0, e: "", o: {} },
      "[0] [] [[object Object]]",
    ],
    ["{{#a.b}}{{c}}{{../d}}{{/a.b}}", { a: { b: { c: 1 } }, d: 2 }, "12"],
    ["{{#l as |x i|}}{{x}}{{i}} {{/l}}", { l: ["a", "b"] }, "a0 b1 "],
    ["{{#this}}{{a}}{{/this}} {{#.}}{{a}}{{/.}}", { a: 1 }, "1 1"],
    [
      "{{#each l}}{{#@first}}first {{/@first}}{{^@last}}more {{/@last}}{{/each}}",
      { l: [1, 2] },
      "first more ",
    ],
    ["{{#a}}A{{else if b}}B{{else c}}{{x}}{{else}}D{{/a}}", { c: { x: "C" } }, "C"],
  ],
};

export const CASES: Readonly<Record<string, readonly TemplateCase[]>> = Object.fromEntries(
  Object.entries(ROWS).map(([group, rows]) => [
    group,
    rows.map(([template, variables, text, escape = true]) => ({
      template,
      variables,
      text,
      escape,
    })),
  ]),
);
