// Relays for the courier `smtp`: a real one (smtp-server, with STARTTLS and AUTH), and a scripted
// one, which is the mail server of test/gateway/fake-mx.ts behind STARTTLS and AUTH.
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { fakeMx, type FakeMx, type Script } from "../gateway/fake-mx.ts";
import { CERTIFICATE, PASSWORD, USERNAME } from "./courier-harness.ts";

interface Received {
  readonly from: string;
  readonly to: string;
  /** One character a byte. */
  readonly message: string;
  readonly auth: string | undefined;
  readonly secure: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface TestRelay {
  readonly port: number;
  readonly received: Received[];
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** Starts a relay that takes mail from clients that know the password. */
export async function wholeRelay(options: SMTPServerOptions = {}): Promise<TestRelay> {
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
          parameters: (mailFrom === false ? {} : mailFrom.args) as Record<string, unknown>,
        });
        done(null, "queued");
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
      }),
  };
}

export const OFFERED =
  "250-relay.test\r\n250-PIPELINING\r\n250-SIZE 50000000\r\n250-8BITMIME\r\n250 AUTH PLAIN LOGIN";

/** Starts a relay that plays `script` inside TLS, and its `clear` and `starttls` before that. */
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
