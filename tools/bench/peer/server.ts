// The peer of `bench accept` and `bench batch`: send endpoints as they are commonly built, with
// Fastify and zod. The peer looks up an API key by its SHA-256 and then caches it. A send makes one
// INSERT into PostgreSQL and one BullMQ job per message. A batch adds its jobs in one call. The
// peer has no rate limit, quota, idempotency or merging of defaults. It does less than the worker,
// which favours the peer.
import { createHash, randomUUID } from "node:crypto";
import { Queue } from "bullmq";
import Fastify from "fastify";
import { Pool } from "pg";
import type * as z from "zod";
import { BatchBody, SendBody } from "../harness/send-schema.ts";

const POOL_SIZE = 20;
const API_KEY = process.env["BENCH_API_KEY"] ?? "";

const SCHEMA = `
  CREATE TABLE api_keys (hash text PRIMARY KEY, team_id uuid NOT NULL);
  CREATE TABLE messages (
    id uuid PRIMARY KEY, team_id uuid NOT NULL, sender text NOT NULL, recipients text[] NOT NULL, subject text NOT NULL,
    text text, html text, tags text[], status text NOT NULL, created_at timestamptz NOT NULL
  );
  CREATE INDEX messages_by_team ON messages (team_id, created_at);
`;
/**
 * Number of values that an INSERT passes for each row. It passes no status, because the status is
 * the same in every row.
 */
const COLUMNS = 9;
const STATUS_COLUMN = 8;
const BODY_BYTES = 5 * 1024 * 1024;
const JOB_OPTIONS = { attempts: 5, removeOnComplete: true };

interface Row {
  readonly id: string;
  readonly values: readonly unknown[];
}

const database = new Pool({
  host: process.env["BENCH_POSTGRES"] ?? "",
  user: "postgres",
  database: "postgres",
  max: POOL_SIZE,
});
const queue = new Queue("send", { connection: { path: process.env["BENCH_REDIS"] ?? "" } });
const teams = new Map<string, string>();
const statements = new Map<number, { readonly name: string; readonly text: string }>();

const app = Fastify({ logger: false, bodyLimit: BODY_BYTES });

app.post("/v1/email", async (request, reply) => {
  const team = await teamOf(request.headers.authorization);
  if (team === undefined) return reply.code(401).send({ error: "unknown key" });
  const body = SendBody.safeParse(request.body);
  if (!body.success) return reply.code(422).send({ error: body.error.issues });
  const createdAt = new Date();
  const row = rowOf(body.data, team, createdAt);
  await insert([row]);
  await queue.add("send", { id: row.id }, { jobId: row.id, ...JOB_OPTIONS });
  return reply.code(202).send({ id: `email_${row.id}`, created_at: createdAt.toISOString() });
});

app.post("/v1/email/batch", async (request, reply) => {
  const team = await teamOf(request.headers.authorization);
  if (team === undefined) return reply.code(401).send({ error: "unknown key" });
  const body = BatchBody.safeParse(request.body);
  if (!body.success) return reply.code(400).send({ error: body.error.issues });
  const createdAt = new Date();
  const rows = body.data.emails.map((email) => rowOf(email, team, createdAt));
  await insert(rows);
  await queue.addBulk(
    rows.map(({ id }) => ({ name: "send", data: { id }, opts: { jobId: id, ...JOB_OPTIONS } })),
  );
  const time = createdAt.toISOString();
  const data = rows.map(({ id }, index) => ({
    status: "queued",
    index,
    id: `email_${id}`,
    created_at: time,
  }));
  return reply
    .code(202)
    .send({ summary: { total: rows.length, queued: rows.length, failed: 0 }, data });
});

function rowOf(
  { from, to, subject, text, html, tags }: z.output<typeof SendBody>,
  team: string,
  createdAt: Date,
): Row {
  const id = randomUUID();
  return {
    id,
    values: [id, team, from, to, subject, text ?? null, html ?? null, tags ?? null, createdAt],
  };
}

/** Runs one statement. It is prepared once for each number of rows. */
async function insert(rows: readonly Row[]): Promise<void> {
  const known = statements.get(rows.length);
  const statement = known ?? {
    name: `insert-${rows.length}`,
    text: `INSERT INTO messages VALUES ${rows.map(placesOf).join(", ")}`,
  };
  if (!known) statements.set(rows.length, statement);
  await database.query({ ...statement, values: rows.flatMap(({ values }) => values) });
}

function placesOf(_: Row, row: number): string {
  const places = Array.from({ length: COLUMNS }, (__, column) => `$${row * COLUMNS + column + 1}`);
  return `(${places.toSpliced(STATUS_COLUMN, 0, "'queued'").join(", ")})`;
}

async function teamOf(authorization: string | undefined): Promise<string | undefined> {
  const secret = /^Bearer (\S+)$/.exec(authorization ?? "")?.[1] ?? "";
  return knownTeam(createHash("sha256").update(secret).digest("hex"));
}

async function knownTeam(hash: string): Promise<string | undefined> {
  const known = teams.get(hash);
  if (known !== undefined) return known;
  const { rows } = await database.query<{ team_id: string }>(
    "SELECT team_id FROM api_keys WHERE hash = $1",
    [hash],
  );
  const team = rows[0]?.team_id;
  if (team !== undefined) teams.set(hash, team);
  return team;
}

await database.query(SCHEMA);
await database.query("INSERT INTO api_keys VALUES ($1, $2)", [
  createHash("sha256").update(API_KEY).digest("hex"),
  randomUUID(),
]);
await queue.waitUntilReady();
console.log(`listening at ${await app.listen({ host: "127.0.0.1", port: 0 })}`);
process.stdin.resume().once("end", () => process.exit(0));
