// Tests the package `postern` with a real stack: the client sends, pages and previews, the command
// line does what docs/command-line.md says, and the SDK's client uses both MCP servers.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Postern } from "../../packages/postern/src/client/postern.ts";
import { programOf } from "../node/client/page-program.ts";
import { sharedStack } from "./shared-stack.ts";
import { runProgram } from "./run-program.ts";
import type { StackClient } from "./stack-client.ts";

const MAIN = new URL("../../packages/postern/src/cli/main.ts", import.meta.url).pathname;
const SIMULATED = "simulator.postern.test";

let stack: StackClient;
let seeded: StackClient;
let client: Postern;
let sendOnly: string;
const folder = mkdtempSync(join(tmpdir(), "postern-package-"));

beforeAll(async () => {
  seeded = await sharedStack();
  stack = await seeded.team("package.test");
  client = new Postern(stack.dev.api_key, { baseUrl: stack.dev.api_url });
  ({ key: sendOnly } = await client.apiKeys.create({ name: "sender", permissions: "send_only" }));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = (key = stack.dev.api_key) => ({
  PATH: process.env["PATH"] ?? "",
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
  XDG_CONFIG_HOME: folder,
  POSTERN_URL: stack.dev.api_url,
  POSTERN_API_KEY: key,
});

async function postern(...args: readonly string[]): Promise<{ code: number | null; out: string }> {
  const options = { cwd: folder, env: environment() };
  const { code, printed } = await runProgram(process.execPath, [MAIN, ...args], options);
  return { code, out: printed };
}

async function json<Value>(...args: readonly string[]): Promise<Value> {
  const { out, code } = await postern(...args, "--json");
  expect(code, out).toBe(0);
  return JSON.parse(out) as Value;
}

const message = (to: string, subject: string) => ({
  from: `hello@${stack.domain}`,
  to: [to],
  subject,
  text: `${subject}.`,
});

const happened = (id: string, ...types: string[]) =>
  expect.poll(() => stack.history(id), { interval: 100 }).toEqual(types);

describe("the client", () => {
  it("sends once if calls have the same key, and reads the events page by page", async () => {
    const sent = message("client@example.net", "Client");
    const once_ = { idempotencyKey: "package-once" };
    const [first, second] = [
      await client.emails.send(sent, once_),
      await client.emails.send(sent, once_),
    ];
    expect(second).toEqual(first);
    await happened(first.id, "email.sent", "email.delivered");
    const types: string[] = [];
    for await (const event of client.events.list({ email_id: first.id, limit: 1 }))
      types.push(event.type);
    expect(types).toEqual(["email.delivered", "email.sent"]);
    expect(await stack.inbox("&to=client@example.net")).toHaveLength(1);
  });
});

describe("the snippets of docs/client.md", () => {
  it("run as one program", async () => {
    const file = join(folder, "snippets.ts");
    const react = JSON.stringify(import.meta.resolve("react"));
    const program = programOf("docs/client.md")
      .replace("http://127.0.0.1:8787", stack.dev.api_url)
      .replace('from "react"', `from ${react}`);
    writeFileSync(file, program);
    const env = environment(seeded.dev.api_key);
    const { code, printed: out } = await runProgram(process.execPath, [file], { env });
    expect(code, out).toBe(0);
    expect(out).toContain("example.test is verified");
    expect(out).toMatch(/validation_error \{.*'to\.0'.*\} req_/);
    expect(out).toMatch(/0 queued\n1 queued/);
  });
});

describe("the command line", () => {
  it("sends a message, and `why` says what became of it", async () => {
    const { id } = await json<{ id: string }>(
      ...`send --from hello@${stack.domain} --to bounced@${SIMULATED}`.split(" "),
      ...`--subject Command --text Command.`.split(" "),
    );
    await happened(id, "email.sent", "email.bounced");
    const { out, code } = await postern("why", `bounced@${SIMULATED}`);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^simulator\S+ refused the address: no such mailbox\.\nmx\.simulator\S*: 550 /,
    );
    expect(out).toMatch(/“Command” {2}simulator\S+ refused the address/);
  });

  it("follows events as they happen", async () => {
    const args = "events --follow --limit 0 --recipient follow@example.net --json".split(" ");
    const options = { cwd: folder, env: environment() };
    const child = spawn(process.execPath, [MAIN, ...args], options);
    let out = "";
    child.stdout.on("data", (data: Buffer) => (out += data.toString()));
    await once(child.stderr, "data");
    const { id } = await client.emails.send(message("follow@example.net", "Follow"));
    const lines = () => out.trim().split("\n");
    await expect.poll(() => lines().filter((line) => line.includes(id))).toHaveLength(2);
    child.kill("SIGINT");
    await once(child, "close");
    const types = lines().map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(["email.sent", "email.delivered"]);
  });

  it("adds a domain, shows what DNS has, and exits with 1 until the domain is verified", async () => {
    const added = await json<{ dns_records: { type: string; name: string; value: string }[] }>(
      "domains",
      "add",
      "command.test",
    );
    const pending = await postern("domains", "verify", "command.test");
    expect(pending.code).toBe(1);
    expect(pending.out).toMatch(/^command\.test is pending: /);
    expect(pending.out).toMatch(/^CNAME +bounces +\S+ +missing +-$/m);
    for (const { type, name, value } of added.dns_records)
      await stack.publish({ name: `${name}.command.test`, type, data: value });
    const verified = await postern("domains", "verify", "command.test");
    expect(verified).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^command\.test is verified/) as string,
    });
    expect((await postern("domains", "show", "nowhere.test")).code).toBe(4);
  });

  it("keeps templates in a folder: pushes, publishes, previews, and pulls what changed", async () => {
    await client.templates.create({
      name: "Welcome, Ada!",
      subject: "Hi {{name}}",
      html: "<p>Dear {{name}}</p>",
    });
    expect((await postern("templates", "pull")).out).toBe("templates/welcome-ada: Welcome, Ada!\n");
    const content = join(folder, "templates/welcome-ada/content.html");
    expect(readFileSync(content, "utf8")).toBe("<p>Dear {{name}}</p>");
    expect(await json("templates", "push")).toEqual([
      { name: "Welcome, Ada!", change: "unchanged", published: false },
    ]);
    const about = join(folder, "templates/welcome-ada/template.json");
    const given = { from: `Shop <shop@${stack.domain}>`, reply_to: "help@example.test" };
    const fallbacks = { name: "friend", plan: { price: 0, name: "free" } };
    const named = { name: "Welcome, Ada!", alias: "welcome", subject: "Hi {{name}}" };
    writeFileSync(about, JSON.stringify({ ...named, ...given, fallbacks }));
    expect((await postern("templates", "push")).out).toBe("Welcome, Ada!: changed\n");
    expect((await postern("templates", "push")).out).toBe("Welcome, Ada!: unchanged\n");
    await postern("templates", "pull");
    const pulled = { ...named, ...given, reply_to: [given.reply_to], fallbacks };
    expect(JSON.parse(readFileSync(about, "utf8"))).toEqual(pulled);
    writeFileSync(content, "<p>Hello {{name}} of {{place}}</p>");
    writeFileSync(join(folder, "templates/welcome-ada/variables.json"), '{"name":"Ada"}');
    const preview = await postern(
      "templates",
      "preview",
      "templates/welcome-ada",
      "--html",
      "shown.html",
    );
    expect(preview.code).toBe(0);
    expect(preview.out).toMatch(/^Subject: Hi Ada\n\nHello Ada of/);
    expect(preview.out).toContain("missing in variables.json: place");
    expect(readFileSync(join(folder, "shown.html"), "utf8")).toContain("Hello Ada of");
    expect((await postern("templates", "push", "--dry-run")).out).toBe("Welcome, Ada!: changed\n");
    expect((await postern("templates", "push", "--publish")).out).toBe(
      "Welcome, Ada!: changed, published\n",
    );
    const [template] = (await client.templates.list().page()).data;
    const published = await client.templates.get(template?.id ?? "");
    expect(published).toMatchObject({
      html: "<p>Hello {{name}} of {{place}}</p>",
      has_draft: false,
    });
    writeFileSync(content, "{{#if}}");
    expect((await postern("templates", "preview", "templates/welcome-ada")).code).toBe(1);
  });

  it("adds, shows, imports and lifts suppressions", async () => {
    expect((await postern("suppressions", "add", "s@example.net", "--note", "by phone")).code).toBe(
      0,
    );
    expect((await postern("suppressions")).out).toMatch(
      /^s@example\.net +every topic +manual .*by phone$/m,
    );
    writeFileSync(join(folder, "list.csv"), "email\nimported@example.net\nno address\n");
    const imported = await postern("suppressions", "import", "list.csv");
    expect(imported).toMatchObject({
      code: 1,
      out: expect.stringContaining("1 imported, 0 skipped, 1 wrong.") as string,
    });
    expect((await postern("suppressions", "export")).out).toContain("imported@example.net");
    expect((await postern("suppressions", "remove", "s@example.net")).code).toBe(0);
    expect((await postern("suppressions", "show", "s@example.net")).code).toBe(4);
  });

  it("makes, lists and deletes keys", async () => {
    const { key, id } = await json<{ key: string; id: string }>(
      "keys",
      "create",
      "shop",
      "--send-only",
    );
    expect(key).toMatch(/^ps_/);
    expect((await postern("keys")).out).toMatch(/^shop +ps_\S+ +send_only +never/m);
    expect((await postern("keys", "delete", id)).code).toBe(0);
  });
});

