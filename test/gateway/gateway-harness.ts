// Starts gateways for tests, each with its own journal and short timeouts, and delivers messages to
// them by docs/egress-protocol.md.
import type { EgressOutcome } from "../../smtp-gateway/src/outcome.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { type ClientRequest, type RequestOptions, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, onTestFinished, vi } from "vitest";
import { type GatewaySettings, readSettings } from "../../smtp-gateway/src/config.ts";
import { startGateway } from "../../smtp-gateway/src/gateway.ts";
import type { Disk } from "../../smtp-gateway/src/journal/journal-disk.ts";
import type { DnsResolver } from "../../smtp-gateway/src/outbound/mx.ts";
import { fakeMx, type FakeMx, onSilence, type Script } from "./fake-mx.ts";
import { PATIENT } from "./reuse-cases.ts";

export const TOKEN = "token-for-tests";

export type OutcomeLine = EgressOutcome & { readonly key: string };

/** Milliseconds since the gateway took the message, and since the message got its outcome. */
interface Ages {
  readonly taken: number;
  readonly replied: number;
}

export interface GatewayAnswer {
  readonly status: number;
  readonly body: string;
  /** The response's lines without their times, so that a test can compare them. */
  readonly lines: readonly OutcomeLine[];
  /** The times that were in the lines with an outcome. */
  readonly ages: readonly Ages[];
}

const directories: string[] = [];
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** Makes a directory that is removed after the test file. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "postern-gateway-"));
  directories.push(directory);
  return directory;
}

/** Milliseconds of a time limit that has to run out in a test. */
export const QUICK = 400;
/** The time limits of a gateway. None of them runs out on a slow machine, unless a test wants it. */
export const TIME_LIMITS = {
  ...PATIENT,
  idle: 60_000,
  wait: 30_000,
  quit: 200,
};

/**
 * Settings with which every domain's mail goes to `mxPort` on 127.0.0.1. `overrides` replace
 * settings.
 */
export function settings(
  mxPort: number,
  overrides: Partial<GatewaySettings> = {},
): GatewaySettings {
  const given = readSettings({
    GATEWAY_TOKEN: TOKEN,
    GATEWAY_HOSTNAME: "out.postern.test",
    EGRESS_PORT: "0",
    EGRESS_STATE: temporaryDirectory(),
    EGRESS_LOG: "none",
  });
  return {
    ...given,
    routes: [{ pattern: "*", host: "127.0.0.1", port: mxPort }],
    timeouts: TIME_LIMITS,
    drainMs: 1_000,
    ...overrides,
  };
}

/** Starts a gateway. It drains after the test. */
export async function gateway(
  mxPort: number,
  overrides: Partial<GatewaySettings> = {},
  dns?: DnsResolver,
  disk?: Disk,
): ReturnType<typeof startGateway> {
  const started = await startGateway(settings(mxPort, overrides), dns, disk);
  cleanups.push(started.drain);
  return started;
}

/** Starts a mail server that plays the script. It ends after the test. */
export async function startMx(...given: Parameters<typeof fakeMx>): Promise<FakeMx> {
  const mx = await fakeMx(...given);
  cleanups.push(mx.close);
  return mx;
}

export interface HarnessCopy {
  readonly key: string;
  readonly mailFrom?: string;
  readonly rcptTo?: string;
  readonly pool?: string | null;
  readonly team?: string | null;
  readonly priority?: "high" | undefined;
  readonly converted?: boolean;
  readonly waitedMs?: number | undefined;
  readonly message?: string | Buffer;
}

const MESSAGE = "From: a@example.test\r\nSubject: hello\r\n\r\nhello\r\n";

export function frame({
  key,
  mailFrom = "b+token@bounces.example.test",
  rcptTo = "someone@example.net",
  pool = null,
  team = null,
  priority,
  converted,
  waitedMs,
  message = MESSAGE,
}: HarnessCopy): Buffer {
  const bytes = Buffer.from(message);
  const turn = { team, priority, waited_ms: waitedMs };
  const envelope = { key, mail_from: mailFrom, rcpt_to: rcptTo, pool, ...turn, converted };
  return rawFrame(JSON.stringify({ ...envelope, size: bytes.length }), bytes);
}

/** The frames of as many messages, with the keys k0, k1 and so on. */
export const frames = (count: number, changes: Partial<HarnessCopy> = {}): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, at) => frame({ key: `k${at}`, ...changes })));

export function rawFrame(head: string, bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(head));
  return Buffer.concat([length, Buffer.from(head), bytes]);
}

/** Begins a request to /deliver. */
export function openRequest(port: number, options: RequestOptions = {}): ClientRequest {
  return request({
    port,
    host: "127.0.0.1",
    path: "/deliver",
    method: "POST",
    agent: false,
    headers: { authorization: `Bearer ${TOKEN}` },
    ...options,
  });
}

