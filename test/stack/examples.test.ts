// Tests the examples that users copy (examples/) with the local stack. Each runs by the command in
// its README, or by the function that its framework would call.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { signedHeaders } from "../../src/resources/webhooks/signature.ts";
import { listenOnLoopback, ownPort } from "../../tools/harness/loopback.ts";
import { hasTool, type OutsideTool } from "../support/outside-tools.ts";
import { sharedStack } from "./shared-stack.ts";
import { runProgram } from "./run-program.ts";
import { ofFile } from "../support/before-tests.ts";

const ROOT = join(import.meta.dirname, "../..");
const SECRET = `whsec_${randomBytes(32).toString("base64")}`;
const folder = mkdtempSync(join(tmpdir(), "examples-"));
const children: ChildProcess[] = [];

/** Runs Rails' mailer and job without an application. */
const RAILS_DRIVER = `
require "active_support/all"
require "action_mailer"
require "active_job"
ActionMailer::Base.prepend_view_path "app/views"
%w[config/initializers/postern app/mailers/receipt_mailer app/jobs/receipt_job].each { |file| load "./#{file}.rb" }
ActiveJob::Base.logger = ActionMailer::Base.logger = Logger.new($stderr, level: Logger::ERROR)
ReceiptJob.perform_now(ARGV[0], ARGV[1], Time.at(1_795_253_400))
`;

interface Program {
  /** The example's folder, and the name of what it needs on this machine. */
  readonly name: OutsideTool;
  /** A program that this test runs in place of the last command in the example's README. */
  readonly driver?: string;
}

const PROGRAMS: readonly Program[] = [
  { name: "python" },
  { name: "go" },
  { name: "php" },
  { name: "rails", driver: RAILS_DRIVER },
];

const stack = ofFile(async () => (await sharedStack()).team("examples.test"));
let front: Server;
let frontUrl: string;
/** Counts the requests under each idempotency key. */
const attempts = new Map<string, number>();

beforeAll(async () => {
  front = createServer((request, response) => void forward(request, response));
  frontUrl = `http://127.0.0.1:${await listenOnLoopback(front)}`;
});

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  front.close();
  rmSync(folder, { recursive: true });
});

/**
 * A proxy in front of the stack. The stack takes the first request of each key, but the answer is
 * lost. The second request gets 503.
 */
async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const key = String(request.headers["idempotency-key"]);
  const attempt = (attempts.get(key) ?? 0) + 1;
  attempts.set(key, attempt);
  const body = await text(request);
  if (attempt === 2) return void response.writeHead(503).end("{}");
  const { authorization = "", "content-type": type = "" } = request.headers;
  const answer = await fetch(stack.dev.api_url + request.url, {
    method: "POST",
    headers: { authorization, "content-type": type, "idempotency-key": key },
    body,
  });
  if (attempt === 1) return void request.socket.destroy();
  response.writeHead(answer.status).end(await answer.text());
}

const settings = () => ({
  POSTERN_API_KEY: stack.dev.api_key,
  POSTERN_URL: frontUrl,
  MAIL_FROM: `Shop <hello@${stack.domain}>`,
  POSTERN_WEBHOOK_SECRET: SECRET,
});

/** Returns the last command in the README of an example. */
function commandOf(example: string): string {
  const page = readFileSync(join(ROOT, "examples", example, "README.md"), "utf8");
  const [, block = ""] = /^```sh\n([^]*?)^```$/m.exec(page) ?? [];
  return block.trim().split("\n").at(-1) ?? "";
}

async function run({ name, driver }: Program, to: string, order: string) {
  const command = driver === undefined ? commandOf(name) : 'ruby -e "$DRIVER" ada@example.net 1042';
  expect(command).toContain("ada@example.net 1042");
  const args = ["-c", command.replace("ada@example.net 1042", `${to} ${order}`)];
  const { code, output, printed } = await runProgram("sh", args, {
    cwd: join(ROOT, "examples", name),
    env: {
      ...process.env,
      ...settings(),
      NO_PROXY: "127.0.0.1",
      DRIVER: driver,
      POSTERN_SMTP_HOST: "127.0.0.1",
      POSTERN_SMTP_PORT: String(stack.dev.smtp.port),
      SSL_CERT_FILE: stack.dev.smtp.ca,
    },
  });
  return { code, output: output.trim(), printed };
}

