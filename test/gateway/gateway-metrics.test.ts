// Tests GET /metrics of the gateway (docs/metrics-and-alerts.md §The gateway's metrics): which
// tokens may read it, that Prometheus can parse it, and that it counts deliveries, sessions and
// answers.
import { describe, expect, it } from "vitest";
import type { GatewaySettings } from "../../smtp-gateway/src/config.ts";
import { DEFINITIONS } from "../../smtp-gateway/src/metric-definitions.ts";
import { GatewayMetrics } from "../../smtp-gateway/src/gateway-metrics.ts";
import type { DnsResolver } from "../../smtp-gateway/src/outbound/mx.ts";
import type { Script } from "./fake-mx.ts";
import { GOOD_KEY } from "./fake-worker.ts";
import { startWorker, submissionTo } from "./mail-harness.ts";
import { SmtpClient } from "../support/smtp-client.ts";
import {
  askFor,
  deliverOne,
  eventually,
  frame,
  holdFinalReply,
  post,
  QUICK,
  read as readPath,
  TIME_LIMITS,
  TOKEN,
  startHarness,
} from "./gateway-harness.ts";

async function startGatewayWithMx(
  script: Script = {},
  overrides: Partial<GatewaySettings> = {},
  dns?: DnsResolver,
) {
  const started = await startHarness(script, overrides, dns);
  const ask = (token: string) => readPath(started.port, "/metrics", token);
  return { ...started, ask, read: async () => parseSamples(await (await ask(TOKEN)).text()) };
}

/** Returns the value of each series. Throws at a line that Prometheus can't parse. */
function parseSamples(text: string): Record<string, number> {
  const samples: Record<string, number> = {};
  let family = "";
  for (const line of text.trimEnd().split("\n")) {
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) ([a-z_]+) (.+)$/.exec(line) ?? [];
    if (kind === "HELP") family = name;
    else if (kind === "TYPE") {
      expect(rest).toMatch(/^(?:counter|gauge|histogram)$/);
      expect(family).toBe(name);
    } else {
      const [, series = "", value = ""] =
        /^([a-z_]+(?:\{[a-z_]+="[^"\\]*"(?:,[a-z_]+="[^"\\]*")*\})?) (-?[0-9.e+-]+)$/.exec(line) ??
        [];
      expect(series, line).toContain(family);
      expect(samples).not.toHaveProperty([series]);
      samples[series] = Number(value);
    }
  }
  return samples;
}

describe("the metrics", () => {
  it("can be read with the worker's token, and with their own token, which opens nothing else", async () => {
    const { ask, port } = await startGatewayWithMx({}, { metricsToken: "for-prometheus" });
    const answer = await ask("for-prometheus");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
    ]);
    expect((await ask(TOKEN)).status).toBe(200);
    const { status, headers } = await ask("for-prometheus-too");
    expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect((await post(port, frame({ key: "k" }), "for-prometheus")).status).toBe(401);
  });
});

const THREE = ["a", "b", "c"].map((key) => frame({ key }));
const REPLIES: Record<string, string> = { later: "451 4.7.1 later", no: "550 5.1.1 no" };

