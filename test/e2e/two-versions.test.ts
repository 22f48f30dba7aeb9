// Tests two versions of the code at once (decision 0022). A deployment changes the worker at once,
// but an active Durable Object up to five minutes later. Meanwhile a new worker calls objects of
// the last version, or the reverse. Also tests a whole deployment (docs/upgrading.md) under load,
// with the state that the last version stored.
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, it, vi } from "vitest";
import { Cleanup, temporaryFolder } from "../../tools/harness/cleanup.ts";
import { ROOT } from "../../tools/harness/compatibility.ts";
import { Child } from "../../tools/harness/child.ts";
import { ownPorts, listenOnLoopback } from "../../tools/harness/loopback.ts";
import { SENDER_DOMAIN } from "../../tools/harness/sample-message.ts";
import { createTenant, GATEWAY_TOKEN, newDkimKey, VARS } from "../../tools/harness/tenant.ts";
import { type Bundle, bundleWorker } from "../../tools/harness/worker-bundle.ts";
import { selfSigned } from "../../tools/harness/smtp/self-signed.ts";
import { startWorker, type Worker } from "../../tools/harness/workerd.ts";
import { lengthPrefix, WorkerApi } from "../../smtp-gateway/src/inbound/worker-api.ts";
import { copiesAt, deferringMx, DeploymentLoad } from "./deployment-load.ts";
import { extractTree, findLastVersion } from "./last-version.ts";

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
const DATABASES = ["DB", "SHARD_0"];
/** The least number of messages that the service accepts between two steps of a deployment. */
const STEP_MESSAGES = 12;

type Version = "last" | "new";
const MIXES: readonly (readonly [worker: Version, objects: Version, bindings: string[]])[] = [
  ["new", "last", OBJECTS],
  ["last", "new", OBJECTS],
  ["new", "last", ["TEAM_LEDGER"]],
];

const cleanup = new Cleanup();
let root: string;
const bundles = {} as Record<Version, Bundle>;
const trees: Record<Version, string> = { new: ROOT, last: "" };
const LAST = findLastVersion();
const inTurn = LAST === null ? it.skip : it.concurrent;

beforeAll(async () => {
  root = await temporaryFolder(cleanup);
  trees.last = join(root, "last-tree");
  if (LAST === null) return;
  extractTree(LAST, trees.last);
  for (const version of ["new", "last"] as const)
    bundles[version] = await bundleWorker(cleanup, join(trees[version], "wrangler.toml"));
});
afterAll(() => cleanup.run());

/** Records the types of the events that a webhook receives, for each message. */
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

inTurn.for(MIXES)(
  "the %s worker with the %s version of %s accepts, schedules, cancels and delivers mail, calls webhooks and answers",
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

/** Submits two messages in one request, as the gateway does with a bundle. */
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

inTurn(
  "a deployment over the last version under load loses nothing and sends nothing twice",
  async ({ expect }) => {
    const place = await ownPorts("WORKER", "EGRESS", "SUBMISSION");
    const folder = join(root, "deployment");
    mkdirSync(folder);
    const mx = await deferringMx(cleanup);
    let running = await deploy(folder, place, "last", "last");
    await running.worker.stores.migrate(DATABASES, trees.last);
    const tenant = await createTenant(running.worker, PLENTY, newDkimKey());
    let gateway = await startGateway("last", folder, place, mx.port);
    const load = new DeploymentLoad({
      origin: running.worker.origin,
      submissionPort: place.SUBMISSION,
      apiKey: tenant.apiKey,
    });
    await load.listen(cleanup);
    const sending = load.send();
    const more = async (): Promise<void> => {
      const enough = load.accepted.length + STEP_MESSAGES;
      await vi.waitFor(() => expect(load.accepted.length).toBeGreaterThan(enough));
    };

    await more();
    await running.worker.stores.migrate(DATABASES, trees.new, trees.last);
    await more();
    for (const objects of ["last", "new"] as const) {
      await running.own.run();
      running = await deploy(folder, place, "new", objects);
      await more();
    }
    await gateway.stop();
    gateway = await startGateway("new", folder, place, mx.port);
    await more();
    load.end();
    await sending;

    await vi.waitFor(() => expect([load.wrong, load.untold()]).toEqual([[], []]));
    await vi.waitFor(async () =>
      expect(await running.worker.stores.isSettled(tenant.teamId)).toBe(true),
    );
    const copies = copiesAt(mx);
    expect(load.accepted.filter((one) => copies.get(one) !== 1)).toEqual([]);
    // Attempts fail with `egress_unreachable` while the gateway is replaced. No other error may be
    // logged.
    expect(running.worker.errors().filter((one) => !one.includes("egress_unreachable"))).toEqual(
      [],
    );
  },
);

/**
 * Starts a worker that takes over the state of the deployment's last worker. `own` ends its
 * workerd.
 */
async function deploy(
  folder: string,
  place: Readonly<Record<"WORKER" | "EGRESS", number>>,
  version: Version,
  objects: Version,
): Promise<{ readonly own: Cleanup; readonly worker: Worker }> {
  const own = new Cleanup();
  cleanup.add(() => own.run());
  const worker = await startWorker(own, bundles[version], {
    state: join(folder, "state"),
    hasTables: true,
    port: place.WORKER,
    vars: {
      ...VARS,
      WEBHOOK_ALLOW_PRIVATE: "true",
      RETRY_SPEEDUP: "100",
      LEASE_SPEEDUP: "12",
      EGRESS_URL: `http://127.0.0.1:${place.EGRESS}`,
    },
    objects: { bundle: bundles[objects], bindings: OBJECTS },
  });
  return { own, worker };
}

async function startGateway(
  version: Version,
  folder: string,
  place: Readonly<Record<"WORKER" | "EGRESS" | "SUBMISSION", number>>,
  mxPort: number,
): Promise<Child> {
  const { key, cert } = selfSigned(["localhost"]);
  const [certificate, secret] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  writeFileSync(certificate, cert);
  writeFileSync(secret, key);
  const child = new Child(
    cleanup,
    process.execPath,
    [join(trees[version], "smtp-gateway", "src", "main.ts")],
    {
      env: {
        GATEWAY_TOKEN,
        GATEWAY_HOSTNAME: "gateway.example",
        EGRESS_HOST: "127.0.0.1",
        EGRESS_PORT: String(place.EGRESS),
        EGRESS_STATE: join(folder, "journal"),
        EGRESS_ROUTES: `*=127.0.0.1:${mxPort}`,
        EGRESS_ALLOW_PRIVATE: "true",
        EGRESS_DRAIN_SECONDS: "1",
        SUBMISSION_HOST: "127.0.0.1",
        SUBMISSION_PORTS: String(place.SUBMISSION),
        SUBMISSION_CERTIFICATE: certificate,
        SUBMISSION_KEY: secret,
        WORKER_URL: `http://127.0.0.1:${place.WORKER}`,
      },
    },
  );
  await child.says(/"event":"started"/);
  return child;
}
