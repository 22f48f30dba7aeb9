// workerd with the faulty worker, under Miniflare on a direct socket: killed as often as is wanted,
// and started again with the same port and state. Killing it takes the queues with it, whose
// messages are in its memory.
import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from "wrangler";
import { type Bundle, ROOT } from "../bench/harness/worker-bundle.ts";
import type { Cleanup } from "../bench/harness/cleanup.ts";
import { childrenNamed } from "../bench/harness/machine.ts";

export interface RuntimeSettings {
  /** Where its state is kept. */
  readonly state: string;
  readonly port: number;
  /**
   * Miniflare's own, which it insists on having again after a kill: 0 would be one that anybody's
   * connection may be sitting on by then.
   */
  readonly entryPort: number;
  readonly vars: Readonly<Record<string, string>>;
  /** Hears of every line that the worker logs. */
  readonly heard: (line: string) => void;
}

const NAME = "chaos";
const MIGRATIONS: readonly (readonly [binding: string, folder: string])[] = [
  ["DB", "migrations/core"],
  ["SHARD_0", "migrations/shard"],
];
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const RESTART_MS = 60_000;

export class Runtime {
  readonly origin: string;
  readonly #miniflare: Miniflare;
  /** In a process group of its own, since it has to outlive this process. */
  readonly #warden = spawn(
    process.execPath,
    [new URL(import.meta.resolve("./end-with-parent.ts")).pathname],
    {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    },
  );
  /** While it is down. */
  #restarting: PromiseWithResolvers<void> | undefined;

  private constructor(bundle: Bundle, settings: RuntimeSettings) {
    this.origin = `http://127.0.0.1:${settings.port}`;
    // It has been killed, and nobody needs it but then.
    this.#warden.stdin.on("error", () => undefined);
    this.#miniflare = new Miniflare(optionsOf(bundle, settings, () => this.#restarted()));
  }

  /** Up, its databases migrated. */
  static async start(
    cleanup: Cleanup,
    bundle: Bundle,
    settings: RuntimeSettings,
  ): Promise<Runtime> {
    const listeners = SIGNALS.map((signal) => process.listeners(signal));
    const runtime = new Runtime(bundle, settings);
    // Miniflare would end this process at a signal, and leave behind what else runs.
    for (const [index, signal] of SIGNALS.entries())
      for (const added of process
        .listeners(signal)
        .filter((one) => !listeners[index]!.includes(one)))
        process.removeListener(signal, added);
    cleanup.add(() => runtime.#miniflare.dispose());
    cleanup.add(() => runtime.#warden.stdin.end());
    await runtime.#miniflare.ready;
    runtime.#restarted();
    for (const [binding, folder] of MIGRATIONS) await runtime.#migrate(binding, folder);
    return runtime;
  }

  get isUp(): boolean {
    return this.#restarting === undefined;
  }

  /**
   * Kills it where it stands. Miniflare starts it again; resolves when it has. Killed again
   * meanwhile, it waits for the same.
   */
  kill(): Promise<void> {
    if (this.#restarting) return this.#restarting.promise;
    this.#restarting = Promise.withResolvers();
    const { promise, reject } = this.#restarting;
    const timer = setTimeout(() => reject(new Error("workerd did not start again")), RESTART_MS);
    for (const pid of childrenNamed(process.pid, "workerd")) process.kill(pid, "SIGKILL");
    return promise.finally(() => clearTimeout(timer));
  }

  async run(
    binding: string,
    sql: string,
    ...values: readonly (string | number)[]
  ): Promise<Record<string, unknown>[]> {
    const database = await this.#miniflare.getD1Database(binding, NAME);
    const { results } = await database
      .prepare(sql)
      .bind(...values)
      .run();
    return results;
  }

  #restarted(): void {
    for (const pid of childrenNamed(process.pid, "workerd")) this.#warden.stdin.write(`${pid}\n`);
    this.#restarting?.resolve();
    this.#restarting = undefined;
  }

  async #migrate(binding: string, folder: string): Promise<void> {
    const files = (await readdir(join(ROOT, folder)))
      .filter((name) => name.endsWith(".sql"))
      .sort();
    for (const file of files)
      for (const statement of unstable_splitSqlQuery(
        await readFile(join(ROOT, folder, file), "utf8"),
      ))
        await this.run(binding, statement);
  }
}

function optionsOf(
  { config, script }: Bundle,
  { state, port, entryPort, vars, heard }: RuntimeSettings,
  restarted: () => void,
) {
  const { assets: _, ...workerOptions } = unstable_getMiniflareWorkerOptions(config).workerOptions;
  return convertV4MiniflareOptions({
    host: "127.0.0.1",
    port: entryPort,
    cf: false,
    log: new Log(LogLevel.NONE),
    resourcePersistencePath: state,
    unsafeHandleRuntimeRestart: restarted,
    handleStructuredLogs: ({ message }) => heard(message),
    workers: [
      {
        ...workerOptions,
        name: NAME,
        bindings: vars,
        modules: [{ type: "ESModule", path: script }],
        modulesRoot: dirname(script),
        unsafeDirectSockets: [{ host: "127.0.0.1", port }],
      },
    ],
  });
}
