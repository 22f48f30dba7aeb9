// Tests that the log never has a secret, a body or a full address (docs/logs.md), whatever the
// service refuses and whatever fails. Log lines name requests and messages by their ids.
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../src/env.ts";
import { configureLog } from "../../src/lib/log.ts";
import { consumeDeliverJobs } from "../../src/mail/deliver/consumer.ts";
import { giveUp } from "../../src/resources/dead-letters/failed-jobs.ts";
import {
  ADMIN_TOKEN,
  bindings,
  call,
  operator,
  askDeployment,
  callDeployment,
} from "../support/api.ts";
import { DELIVERED } from "../support/fakes/fake-egress.ts";
import { askGateway, submit } from "../support/fakes/fake-gateway.ts";
import { Harness } from "../support/harness.ts";
import { consumeBatch } from "../support/fakes/queue-batch.ts";
import { withCore } from "../support/every-core.ts";
import { ofEachTest } from "../support/before-tests.ts";

/** A word in every local part, subject, body, name and secret of these tests. */
const MARK = "Xq7Marker";
const address = () => `${MARK}.${crypto.randomUUID().slice(0, 8)}@receiver.example`;
const SECRET = `ps_${MARK}${"a".repeat(31)}`;

let lines: string[];
const harness = ofEachTest(Harness.make);

function logEverything(): void {
  configureLog("info", [
    bindings.ADMIN_TOKEN,
    bindings.GATEWAY_TOKEN,
    bindings.SIGNING_KEY,
    bindings.KEY_ENCRYPTION_KEY,
    bindings.DNS_API_TOKEN,
  ]);
}

beforeEach(() => {
  lines = [];
  logEverything();
  for (const method of ["log", "warn", "error", "info", "debug"] as const)
    vi.spyOn(console, method).mockImplementation(
      (...parts) => void lines.push(parts.map(String).join(" ")),
    );
});

afterEach(() => {
  const log = lines.join("\n");
  expect(log).not.toContain(MARK);
  for (const secret of [
    harness.key,
    bindings.ADMIN_TOKEN,
    bindings.GATEWAY_TOKEN,
    bindings.SIGNING_KEY,
    bindings.KEY_ENCRYPTION_KEY,
  ])
    expect(log).not.toContain(secret);
  for (const line of lines) expect(() => JSON.parse(line) as unknown, line).not.toThrow();
});

afterAll(() => {
  configureLog("warning", []);
});

const message = (to = address()) => ({
  from: `${MARK} <${MARK}@${harness.domain}>`,
  to: [to],
  subject: `${MARK} subject`,
  text: `${MARK} text`,
  html: `<p>${MARK} html</p>`,
  headers: { "X-Mark": MARK },
  tags: ["plain"],
});

/** Sends a request to a worker in which `parts` replace some bindings of its environment. */
const ask = (path: string, parts: object, body: unknown, key = harness.key) =>
  askDeployment({ LOG_LEVEL: "info", ...parts }, "POST", path, key, body);

const entries = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
const entry = (event: string) => entries().find((one) => one["event"] === event);

