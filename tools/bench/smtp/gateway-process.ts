// The gateway in its own process, with the default limits: ten connections to each host, a hundred
// messages over each connection. It takes frames of a signed message (docs/egress-protocol.md), and
// submissions for a worker (docs/gateway-protocol.md).
import { join } from "node:path";
import { request } from "undici";
import { ROOT } from "../../harness/compatibility.ts";
import { Child } from "../../harness/child.ts";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import { GATEWAY_TOKEN } from "../../harness/tenant.ts";
import type { Certificate } from "./certificate.ts";

type Settings = Readonly<Record<string, string>>;

export interface GatewayProcess {
  readonly origin: string;
  /** The port for mail from clients and from other servers. */
  readonly mailPort: number;
  /** Process id for cpuSeconds() and residentMegabytes(). */
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** One line of the answer to posted frames. */
export interface FrameOutcome {
  readonly key: string;
  readonly kind: string;
  readonly code?: number;
  readonly stage?: string;
}

const ENTRY = join(ROOT, "smtp-gateway", "src", "main.ts");

/** `settings` say where its mail goes, and what it takes. */
export async function startGateway(cleanup: Cleanup, settings: Settings): Promise<GatewayProcess> {
  const child = new Child(cleanup, process.execPath, [ENTRY], {
    env: {
      GATEWAY_TOKEN,
      GATEWAY_HOSTNAME: "gateway.bench.example",
      EGRESS_HOST: "127.0.0.1",
      EGRESS_PORT: "0",
      EGRESS_STATE: join(await temporaryFolder(cleanup), "egress"),
      EGRESS_DRAIN_SECONDS: "1",
      EGRESS_ALLOW_PRIVATE: "true",
      ...settings,
    },
  });
  const [, port, mailPort] = await child.says(
    /"event":"started".*"port":(\d+),"mail_ports":"(\d*)/,
  );
  const stop = (): Promise<void> => child.stop();
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid, stop, mailPort: Number(mailPort) };
}

/** Sends mail to the domains' servers on this machine, and all other mail to the sink. */
export function toRoutes(
  sinkPort: number,
  routes: readonly (readonly [domain: string, port: number])[] = [],
): Settings {
  const all = [...routes, ["*", sinkPort] as const];
  return { EGRESS_ROUTES: all.map(([domain, port]) => `${domain}=127.0.0.1:${port}`).join(",") };
}

/** Sends mail to this port of the servers that DNS names. */
export function toDnsServers(dnsPort: number, smtpPort: number): Settings {
  return {
    EGRESS_DNS: `127.0.0.1:${dnsPort}`,
    EGRESS_SMTP_PORT: String(smtpPort),
    EGRESS_MTA_STS: "false",
  };
}

/** Takes mail on one port, and passes it to the worker at `origin`. */
export function takingMail(
  ports: "SUBMISSION_PORTS" | "RETURN_PATH_PORTS",
  origin: string,
  { certificate, key }: Certificate,
): Settings {
  return {
    SUBMISSION_HOST: "127.0.0.1",
    [ports]: "0",
    WORKER_URL: origin,
    SUBMISSION_CERTIFICATE: certificate,
    SUBMISSION_KEY: key,
  };
}

/**
 * Posts a copy of the message to each recipient. `copies` has the recipients by the copies' keys.
 * The gateway answers without waiting for the outcomes if a team is given.
 */
export async function postFrames(
  origin: string,
  message: Buffer,
  copies: ReadonlyMap<string, string>,
  team?: string,
): Promise<FrameOutcome[]> {
  const frames = Array.from(copies, ([key, recipient]) => {
    const head = { key, mail_from: "b+token@bounces.bench.example", rcpt_to: recipient };
    return frameOf({ ...head, pool: null, team, size: message.length }, message);
  });
  const { body } = await request(`${origin}/deliver`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${GATEWAY_TOKEN}`,
      ...(team !== undefined && { Prefer: "wait=0" }),
    },
    body: Buffer.concat(frames),
  });
  const lines = (await body.text()).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as FrameOutcome);
}

function frameOf(head: object, message: Buffer): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json, message]);
}
