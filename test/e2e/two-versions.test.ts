// Tests two versions at once (decision 0022): a deployment reaches the worker at once and an active
// Durable Object up to five minutes later, so for that time each calls the other's last version.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, it } from "vitest";
import { Cleanup, temporaryFolder } from "../../tools/harness/cleanup.ts";
import { ROOT } from "../../tools/harness/compatibility.ts";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";
import { SENDER_DOMAIN } from "../../tools/harness/sample-message.ts";
import { createTenant, GATEWAY_TOKEN, newDkimKey, VARS } from "../../tools/harness/tenant.ts";
import { type Bundle, bundleWorker } from "../../tools/harness/worker-bundle.ts";
import { startWorker } from "../../tools/harness/workerd.ts";
import { lengthPrefix, WorkerApi } from "../../smtp-gateway/src/inbound/worker-api.ts";

const OBJECTS = [
  "TEAM_LEDGER",
  "AUTH_FAILURES",
  "VISITS",
  "METRICS",
  "SUPPRESSION_IMPORTS",
  "WEBHOOK_OUTBOX",
  "WEBHOOK_REPLAY",
];
const PLENTY = 1_000_000;
const LARGE_BYTES = 200_000;

type Version = "last" | "new";
const MIXES: readonly (readonly [worker: Version, objects: Version, bindings: string[]])[] = [
  ["new", "last", OBJECTS],
  ["last", "new", OBJECTS],
  ["new", "last", ["TEAM_LEDGER"]],
];

const cleanup = new Cleanup();
let root: string;
const bundles = {} as Record<Version, Bundle>;

beforeAll(async () => {
  root = await temporaryFolder(cleanup);
  const [last, ours, theirs] = ["last-tree", "new", "last"].map((name) => {
    mkdirSync(join(root, name));
    return join(root, name);
  }) as [string, string, string];
  extractLastVersion(last);
  bundles.new = await bundleWorker(cleanup, ours);
  bundles.last = await bundleWorker(cleanup, theirs, join(last, "wrangler.toml"));
});
afterAll(() => cleanup.run());

/**
 * Extracts the tree that a deployment of this one would replace: the last release, or before the
 * first release the last commit. A tree without that history is its own last version.
 */
function extractLastVersion(folder: string): void {
  const git = (...args: readonly string[]): string | null => {
    const { status, stdout } = spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
    return status === 0 ? stdout.trim() : null;
  };
  const isEdited = git("status", "--porcelain", "--", "src") !== "";
  const last =
    git("describe", "--tags", "--abbrev=0", "--match", "v*") ?? (isEdited ? "HEAD" : "HEAD~1");
  const commit = git("rev-parse", "--verify", `${last}^{commit}`) ?? "HEAD";
  const tree = join(folder, "..", "last.tar");
  execFileSync("git", ["archive", "--output", tree, commit], { cwd: ROOT });
  execFileSync("tar", ["-xf", tree, "-C", folder]);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
}

