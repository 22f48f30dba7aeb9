// Tests sentences about templates, the places of their problems
// (console/src/pages/templates/template-facts.ts), and previews in a light and a dark colour scheme
// (preview-html.ts).
import { describe, expect, it } from "vitest";
import { formatHtml, isHardToRead } from "../../../console/src/pages/templates/code/format-html.ts";
import { inScheme } from "../../../console/src/pages/templates/preview-html.ts";
import {
  describeTemplate,
  describeTemplates,
  marksOf,
} from "../../../console/src/pages/templates/template-facts.ts";

const PUBLISHED = { has_draft: false, published_at: "2026-11-22T12:00:00.000Z" };
const PENDING = { ...PUBLISHED, has_draft: true };
const NEW = { has_draft: true, published_at: null };

describe("describeTemplates", () => {
  it.each([
    [[PUBLISHED], "All published"],
    [[PUBLISHED, PENDING], "1 with unpublished changes"],
    [[NEW, PENDING, PENDING], "2 with unpublished changes · 1 not published"],
  ])("says what waits (%#)", (templates, sentence) => {
    expect(describeTemplates(templates)).toBe(sentence);
  });
});

describe("describeTemplate", () => {
  it("says which content sends use, and that changes are not saved", () => {
    expect(describeTemplate(PUBLISHED, false)).toBe("Messages use this version.");
    expect(describeTemplate(PUBLISHED, true)).toMatch(
      /^Unsaved changes\. Messages use the published version/,
    );
    expect(describeTemplate(NEW, false)).toMatch(/^Publish the template/);
  });
});

describe("marksOf", () => {
  const problem = { field: "html", line: 2, column: 4, message: "has an error" } as const;

  it("marks from the problem's place to the end of its line, in its own field", () => {
    const other = { ...problem, field: "subject" } as const;
    expect(marksOf([problem, other], "html", "ab\ncdefg\nh")).toEqual([
      { from: 6, to: 8, message: "html has an error" },
    ]);
  });

  it("marks the first line for a problem of the whole field", () => {
    const whole = { ...problem, line: null, column: null };
    expect(marksOf([whole], "html", "ab\ncd")).toMatchObject([{ from: 0, to: 2 }]);
  });
});

describe("inScheme", () => {
  const mail = "@media (prefers-color-scheme: dark){a} @media ( PREFERS-color-scheme:light ){b}";

  it("answers the mail's media queries for the colour scheme", () => {
    expect(inScheme(mail, "dark")).toBe("@media (min-width: 0px){a} @media (max-width: 0px){b}");
    expect(inScheme(mail, "light")).toBe("@media (max-width: 0px){a} @media (min-width: 0px){b}");
  });

  it("picks one of the two schemes that the mail supports, and leaves any other mail alone", () => {
    const both =
      '<meta name="color-scheme" content="light dark"><style>:root{color-scheme: dark light}';
    expect(inScheme(both, "dark")).toBe(
      '<meta name="color-scheme" content="dark"><style>:root{color-scheme: dark}',
    );
    const one = '<meta name="color-scheme" content="light"><style>:root{color-scheme: light only}';
    expect(inScheme(one, "dark")).toBe(one);
  });
});

it.each([
  [
    "tables and template tags",
    "<table><tbody>{{#each items}}<tr><td>{{name}}</td><td><b>{{price}}</b> <i>net</i></td></tr>{{/each}}</tbody></table>",
    [
      "<table>",
      "  <tbody>",
      "    {{#each items}}",
      "    <tr>",
      "      <td>{{name}}</td>",
      "      <td><b>{{price}}</b> <i>net</i></td>",
      "    </tr>",
      "    {{/each}}",
      "  </tbody>",
      "</table>",
    ],
  ],
  [
    "a document with a condition of Outlook and styles",
    "<!doctype html><html><head><style>p { color: red }\n a{}</style></head><body><!--[if mso]><table><tr><td><![endif]--><p>Hi <a href='x>y'>you</a></p></body></html>",
    [
      "<!doctype html>",
      "<html>",
      "  <head>",
      "    <style>p { color: red }",
      " a{}</style>",
      "  </head>",
      "  <body>",
      "    <!--[if mso]><table><tr><td><![endif]-->",
      "    <p>Hi <a href='x>y'>you</a></p>",
      "  </body>",
      "</html>",
    ],
  ],
  [
    "elements beside which white space is drawn",
    '<p>a</p><div style="display:inline-block">b</div><div style="display:inline-block">c</div><pre> d </pre>',
    [
      "<p>a</p>",
      '<div style="display:inline-block">b</div><div style="display:inline-block">c</div><pre> d </pre>',
    ],
  ],
])("formats %s", (_, html, lines) => {
  const formatted = formatHtml(html);
  expect(formatted.trimEnd().split("\n")).toEqual(lines);
  expect(formatHtml(formatted)).toBe(formatted);
});

it("offers to format a line that is too long to read", () => {
  expect([isHardToRead("<p>x</p>\n".repeat(90)), isHardToRead("<p>x</p>".repeat(90))]).toEqual([
    false,
    true,
  ]);
});