async function inboxOf(to: string): Promise<string[]> {
  const found = await stack.inbox(`&to=${to}`);
  return Promise.all(found.map(async ({ id }) => (await stack.raw(id)).toString()));
}

describe.each(PROGRAMS)("the example in $name", (program) => {
  const { name, driver } = program;
  const test = it.runIf(hasTool(name));

  test("sends a receipt once, even if an answer is lost and the program runs twice", async () => {
    const to = `${name}@example.net`;
    const [first, second] = [await run(program, to, name), await run(program, to, name)];
    const complaints = first.printed + second.printed;
    expect([first.code, second.code], complaints).toEqual([0, 0]);
    expect(complaints).not.toContain("not sent");
    if (driver === undefined) {
      expect(first.output).toMatch(/^email_[0-9a-f-]{36}$/);
      expect(attempts.get(`receipt-${name}`)).toBe(4);
    }
    expect(second.output).toBe(first.output);
    await expect.poll(() => inboxOf(to)).toHaveLength(1);
    expect((await inboxOf(to))[0]).toContain(`Thank you for your order ${name}.`);
    const path = `/v1/events?limit=100&recipient=${to}`;
    const { data } = await stack.ask<{ data: { type: string }[] }>("GET", path);
    expect(data.filter(({ type }) => type === "email.sent")).toHaveLength(1);
  });

  test("says what is wrong with an address", async () => {
    const { code, printed } = await run(program, "nobody", `${name}-2`);
    expect(printed).toMatch(/to\.0 is not an email address|RCPT|order rails-2 not sent: 5\d\d/);
    if (driver === undefined) expect(code).toBe(1);
  });
});

/** Makes a delivery of the event, as the service does. */
async function deliveryOf(data: object, secret = SECRET, id = "evt_1"): Promise<RequestInit> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const event = { id, type: "email.bounced", occurred_at: "2026-11-21T09:29:59Z", data };
  // The body is indented JSON. A receiver that parses and rewrites it would lose the blanks, and
  // then the signature would not match.
  const body = JSON.stringify({ batch_id: "wb_1", timestamp, events: [event] }, null, 1);
  const headers = await signedHeaders({
    prefix: "Service",
    batchId: "wb_1",
    eventId: undefined,
    timestamp,
    body: new TextEncoder().encode(body),
    secrets: [secret],
  });
  return { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body };
}

const BOUNCE = {
  recipient: "gone@example.net",
  bounce: { type: "permanent", classification: "InvalidRecipient" },
  explanation: { summary: "example.net refused the address: no such mailbox." },
};
const OTHER_SECRET = `whsec_${randomBytes(32).toString("base64")}`;
const exampleFile = async <Module>(path: string) =>
  (await import(/* @vite-ignore */ join(ROOT, "examples", path))) as Module;
const posted = (body: object): RequestInit => ({ method: "POST", body: JSON.stringify(body) });

describe("the example of Next.js", () => {
  interface Route {
    POST(request: Request): Promise<Response>;
  }
  const ask = async (route: string, init: RequestInit) =>
    (await exampleFile<Route>(`nextjs/app/api/${route}/route.ts`)).POST(
      new Request("http://shop.test/", init),
    );
  const order = { email: "next@example.net", name: "Ada", order: "N<1>", total: "12 €" };

  it("sends its React template once, and returns the errors of an order", async () => {
    for (const [name, value] of Object.entries(settings())) vi.stubEnv(name, value);
    const [first, second] = [
      await ask("receipts", posted(order)),
      await ask("receipts", posted(order)),
    ];
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(await second.json()).toEqual(await first.json());
    await expect.poll(() => inboxOf(order.email)).toHaveLength(1);
    expect((await inboxOf(order.email))[0]).toContain("<strong>N&lt;1&gt;</strong>");
    const refused = await ask("receipts", posted({ ...order, email: "nobody", order: "N2" }));
    expect(refused.status).toBe(422);
    expect(await refused.json()).toEqual({ errors: { "to.0": ["is not an email address"] } });
    vi.stubEnv("POSTERN_API_KEY", "ps_wrong");
    expect((await ask("receipts", posted({ ...order, order: "N3" }))).status).toBe(503);
    vi.unstubAllEnvs();
  });

  it("accepts only genuine deliveries", async () => {
    vi.stubEnv("POSTERN_WEBHOOK_SECRET", SECRET);
    expect((await ask("postern-events", await deliveryOf(BOUNCE))).status).toBe(204);
    const forged = await deliveryOf(BOUNCE, OTHER_SECRET);
    expect((await ask("postern-events", forged)).status).toBe(400);
    vi.unstubAllEnvs();
  });
});

