// The two systems of `bench hostile`: the worker with its gateway, and Postfix. They are started
// anew for each run. Both use the same mail servers and their own default limits.
import { join } from "node:path";
import { Pool } from "undici";
import { BATCH, MESSAGE, SENDER_DOMAIN } from "../../harness/sample-message.ts";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import { cpuSeconds } from "../../harness/machine.ts";
import { createTenant, GATEWAY_TOKEN, newDkimKey, VARS } from "../../harness/tenant.ts";
import { startWorker } from "../../harness/workerd.ts";
import type { Bundle } from "../../harness/worker-bundle.ts";
import { callApi } from "../harness/http-api.ts";
import type { LoadTarget } from "../harness/load.ts";
import { delivering, startPostfix } from "../peer/postfix.ts";
import { pooledTransport, signedMessage } from "../smtp/nodemailer-message.ts";
import { startGateway } from "../smtp/gateway-process.ts";
import type { ServerRoute } from "./bad-kinds.ts";
import type { SendTo } from "./good-mail.ts";
import { CONSUMERS_PATH, type ConsumersReading } from "./metered-consumers.ts";

export interface HostileSide {
  readonly about: string;
  /** Sends the steady mail of one team. */
  readonly send: SendTo;
  /** Sends one message of another team to each of these recipients. */
  readonly sendList: (recipients: readonly string[]) => Promise<unknown>;
  /** Tells whether this many messages have reached mail servers or wait for a connection. */
  readonly hasHandedOver: (messages: number) => Promise<boolean>;
}

interface Connections {
  /** The gateway's open and opening connections to mail servers. */
  readonly connections: number;
  /** Messages that wait for a connection. */
  readonly waiting: number;
}

/** Figures of the worker and its gateway since the last reading. */
export interface PosternReading extends ConsumersReading, Connections {
  /** Processor time of the worker and the gateway. */
  readonly cpuSeconds: number;
}

/** The worker and its gateway. */
export interface PosternSide extends HostileSide {
  readonly read: () => Promise<PosternReading>;
}

const CONNECTIONS = 64;
const ACCEPTED = 202;
const PLENTY = 1_000_000_000;

export async function startPostern(
  cleanup: Cleanup,
  bundle: Bundle,
  routes: readonly ServerRoute[],
): Promise<PosternSide> {
  const root = await temporaryFolder(cleanup);
  const [[, anyPort] = ["", 0]] = routes;
  const gateway = await startGateway(cleanup, anyPort, join(root, "egress"), routes);
  const vars = { ...VARS, EGRESS_URL: gateway.origin };
  const worker = await startWorker(cleanup, bundle, { state: join(root, "state"), vars });
  const team = async (): Promise<LoadTarget> => {
    const { apiKey } = await createTenant(worker, PLENTY, newDkimKey());
    return { origin: worker.origin, apiKey };
  };
  const [steady, list] = [await team(), await team()];
  const cpuOf = (): number => cpuSeconds(worker.pid) + cpuSeconds(gateway.pid);
  let cpu = 0;
  const pool = new Pool(worker.origin, { connections: CONNECTIONS, pipelining: 1 });
  cleanup.add(() => pool.destroy());
  return {
    about: "",
    send: (recipient) => post(pool, steady, recipient),
    sendList: (recipients) =>
      callApi(list, "POST", BATCH.path, {
        emails: recipients.map((recipient) => ({ ...MESSAGE, to: [recipient] })),
      }),
    async hasHandedOver(messages) {
      const { connections, waiting } = await readConnections(gateway.origin);
      return connections + waiting >= messages;
    },
    async read() {
      const target = { origin: worker.origin, apiKey: "" };
      const before = cpu;
      cpu = cpuOf();
      return {
        ...(await callApi<ConsumersReading>(target, "GET", CONSUMERS_PATH)),
        ...(await readConnections(gateway.origin)),
        cpuSeconds: cpu - before,
      };
    },
  };
}

async function post(pool: Pool, { apiKey }: LoadTarget, recipient: string): Promise<void> {
  const { statusCode, body } = await pool.request({
    method: "POST",
    path: "/v1/email",
    headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ ...MESSAGE, to: [recipient] }),
  });
  const text = await body.text();
  if (statusCode !== ACCEPTED) throw new Error(`POST /v1/email: ${statusCode} ${text}`);
}

async function readConnections(origin: string): Promise<Connections> {
  const response = await fetch(`${origin}/metrics`, {
    headers: { Authorization: `Bearer ${GATEWAY_TOKEN}` },
  });
  const text = await response.text();
  const sum = (name: string): number =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)$`, "gm"))]
      .map(([, value]) => Number(value))
      .reduce((total, one) => total + one, 0);
  return {
    connections: sum("postern_gateway_connections"),
    waiting: sum("postern_gateway_waiting_messages"),
  };
}

/** Returns a string with the reason if Postfix can't start. */
export async function startPostfixSide(
  cleanup: Cleanup,
  routes: readonly ServerRoute[],
): Promise<HostileSide | string> {
  const postfix = await startPostfix(cleanup, delivering(routes));
  if (typeof postfix === "string") return postfix;
  const raw = await signedMessage(newDkimKey());
  const transport = pooledTransport(cleanup, postfix.port);
  const send: SendTo = (to) =>
    transport.sendMail({ envelope: { from: `hello@${SENDER_DOMAIN}`, to: [to] }, raw });
  return {
    about: postfix.about,
    send,
    sendList: (recipients) => Promise.all(recipients.map(send)),
    hasHandedOver: async () => true,
  };
}
