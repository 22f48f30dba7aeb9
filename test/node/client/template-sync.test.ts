// Tests templates in a folder (docs/command-line.md §Templates in git): how the command line pulls,
// pushes and previews them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CliHarness } from "./cli-harness.ts";
import { page } from "./command-action-cases.ts";

const cli = new CliHarness().use();

describe("templates in a folder", () => {
  const folder = () => join(cli.home, "templates");
  const about = (name: string) => join(folder(), name, "template.json");
  const write = (name: string, json: object) => {
    mkdirSync(dirname(about(name)), { recursive: true });
    writeFileSync(about(name), JSON.stringify(json));
    writeFileSync(join(folder(), name, "content.html"), "<p>");
  };
  const TEMPLATE = {
    id: "template_1",
    name: "Welcome",
    alias: "welcome",
    kind: "html",
    subject: "Hi",
    html: "<p>",
    markdown: null,
    from: "Shop <shop@example.test>",
    reply_to: ["help@example.test"],
    fallbacks: { name: "friend", plan: { name: "free", price: 0 } },
    has_draft: false,
  };
  const { alias, subject, from, reply_to: replyTo, fallbacks } = TEMPLATE;
  const PATH = "/v1/templates/template_1";
  const TURNED = { price: 0, name: "free" };
  const EMPTIED = { subject: "Hi", from: null, reply_to: replyTo, fallbacks: null, html: "<p>" };
  const ABOUT = { name: "Welcome", alias, subject, from, reply_to: replyTo, fallbacks };

  it("keep the alias, the sender, the reply addresses and the fallbacks when pulled and pushed", async () => {
    cli.answer(page(TEMPLATE), TEMPLATE);
    await cli.postern(["templates", "pull", folder()]);
    expect(JSON.parse(readFileSync(about("welcome"), "utf8"))).toEqual(ABOUT);
    const shown = { subject: "Hi", text: "", missing: [], problems: [] };
    cli.answer(shown);
    await cli.postern(["templates", "preview", dirname(about("welcome"))]);
    const { name: _, alias: __, ...content } = ABOUT;
    expect(cli.bodies.at(-1)).toEqual({ ...content, kind: "html", html: "<p>", variables: {} });
    cli.answer(page(), TEMPLATE);
    await cli.postern(["templates", "push", folder()]);
    expect(cli.lines.at(-1)).toBe("POST /v1/templates");
    expect(cli.bodies.at(-1)).toEqual({ ...ABOUT, kind: "html", html: "<p>" });
  });

  it.each<readonly [string, object, readonly (readonly [path: string, body: object])[]]>([
    ["the same in another order", { ...ABOUT, fallbacks: { plan: TURNED, name: "friend" } }, []],
    ["one reply address as a text", { ...ABOUT, reply_to: "help@example.test" }, []],
    ["no alias", { ...ABOUT, alias: undefined }, []],
    ["another alias", { ...ABOUT, alias: "hello" }, [[PATH, { alias: "hello" }]]],
    ["a null alias", { ...ABOUT, alias: null }, [[PATH, { alias: null }]]],
    [
      "no sender and no fallbacks",
      { ...ABOUT, from: undefined, fallbacks: {} },
      [[`${PATH}/draft`, EMPTIED]],
    ],
  ])("with %s change nothing else of the template", async (_, json, changes) => {
    write("welcome", json);
    cli.answer(page(TEMPLATE), TEMPLATE);
    const { out, code } = await cli.postern(["templates", "push", folder()]);
    expect([code, out]).toEqual([0, `Welcome: ${changes.length > 0 ? "changed" : "unchanged"}\n`]);
    const asked = cli.requests.slice(2).map(({ line, body }) => [line, JSON.parse(body)]);
    expect(asked).toEqual(changes.map(([path, body]) => [`PATCH ${path}`, body]));
  });

  it("can exchange their aliases, and a dry run changes nothing", async () => {
    const other = { ...TEMPLATE, id: "template_2", name: "Zoo", alias: "zoo" };
    write("welcome", { ...ABOUT, alias: "zoo" });
    write("zoo", { ...ABOUT, name: "Zoo", alias: "welcome" });
    cli.answer(page(TEMPLATE, other), TEMPLATE, other);
    await cli.postern(["templates", "push", folder(), "--dry-run"]);
    expect(cli.lines.filter((line) => !line.startsWith("GET "))).toEqual([]);
    cli.requests = [];
    cli.answer(page(TEMPLATE, other), TEMPLATE, other, {});
    await cli.postern(["templates", "push", folder()]);
    const changes = cli.requests.slice(3).map(({ line, body }) => [line.at(-1), body]);
    expect(changes).toEqual([
      ["1", '{"alias":null}'],
      ["2", '{"alias":null}'],
      ["1", '{"alias":"zoo"}'],
      ["2", '{"alias":"welcome"}'],
    ]);
    expect(existsSync(join(folder(), "zoo", "content.html"))).toBe(true);
  });
});
