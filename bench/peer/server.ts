// The peer of `bench accept`: a send endpoint as it is commonly built. Fastify; the API key's SHA-256 looked up once and remembered; zod; one INSERT
// into PostgreSQL; one job for BullMQ. No rate limit, no quota, no idempotency: it does less than the worker, and is given the benefit.
import { createHash, randomUUID } from "node:crypto";
import { Queue } from "bullmq";
import Fastify from "fastify";
import { Pool } from "pg";
import { SendBody } from "../send-schema.ts";

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
const INSERT = {
  name: "insert-message",
  text: "INSERT INTO messages VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'queued', $9)",
};

const database = new Pool({ host: process.env["BENCH_POSTGRES"] ?? "", user: "postgres", database: "postgres", max: POOL_SIZE });
const queue = new Queue("send", { connection: { path: process.env["BENCH_REDIS"] ?? "" } });
const teams = new Map<string, string>();

const app = Fastify({ logger: false });

app.post("/v1/email", async (request, reply) => {
  const secret = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const team = await teamOf(createHash("sha256").update(secret).digest("hex"));
  if (team === undefined) return reply.code(401).send({ error: "unknown key" });
  const body = SendBody.safeParse(request.body);
  if (!body.success) return reply.code(422).send({ error: body.error.issues });
  const { from, to, subject, text, html, tags } = body.data;
  const id = randomUUID();
  const createdAt = new Date();
  await database.query({ ...INSERT, values: [id, team, from, to, subject, text ?? null, html ?? null, tags ?? null, createdAt] });
  await queue.add("send", { id }, { jobId: id, attempts: 5, removeOnComplete: true });
  return reply.code(202).send({ id: `email_${id}`, created_at: createdAt.toISOString() });
});

async function teamOf(hash: string): Promise<string | undefined> {
  const known = teams.get(hash);
  if (known !== undefined) return known;
  const { rows } = await database.query<{ team_id: string }>("SELECT team_id FROM api_keys WHERE hash = $1", [hash]);
  const team = rows[0]?.team_id;
  if (team !== undefined) teams.set(hash, team);
  return team;
}

await database.query(SCHEMA);
await database.query("INSERT INTO api_keys VALUES ($1, $2)", [createHash("sha256").update(API_KEY).digest("hex"), randomUUID()]);
await queue.waitUntilReady();
console.log(`listening at ${await app.listen({ host: "127.0.0.1", port: 0 })}`);
process.stdin.resume().once("end", () => process.exit(0));
