// Runs one load against a metered worker (counted-worker.ts), and makes its bill.
import { setTimeout as sleep } from "node:timers/promises";
import { callApi } from "../harness/http-api.ts";
import type { LoadTarget } from "../harness/load.ts";
import type { RoundTrips } from "../harness/round-trips.ts";
import { cpuSeconds } from "../../harness/machine.ts";
import { createTenant, newDkimKey } from "../../harness/tenant.ts";
import type { Worker } from "../../harness/workerd.ts";
import type { Bill, Goal } from "./bill.ts";
import { READING_PATH } from "./counted-worker.ts";
import type { TallyReading } from "./tallies.ts";

const PLENTY = 1_000_000_000;
const DONE_MS = 90_000;
const LOOK_EVERY_MS = 250;

export interface BilledTeam {
  readonly target: LoadTarget;
  readonly teamId: string;
  /** Receives and counts the team's webhooks. Null means that the team has no webhook. */
  readonly trips: RoundTrips | null;
}

export interface BilledLoad {
  readonly name: string;
  readonly team: BilledTeam;
  readonly goal: Goal | null;
  /** Resolves to the number of accepted messages. */
  readonly send: () => Promise<number>;
}

/** Creates a team without a webhook. */
export async function createBilledTeam(worker: Worker): Promise<BilledTeam> {
  const { teamId, apiKey } = await createTenant(worker, PLENTY, newDkimKey());
  return { target: { origin: worker.origin, apiKey }, teamId, trips: null };
}

export async function billOf(worker: Worker, load: BilledLoad, aftermathMs: number): Promise<Bill> {
  console.error(load.name);
  const { databaseBytes: bytesBefore } = await readTallies(worker);
  const cpuBefore = cpuSeconds(worker.pid);
  const messages = await finish(worker, load);
  const cpuMs = ((cpuSeconds(worker.pid) - cpuBefore) * 1_000) / messages;
  await sleep(aftermathMs);
  const reading = await readTallies(worker);
  const shardBytes = (reading.databaseBytes["SHARD_0"] ?? 0) - (bytesBefore["SHARD_0"] ?? 0);
  return { name: load.name, messages, reading, cpuMs, shardBytes, goal: load.goal };
}

/** Reads the counts since the last reading. */
export async function readTallies({ origin }: Worker): Promise<TallyReading> {
  return callApi<TallyReading>({ origin, apiKey: "" }, "GET", READING_PATH);
}

/**
 * Sends, then waits until all events are reported and written into pages. Returns the number of
 * messages.
 */
export async function finish(
  worker: Worker,
  { team: { teamId, trips }, send }: Pick<BilledLoad, "team" | "send">,
): Promise<number> {
  const toldBefore = trips?.unexpectedCount ?? 0;
  const messages = await send();
  const isDone = async (): Promise<boolean> => {
    if (trips && trips.unexpectedCount < toldBefore + messages) return false;
    return worker.stores.isSettled(teamId);
  };
  for (let waited = 0; !(await isDone()); waited += LOOK_EVERY_MS) {
    if (waited > DONE_MS)
      throw new Error(
        ["some events were not reported or not written into pages", ...worker.errors()].join("\n"),
      );
    await sleep(LOOK_EVERY_MS);
  }
  return messages;
}
