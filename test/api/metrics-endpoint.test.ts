// Tests GET /admin/metrics (src/metrics) as Prometheus reads it: the numbers after sends, and the
// numbers that remain while a source is down. Also tests GET /healthz.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { app } from "../../src/api/app.ts";
import type { Env } from "../../src/env.ts";
import { METRICS_OBJECT } from "../../src/rpc/metrics-calls.ts";
import { ADMIN_TOKEN, bindings, call, makeTeam, operator, askDeployment } from "../support/api.ts";
import { checkDescribed } from "../support/openapi-shapes.ts";
import { DELIVERED } from "../support/fakes/fake-egress.ts";
import { someone, Harness } from "../support/harness.ts";

const LINE =
  /^[a-z_]+(?:\{[a-z_]+="(?:[^"\\\n]|\\.)*"(?:,[a-z_]+="(?:[^"\\\n]|\\.)*")*\})? (?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)$/;

async function scrape(env?: Partial<Env>): Promise<{ text: string; samples: Map<string, number> }> {
  const response = env
    ? await askDeployment(env, "GET", "/admin/metrics", ADMIN_TOKEN)
    : await operator.get("/admin/metrics");
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await response.text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return {
    text,
    samples: new Map(
      lines.map((line) => [
        line.slice(0, line.lastIndexOf(" ")),
        Number(line.slice(line.lastIndexOf(" ") + 1)),
      ]),
    ),
  };
}

describe("the metrics", () => {
  it("are valid Prometheus text: each family once, complete lines, no duplicates", async () => {
    await makeTeam();
    const { text, samples } = await scrape();
    const lines = text.trimEnd().split("\n");
    for (const line of lines.filter((one) => !one.startsWith("# "))) expect(line).toMatch(LINE);
    expect(samples.size).toBe(lines.filter((one) => !one.startsWith("# ")).length);
    const heads = lines.filter((one) => one.startsWith("# TYPE"));
    expect(new Set(heads).size).toBe(heads.length);
    expect(text).not.toMatch(/team_|email_|@/);
  });

  it("count accepted recipients and their outcomes", async () => {
    const before = (await scrape()).samples;
    const stand = await Harness.make();
    const [good, bad, late] = [someone(), someone(), someone()];
    const rcpt = { ...DELIVERED, stage: "rcpt" };
    stand.egress.replies(bad, { ...rcpt, code: 550, enhanced: "5.1.1", text: "no such user" });
    stand.egress.replies(late, { ...rcpt, code: 451, enhanced: "4.7.1", text: "later" });
    const id = await stand.send({ to: [good, bad, late], text: "Hi" });
    await stand.history(id, 6);
    await stand.history(await stand.send({ to: [bad], text: "Hi" }), 1);
    const refused = await stand.post("/v1/email", { from: "nobody" });
    expect(refused.status).toBe(400);
    const grown = (after: Map<string, number>, name: string) =>
      (after.get(name) ?? 0) - (before.get(name) ?? 0);
    await vi.waitFor(async () => {
      const after = (await scrape()).samples;
      expect(grown(after, "postern_accepted_total")).toBe(4);
      expect(grown(after, "postern_delivered_total")).toBe(1);
      expect(grown(after, 'postern_bounced_total{type="permanent",class="InvalidRecipient"}')).toBe(
        1,
      );
      expect(grown(after, "postern_delayed_total")).toBe(1);
      expect(grown(after, "postern_suppressed_total")).toBe(1);
      expect(grown(after, 'postern_http_requests_total{surface="send",status="2xx"}')).toBe(2);
      expect(grown(after, 'postern_http_requests_total{surface="send",status="4xx"}')).toBe(1);
      expect(grown(after, 'postern_http_request_duration_seconds_count{surface="send"}')).toBe(3);
      expect(
        grown(after, 'postern_http_request_duration_seconds_bucket{surface="send",le="+Inf"}'),
      ).toBe(3);
    });
  });

  it("do not count a replay, nor a message that was refused", async () => {
    const stand = await Harness.make();
    const before = (await scrape()).samples.get("postern_accepted_total") ?? 0;
    const body = { from: `a@${stand.domain}`, to: [someone()], subject: "Hi", text: "Hi" };
    for (let time = 0; time < 3; time += 1)
      expect(
        (
          await call("POST", "/v1/email", {
            key: stand.key,
            body,
            headers: { "Idempotency-Key": "once" },
          })
        ).status,
      ).toBe(202);
    await expect.poll(() => stand.egress.carried.length).toBe(1);
    await stand.post("/v1/email", { ...body, from: "a@elsewhere.example" });
    expect((await scrape()).samples.get("postern_accepted_total")).toBe(before + 1);
  });

  it("show every queue's backlog, dead letters and sources", async () => {
    const { samples } = await scrape();
    for (const queue of ["postern-deliver", "postern-dns-cleanup", "postern-webhook"]) {
      for (const name of [
        "postern_queue_backlog_messages",
        "postern_queue_oldest_seconds",
        "postern_dead_letters",
      ])
        expect(samples.get(`${name}{queue="${queue}"}`)).toBeGreaterThanOrEqual(0);
      expect(samples.get(`postern_source_up{source="${queue}"}`)).toBe(1);
    }
    for (const source of ["counters", "database"])
      expect(samples.get(`postern_source_up{source="${source}"}`)).toBe(1);
  });

  it("add up the ledgers' recipients, logged events and full ledgers", async () => {
    const metrics = bindings.METRICS.getByName(METRICS_OBJECT);
    const facts = { waiting: 2, unpaged: 70, undelivered: 3, full: 1 };
    await metrics.report("team_a", facts, Date.now());
    await metrics.report("team_b", { waiting: 1, unpaged: 5, undelivered: 0 }, Date.now());
    const { samples, text } = await scrape();
    expect(samples.get('postern_open_recipients{state="waiting"}')).toBe(3);
    expect(samples.get('postern_log_events{state="unwritten"}')).toBe(75);
    expect(samples.get('postern_log_events{state="undelivered"}')).toBe(3);
    expect(samples.get("postern_ledgers_full")).toBe(1);
    expect(samples.get("postern_log_set_aside_total")).toBeGreaterThanOrEqual(0);
    expect(text).not.toContain("recording");
    for (const source of ["team_a", "team_b"]) await metrics.report(source, null, Date.now());
  });

  it("name the source that is down, and show the numbers of the others", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const broken = () => {
      throw new Error("down");
    };
    const noDatabase = (await scrape({ DB: { prepare: broken } as unknown as D1Database })).samples;
    expect(noDatabase.get('postern_source_up{source="database"}')).toBe(0);
    expect(noDatabase.has('postern_dead_letters{queue="postern-deliver"}')).toBe(false);
    expect(noDatabase.has("postern_accepted_total")).toBe(true);
    const silent = { metrics: () => new Promise(() => undefined) } as unknown as Env["DELIVER"];
    const noQueue = (await scrape({ DELIVER: silent })).samples;
    expect(noQueue.get('postern_source_up{source="postern-deliver"}')).toBe(0);
    expect(noQueue.get('postern_source_up{source="postern-webhook"}')).toBe(1);
  });
});