/** Posts to /deliver, or to another path. Writes each chunk of `body` separately. */
export function post(
  port: number,
  body: Buffer | readonly Buffer[],
  token = TOKEN,
  options: { readonly path?: string; readonly wait?: string } = {},
): Promise<GatewayAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<GatewayAnswer>();
  const { path = "/deliver", wait } = options;
  const prefer = wait === undefined ? {} : { prefer: wait };
  const headers = { authorization: `Bearer ${token}`, ...prefer };
  const outgoing = openRequest(port, { path, headers });
  outgoing.on("error", reject);
  outgoing.on("response", (incoming) => {
    let text = "";
    incoming.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    incoming.on("error", reject);
    incoming.on("end", () => {
      const status = incoming.statusCode ?? 0;
      const lines = status === 200 ? text.split("\n").filter((line) => line !== "") : [];
      resolve({ status, body: text, ...readLines(lines) });
    });
  });
  for (const chunk of Array.isArray(body) ? (body as Buffer[]) : [body as Buffer])
    outgoing.write(chunk);
  outgoing.end();
  return promise;
}

/** Separates the times from the outcomes in the response's lines, and checks the times. */
function readLines(texts: readonly string[]): Pick<GatewayAnswer, "lines" | "ages"> {
  const ages: Ages[] = [];
  const lines = texts.map((text) => {
    const { taken_ms_ago, replied_ms_ago, ...line } = JSON.parse(text) as OutcomeLine &
      Record<"taken_ms_ago" | "replied_ms_ago", unknown>;
    if (line.kind !== "reply" && line.kind !== "failure") return line;
    const [taken, replied] = [Number(taken_ms_ago), Number(replied_ms_ago)];
    if (!Number.isInteger(taken) || !Number.isInteger(replied) || replied < 0 || taken < replied)
      throw new Error(`a line with wrong times: ${text}`);
    ages.push({ taken, replied });
    return line;
  });
  return { lines, ages };
}

/** Reads a path of the gateway with a token. */
export function read(port: number, path: string, token = TOKEN): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  return fetch(`http://127.0.0.1:${port}${path}`, { headers });
}

/**
 * Asks the gateway for the outcomes of these keys. Returns a line for each key, in the order of the
 * keys.
 */
export async function askFor(port: number, keys: readonly string[]): Promise<object[]> {
  const body = Buffer.from(JSON.stringify({ keys }));
  const { lines } = await post(port, body, TOKEN, { path: "/ask" });
  return keys.flatMap((key) => lines.filter((line) => line.key === key));
}

/** Delivers one message and returns its outcome. */
export async function deliverOne(port: number, copy: HarnessCopy): Promise<OutcomeLine> {
  const { lines } = await post(port, frame(copy));
  return lines[0]!;
}

export async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(10);
}

/** The real timer, even in a test with fake timers. */
const realTimeout = globalThis.setTimeout;

/**
 * Stops the timers of the gateway until the test ends. While a mail server is silent, they run at
 * once, so the gateway gives the server up without a wait. A test delivers one message at a time,
 * and may call this function before each.
 */
export function skipSilence(): void {
  onSilence(() => void vi.advanceTimersByTime(TIME_LIMITS.command));
  if (vi.isFakeTimers()) return;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => {
    onSilence(undefined);
    vi.useRealTimers();
  });
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    realTimeout(resolve, ms);
  });
}

/** Functions that run after each test, the last one first. */
export const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  // The drained gateway waits for a silent connection, and stopped timers would never end the wait.
  if (vi.isFakeTimers()) {
    vi.advanceTimersByTime(TIME_LIMITS.command);
    vi.useRealTimers();
  }
  for (const close of cleanups.splice(0).toReversed()) await close();
});

type GatewayHarness = Awaited<ReturnType<typeof startGateway>> & { readonly mx: FakeMx };

/** Starts a gateway and the mail server that it delivers to. Both end after the test. */
export async function startHarness(
  script: Script = {},
  overrides: Partial<GatewaySettings> = {},
  dns?: DnsResolver,
): Promise<GatewayHarness> {
  const mx = await startMx(script);
  return { ...(await gateway(mx.port, overrides, dns)), mx };
}

/** Starts a harness whose mail server answers a final dot only when `release` is called. */
export async function startHolding(overrides: Partial<GatewaySettings> = {}, more: Script = {}) {
  const { script, release } = holdFinalReply();
  return { ...(await startHarness({ ...script, ...more }, overrides)), release };
}

/** A script that answers the final dot only when `release` is called. */
export function holdFinalReply(): { script: Script; release: (reply: string) => void } {
  const sockets: ((reply: string) => void)[] = [];
  return {
    script: { end: () => ({ act: "later", give: (say) => sockets.push(say) }) },
    release: (reply) => {
      for (const say of sockets.splice(0)) say(reply);
    },
  };
}

/** Collects the log's entries until the test ends, and keeps them from being printed. */
export function captureLog(): Record<string, unknown>[] {
  const entries: Record<string, unknown>[] = [];
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    for (const line of String(text).split("\n"))
      if (line !== "") entries.push(JSON.parse(line) as Record<string, unknown>);
    return true;
  });
  onTestFinished(() => spy.mockRestore());
  return entries;
}
