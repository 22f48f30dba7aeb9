// Installs the packed file into a fresh project. There, a program uses the package on Node, Deno
// and Bun: it sends a message, reads a list and verifies a webhook. A simulated API answers it.
import { spawn, spawnSync } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BIN = join(import.meta.dirname, "../../../node_modules/.bin");
const RUNTIMES: readonly (readonly [name: string, program: string, args: readonly string[]])[] = [
  ["Node", process.execPath, []],
  ["Deno", join(BIN, "deno"), ["run", "--allow-net", "--allow-env", "--allow-read"]],
  ["Bun", join(BIN, "bun"), ["run"]],
];
const SECRET = `whsec_${randomBytes(32).toString("base64")}`;
const PROGRAM = `import { Postern, verifyWebhook } from "postern";
const [url, secret, delivery, signature] = JSON.parse(process.env.TRIED);
const postern = new Postern("ps_key", { baseUrl: url });
const { id } = await postern.emails.send({
  from: "a@example.com", to: ["b@example.net"], subject: "Hello", text: "It works.",
});
const events = [];
for await (const { type } of postern.events.list({ limit: 1 })) events.push(type);
const { events: verified } = await verifyWebhook(delivery, { "service-signature": signature }, secret);
console.log([id, ...events, verified[0].type].join(" "));
`;
const EXPECTED = "email_1 email.delivered email.sent email.bounced";

export async function tryOnRuntimes(tarball: string): Promise<void> {
  const project = mkdtempSync(join(tmpdir(), "postern-package-"));
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    writeFileSync(join(project, "package.json"), '{"type":"module","private":true}\n');
    writeFileSync(join(project, "tried.js"), PROGRAM);
    const { status } = spawnSync("npm", ["install", "--no-audit", "--no-fund", tarball], {
      cwd: project,
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (status !== 0) throw new Error("npm could not install the packed file");
    for (const [name, program, args] of RUNTIMES) {
      const said = await output(program, [...args, "tried.js"], project, server);
      if (said.trim() !== EXPECTED) throw new Error(`${name} said: ${said}`);
      console.log(`${name}: sends a message, reads a list and verifies a webhook`);
    }
    const help = await output(
      process.execPath,
      ["node_modules/.bin/postern", "help"],
      project,
      server,
    );
    if (!help.includes("suppressions")) throw new Error(`the command line said: ${help}`);
  } finally {
    server.close();
    rmSync(project, { recursive: true });
  }
}

async function output(
  program: string,
  args: readonly string[],
  cwd: string,
  server: Server,
): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const timestamp = Math.floor(Date.now() / 1_000);
  const body = JSON.stringify({ batch_id: "wb_1", timestamp, events: [{ type: "email.bounced" }] });
  const mac = createHmac("sha256", SECRET).update(`${timestamp}.${body}`).digest("hex");
  const tried = [`http://127.0.0.1:${port}`, SECRET, body, `t=${timestamp},v1=${mac}`];
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, TRIED: JSON.stringify(tried), NO_PROXY: "127.0.0.1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (data: Buffer) => (said += data.toString()));
  await once(child, "close");
  return said;
}

/** The API refuses the first send of each idempotency key, so that the client has to retry. */
const seen = new Set<string>();

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { method, url = "", headers } = request;
  request.resume();
  if (method === "POST") {
    const key = String(headers["idempotency-key"]);
    const isFirst = !seen.has(key);
    seen.add(key);
    reply(
      response,
      isFirst ? 502 : 202,
      isFirst ? { error: { type: "internal_error", message: "" } } : { id: "email_1" },
    );
    return;
  }
  const isSecond = url.includes("after=next");
  reply(response, 200, {
    data: [{ type: isSecond ? "email.sent" : "email.delivered" }],
    has_more: !isSecond,
    next_cursor: isSecond ? null : "next",
  });
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
