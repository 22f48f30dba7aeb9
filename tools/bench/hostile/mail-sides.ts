// The two systems of `bench hostile`: the worker with its gateway, and Postfix. They are started
// anew for each run. Both use the same mail servers and their own default limits.
import { BATCH, MESSAGE, SENDER_DOMAIN } from "../../harness/sample-message.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import { createTenant, GATEWAY_TOKEN, newDkimKey } from "../../harness/tenant.ts";
import type { Bundle } from "../../harness/worker-bundle.ts";
import { startWorkerFor } from "../system/bench-system.ts";
import { callApi } from "../harness/http-api.ts";
import { SendConnections } from "../harness/load.ts";
import { delivering, startPostfix } from "../peer/postfix.ts";
import { pooledTransport, signedMessage } from "../smtp/nodemailer-message.ts";
import { startGateway, toRoutes } from "../smtp/gateway-process.ts";
import type { SendTo } from "./good-mail.ts";
import { CONSUMERS_PATH, type ConsumerShift } from "./metered-consumers.ts";
import type { ServerRoute } from "./troubles.ts";

export interface HostileSide {
  readonly about: string;
  /** Sends the steady mail of one team. */
  readonly send: SendTo;
  /** Sends one message of another team to each of these recipients. */
  readonly sendList: (recipients: readonly string[]) => Promise<unknown>;
  /** Tells whether this many messages have reached mail servers or wait for a connection. */
  readonly hasHandedOver: (messages: number) => Promise<boolean>;
  /** Returns the work of the queue's consumers since the last call. */
  readonly readShifts: () => Promise<readonly ConsumerShift[]>;
}

const CONNECTIONS = 64;

/** Starts the worker and its gateway. */
export async function startPostern(
  cleanup: Cleanup,
  bundle: Bundle,
  routes: readonly ServerRoute[],
): Promise<HostileSide> {
  const [[, anyPort] = ["", 0]] = routes;
  const gateway = await startGateway(cleanup, toRoutes(anyPort, routes));
  const worker = await startWorkerFor(cleanup, bundle, gateway.origin);
  const [steady, list] = [await createTenant(worker), await createTenant(worker)];
  const pool = new SendConnections(steady, CONNECTIONS);
  cleanup.add(() => pool.close());
  return {
    about: "",
    send: (recipient) => pool.post(JSON.stringify({ ...MESSAGE, to: [recipient] })),
    sendList: (recipients) =>
      callApi(list, "POST", BATCH.path, {
        emails: recipients.map((recipient) => ({ ...MESSAGE, to: [recipient] })),
      }),
    hasHandedOver: async (messages) => (await countTaken(gateway.origin)) >= messages,
    readShifts: () => callApi({ origin: worker.origin, apiKey: "" }, "GET", CONSUMERS_PATH),
  };
}

/** Counts the gateway's connections to mail servers, and the messages that wait for one. */
async function countTaken(origin: string): Promise<number> {
  const headers = { Authorization: `Bearer ${GATEWAY_TOKEN}` };
  const text = await (await fetch(`${origin}/metrics`, { headers })).text();
  const values = text.matchAll(
    /^postern_gateway_(?:connections|waiting_messages)(?:\{[^}]*\})? (\d+)$/gm,
  );
  return [...values].reduce((sum, [, value]) => sum + Number(value), 0);
}

/** Returns a string with the reason if Postfix can't start. */
export async function startPostfixSide(
  cleanup: Cleanup,
  routes: readonly ServerRoute[],
): Promise<HostileSide | string> {
  const local = routes.map(([domain, port]) => [domain, "127.0.0.1", port] as const);
  const postfix = await startPostfix(cleanup, delivering(local));
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
    readShifts: async () => [],
  };
}
