// Writes the log's events into chunks in D1 (docs/storage.md §The log), one batch of chunks after
// another. No caller and no alarm waits for a chunk. If the database fails or hangs, the writer
// tries again after a pause.
import { shardDatabase } from "../../db/client.ts";
import { shardOn } from "../../db/shards.ts";
import { crashPoint } from "../../lib/crash-point.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { logError } from "../../lib/log.ts";
import type { MessageEvents } from "../../rpc/event-records.ts";
import { EARLIEST_MS, LATEST_MS, chunkKey, type NewChunk } from "../../resources/events/store.ts";
import { writeChunks } from "../../resources/events/write-chunk.ts";
import { simulatorDomain } from "../../resources/providers/provider-of.ts";
import { countStatements } from "../../resources/stats/store.ts";
import { settingsOf } from "../../settings.ts";
import type { EventLog } from "./event-log.ts";
import type { LogRow, ChunkPlan } from "./chunk-plans.ts";
import type { LogSurroundings } from "./log-row-dispatch.ts";
import { toOwnEvent } from "./log-rows.ts";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
const WRITE_TIMEOUT_MS = 60_000;
/**
 * Maximum number of chunks that one run writes. The next alarm writes the others. D1 allows 1,000
 * queries in an invocation, and a chunk needs fewer than five.
 */
const CHUNKS_PER_RUN = 200;
/**
 * Maximum time from a restart until the alarm begins to write a chunk that is already due. A chunk
 * that becomes due later is written at once.
 */
const RESCUE_MS = 60_000;

type ChunkWriterDependencies = Omit<LogSurroundings, "speedup">;

export class ChunkWriter {
  readonly #using: ChunkWriterDependencies;
  #isRunning = false;
  #notBefore = 0;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(using: ChunkWriterDependencies) {
    this.#using = using;
  }

  /**
   * The latest time for the next call of wake(), in Unix milliseconds. Infinity means that no chunk
   * is due.
   */
  dueAt(now: number): number {
    if (!this.#using.log().isChunkDue(now)) return Number.POSITIVE_INFINITY;
    return this.#notBefore > now ? this.#notBefore : now + RESCUE_MS;
  }

  /** Begins to write the chunks that are due. Returns at once. */
  wake(now: number): void {
    if (this.#isRunning || now < this.#notBefore || !this.#using.log().isChunkDue(now)) return;
    this.#isRunning = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    const before = this.#notBefore;
    try {
      let written = 0;
      for (let plan = this.#plan(); plan; plan = this.#plan()) {
        if (written >= CHUNKS_PER_RUN) {
          this.#notBefore = Date.now() + 1;
          break;
        }
        await this.#write(plan);
        written += plan.chunks.length;
        this.#pauseMs = FIRST_PAUSE_MS;
      }
    } catch (error) {
      logError("chunk_failed", error, { team_id: this.#using.teamId });
      this.#notBefore = Date.now() + this.#pauseMs;
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    } finally {
      this.#isRunning = false;
    }
    if (this.#notBefore > before) this.#using.scheduleWake();
  }

  #plan(): ChunkPlan | undefined {
    return this.#using.log().nextChunks(Date.now());
  }

  /**
   * Writes the planned chunks, then deletes the rows that are in the stored chunks. The stored
   * chunks may have fewer rows than planned: a killed process may have written them at a time when
   * the log had fewer events.
   */
  async #write({ day, chunks: planned }: ChunkPlan): Promise<void> {
    const { env, facts, log, write } = this.#using;
    const team = await facts.team(Date.now());
    if (!team) throw new Error("this team was deleted");
    const shard = shardOn(team.shards, day);
    const session = shardDatabase(env(), shard).withSession("first-primary");
    const toChunk = (rows: ChunkPlan["chunks"][number]): NewChunk => ({
      team,
      day,
      at: rows[0].at,
      lastSeq: rows.at(-1)!.seq,
      messages: messagesIn(rows, log()),
      isStray: rows.some(isStray),
    });
    const [first, ...others] = planned;
    const chunks = [toChunk(first), ...others.map(toChunk)] as const;
    const key = chunkKey(team, day, first[0].at);
    const simulated = simulatorDomain(settingsOf(env()).serviceDomain);
    const { lastSeq } = await withTimeout(WRITE_TIMEOUT_MS, async () =>
      writeChunks(session, chunks, await countStatements(session, chunks, key, simulated)),
    );
    if (lastSeq < first[0].seq)
      throw new Error(`the chunk that begins at row ${first[0].seq} ends at row ${lastSeq}`);
    await crashPoint(env().CRASH_POINT_URL, "after_page");
    await write(() => log().noteChunk(day, lastSeq, shard, session.getBookmark()));
  }
}

function isStray({ at, oldest, newest }: LogRow): boolean {
  return oldest < at - EARLIEST_MS || newest > at + LATEST_MS;
}

function messagesIn(rows: readonly LogRow[], log: EventLog): MessageEvents[] {
  const byEmail = Map.groupBy(
    rows.flatMap(({ seq }) => log.read(seq)),
    ({ message }) => message.emailId,
  );
  return Array.from(byEmail.values(), (parts) => ({
    message: parts[0]!.message,
    events: parts.flatMap(({ events }) => events.map(toOwnEvent)),
  }));
}
