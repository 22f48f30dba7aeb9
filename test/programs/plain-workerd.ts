// One workerd for all test files of a process: parts of src, bundled as for a deployment, in a worker
// without the test pool around them. It trusts the test's certificate as it would trust an
// operator's: through NODE_EXTRA_CA_CERTS, which Miniflare reads when it is loaded.
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Miniflare } from "miniflare";
import { selfSigned } from "../../tools/harness/smtp/self-signed.ts";
import { COMPATIBILITY, ROOT } from "../../tools/harness/compatibility.ts";

const source = (path: string): string => JSON.stringify(join(ROOT, "src", path));

const ENTRY = `
import { Buffer } from "node:buffer";
import { Deadlines } from ${source("lib/shared-timer.ts")};
import { compileTemplate } from ${source("lib/template/compile.ts")};
import { renderTemplate } from ${source("lib/template/render.ts")};
import { cloudflareCourier } from ${source("mail/deliver/couriers/cloudflare-courier.ts")};
import { smtpCourier } from ${source("mail/deliver/couriers/smtp-courier.ts")};
import { postSigned } from ${source("resources/webhooks/post.ts")};

async function* offer(copies) {
  for (const copy of copies)
    yield { ...copy, bytes: new Uint8Array(Buffer.from(copy.bytes, "base64")) };
}

function permitsCodeFromStrings() {
  try {
    return new Function("return true")();
  } catch {
    return false;
  }
}

const ROUTES = {
  async "/carry"({ relay, timeouts, rounds }, env) {
    const courier = relay
      ? smtpCourier(relay, "worker.postern.test", timeouts)
      : cloudflareCourier(env.EMAIL);
    const outcomes = {};
    const keep = (key, outcome) => { outcomes[key] = outcome; };
    await Promise.all(rounds.map((copies) => courier(offer(copies), keep)));
    return outcomes;
  },
  async "/post"({ settings, delivery, deadlineMs }) {
    const options = deadlineMs === undefined ? {} : { deadlines: new Deadlines(deadlineMs) };
    return postSigned(settings, { ...delivery, bodyAt: () => "{}" }, options);
  },
  async "/render"({ source, variables }) {
    const template = compileTemplate(source);
    const result = template.kind === "error" ? template : renderTemplate(template, variables, { escape: true });
    return { permitsCodeFromStrings: permitsCodeFromStrings(), result };
  },
};

export default {
  async fetch(request, env) {
    return Response.json(await ROUTES[new URL(request.url).pathname](await request.json(), env));
  },
};`;

/** The certificate for `localhost` that the worker trusts. Each process makes a new one. */
export const CERTIFICATE = selfSigned(["localhost"]);
/** Log lines of workerd. They name the files in which Miniflare stored the mail. */
export const workerdLog: string[] = [];

let started: Promise<Miniflare> | undefined;

/** Asks the worker, which starts at the first call and ends with the process. */
export async function askWorker(
  route: "/carry" | "/post" | "/render",
  asked: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const miniflare = await (started ??= start());
  const init = { method: "POST", body: JSON.stringify(asked) };
  const response = await miniflare.dispatchFetch(`http://worker.test${route}`, init);
  return (await response.json()) as Record<string, unknown>;
}

async function start(): Promise<Miniflare> {
  const directory = mkdtempSync(join(tmpdir(), "plain-workerd-"));
  build(directory);
  const authority = join(directory, "authority.pem");
  writeFileSync(authority, CERTIFICATE.cert);
  process.env["NODE_EXTRA_CA_CERTS"] = authority;
  const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = await import("miniflare");
  class Kept extends Log {
    protected override log(message: string): void {
      workerdLog.push(message);
    }
  }
  const senders = ["shop@example.test", "Shop@Example.test"];
  const worker = {
    name: "plain",
    modulesRoot: join(directory, "out"),
    modules: [{ type: "ESModule" as const, path: join(directory, "out/entry.js") }],
    compatibilityDate: COMPATIBILITY.date,
    compatibilityFlags: COMPATIBILITY.flags,
    email: { send_email: [{ name: "EMAIL", allowed_sender_addresses: senders }] },
  };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      workers: [worker],
      log: new Kept(LogLevel.INFO),
      // Workerd itself logs each failed TLS handshake.
      handleStructuredLogs: () => undefined,
    }),
  );
  await miniflare.ready;
  return miniflare;
}

function build(directory: string): void {
  writeFileSync(join(directory, "entry.js"), ENTRY);
  // Wrangler uses this configuration, and so does not look for one in the parent folders.
  const config = {
    name: "plain",
    main: "entry.js",
    compatibility_date: COMPATIBILITY.date,
    compatibility_flags: COMPATIBILITY.flags,
  };
  writeFileSync(join(directory, "wrangler.json"), JSON.stringify(config));
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const args = [wrangler, "deploy", "--dry-run", "--outdir", "out"];
  const built = spawnSync(process.execPath, args, { cwd: directory, encoding: "utf8" });
  if (built.status !== 0) throw new Error(built.stderr);
}