describe("the log", () => {
  it("has an outcome with its message's id, and nothing else about the recipient", async () => {
    // The log level is set when the settings are first read. One message is sent first, so that
    // every part of the pipeline has read the settings.
    await harness.history(await harness.send(message()), 2);
    logEverything();
    const [good, bad] = [address(), address()];
    const text = `${bad}: no such user ${MARK}`;
    const refusal = { ...DELIVERED, code: 550, enhanced: "5.1.1", text, stage: "rcpt" };
    harness.egress.replies(bad, refusal);
    const id = await harness.send({ ...message(good), cc: [bad] });
    await harness.history(id, 4);
    const outcomes = () =>
      Object.assign(
        {},
        ...entries().flatMap((one) => (one["event"] === "outcomes" ? [one["outcomes"]] : [])),
      ) as object;
    const expected = {
      [`${id}/0/1`]: "delivered 250",
      [`${id}/1/1`]: "bounced permanent InvalidRecipient 550",
    };
    await vi.waitFor(() => expect(outcomes()).toMatchObject(expected));
    await harness.history(await harness.send(message(bad)), 1);
  });

  it("has nothing of a refused request", async () => {
    const bodies = [
      `{"from": "${MARK}" oops`,
      { ...message(), to: [`${MARK} not an address`] },
      { ...message(), from: `${MARK}@elsewhere.example` },
      { ...message(), attachments: [{ filename: MARK, content: `${MARK}!!` }] },
      { ...message(), template_id: MARK },
    ];
    for (const body of bodies)
      expect(
        (
          await call("POST", "/v1/email", {
            key: harness.key,
            raw: typeof body === "string" ? body : JSON.stringify(body),
          })
        ).ok,
      ).toBe(false);
    const request = { key: SECRET, body: message(), ip: "203.0.113.220" };
    expect((await call("POST", "/v1/email", request)).status).toBe(401);
    expect((await harness.get(`/v1/suppressions/${encodeURIComponent(address())}`)).status).toBe(
      404,
    );
    expect(
      (await call("GET", "/admin/teams", { key: `${MARK}-token`, ip: "203.0.113.221" })).status,
    ).toBe(401);
    const template = { name: MARK, kind: "html", subject: MARK, html: `{{#if ${MARK}}}` };
    expect((await harness.post("/v1/templates", template)).ok).toBe(false);
    expect(
      (
        await submit(
          harness.key,
          [address()],
          `From: ${MARK}@elsewhere.example\r\nSubject: ${MARK}\r\n\r\n${MARK}`,
        )
      ).ok,
    ).toBe(false);
    expect((await askGateway("POST", `/gateway/return-paths/${MARK}`)).ok).toBe(false);
  });

  it("has only the request's id when a store's error quotes its input", async () => {
    const quoting = () => {
      throw new Error(`D1_ERROR: near "${address()}": SQLITE_ERROR`, {
        cause: new Error(`for ${harness.key}`),
      });
    };
    const DB = { prepare: quoting, batch: quoting };
    const template = { name: MARK, kind: "html", subject: MARK, html: `<p>${MARK}</p>` };
    const down = () => Promise.reject(new Error("down"));
    const statement = { bind: () => statement, all: down, run: down, raw: down, first: down };
    const broken = { prepare: () => statement, batch: down };
    // Puts the key into the isolate's cache. The next request then reads the broken database only
    // for the template.
    expect((await harness.get("/v1/whoami")).status).toBe(200);
    for (const database of [DB, broken]) {
      const response = await ask("/v1/templates", withCore(harness.id, database), template);
      expect(response.status).toBe(500);
      const request_id = response.headers.get("X-Request-Id");
      expect(entries().at(-1)).toMatchObject({ level: "error", event: "fault", request_id });
    }
    expect((await ask("/admin/teams", { DB: broken }, { name: MARK }, ADMIN_TOKEN)).status).toBe(
      500,
    );
    expect(entries().at(-1)).toMatchObject({ event: "fault", error: "down" });
    const suppression = { email: address(), note: MARK };
    expect((await ask("/v1/suppressions", { SHARD_0: broken }, suppression)).status).toBe(500);
  });

  it("has the ids of request and message when the ledger or the content store fails", async () => {
    const admit = () => Promise.reject(new Error(`no room for ${address()}`));
    const TEAM_LEDGER = { getByName: () => ({ admit, begin: admit, takeRequest: admit }) };
    const refused = await ask("/v1/email", { TEAM_LEDGER }, message());
    expect(refused.status).toBe(502);
    const expected = { request_id: refused.headers.get("X-Request-Id"), team_id: harness.id };
    expect(entry("pipeline_unavailable")).toMatchObject(expected);
    lines = [];
    const CONTENT = {
      put: () => Promise.reject(new Error(`put ${MARK}@x`)),
      delete: () => Promise.resolve(),
    };
    const large = { ...message(), text: MARK + "\u00e9".repeat(530_000) };
    expect((await ask("/v1/email", { CONTENT }, large)).status).toBe(502);
    const batch = await ask("/v1/email/batch", { CONTENT }, { emails: [large] });
    expect(batch.status).toBe(502);
    expect(entries().at(-1)).toMatchObject({
      request_id: batch.headers.get("X-Request-Id"),
      email_id: expect.stringMatching(/^email_/),
    });
  });

  it("has no content of a message that makes a courier, a queue or a consumer fail", async () => {
    const id = await harness.send(message());
    await harness.history(id, 2);
    harness.egress.up = false;
    const lost = await harness.send(message());
    await vi.waitFor(() => expect(entry("egress_unreachable")).toBeDefined());
    harness.egress.up = true;
    const failing = () => Promise.reject(new Error(`can't claim ${address()}: Bearer ${MARK}`));
    const TEAM_LEDGER = { getByName: () => ({ claim: failing, find: failing }) };
    const body = { teamId: harness.id, emailId: lost, recipientIndex: 0 };
    const bodies = [body, { ...body, subject: MARK, emailId: 7 }, { subject: MARK }, MARK];
    const env = { ...bindings, TEAM_LEDGER } as unknown as Env;
    await consumeBatch("postern-deliver", bodies, (batch, later) =>
      consumeDeliverJobs(batch, env, later),
    );
    expect(entry("deliver_failed")).toMatchObject({ team_id: harness.id, email_ids: [lost] });
    const job = {
      id: "m",
      timestamp: new Date(),
      attempts: 6,
      body,
      ack: () => undefined,
      retry: () => undefined,
    };
    await giveUp(env, "postern-deliver", job, new Error(`for ${address()}`));
    expect(entry("dead_letter")).toMatchObject({ queue: "postern-deliver" });
    const { results } = await bindings.DB.prepare("SELECT * FROM dead_letters").all();
    expect(JSON.stringify(results)).not.toContain(MARK);
  });

  it("has each request's route, never its path, when the access log is on", async () => {
    const path = `/v1/suppressions/${encodeURIComponent(address())}`;
    const env = { LOG_LEVEL: "info", ACCESS_LOG: "true" };
    const response = await askDeployment(env, "GET", path, harness.key);
    expect(entry("request")).toEqual({
      level: "info",
      event: "request",
      request_id: response.headers.get("X-Request-Id"),
      method: "GET",
      route: "/v1/suppressions/:email",
      status: 404,
      ms: expect.any(Number),
      team_id: harness.id,
      key_id: harness.keyId,
    });
    lines = [];
    await callDeployment(env, `https://api.postern.test/${MARK}`);
    await callDeployment(env, `https://api.postern.test/u/${MARK}`);
    expect(entries().map((one) => one["route"])).toEqual([null, "/u/:token"]);
    lines = [];
    await harness.get("/v1/whoami");
    await operator.get("/admin/teams?limit=1");
    expect(lines).toEqual([]);
  });
});
