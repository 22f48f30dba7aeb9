// Lists what a deployment needs in its account: products, rights, and queues from which no other
// deployment reads. Set-up checks this before its first change. The doctor checks it at any time.
import type { AccountApi } from "../account-api.ts";
import { codeOf, isRefusedRight, NOT_ENABLED } from "./cloudflare-codes.ts";
import type { DeployConfig } from "../deploy-config.ts";
import { errorTextOf } from "../json-call.ts";

export interface Obstacle {
  readonly says: string;
  readonly mend: string;
}

/** `path` lists the product's objects in Cloudflare's API. `page` of the dashboard enables it. */
type Need = readonly [product: string, right: string, path: string, page: string];

export const DASHBOARD = "https://dash.cloudflare.com";
const TOKENS = `${DASHBOARD}/profile/api-tokens`;
const NEEDS: readonly Need[] = [
  ["Workers", "Workers Scripts", "workers/scripts", "workers-and-pages"],
  ["D1", "D1", "d1/database?per_page=10", "workers/d1"],
  ["Queues", "Queues", "queues?per_page=10", "workers/queues"],
  ["R2", "Workers R2 Storage", "r2/buckets?per_page=10", "r2/overview"],
];

export const PRODUCTS = NEEDS.map(([product]) => product).join(", ");

export async function missingProducts(api: AccountApi): Promise<Obstacle[]> {
  const all = await Promise.all(NEEDS.map((need) => obstacleOf(api, need)));
  return all.filter((one) => one !== null);
}

/**
 * Returns an obstacle only for a refusal with a known code. Any other refusal may concern only this
 * request.
 */
async function obstacleOf(
  api: AccountApi,
  [product, right, path, page]: Need,
): Promise<Obstacle | null> {
  const answer = await api.ask("GET", `/accounts/${api.account}/${path}`);
  if (answer.status < 300) return null;
  const says = `${product}: Cloudflare answered ${errorTextOf(answer)}`;
  if (codeOf(answer) === NOT_ENABLED)
    return { says, mend: `enable ${product} once at ${DASHBOARD}/${api.account}/${page}` };
  if (!isRefusedRight(answer)) return null;
  const needed = `Account · ${right} · Edit`;
  return { says, mend: `give the login or the token ${needed} (npx wrangler login, or ${TOKENS})` };
}

/**
 * Returns the queues of this deployment from which another worker reads. Two deployments that share
 * a queue deliver each other's mail.
 */
export async function takenQueues(
  api: AccountApi,
  { queues, worker }: DeployConfig,
): Promise<Obstacle[]> {
  const readers = await api.queueReaders();
  const taken = queues.flatMap((queue) => {
    const others = (readers.get(queue) ?? []).filter((reader) => reader !== worker);
    return others.length === 0 ? [] : [`${queue} (${others.join(", ")})`];
  });
  if (taken.length === 0) return [];
  return [
    {
      says: `another worker reads from queues of this deployment (11004): ${taken.join(", ")}`,
      mend:
        "give this deployment its own names: DEPLOYMENT=<name> npm run setup, with its own " +
        "POSTERN_STATE",
    },
  ];
}