describe("GET /healthz", () => {
  interface Health {
    readonly status: string;
    readonly checks: Record<string, boolean>;
    readonly hints?: Record<string, string>;
  }
  const ask = async (env: Env): Promise<{ status: number; body: Health }> => {
    const context = createExecutionContext();
    const response = await app.fetch(new Request("https://api.postern.test/healthz"), env, context);
    await waitOnExecutionContext(context);
    await checkDescribed("GET", "/healthz", response.clone());
    const body = await response.json<Health>();
    return { status: response.status, body };
  };
  const broken = () => {
    throw new Error("the inside of it");
  };
  /** A database without tables. */
  const emptied = {
    prepare: () => ({
      run: () => Promise.reject(new Error("D1_ERROR: no such table: anything: SQLITE_ERROR")),
    }),
  };
  const LOCAL = { GATEWAY_TOKEN: "local-only-0123456789abcdef" };

  it("checks every part, each shard separately", async () => {
    const env = { ...bindings, SHARD_1: bindings.SHARD_0 } as Env;
    const { status, body } = await ask(env);
    expect(status).toBe(200);
    expect(body).toEqual({
      status: "ok",
      checks: {
        settings: true,
        database: true,
        core_1: true,
        shard_0: true,
        shard_1: true,
        queues: true,
        ledger: true,
      },
    });
  });

  it.each([
    ["settings", { SIGNING_KEY: "" }],
    ["database", { DB: { prepare: broken } }],
    ["core_1", { CORE_1: { prepare: broken } }],
    ["shard_1", { SHARD_1: { prepare: broken } }],
    ["queues", { DNS_CLEANUP: { metrics: () => Promise.reject(new Error("the inside of it")) } }],
    ["queues", { WEBHOOK: { metrics: broken } }],
    [
      "ledger",
      {
        TEAM_LEDGER: {
          getByName: () => ({ usage: () => Promise.reject(new Error("the inside of it")) }),
        },
      },
    ],
  ])("answers 503 and names only %s, without details", async (name, parts) => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { status, body } = await ask({ ...bindings, ...parts } as unknown as Env);
    expect(status).toBe(503);
    expect(Object.entries(body.checks).filter(([, ok]) => !ok)).toEqual([[name, false]]);
    expect(JSON.stringify(body)).not.toContain("inside");
  });

  it.each([
    [
      { SIGNING_KEY: "" },
      "settings",
      /^setting SIGNING_KEY is missing: `npm run setup` sets it, .*; on a developer's machine, delete \.dev\.vars /,
    ],
    [
      { ...LOCAL, SIGNING_KEY: "" },
      "settings",
      /^setting SIGNING_KEY is missing: delete \.dev\.vars and start `npx wrangler dev` again/,
    ],
    [
      { DB: emptied },
      "database",
      /^schema missing: run `npm run setup` in a clone, which applies the migrations; on a developer's machine, /,
    ],
    [
      { ...LOCAL, DB: emptied },
      "database",
      /^schema missing: restart `npm start` or `npx wrangler dev` .*, which migrates/,
    ],
    [{ SHARD_0: emptied }, "shard_0", /^schema missing: run `npm run setup`/],
    [{ DB: { prepare: broken } }, "database", undefined],
  ])("names the command that repairs a missing setting or table: %#", async (parts, name, hint) => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { body } = await ask({ ...bindings, ...parts } as unknown as Env);
    expect(body.checks[name]).toBe(false);
    if (hint === undefined) expect(body).not.toHaveProperty("hints");
    else expect(body.hints?.[name]).toMatch(hint);
    const line = logged.mock.calls
      .map(([text]) => JSON.parse(String(text)) as Record<string, string>)
      .find(({ check }) => check === name);
    expect(line?.["hint"]).toBe(body.hints?.[name]);
    expect(JSON.stringify(body)).not.toMatch(/local.only.[0-9a-z]/);
  });

  it("answers 200 without a gateway on a developer's machine, and says how to start one", async () => {
    const gateway = vi.spyOn(globalThis, "fetch").mockRejectedValueOnce(new TypeError("refused"));
    const alone = await ask({ ...bindings, ...LOCAL });
    expect(alone).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(alone.body.hints?.["gateway"]).toMatch(
      /^no gateway answers at http:\/\/egress\.test, .*run `npm start` as well/,
    );
    gateway.mockResolvedValueOnce(new Response("{}"));
    expect((await ask({ ...bindings, ...LOCAL })).body).not.toHaveProperty("hints");
    gateway.mockRejectedValue(new TypeError("refused"));
    expect((await ask({ ...bindings })).body).not.toHaveProperty("hints");
    expect((await ask({ ...bindings, ...LOCAL, OUTBOUND: "smtp" })).body).not.toHaveProperty(
      "hints",
    );
  });

  it("waits two seconds for a silent part, and caches its answer for a second", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    vi.setSystemTime(Date.now());
    const silence = Promise.withResolvers<void>();
    const wait = vi.spyOn(scheduler, "wait").mockReturnValue(silence.promise);
    let asked = 0;
    const usage = () => new Promise(() => void (asked += 1));
    const env = { ...bindings, TEAM_LEDGER: { getByName: () => ({ usage }) } } as unknown as Env;
    const first = ask(env);
    await expect.poll(() => asked).toBe(1);
    expect(await Promise.race([first, Promise.resolve("none yet")])).toBe("none yet");
    const waits = () => wait.mock.calls.filter(([ms]) => ms === 2_000).length;
    const begun = waits();
    expect(begun).toBeGreaterThan(0);
    silence.resolve();
    expect((await first).status).toBe(503);
    vi.setSystemTime(Date.now() + 999);
    expect((await ask(env)).status).toBe(503);
    expect([asked, waits()]).toEqual([1, begun]);
    vi.setSystemTime(Date.now() + 1);
    await ask(env);
    expect(asked).toBe(2);
  });
});
