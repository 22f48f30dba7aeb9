// Tests POST /v1/email/check through the worker's fetch handler (contract.md §Checks before a
// send). test/unit/lint tests the rules.
import { beforeEach, expect, it, vi } from "vitest";
import type * as z from "zod";
import type { EmailCheck } from "../../../src/mail/check/wire.ts";
import { bindings, errorsOf, ok, statement } from "../../support/api.ts";
import { create, publish } from "../../support/templates.ts";
import { ofEachTest } from "../../support/before-tests.ts";
import { TestSender } from "../../support/test-sender.ts";

type Check = z.output<typeof EmailCheck>;

const HTML = "<p>Dear reader, your order of twelve red roses leaves our garden today.</p>";

const team = ofEachTest(TestSender.make);
let mail: Record<string, unknown>;

beforeEach(() => {
  // DNS is down. The check reports no problem of a record that DNS does not answer for.
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network"));
  const text = "Dear reader, your order of twelve red roses leaves our garden today.";
  mail = team.mail({ html: HTML, text });
});

const check = (body: object) => ok<Check>(team.post("/v1/email/check", body));
const shortOf = ({ problems }: Check) =>
  problems.map(({ rule, severity, where: { field, line, column } }) =>
    [rule, severity, field, line, column].join(" "),
  );

it("a check finds no fault in a good mail, shows its copy, and stores and counts nothing", async () => {
  const found = await check({ ...mail, headers: { "X-Order": "7" } });
  expect(found).toMatchObject({
    problems: [],
    copy: { html: HTML, text: mail["text"] },
    not_checked: ["rate", "quota", "labels", "suppression"],
  });
  expect(found.copy?.headers).toContainEqual({ name: "X-Order", value: "7" });
  expect(found.copy?.headers.map(({ name }) => name)).not.toContain("DKIM-Signature");
  expect(found.copy?.bytes).toBeGreaterThan(HTML.length);
  const ledger = bindings.TEAM_LEDGER.getByName(team.id);
  expect((await ledger.usage(Date.now())).dailyUsed).toBe(0);
});

it("a check lists the errors of a send first, in the send's words, and also judges the rest", async () => {
  const wrong = { ...mail, to: [], from: "x@other.example", html: `${HTML}<a href="shop">x</a>` };
  const refused = await team.post("/v1/email", wrong);
  const errors = (await refused.json<{ error: { errors: object } }>()).error.errors;
  const found = await check(wrong);
  const first = found.problems.filter(({ rule }) => rule === "refused");
  expect(found.problems.slice(0, first.length)).toEqual(first);
  expect(Object.fromEntries(first.map((one) => [one.where.field, [one.message]]))).toEqual(errors);
  expect(shortOf(found)).toContain(`links error html 1 ${HTML.length + 1}`);
  expect(found.copy).toBeNull();
  const elsewhere = await check({ ...mail, from: "x@other.example" });
  expect(elsewhere.problems[0]).toMatchObject({ rule: "refused", where: { field: "from" } });
  expect((await check({})).problems.map(({ where }) => where.field)).toContain("from");
});

it("a check names line and column in a template's HTML, also in loops, without sender or recipient", async () => {
  const html = `<p>{{greeting}}</p>\n{{#each items}}\n  <a href="{{url}}">x</a>\n{{/each}}`;
  const { id } = await create(team, { subject: "Hi {{nmae}}", html });
  expect(shortOf(await check({ template_id: id }))).toEqual(["refused error template_id  "]);
  await ok(publish(team, id));
  const variables = {
    greeting: "Hello",
    name: "Ada",
    items: [{ url: "https://a.example/" }, { url: "x" }],
  };
  expect(shortOf(await check({ template_id: id, variables }))).toEqual([
    "links error html 3 3",
    "variables error subject 1 4",
    "variables note variables.name  ",
  ]);
  const unsaved = { kind: "html", subject: "Hi", html: "<p>\n{{#if x}}</p>", variables: {} };
  expect(shortOf(await check(unsaved))[0]).toBe("refused error html 2 1");
  const wrong = team.post("/v1/email/check", { ...unsaved, kind: "text" });
  expect(Object.keys(await errorsOf(wrong))).toEqual(["kind"]);
});

it("a check names the line of Markdown, and takes a whole message as text or base64", async () => {
  const markdown = "# Hello\n\nSee [the shop](shop) and **{{name}}**.";
  const made = await check({
    kind: "markdown",
    subject: "Hi",
    markdown,
    variables: { name: "Ada" },
  });
  expect(shortOf(made)).toContain("links error markdown 3 16");
  const lines = [
    `From: ${team.from}`,
    "To: ada@example.net",
    "Subject: Hi",
    "Content-Type: text/html",
    "",
    '<a href="shop">x</a>',
  ];
  for (const raw of [lines.join("\n"), btoa(lines.join("\r\n"))]) {
    const found = await check({ raw });
    expect(shortOf(found).slice(0, 2)).toEqual([
      "links error html 1 1",
      "text-part warning text  ",
    ]);
    expect(found.copy?.headers[0]?.name).toMatch(/^(?:Date|Message-ID|From)$/);
  }
  expect((await check({ raw: "From: x@other.example\n\nHi" })).problems[0]).toMatchObject({
    rule: "refused",
    where: { field: "from" },
  });
});

it("a check measures and judges the copy with its tracked links", async () => {
  const name = team.domain;
  const tracked = `UPDATE domains SET tracking_host = 'links.${name}', tracking_status = 'verified',
    tracking_subdomain = 'links', clicks_enabled = 1 WHERE name = ?1`;
  await statement(tracked, name).run();
  const link = '<a href="https://bank.com/">https://bank.com/</a>\n';
  const filler = `<!--${"x".repeat(100 * 1024)}-->`;
  const found = await check({ ...mail, html: HTML + link.repeat(30) + filler });
  expect(shortOf(found).slice(0, 2)).toEqual([
    "html-size error html  ",
    `links warning html 1 ${HTML.length + 1}`,
  ]);
  expect(found.copy?.html).toContain(`https://links.${name}/c/`);
});

it("a check skips rules that the team switched off, and judges for the team's mail programs alone", async () => {
  const flex = { ...mail, html: `${HTML}<div style="display:flex;position:absolute">a</div>` };
  expect(shortOf(await check(flex))).toContain(`client-support warning html 1 ${HTML.length + 1}`);
  const settings = { check_rules_off: ["dark-mode", "dark-mode"], mail_clients: ["apple-mail"] };
  expect(await ok(team.patch("/v1/team", settings))).toMatchObject({
    check_rules_off: ["dark-mode"],
    mail_clients: ["apple-mail"],
  });
  expect(await check(flex)).toMatchObject({ problems: [] });
  await ok(team.patch("/v1/team", { check_rules_off: ["client-support"], mail_clients: null }));
  expect(await check(flex)).toMatchObject({ problems: [] });
  expect(await errorsOf(team.patch("/v1/team", { mail_clients: ["gmaill"] }))).toEqual({
    "mail_clients.0": ["is not a mail program of caniemail.com; did you mean gmail?"],
  });
  expect(Object.keys(await errorsOf(team.patch("/v1/team", { check_rules_off: ["x"] })))).toEqual([
    "check_rules_off.0",
  ]);
});