describe("the example of Hono on Workers", () => {
  it("sends a receipt once, and no mail to an address that bounced", async () => {
    const kept = new Map<string, string>();
    const BOUNCED = {
      get: async (key: string) => kept.get(key) ?? null,
      put: async (key: string, value: string) => void kept.set(key, value),
    };
    const { default: app } = await exampleFile<{
      default: { request(path: string, init: RequestInit, env: object): Promise<Response> };
    }>("hono-workers/src/shop-mail.ts");
    const ask = async (path: string, init: RequestInit) =>
      app.request(path, init, { ...settings(), BOUNCED });
    const [email, gone] = ["hono@example.net", { email: "gone@example.net" }];
    const sent = [
      await ask("/orders/H1/receipt", posted({ email })),
      await ask("/orders/H1/receipt", posted({ email })),
    ];
    expect(sent.map(({ status }) => status)).toEqual([202, 202]);
    await expect.poll(() => inboxOf(email)).toHaveLength(1);
    const forged = await deliveryOf(BOUNCE, OTHER_SECRET);
    expect((await ask("/postern-events", forged)).status).toBe(400);
    expect(kept.size).toBe(0);
    expect((await ask("/postern-events", await deliveryOf(BOUNCE))).status).toBe(204);
    const refused = await ask("/orders/H2/receipt", posted(gone));
    expect([refused.status, await refused.json()]).toEqual([
      422,
      { errors: { email: [BOUNCE.explanation.summary] } },
    ]);
    const wrong = await ask("/orders/H3/receipt", posted({ email: "nobody" }));
    expect(await wrong.json()).toEqual({ errors: { "to.0": ["is not an email address"] } });
  });
});

describe("the example of Express", () => {
  let url: string;
  let secret: string;
  let printed = "";

  /**
   * Copies the receiver and links its packages, as `npm install` would. The package `postern` is
   * that of this checkout.
   */
  function install(): void {
    cpSync(join(ROOT, "examples/express"), folder, { recursive: true });
    mkdirSync(join(folder, "node_modules/postern"), { recursive: true });
    symlinkSync(join(ROOT, "node_modules/express"), join(folder, "node_modules/express"));
    const client = join(ROOT, "packages/postern/src/client/postern.ts");
    const pack = { type: "module", exports: "./main.js" };
    writeFileSync(join(folder, "node_modules/postern/package.json"), JSON.stringify(pack));
    writeFileSync(join(folder, "node_modules/postern/main.js"), `export * from "${client}";`);
  }

  beforeAll(async () => {
    install();
    const port = await ownPort();
    url = `http://127.0.0.1:${port}/postern-events`;
    const hook = { name: "Express", url, events: ["email.bounced"] };
    const made = await stack.ask<{ signing_secret: string }>("POST", "/v1/webhooks", hook);
    secret = made.signing_secret;
    const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      scripts: { start: string };
    };
    const child = spawn("sh", ["-c", scripts.start.replace("node", "exec $NODE")], {
      cwd: folder,
      env: {
        ...process.env,
        NODE: process.execPath,
        PORT: String(port),
        POSTERN_WEBHOOK_SECRET: secret,
      },
    });
    children.push(child);
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (data: Buffer) => (printed += data.toString()));
    await vi.waitFor(() => expect(printed).toContain(`listening on ${port}`));
  });

  it("accepts the service's deliveries, stores an event once, and refuses a forgery", async () => {
    await stack.send("bounced@simulator.postern.test", "To Express");
    const line = /^email\.bounced bounced@simulator\.postern\.test .*\.$/gm;
    await expect.poll(() => printed.match(line)).toHaveLength(1);
    for (const forged of [await deliveryOf(BOUNCE), { method: "POST" }])
      expect((await fetch(url, forged)).status).toBe(400);
    expect(printed).not.toContain("gone@");
    for (const recipient of ["gone@example.net", "gone@example.net", "later@example.net"]) {
      const id = recipient === "later@example.net" ? "evt_2" : "evt_1";
      const again = await deliveryOf({ ...BOUNCE, recipient }, secret, id);
      expect((await fetch(url, again)).status).toBe(204);
    }
    await expect.poll(() => printed).toContain("later@");
    expect(printed.match(/gone@/g)).toHaveLength(1);
  });
});
