// Relays for the courier `smtp`: a real one (smtp-server, with STARTTLS and AUTH), and a scripted
// one: the mail server of test/gateway/fake-mx.ts with STARTTLS and AUTH before it.
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { failure, reply } from "../../gateway/outcome-cases.ts";
import { fakeMx, type FakeMx, type Script } from "../../gateway/fake-mx.ts";
import { afterEach } from "vitest";
import { CERTIFICATE } from "../plain-workerd.ts";
import {
  carry,
  type Outcomes,
  PASSWORD,
  testCopy,
  type TestCopy,
  USERNAME,
} from "./courier-harness.ts";

interface Received {
  readonly from: string;
  readonly to: string;
  /** The received message, as a string with one character for each byte. */
  readonly message: string;
  readonly auth: string | undefined;
  readonly secure: boolean;
}

export type TestRelay = Awaited<ReturnType<typeof realRelay>>;

/** Starts a relay that takes mail from clients that know the password. */
export async function realRelay(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  let connections = 0;
  const server = new SMTPServer({
    ...CERTIFICATE,
    logger: false,
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onAuth({ username, password }, _session, done) {
      if (username === USERNAME && password === PASSWORD) done(null, { user: username });
      else done(new Error("wrong credentials"));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address).join(),
          message: Buffer.concat(chunks).toString("latin1"),
          auth: session.user,
          secure: session.secure,
        });
        done(null, "queued");
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    connections: () => connections,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

export const OFFERED =
  "250-relay.test\r\n250-PIPELINING\r\n250-SIZE 50000000\r\n250-8BITMIME\r\n250 AUTH PLAIN LOGIN";

/**
 * Starts a relay that replies as `clear` says before TLS, as `starttls` says to STARTTLS, and as
 * `script` says inside TLS.
 */
export function scriptedRelay({
  clear = "250-relay.test\r\n250 STARTTLS",
  ehlo = OFFERED,
  ...script
}: Script & { clear?: string } = {}): Promise<FakeMx> {
  return fakeMx(
    {
      auth: "235 2.7.0 welcome",
      ...script,
      ehlo: (line, count, connection) =>
        count === 1 ? clear : typeof ehlo === "function" ? ehlo(line, count, connection) : ehlo,
    },
    "127.0.0.1",
    CERTIFICATE,
  );
}

/** A relay that does not offer PIPELINING. */
export const ONE_BY_ONE = "250-relay.test\r\n250 AUTH PLAIN";

/** Functions to call after each test, in this order. */
export const closing: (() => Promise<void>)[] = [];

/** Closes the relays of each test of the calling file. */
export function useRelays(): void {
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
}

/** Sends copies through a relay that follows the script. Returns the outcomes. */
export async function against(
  script: Script,
  copies: readonly TestCopy[] = [testCopy()],
  timeouts: Parameters<typeof carry>[2] = {},
): Promise<{ relay: FakeMx; outcomes: Outcomes }> {
  const relay = await scriptedRelay(script);
  closing.push(relay.close);
  return { relay, outcomes: await carry({ port: relay.port }, [copies], timeouts) };
}

/** Starts a real relay, which is closed after the test. */
export async function startRelay(options?: SMTPServerOptions): Promise<TestRelay> {
  const relay = await realRelay(options);
  closing.push(relay.close);
  return relay;
}

/** Copies of one team, each to a different recipient. */
export function makeCopies(count: number): TestCopy[] {
  return Array.from({ length: count }, (_, index) =>
    testCopy({ key: `a/${index}/1`, rcptTo: `r${index}@receiver.example` }),
  );
}

/** Returns the outcome that a reply gives, if it came from a relay at `localhost` inside TLS. */
export function replyOutcome(...given: Parameters<typeof reply>) {
  return { ...reply(...given), mxHost: "localhost", tls: "TLS" };
}

/** Returns the outcome of a message for which a relay at `localhost` gave no final reply. */
export function failureOutcome(cause: string, detail: unknown) {
  return { ...failure(cause, detail), mxHost: "localhost" };
}
