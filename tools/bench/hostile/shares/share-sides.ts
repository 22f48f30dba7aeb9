// The two systems of the cases about shares: the gateway, which gets frames as if from a worker,
// and Postfix. They are started anew for each run.
import { setTimeout as sleep } from "node:timers/promises";
import type { Cleanup } from "../../../harness/cleanup.ts";
import { SENDER_DOMAIN } from "../../../harness/sample-message.ts";
import { newDkimKey } from "../../../harness/tenant.ts";
import { delivering, startPostfix } from "../../peer/postfix.ts";
import { postFrames, startGateway, toDnsServers } from "../../smtp/gateway-process.ts";
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
}

const PART = 500;
/**
 * Milliseconds until the bench repeats a message that the gateway returned, as a worker would do.
 */
const AGAIN_MS = 1_000;

export async function startGatewaySide(own: Cleanup, servers: ShareServers): Promise<ShareSide> {
  const { origin } = await startGateway(own, toDnsServers(servers.dnsPort, servers.port));
  return gatewaySide(own, origin);
}

/** Returns the side for a gateway that already runs at this origin. The run ends with `own`. */
export async function gatewaySide(own: Cleanup, origin: string): Promise<ShareSide> {
  const message = await signedMessage(newDkimKey());
  const over = new AbortController();
  own.add(() => over.abort());
  let refusals = 0;
  let made = 0;
  return {
    about: "the gateway, default limits",
    metRefusal: () => refusals,
    async offer(team, recipients) {
      let left = [...recipients];
      while (left.length > 0 && !over.signal.aborted) {
        const copies = new Map(left.slice(0, PART).map((to) => [`${(made += 1)}/0/1`, to]));
        const lines = await postFrames(origin, message, copies, team);
        refusals += lines.filter(({ code, stage }) => code === 421 && stage === "connect").length;
        const back = lines.filter(({ kind }) => kind === "not_taken");
        left = [...back.map(({ key }) => copies.get(key)!), ...left.slice(PART)];
        if (back.length > 0) await sleep(AGAIN_MS);
      }
    },
  };
}

/** Returns a string with the reason if Postfix can't start. */
export async function startPostfixShareSide(
  own: Cleanup,
  servers: ShareServers,
): Promise<ShareSide | string> {
  const routes = Object.entries(ZONES).map(
    ([zone, address]) => [`.${zone}`, address, servers.port] as const,
  );
  const postfix = await startPostfix(own, delivering(routes));
  if (typeof postfix === "string") return postfix;
  const raw = await signedMessage(newDkimKey());
  const transport = pooledTransport(own, postfix.port);
  const over = new AbortController();
  own.add(() => over.abort());
  return {
    about: postfix.about,
    metRefusal: () => 0,
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
