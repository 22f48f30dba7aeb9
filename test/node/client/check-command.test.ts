// Tests `postern check` (docs/mail-check.md §In the command line): files without a key, templates
// by the deployment, exit codes, and links that are opened.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CliHarness } from "./cli-harness.ts";

const cli = new CliHarness().use();
const NO_KEY = { environment: { POSTERN_API_KEY: "" } };
const GOOD = '<p>Dear {{name}}, see <a href="https://shop.example/">the shop</a>.</p>';

function file(name: string, text: string): string {
  const path = join(cli.home, name);
  writeFileSync(path, text);
  return path;
}

it("postern check judges a file without a key and without a request, and exits with 1 only for an error", async () => {
  const good = await cli.postern(["check", file("good.html", GOOD)], NO_KEY);
  expect([good.code, good.out]).toEqual([
    0,
    expect.stringMatching(/: 0 errors, 0 warnings, 0 notes\n$/),
  ]);
  const bad = file("bad.html", `${GOOD}\n<a href="shop">x</a>`);
  const { code, out } = await cli.postern(["check", bad], NO_KEY);
  expect([code, out]).toEqual([
    1,
    expect.stringContaining(`${bad}:2:1 error links (html) The link shop has no host.\n`),
  ]);
  const off = await cli.postern(["check", bad, "--off", "links", "--json"], NO_KEY);
  expect([off.code, JSON.parse(off.out)]).toMatchObject([0, { problems: [] }]);
  expect(cli.requests).toEqual([]);
});

it("postern check exits with 1 for a warning only with --strict, and for the chosen mail programs", async () => {
  const flex = file("flex.html", '<div style="display:flex">a</div>');
  const codeOf = async (...more: string[]) =>
    (await cli.postern(["check", flex, ...more], NO_KEY)).code;
  expect(await codeOf()).toBe(0);
  expect(await codeOf("--strict")).toBe(1);
  expect(await codeOf("--strict", "--clients", "apple-mail")).toBe(0);
  expect(await codeOf("--clients", "gmial")).toBe(2);
});

it("postern check renders a file with --variables and a template's folder with its own, and judges a message", async () => {
  const typo = file("typo.html", GOOD.replace("name", "nme"));
  const given = await cli.postern(["check", typo, "--variables", '{"name":"Ada"}'], NO_KEY);
  expect([given.code, given.out]).toEqual([1, expect.stringContaining("Is name meant?")]);
  const values = file("values.json", '{"nme":"Ada"}');
  expect((await cli.postern(["check", typo, "--variables", `@${values}`], NO_KEY)).code).toBe(0);
  const folder = join(cli.home, "welcome");
  mkdirSync(folder);
  const parts = {
    "template.json": '{"name":"W"}',
    "content.html": GOOD,
    "variables.json": '{"name":"Ada"}',
  };
  for (const [name, text] of Object.entries(parts)) file(join("welcome", name), text);
  expect((await cli.postern(["check", folder], NO_KEY)).code).toBe(0);
  const mail = file(
    "a.eml",
    "From: a@example.com\nContent-Type: text/html\n\n<a href='shop'>x</a>",
  );
  expect((await cli.postern(["check", mail], NO_KEY)).out).toMatch(
    /a\.eml:1:1 error links .*no host/,
  );
});

it("postern check asks the deployment about its templates and about Markdown", async () => {
  const where = { field: "markdown", line: 3, column: 1 };
  const problem = { rule: "links", severity: "error", where, message: "Wrong.", help: "Mend." };
  cli.answer({ problems: [problem], copy: null, not_checked: ["rate"] });
  const { code, out } = await cli.postern(["check", "--template", "welcome"]);
  expect([code, out]).toEqual([
    1,
    expect.stringContaining("welcome:3:1 error links (markdown) Wrong."),
  ]);
  const folder = join(cli.home, "marked");
  mkdirSync(folder);
  file(join("marked", "template.json"), '{"name":"M","subject":"Hi"}');
  file(join("marked", "content.md"), "# {{name}}");
  await cli.postern(["check", folder, "--variables", '{"name":"Ada"}']);
  expect(cli.lines).toEqual(["POST /v1/email/check", "POST /v1/email/check"]);
  expect(cli.bodies).toEqual([
    { template_id: "welcome", variables: {} },
    {
      kind: "markdown",
      subject: "Hi",
      markdown: "# {{name}}",
      fallbacks: {},
      variables: { name: "Ada" },
    },
  ]);
});

it("postern check opens the links of a file with --follow, and warns of those that do not answer", async () => {
  cli.answers = [{ status: 404, body: {} }];
  const link = file(
    "link.html",
    `<p>a</p><a href="${cli.url}/gone">x</a><a href="${cli.url}/gone">y</a>`,
  );
  const { out } = await cli.postern(["check", link, "--follow"], NO_KEY);
  expect(out).toMatch(
    /link\.html:1:9 warning dead-links \(html\) The link \S+\/gone answers 404\./,
  );
  expect(cli.lines).toEqual(["GET /gone"]);
});
