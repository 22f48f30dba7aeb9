// The gateway in its own process. For delivery, it takes frames of a signed message
// (docs/egress-protocol.md) and sends all mail to the sink. For submission, it takes messages for a
// worker (docs/gateway-protocol.md).
import { join } from "node:path";
import { Readable } from "node:stream";
import { request } from "undici";
import { ROOT } from "../../harness/compatibility.ts";
import { Child } from "../../harness/child.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import { GATEWAY_TOKEN } from "../../harness/tenant.ts";
import type { Certificate } from "./certificate.ts";

export interface GatewayProcess {
  readonly origin: string;
  /** Process id for cpuSeconds(). */
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

export interface SubmissionGateway {
  readonly port: number;
  /** Process id for cpuSeconds() and residentMegabytes(). */
  readonly pid: number;
}

const ENTRY = join(ROOT, "smtp-gateway", "src", "main.ts");

/**
 * Starts a gateway with the default limits: ten connections to each host, a hundred messages over
 * each connection. `state` is the folder of its journal. `routes` has the domains whose mail does
 * not go to the sink, with the ports of their servers. `port` is the gateway's own port; 0 means
 * any free port.
 */
export async function startGateway(
  cleanup: Cleanup,
  sinkPort: number,
  state: string,
  routes: readonly (readonly [domain: string, port: number])[] = [],
  port = 0,
): Promise<GatewayProcess> {
  const child = new Child(cleanup, process.execPath, [ENTRY], {
    env: {
      ...settings(state),
      EGRESS_PORT: String(port),
      EGRESS_ROUTES: [...routes, ["*", sinkPort] as const]
        .map(([domain, mailPort]) => `${domain}=127.0.0.1:${mailPort}`)
        .join(","),
      EGRESS_ALLOW_PRIVATE: "true",
    },
  });
  return startedAs(child);
}

/**
 * Starts a gateway with the default limits. It sends mail to this port of the servers that DNS
 * names. `more` has further settings, such as the ports for incoming mail.
 */
export async function startGatewayByDns(
  cleanup: Cleanup,
  dnsPort: number,
  smtpPort: number,
  state: string,
  more: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess & { readonly mailPort: number }> {
  const child = new Child(cleanup, process.execPath, [ENTRY], {
    env: {
      ...settings(state),
      EGRESS_DNS: `127.0.0.1:${dnsPort}`,
      EGRESS_SMTP_PORT: String(smtpPort),
      EGRESS_MTA_STS: "false",
      EGRESS_ALLOW_PRIVATE: "true",
      ...more,
    },
  });
  const [, port, mailPort] = await child.says(
    /"event":"started".*"port":(\d+),"mail_ports":"(\d*)/,
  );
  const stop = (): Promise<void> => child.stop();
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid, stop, mailPort: Number(mailPort) };
}

/**
 * Starts a gateway with the default limits. It takes submissions on one port and passes them to the
 * worker at `origin`.
 */
export async function startSubmissionGateway(
  cleanup: Cleanup,
  workerOrigin: string,
  { certificate, key }: Certificate,
  state: string,
): Promise<SubmissionGateway> {
  const child = new Child(cleanup, process.execPath, [ENTRY], {
    env: {
      ...settings(state),
      SUBMISSION_HOST: "127.0.0.1",
      SUBMISSION_PORTS: "0",
      WORKER_URL: workerOrigin,
      SUBMISSION_CERTIFICATE: certificate,
      SUBMISSION_KEY: key,
    },
  });
  const [, port] = await child.says(/"event":"started".*"mail_ports":"(\d+)"/);
  return { port: Number(port), pid: child.pid };
}

async function startedAs(child: Child): Promise<GatewayProcess> {
  const [, port] = await child.says(/"event":"started".*"port":(\d+)/);
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid, stop: () => child.stop() };
}

function settings(state: string): Record<string, string> {
  return {
    GATEWAY_TOKEN,
    GATEWAY_HOSTNAME: "gateway.bench.example",
    EGRESS_HOST: "127.0.0.1",
    EGRESS_PORT: "0",
    EGRESS_STATE: state,
    EGRESS_DRAIN_SECONDS: "1",
  };
}

/**
 * Posts this many frames in one request. Resolves when the gateway has reported every outcome.
 * `run` is a part of the keys, so that keys are unique.
 */
export async function postFrames(
  { origin }: GatewayProcess,
  message: Buffer,
  messages: number,
  run: string,
): Promise<void> {
  const { statusCode, body } = await request(`${origin}/deliver`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${GATEWAY_TOKEN}`,
      "Content-Type": "application/octet-stream",
    },
    body: Readable.from(frames(message, messages, run), { objectMode: false }),
  });
  const lines = (await body.text()).split("\n").filter((line) => line !== "");
  const delivered = lines.filter(
    (line) => (JSON.parse(line) as { readonly code?: number }).code === 250,
  );
  if (statusCode !== 200 || delivered.length !== messages) {
    throw new Error(
      `the gateway answered ${statusCode}, ${delivered.length} of ${messages} delivered: ` +
        `${lines.find((line) => !delivered.includes(line))}`,
    );
  }
}

async function* frames(message: Buffer, messages: number, run: string): AsyncGenerator<Buffer> {
  for (let index = 0; index < messages; index += 1) {
    const head = Buffer.from(
      JSON.stringify({
        key: `${run}/${index}`,
        mail_from: "b+token@bounces.bench.example",
        rcpt_to: "someone@recipient.example",
        pool: null,
        size: message.length,
      }),
    );
    const length = Buffer.alloc(4);
    length.writeUInt32BE(head.length);
    yield Buffer.concat([length, head, message]);
  }
}