describe("the metrics of outgoing mail", () => {
  it("count messages by outcome", async () => {
    const script: Script = {
      rcpt: (line) => REPLIES[/<(\w+)@/.exec(line)?.[1] ?? ""] ?? "250 ok",
      end: (_line, count) => (count > 1 ? { act: "drop" } : "250 2.0.0 taken"),
    };
    const { port, read } = await startGatewayWithMx(script, { connectionsPerHost: 1 });
    for (const to of ["a", "later", "no"])
      await deliverOne(port, { key: to, rcptTo: `${to}@example.net` });
    await deliverOne(port, { key: "lost", rcptTo: "b@example.net" });
    await deliverOne(port, { key: "nowhere", rcptTo: "nobody" });
    await deliverOne(port, { key: "a" });
    await deliverOne(port, { key: "no" });
    await askFor(port, ["a", "lost", "other"]);
    const samples = await read();
    expect(samples).toMatchObject({
      'postern_gateway_outcomes_total{result="delivered",at="end"}': 1,
      'postern_gateway_outcomes_total{result="deferred",at="rcpt"}': 1,
      'postern_gateway_outcomes_total{result="refused",at="rcpt"}': 1,
      'postern_gateway_outcomes_total{result="failed",at="unknown_fate"}': 1,
      'postern_gateway_outcomes_total{result="failed",at="no_mail_server"}': 1,
      'postern_gateway_repeats_total{from="journal"}': 1,
      'postern_gateway_repeats_total{from="memory"}': 1,
      'postern_gateway_asked_total{answer="known"}': 2,
      'postern_gateway_asked_total{answer="never_heard"}': 1,
      'postern_gateway_delivery_seconds_bucket{le="+Inf"}': 5,
      postern_gateway_delivery_seconds_count: 5,
      postern_gateway_connections_opened_total: 1,
      postern_gateway_journal_outcomes: 2,
      postern_gateway_journal_writable: 1,
      postern_gateway_recent_outcomes: 3,
      postern_gateway_draining: 0,
    });
    expect(samples["postern_gateway_journal_bytes"]).toBeGreaterThan(100);
    expect(samples["process_resident_memory_bytes"]).toBeGreaterThan(1_000_000);
    expect(samples["process_start_time_seconds"]).toBe(Math.round(performance.timeOrigin / 1000));
  });

  it("show waiting messages and busy connections", async () => {
    const { script, release } = holdFinalReply();
    const { mx, port, read } = await startGatewayWithMx(script, { connectionsPerHost: 1 });
    const answers = post(port, THREE);
    await eventually(() => mx.messages.length === 1);
    const busy = await read();
    expect(busy).toMatchObject({
      'postern_gateway_connections{state="busy"}': 1,
      'postern_gateway_connections{state="idle"}': 0,
      'postern_gateway_connections{state="opening"}': 0,
      postern_gateway_waiting_messages: 2,
      postern_gateway_lanes: 1,
      postern_gateway_deliveries: 3,
      postern_gateway_behind_dot: 1,
    });
    expect(busy['postern_gateway_in_flight_bytes{way="out"}']).toBeGreaterThan(3 * 4096);
    const ending = setInterval(() => release("250 2.0.0 taken"), 10);
    await answers;
    clearInterval(ending);
    expect(await read()).toMatchObject({
      'postern_gateway_connections{state="idle"}': 1,
      postern_gateway_waiting_messages: 0,
      postern_gateway_behind_dot: 0,
      'postern_gateway_in_flight_bytes{way="out"}': 0,
    });
  });

  it("count the messages that the gateway gives back, by reason", async () => {
    const { script, release } = holdFinalReply();
    const { mx, port, read } = await startGatewayWithMx(script, {
      bytesInFlight: 20_000,
      connectionsPerHost: 1,
      timeouts: { ...TIME_LIMITS, wait: QUICK, final: 60_000 },
    });
    const answer = post(port, THREE);
    await eventually(() => mx.messages.length === 1);
    await expect.poll(read).toMatchObject({
      'postern_gateway_not_taken_total{why="memory"}': 1,
      'postern_gateway_not_taken_total{why="waited"}': 1,
    });
    release("250 2.0.0 taken");
    expect((await answer).lines).toHaveLength(3);
  });

  it("count connections that fail, and DNS look-ups by result", async () => {
    const broken = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
    const dns: DnsResolver = {
      resolveMx: (name) =>
        name === "down.test"
          ? broken("ETIMEOUT")()
          : Promise.resolve([{ exchange: "mx.test", priority: 10 }]),
      resolve4: () => Promise.resolve(["127.0.0.1"]),
      resolve6: broken("ENODATA"),
      resolveTxt: broken("ENOTFOUND"),
    };
    const direct = { routes: [], allowPrivate: true, mtaSts: false, smtpPort: 1 };
    const { port, read, mx } = await startGatewayWithMx({}, direct, dns);
    await deliverOne(port, { key: "a", rcptTo: "a@up.test" });
    await deliverOne(port, { key: "b", rcptTo: "a@down.test" });
    expect(mx.connections).toEqual([]);
    expect(await read()).toMatchObject({
      'postern_gateway_connections_failed_total{why="connect"}': 1,
      postern_gateway_connections_opened_total: 0,
      'postern_gateway_dns_lookups_total{type="mx",result="found"}': 1,
      'postern_gateway_dns_lookups_total{type="mx",result="failed"}': 1,
      'postern_gateway_dns_lookups_total{type="a",result="found"}': 1,
      'postern_gateway_dns_lookups_total{type="aaaa",result="none"}': 1,
    });
  });
});