/** Keeps the types of the events that a webhook is told, by message. */
class Told {
  readonly types = new Map<string, string[]>();
  readonly #server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      this.#note(Buffer.concat(chunks).toString());
      response.end();
    });
  });

  async listen(): Promise<string> {
    await listenOnLoopback(this.#server);
    cleanup.add(() => this.#server.close());
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  #note(body: string): void {
    const { events } = JSON.parse(body) as {
      events: { type: string; data: { email_id: string } }[];
    };
    for (const { type, data } of events)
      this.types.set(data.email_id, [...(this.types.get(data.email_id) ?? []), type]);
  }
}

it.concurrent.for(MIXES)(
  "the %s worker with the %s version of %s accepts, schedules, cancels, delivers, tells and answers",
  async ([worker, objects, bindings], { expect }) => {
    const { origin, apiKey, isSettled, errors } = await start(worker, objects, bindings);
    const call = async <Answer>(
      method: string,
      path: string,
      body?: object,
      key = "",
    ): Promise<Answer> => {
      const headers = {
        Authorization: `Bearer ${apiKey}`,
        "Content-Type": "application/json",
        ...(key ? { "Idempotency-Key": key } : {}),
      };
      const sent = await fetch(origin + path, {
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
      });
      const text = await sent.text();
      expect(sent.status, `${method} ${path}: ${text}\n${errors().join("\n")}`).toBeLessThan(300);
      return (text ? JSON.parse(text) : {}) as Answer;
    };
    const told = new Told();
    const url = await told.listen();
    const all = ["email.delivered", "email.bounced"];
    const hook = await call<{ id: string }>("POST", "/v1/webhooks", {
      name: "All",
      url,
      events: all,
    });
    const send = (more: object, key?: string) =>
      call<{ id: string }>("POST", "/v1/email", { ...MESSAGE, ...more }, key);

    const single = await send({}, "once");
    expect(await send({}, "once")).toEqual(single);
    const content = Buffer.alloc(LARGE_BYTES).toString("base64");
    const large = await send({ attachments: [{ filename: "a.bin", content }] });
    const refused = await send({ to: [recipient("bounced")] });
    const batch = await call<{ data: { id: string }[] }>("POST", "/v1/email/batch", {
      emails: [MESSAGE, MESSAGE],
    });
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const moved = await send({ scheduled_at: inAnHour });
    const canceled = await send({ scheduled_at: inAnHour });
    expect((await call<{ data: object[] }>("GET", "/v1/email?status=scheduled")).data).toHaveLength(
      2,
    );
    await call("POST", `/v1/email/${canceled.id}/cancel`);
    await call("PATCH", `/v1/email/${moved.id}`, { scheduled_at: new Date().toISOString() });
    const submitted = await submit(origin, apiKey);
    const delivered = [single, large, moved, ...batch.data, ...submitted].map(({ id }) => id);

    await expect.poll(() => told.types.size).toBe(delivered.length + 1);
    await expect.poll(isSettled).toBe(true);
    for (const id of delivered) expect(told.types.get(id)).toEqual(["email.delivered"]);
    expect(told.types.get(refused.id)).toEqual(["email.bounced"]);
    const { data } = await call<{ data: object[] }>("GET", `/v1/events?email_id=${moved.id}`);
    expect(data).toHaveLength(2);
    await call("GET", `/v1/email/${single.id}`);
    await call("GET", "/v1/usage");
    expect(
      (await call<{ data: object[] }>("GET", `/v1/webhooks/${hook.id}/deliveries`)).data,
    ).not.toEqual([]);
    const replay = { start: new Date(Date.now() - 60_000).toISOString(), event_types: all };
    await call("POST", `/v1/webhooks/${hook.id}/replay`, replay);
    await expect.poll(() => told.types.get(single.id)?.length).toBe(2);
    await call("DELETE", `/v1/webhooks/${hook.id}`);
    expect(errors()).toEqual([]);
  },
);

const recipient = (name: string): string => `${name}@simulator.${VARS["SERVICE_DOMAIN"]}`;
const MESSAGE = {
  from: `shop@${SENDER_DOMAIN}`,
  to: [recipient("delivered")],
  subject: "Hello",
  text: "It works.",
};

/** Submits two messages in one request, as the gateway does. */
async function submit(origin: string, apiKey: string): Promise<{ id: string }[]> {
  const envelope = JSON.stringify({ mail_from: MESSAGE.from, rcpt_to: MESSAGE.to });
  const text = `From: ${MESSAGE.from}\r\nSubject: Hello\r\n\r\nIt works.\r\n`;
  const [head, message] = [Buffer.from(envelope), Buffer.from(text)];
  const frame = Buffer.concat([lengthPrefix(head), head, message]);
  const api = new WorkerApi(origin, GATEWAY_TOKEN);
  cleanup.add(() => api.close());
  const answers = await api.submitTogether(apiKey, "192.0.2.1", [frame, frame]);
  return (answers as readonly { readonly body: { readonly id: string } }[]).map(({ body }) => body);
}

async function start(version: Version, objects: Version, bindings: readonly string[]) {
  const worker = await startWorker(cleanup, bundles[version], {
    state: join(root, `state-${version}-${objects}-${bindings.length}`),
    vars: { ...VARS, WEBHOOK_ALLOW_PRIVATE: "true" },
    objects: { bundle: bundles[objects], bindings },
  });
  const { teamId, apiKey } = await createTenant(worker, PLENTY, newDkimKey());
  return {
    origin: worker.origin,
    apiKey,
    errors: () => worker.errors(),
    isSettled: () => worker.stores.isSettled(teamId),
  };
}
