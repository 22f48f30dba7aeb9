// Cases of templates, each with the output of Handlebars. A test in Node runs Handlebars to confirm
// each output.
import { BLOCK_CASES, type TemplateCase } from "./block-cases.ts";

export const CASES: Readonly<Record<string, readonly TemplateCase[]>> = {
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
  ...BLOCK_CASES,
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
        '{{lookup this "constructor"}}|{{lookup l "constructor"}}|{{lookup (lookup s ' +
        '"constructor") "name"}}',
      variables: { l: [], s: "" },
      text: "||",
    },
    {
      template:
        "{{#with " +
        "this}}{{constructor}}{{__defineGetter__}}{{/with}}{{#constructor}}x{{/constructor}}{{#each " +
        "__proto__}}x{{/each}}",
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
