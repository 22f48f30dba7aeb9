// What templates render to, case by case: the texts are Handlebars' own, which a test in Node
// confirms for each of them.

export interface Case {
  readonly template: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Default true. */
  readonly escape?: boolean;
  readonly text: string;
}

export const CASES: Readonly<Record<string, readonly Case[]>> = {
  expressions: [
    { template: "{{name}}", variables: { name: "Ada" }, text: "Ada" },
    { template: "{{a.b.c}} {{a/b/c}} {{a.b/c}}", variables: { a: { b: { c: 1 } } }, text: "1 1 1" },
    { template: "{{missing}}|{{missing.deep.er}}|{{a.b.c}}", variables: { a: null }, text: "||" },
    { template: "{{this.a}} {{./a}} {{this/a}}", variables: { a: 1 }, text: "1 1 1" },
    {
      template: "{{[first name]}} {{a.[b c]}} {{list.[1]}}",
      variables: { "first name": "Ada", a: { "b c": 2 }, list: [1, 2] },
      text: "Ada 2 2",
    },
    {
      template: "{{12}} {{\"a b\"}} {{'q'}} {{true}} {{null}} {{undefined}} {{-1.5}}",
      variables: {
        "12": "twelve",
        "a b": "spaced",
        q: "quoted",
        true: "yes",
        null: "nil",
        undefined: "undef",
        "-1.5": "minus",
      },
      text: "twelve spaced quoted yes nil undef minus",
    },
    { template: "{{ name }} {{\nname\n}}", variables: { name: "x" }, text: "x x" },
    {
      template: "{{a.[length]}} {{s.length}} {{s.[1]}}",
      variables: { a: [1, 2, 3], s: "héllo" },
      text: "3 5 é",
    },
    {
      template: "{{a-b}} {{é}} {{_x$}} {{a:b}}",
      variables: { "a-b": 1, é: 2, _x$: 3, "a:b": 4 },
      text: "1 2 3 4",
    },
    { template: '{{#with a}}{{""}}{{[]}}{{[].b}}{{/with}}', variables: { a: "x" }, text: "xxx" },
    { template: "{{this}}|{{.}}", variables: { a: 1 }, text: "[object Object]|[object Object]" },
    {
      template: "{{zero.a}}|{{false.a}}|{{empty.length}}",
      variables: { zero: 0, false: false, empty: "" },
      text: "||0",
    },
  ],
  values: [
    {
      template: "{{a}} {{b}} {{c}} {{d}} {{e}}",
      variables: { a: 0, b: -1.5, c: 1e21, d: 1e-7, e: 123456789012 },
      text: "0 -1.5 1e+21 1e-7 123456789012",
    },
    {
      template: "{{t}} {{f}} [{{n}}]",
      variables: { t: true, f: false, n: null },
      text: "true false []",
    },
    {
      template: "{{a}}|{{b}}|{{c}}",
      variables: { a: [1, "two", null, [3, [4]], {}], b: [], c: { x: 1 } },
      text: "1,two,,3,4,[object Object]||[object Object]",
    },
    {
      template: "{{{f}}} {{{z}}} [{{{n}}}]",
      variables: { f: false, z: 0, n: null },
      text: "false 0 []",
    },
    { template: "{{list}}", variables: { list: ["<", "&"] }, text: "&lt;,&amp;" },
  ],
  escaping: [
    {
      template: "{{s}}",
      variables: { s: "& < > \" ' ` = / \\ é" },
      text: "&amp; &lt; &gt; &quot; &#x27; &#x60; &#x3D; / \\ é",
    },
    {
      template: "{{{s}}} {{& s}} {{&s}}",
      variables: { s: "& < > \" ' ` =" },
      text: "& < > \" ' ` = & < > \" ' ` = & < > \" ' ` =",
    },
    {
      template: "{{s}} {{{s}}}",
      variables: { s: "<a b='c'>" },
      escape: false,
      text: "<a b='c'> <a b='c'>",
    },
    { template: "&amp; <b>{{s}}</b>", variables: { s: "&amp;" }, text: "&amp; <b>&amp;amp;</b>" },
    { template: "{{{a}}}{{{b}}}", variables: { a: "1", b: "2" }, text: "12" },
  ],
  conditions: [
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: true },
      text: "yes no yes",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: false },
      text: "no yes no",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: 0 },
      text: "no yes yes",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: 1 },
      text: "yes no yes",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: "" },
      text: "no yes no",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: "x" },
      text: "yes no yes",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: null },
      text: "no yes no",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: [] },
      text: "no yes no",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: [0] },
      text: "yes no yes",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v includeZero=true}}yes{{else}}no{{/if}}",
      variables: { v: {} },
      text: "yes no yes",
    },
    {
      template:
        "{{#if v}}yes{{else}}no{{/if}} {{#unless v}}yes{{else}}no{{/unless}} {{#if v includeZero=true}}yes{{else}}no{{/if}}",
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
        '{{#if ""}}x{{else}}y{{/if}} {{#if 0}}x{{else}}y{{/if}} {{#if true}}x{{/if}} {{#if null}}x{{else}}y{{/if}}',
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
        "{{#each l}}x{{else}}none{{/each}}|{{#each o}}x{{else}}none{{/each}}|{{#each m}}x{{else}}none{{/each}}|{{#each s}}x{{else}}none{{/each}}",
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
        "{{#each a as |x|}}{{#each b as |y|}}{{x}}{{y}} {{/each}}{{#each ../b as |y|}}{{x}}{{y}} {{/each}}{{/each}}",
      variables: { a: [1, 2], b: ["p", "q"] },
      text: "1p 1q 2p 2q ",
    },
    {
      template:
        "{{#each rows}}{{#each cells}}{{@../index}}.{{@index}} {{../name}} {{../../title}};{{/each}}{{/each}}",
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
        "{{#with a}}x{{else}}none{{/with}} {{#with b}}x{{else}}none{{/with}} {{#with z}}{{this}}{{/with}}",
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
  "white space": [
    { template: "a {{~x~}} b", variables: { x: 1 }, text: "a1b" },
    {
      template: "a \n {{~#if x~}} \n b \n {{~else~}} c {{~/if~}} \n d",
      variables: { x: 1 },
      text: "abd",
    },
    { template: "a\n{{#if x}}\nb\n{{else}}\nc\n{{/if}}\nd", variables: { x: 1 }, text: "a\nb\nd" },
    {
      template: "a\r\n  {{#each l}}  \r\n- {{this}}\r\n  {{/each}}\r\nb",
      variables: { l: [1, 2] },
      text: "a\r\n- 1\r\n- 2\r\nb",
    },
    { template: "a\n  {{! comment }}  \nb", variables: {}, text: "a\nb" },
    { template: "a\n{{!-- {{x}} -- }} --}}\nb", variables: { x: 1 }, text: "a\nb" },
    { template: "a {{! b }} c", variables: {}, text: "a  c" },
    { template: "a  {{~! b ~}}  c", variables: {}, text: "ac" },
    { template: "a {{!-- b --~}}  c", variables: {}, text: "a c" },
    { template: "  {{x}}  \n", variables: { x: 1 }, text: "  1  \n" },
    { template: "{{#if x}}\n\n{{/if}}\n", variables: { x: 1 }, text: "\n" },
    { template: "{{~{x}~}} a {{~{ x }~}}", variables: { x: 1 }, text: "1a1" },
    { template: "a\n\n{{#x}}\n{{/x}}\n\nb", variables: { x: true }, text: "a\n\n\nb" },
    { template: "{{{{raw}}}}\n x \n{{{{/raw}}}}\n", variables: { raw: true }, text: " x \n" },
  ],
  "raw blocks and escapes": [
    { template: "{{{{raw}}}} {{x}} {{{{/raw}}}}", variables: { x: 1 }, text: "" },
    { template: "{{{{raw}}}} {{x}} {{{{/raw}}}}", variables: { raw: true }, text: " {{x}} " },
    {
      template: "{{{{raw}}}}{{{{in}}}}{{x}}{{{{/in}}}}{{{{/raw}}}}",
      variables: { raw: {} },
      text: "{{{{in}}}}{{x}}{{{{/in}}}}",
    },
    { template: "{{{{if a}}}} {{#if}} {{{{/if}}}}", variables: { a: 1 }, text: " {{#if}} " },
    {
      template: "{{{{each l}}}}{{x}} {{{{/each}}}}",
      variables: { l: [1, 2] },
      text: "{{x}} {{x}} ",
    },
    { template: "\\{{a}} {{a}}", variables: { a: 1 }, text: "{{a}} 1" },
    { template: "\\\\{{a}}", variables: { a: 1 }, text: "\\1" },
    { template: "\\\\\\{{a}}", variables: { a: 1 }, text: "\\\\1" },
    { template: "\\{{{a}}} \\{{a}} \\\\{{a}}", variables: { a: 1 }, text: "{{{a}}} {{a}} \\1" },
    { template: "\\{{a", variables: {}, text: "{{a" },
    { template: "\\a {{a}} \\", variables: { a: 1 }, text: "\\a 1 \\" },
    { template: "\\{{#if a}} {{#if a}}x{{/if}}", variables: { a: 1 }, text: "{{#if a}} x" },
    { template: "{{!--}}x{{!}}y{{!-- a --b }} -- --}}", variables: {}, text: "xy" },
    { template: "} }} {a} { {a}} }}}", variables: {}, text: "} }} {a} { {a}} }}}" },
  ],
  "what is not the data's own": [
    {
      template: "{{constructor}}|{{__proto__}}|{{toString}}|{{hasOwnProperty}}|{{valueOf}}",
      variables: {},
      text: "||||",
    },
    {
      template:
        "{{a.constructor}}|{{a.constructor.name}}|{{a.__proto__}}|{{s.constructor}}|{{s.toUpperCase}}|{{n.toFixed}}|{{l.push}}|{{l.map.constructor}}",
      variables: { a: {}, s: "x", n: 1, l: [] },
      text: "|||||||",
    },
    {
      template:
        '{{lookup this "constructor"}}|{{lookup l "constructor"}}|{{lookup (lookup s "constructor") "name"}}',
      variables: { l: [], s: "" },
      text: "||",
    },
    {
      template:
        "{{#with this}}{{constructor}}{{__defineGetter__}}{{/with}}{{#constructor}}x{{/constructor}}{{#each __proto__}}x{{/each}}",
      variables: {},
      text: "",
    },
    {
      template:
        "{{@root.constructor}}|{{@constructor}}|{{@__proto__}}|{{@root.__proto__.polluted}}",
      variables: {},
      text: "|||",
    },
  ],
  "what is the data's own, whatever its name": [
    {
      template: "{{constructor}} {{hasOwnProperty}} {{a.prototype}} {{a.call}}",
      variables: { constructor: 1, hasOwnProperty: 2, a: { prototype: 3, call: 4 } },
      text: "1 2 3 4",
    },
    {
      template: "{{a.toHTML}} {{{a}}}",
      variables: { a: { toHTML: "<b>" } },
      text: "&lt;b&gt; [object Object]",
    },
  ],
};
