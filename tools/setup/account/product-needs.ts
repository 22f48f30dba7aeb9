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

interface Need {
  /** A path of Cloudflare's API that lists the product's objects. */
  readonly path: (account: string) => string;
  readonly right: string;
  /** The product, and the dashboard's page that enables it. */
  readonly product: string;
  readonly page: string;
}

export const DASHBOARD = "https://dash.cloudflare.com";
const TOKENS = `${DASHBOARD}/profile/api-tokens`;
const NEEDS: readonly Need[] = [
  {
    path: (account) => `/accounts/${account}/workers/scripts`,
    right: "Account · Workers Scripts · Edit",
    product: "Workers",
    page: "workers-and-pages",
  },
  {
    path: (account) => `/accounts/${account}/d1/database?per_page=10`,
    right: "Account · D1 · Edit",
    product: "D1",
    page: "workers/d1",
  },
  {
    path: (account) => `/accounts/${account}/queues?per_page=10`,
    right: "Account · Queues · Edit",
    product: "Queues",
    page: "workers/queues",
  },
  {
    path: (account) => `/accounts/${account}/r2/buckets?per_page=10`,
    right: "Account · Workers R2 Storage · Edit",
    product: "R2",
    page: "r2/overview",
  },
];

export const PRODUCTS = NEEDS.map(({ product }) => product).join(", ");

/** Returns the products that the login may not use. */
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
  { path, right, product, page }: Need,
): Promise<Obstacle | null> {
  const answer = await api.ask("GET", path(api.account));
  if (answer.status < 300) return null;
  const says = `${product}: Cloudflare answered ${errorTextOf(answer)}`;
  if (codeOf(answer) === NOT_ENABLED)
    return { says, mend: `enable ${product} once at ${DASHBOARD}/${api.account}/${page}` };
  if (!isRefusedRight(answer)) return null;
  return { says, mend: `give the login or the token ${right} (npx wrangler login, or ${TOKENS})` };
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
