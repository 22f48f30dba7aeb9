// Mail servers that make their clients wait, each on its own port, in one process. A server is
// silent at one step, or answers slowly. BENCH_BAD_SERVERS has the number of servers of each kind
// in JSON. The first line of the output has their ports.
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { listenForMail, PLAIN_SERVER } from "../../harness/smtp/smtp-server.ts";
import type { SmtpResponder, SmtpSession } from "../../harness/smtp/smtp-session.ts";
import { BAD_KINDS, type BadCounts, type BadKind } from "./troubles.ts";

/**
 * The number of connections that fill a backlog of one. The system accepts one connection more than
 * the backlog.
 */
const FILLING = 2;
const FILL_MS = 500;
const SLOW_MS = 30_000;
const DRIP_MS = 1_000;
/** A reply of several lines that never ends. */
const ENDLESS = "220-mail.example is with you soon\r\n";

const counts = JSON.parse(process.env["BENCH_BAD_SERVERS"] ?? "{}") as BadCounts;
const never = (): Promise<never> => new Promise(() => undefined);

/** Returns a server that accepts everything, but never answers this command. */
function silentAt(verb: string): (session: SmtpSession) => SmtpResponder {
  return () => (step) => (step.verb === verb ? never() : step.usual);
}

const BEHAVIOURS: Readonly<
  Record<Exclude<BadKind, "connect">, (session: SmtpSession) => SmtpResponder>
> = {
  banner: silentAt("greeting"),
  rcpt: silentAt("rcpt"),
  dot: silentAt("end"),
  drip: (session) => () => drip(session),
  slow:
    () =>
    async ({ usual }) => {
      await sleep(SLOW_MS);
      return usual;
    },
};

async function drip(session: SmtpSession): Promise<null> {
  for (let sent = 0; !session.isOver; sent += 1) {
    session.write(ENDLESS[sent % ENDLESS.length]!);
    await sleep(DRIP_MS);
  }
  return null;
}

async function listen(kind: BadKind): Promise<readonly number[]> {
  const count = counts[kind] ?? 0;
  if (kind === "connect") return listenWithFullBacklogs(count);
  const servers = Array.from({ length: count }, () =>
    listenForMail(0, "127.0.0.1", PLAIN_SERVER, BEHAVIOURS[kind]),
  );
  return (await Promise.all(servers)).map(({ port }) => port);
}

async function listenWithFullBacklogs(count: number): Promise<readonly number[]> {
  const shared = new Int32Array(new SharedArrayBuffer((count + 1) * Int32Array.BYTES_PER_ELEMENT));
  void new Worker(new URL("full-backlog.ts", import.meta.url), { workerData: shared.buffer });
  await Atomics.waitAsync(shared, 0, 0).value;
  const ports = [...shared.subarray(1)];
  const filling = ports.flatMap((port) => Array.from({ length: FILLING }, () => port));
  const fill = (port: number): Promise<unknown> =>
    Promise.race([once(connect(port, "127.0.0.1"), "connect"), sleep(FILL_MS)]);
  await Promise.all(filling.map(fill));
  return ports;
}

const kinds = Object.keys(BAD_KINDS) as BadKind[];
const ports = await Promise.all(kinds.map(async (kind) => [kind, await listen(kind)] as const));
console.log(`listening on ${JSON.stringify(Object.fromEntries(ports))}`);
process.stdin.resume().once("end", () => process.exit(0));