describe("the metrics of incoming mail", () => {
  async function intake() {
    const worker = await startWorker();
    const given = submissionTo(worker.origin, { SUBMISSION_CONNECTIONS: "1" });
    return { worker, ...(await startGatewayWithMx({}, { intake: given })) };
  }

  it("count sessions, refusals and messages", async () => {
    const toData = ["MAIL FROM:<a@example.test>", "RCPT TO:<b@example.net>", "DATA"];
    const { mailPorts, read, worker } = await intake();
    const client = await SmtpClient.connect(mailPorts[0]!);
    await client.reply();
    const other = await SmtpClient.connect(mailPorts[0]!);
    expect(await other.reply()).toMatch(/^421 4\.7\.0/);
    await client.command("EHLO client.example");
    await client.command("MAIL FROM:<a@example.test>");
    await client.starttls();
    await client.command("EHLO client.example");
    const plain = (password: string) =>
      `AUTH PLAIN ${Buffer.from(`\0service\0${password}`).toString("base64")}`;
    expect(await client.command(plain("ps_bad"))).toMatch(/^535/);
    await client.command(plain(GOOD_KEY));
    await client.command("SING a song");
    for (const line of toData) await client.command(line);
    expect(await client.command("Subject: hello\r\n\r\nhello\r\n.")).toMatch(/^250/);
    for (const line of toData) await client.command(line);
    worker.answers["messages"] = [{ status: 429, body: { message: "slow down" } }];
    expect(await client.command("Subject: hello\r\n\r\nhello\r\n.")).toMatch(/^451/);
    const samples = await read();
    expect(samples).toMatchObject({
      postern_gateway_sessions_total: 1,
      postern_gateway_sessions: expect.any(Number) as number,
      'postern_gateway_sessions_refused_total{cap="server"}': 1,
      'postern_gateway_commands_refused_total{command="connect",reply="421 4.7.0"}': 1,
      'postern_gateway_commands_refused_total{command="mail",reply="530 5.7.0"}': 1,
      'postern_gateway_commands_refused_total{command="auth",reply="535 5.7.8"}': 1,
      'postern_gateway_commands_refused_total{command="message",reply="451 4.7.1"}': 1,
      'postern_gateway_messages_taken_total{kind="submission"}': 1,
      'postern_gateway_message_bytes_total{kind="submission"}': 25,
      'postern_gateway_worker_answers_total{route="key",status="401"}': 1,
      'postern_gateway_worker_answers_total{route="key",status="204"}': 1,
      'postern_gateway_worker_answers_total{route="messages",status="202"}': 1,
      'postern_gateway_worker_answers_total{route="messages",status="429"}': 1,
      postern_gateway_worker_seconds_count: 4,
      'postern_gateway_in_flight_bytes{way="in"}': 0,
    });
    const others = Object.keys(samples).filter((series) => series.includes('command="other"'));
    expect(others).toHaveLength(1);
    const expiry = samples["postern_gateway_certificate_expiry_timestamp_seconds"];
    expect(expiry).toBeGreaterThan(Date.now() / 1000);
    for (const series of Object.keys(samples)) expect(series).not.toMatch(/example|ps_|127\.0/);
    client.close();
  });

  it("count requests that the worker does not answer", async () => {
    const { mailPorts, read, worker, port } = await intake();
    worker.answers["key"] = [{ status: 401, cut: "before" }];
    await fetch(`http://127.0.0.1:${port}/healthz`);
    expect(await read()).toMatchObject({
      'postern_gateway_worker_answers_total{route="link",status="none"}': 1,
    });
    expect(mailPorts).toHaveLength(1);
  });
});

describe("an exposition", () => {
  it("shows counters without labels, and histograms, before anything is counted", () => {
    const samples = parseSamples(new GatewayMetrics().exposition());
    expect(samples).toMatchObject({
      postern_gateway_sessions_total: 0,
      postern_gateway_worker_seconds_count: 0,
    });
    expect(samples['postern_gateway_delivery_seconds_bucket{le="0.01"}']).toBe(0);
  });

  it("counts in each bucket of a histogram all smaller values too", () => {
    const metrics = new GatewayMetrics();
    for (const seconds of [0.01, 0.02, 0.02, 700])
      metrics.observe("postern_gateway_worker_seconds", seconds);
    expect(parseSamples(metrics.exposition())).toMatchObject({
      'postern_gateway_worker_seconds_bucket{le="0.01"}': 1,
      'postern_gateway_worker_seconds_bucket{le="0.05"}': 3,
      'postern_gateway_worker_seconds_bucket{le="600"}': 3,
      'postern_gateway_worker_seconds_bucket{le="+Inf"}': 4,
      postern_gateway_worker_seconds_sum: 700.05,
    });
  });

  it("escapes the value of a label", () => {
    const metrics = new GatewayMetrics();
    metrics.count("postern_gateway_repeats_total", ['a"b\\c\nd']);
    const line = 'postern_gateway_repeats_total{from="a\\"b\\\\c\\nd"} 1\n';
    expect(metrics.exposition()).toContain(line);
  });

  it("names every metric after the gateway or the process", () => {
    const names = Object.keys(DEFINITIONS);
    expect(names.filter((name) => !/^(?:postern_gateway|process)_[a-z_]+$/.test(name))).toEqual([]);
  });
});
