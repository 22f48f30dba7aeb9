// Reads the jurisdiction of each store of the deployment from the Cloudflare account
// (docs/near-its-users.md §EU only). A store keeps the jurisdiction with which it was created.
import { type AccountApi, needsRight } from "../account-api.ts";
import type { DeployConfig } from "../deploy-config.ts";
import { member } from "../json-call.ts";

export interface DataStore {
  readonly kind: "database" | "bucket" | "queue";
  readonly name: string;
  /** Null: the store has no jurisdiction. Undefined: Cloudflare does not report it. */
  readonly jurisdiction: string | null | undefined;
}

const D1 = needsRight("Account · D1 · Edit");
const R2 = needsRight("Account · Workers R2 Storage · Edit");
const QUEUES = needsRight("Account · Queues · Edit");

export async function findStores(
  api: AccountApi,
  { databases, bucket, queues }: Pick<DeployConfig, "databases" | "bucket" | "queues">,
): Promise<DataStore[]> {
  const found = await Promise.all([
    ...databases.map(({ name }) => findDatabase(api, name)),
    findBucket(api, bucket.name),
    ...queues.map((name) => findQueue(api, name)),
  ]);
  return found.filter((store) => store !== null);
}

async function findDatabase(api: AccountApi, name: string): Promise<DataStore | null> {
  const query = `name=${encodeURIComponent(name)}&per_page=100`;
  const rows = await api.find(`/accounts/${api.account}/d1/database?${query}`, D1);
  const row = rowNamed(rows, "name", name);
  if (row === undefined) return null;
  const id = String(member(row, "uuid"));
  const database = await api.find(`/accounts/${api.account}/d1/database/${id}`, D1);
  return { kind: "database", name, jurisdiction: jurisdictionIn(database) };
}

/** A bucket of a jurisdiction is found only if the call names the jurisdiction. */
async function findBucket(api: AccountApi, name: string): Promise<DataStore | null> {
  const path = `/accounts/${api.account}/r2/buckets/${name}`;
  if ((await api.find(path, R2, "eu")) !== null)
    return { kind: "bucket", name, jurisdiction: "eu" };
  return (await api.find(path, R2)) === null ? null : { kind: "bucket", name, jurisdiction: null };
}

async function findQueue(api: AccountApi, name: string): Promise<DataStore | null> {
  const query = `name=${encodeURIComponent(name)}`;
  const rows = await api.find(`/accounts/${api.account}/queues?${query}`, QUEUES);
  const row = rowNamed(rows, "queue_name", name);
  return row === undefined ? null : { kind: "queue", name, jurisdiction: jurisdictionIn(row) };
}

function rowNamed(rows: unknown, key: string, name: string): unknown {
  return (Array.isArray(rows) ? (rows as unknown[]) : []).find((row) => member(row, key) === name);
}

function jurisdictionIn(row: unknown): string | null | undefined {
  const told = member(row, "jurisdiction");
  return told === null || typeof told === "string" ? told : undefined;
}