describe.each([
  [
    "npx postern mcp",
    (key: string) =>
      new StdioClientTransport({
        command: process.execPath,
        args: [MAIN, "mcp"],
        env: environment(key),
      }),
  ],
  [
    "POST /mcp",
    (key: string) =>
      new StreamableHTTPClientTransport(new URL("/mcp", stack.dev.api_url), {
        requestInit: { headers: { Authorization: `Bearer ${key}` } },
      }),
  ],
])("the SDK's client over %s", (_, transportFor) => {
  /**
   * `version`: the protocol version 2026-07-28. Null: the newest version whose clients begin with
   * `initialize`.
   */
  async function connected(version: string | null, key = stack.dev.api_key): Promise<Client> {
    const mode = version === null ? "legacy" : { pin: version };
    const agent = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await agent.connect(transportFor(key));
    expect(agent.getNegotiatedProtocolVersion()).toBe(version ?? "2025-11-25");
    return agent;
  }

  it("finds the tools, tries a send, and explains a message in the same words as API, client and command", async () => {
    const agent = await connected("2026-07-28");
    expect(agent.getServerVersion()).toMatchObject({ name: "postern" });
    expect((await agent.listTools()).tools.length).toBeGreaterThan(38);
    const sent = await agent.callTool({ name: "send_test" });
    const [{ text = "" } = {}] = sent.content as { text?: string }[];
    const { id } = JSON.parse(text) as { id: string };
    await happened(id, "email.sent", "email.delivered");
    const why = await agent.callTool({
      name: "why",
      arguments: { address: `delivered@${SIMULATED}` },
    });
    expect(JSON.stringify(why.content)).toContain(id);
    // The HTTP API, the client library and the MCP tool give the same explanation of the recipient.
    const answer = await client.recipients.get(`delivered@${SIMULATED}`);
    const { summary } = answer.explanation;
    const raw = await stack.ask<typeof answer>("GET", `/v1/recipients/delivered@${SIMULATED}`);
    const { out } = await postern("why", `delivered@${SIMULATED}`);
    const [words = {}] = why.content as { text?: string }[];
    const email = await client.emails.get(id);
    expect([
      raw.explanation.summary,
      out.split("\n")[0],
      words.text?.split("\n")[0],
      email.recipients[0]?.explanation.summary,
    ]).toEqual([summary, summary, summary, summary]);
    expect(summary).toMatch(/accepted the message\.$/);
    await expect(agent.callTool({ name: "no_such_tool" })).rejects.toThrow(/no tool/);
    await agent.close();
  });

  it("finds only the tools for which its key has the permission", async () => {
    const agent = await connected(null, sendOnly);
    const names = (await agent.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(["send_test", "send_email", "send_email_batch", "get_identity"]);
    await agent.close();
  });

  it("is refused with an unknown key", async () => {
    await expect(connected(null, "ps_wrong")).rejects.toThrow(/401|not valid/);
  });
});
