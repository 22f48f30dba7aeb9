// The two systems of the cases about shares: the gateway, which gets frames as if from a worker,
// and Postfix. They are started anew for each run.
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { request } from "undici";
import { type Cleanup, temporaryFolder } from "../../../harness/cleanup.ts";
import { SENDER_DOMAIN } from "../../../harness/sample-message.ts";
import { GATEWAY_TOKEN, newDkimKey } from "../../../harness/tenant.ts";
import { startPostfix } from "../../peer/postfix.ts";
import { startGatewayByDns } from "../../smtp/gateway-process.ts";
import {
  POOLED_CONNECTIONS,
  pooledTransport,
  signedMessage,
} from "../../smtp/nodemailer-message.ts";
import { type ShareServers, ZONES } from "./share-servers.ts";

export interface ShareSide {
  readonly about: string;
  /** Sends a team's messages. Repeats each message until it is accepted or the run ends. */
  readonly offer: (team: string, recipients: readonly string[]) => Promise<void>;
  /** Number of messages whose outcome was the provider's refusal of a connection. */
  readonly metRefusal: () => number;
  /** Stops repeating messages that were not accepted. */
  readonly end: () => void;
}

interface AnswerLine {
  readonly key: string;
  readonly kind: string;
  readonly code?: number;
  readonly stage?: string;
}

const PART = 500;
/**
 * Milliseconds until the bench repeats a message that the gateway returned, as a worker would do.
 */
const AGAIN_MS = 1_000;

export async function startGatewaySide(
  cleanup: Cleanup,
  servers: ShareServers,
): Promise<ShareSide> {
  const state = join(await temporaryFolder(cleanup), "egress");
  const { origin } = await startGatewayByDns(cleanup, servers.dnsPort, servers.port, state);
  return gatewaySide(origin);
}

/** Returns the side for a gateway that already runs at this origin. */
export async function gatewaySide(origin: string): Promise<ShareSide> {
  const message = await signedMessage(newDkimKey());
  const over = new AbortController();
  let refusals = 0;
  let made = 0;
  const post = async (team: string, recipients: readonly string[]): Promise<string[]> => {
    const keyed = new Map(recipients.map((recipient) => [`${(made += 1)}/0/1`, recipient]));
    const frames = Array.from(keyed, ([key, recipient]) => frameOf(key, team, recipient, message));
    const { body } = await request(`${origin}/deliver`, {
      method: "POST",
      headers: { Authorization: `Bearer ${GATEWAY_TOKEN}`, Prefer: "wait=0" },
      body: Buffer.concat(frames),
    });
    const back: string[] = [];
    for (const text of (await body.text()).split("\n").filter((one) => one !== "")) {
      const line = JSON.parse(text) as AnswerLine;
      if (line.kind === "not_taken") back.push(keyed.get(line.key)!);
      refusals += Number(line.code === 421 && line.stage === "connect");
    }
    return back;
  };
  return {
    about: "the gateway, default limits",
    metRefusal: () => refusals,
    end: () => over.abort(),
    async offer(team, recipients) {
      let left = [...recipients];
      while (left.length > 0 && !over.signal.aborted) {
        const back = await post(team, left.slice(0, PART));
        left = [...back, ...left.slice(PART)];
        if (back.length > 0) await sleep(AGAIN_MS);
      }
    },
  };
}

function frameOf(key: string, team: string, recipient: string, message: Buffer): Buffer {
  const head = Buffer.from(
    JSON.stringify({
      key,
      mail_from: `b+token@bounces.${team}.example`,
      rcpt_to: recipient,
      pool: null,
      team,
      size: message.length,
    }),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, message]);
}

/** Returns a string with the reason if Postfix can't start. */
export async function startPostfixShareSide(
  cleanup: Cleanup,
  servers: ShareServers,
): Promise<ShareSide | string> {
  const transports = Object.entries(ZONES).map(
    ([zone, address]) => `.${zone} smtp:[${address}]:${servers.port}\n`,
  );
  const postfix = await startPostfix(cleanup, {
    settings: { transport_maps: "texthash:$config_directory/transport" },
    files: { transport: transports.join("") },
    about: "its own limits",
  });
  if (typeof postfix === "string") return postfix;
  const raw = await signedMessage(newDkimKey());
  const transport = pooledTransport(cleanup, postfix.port);
  const over = new AbortController();
  return {
    about: postfix.about,
    metRefusal: () => 0,
    end: () => over.abort(),
    async offer(team, recipients) {
      const from = `hello@${team}.${SENDER_DOMAIN}`;
      for (let at = 0; at < recipients.length && !over.signal.aborted; at += POOLED_CONNECTIONS)
        await Promise.all(
          recipients
            .slice(at, at + POOLED_CONNECTIONS)
            .map((to) => transport.sendMail({ envelope: { from, to: [to] }, raw })),
        );
    },
  };
}
