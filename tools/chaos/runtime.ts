// Runs workerd with the faulty worker, under Miniflare on a direct socket. It can be killed any
// number of times and starts again with the same port and state. A kill loses the messages of the
// queues, because these are in workerd's memory.
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { type Bundle } from "../harness/worker-bundle.ts";
import type { Cleanup } from "../harness/cleanup.ts";
import { childrenNamed } from "../harness/machine.ts";
import { ENDING_SIGNALS } from "../harness/process-table.ts";
import { Stores, storesBeside } from "../harness/stores.ts";
import { EVENTS_BINDING } from "../dev/email-service/wrapped-worker.ts";

export interface RuntimeSettings {
  /** Folder of workerd's state. */
  readonly state: string;
  readonly port: number;
  /**
   * Miniflare's own port. It is fixed: after a kill, another connection may use a port that was
   * chosen before the kill.
   */
  readonly entryPort: number;
  readonly vars: Readonly<Record<string, string>>;
  /** Is called with every line that the worker logs. */
  readonly onLog: (line: string) => void;
}

const NAME = "chaos";
const EVENTS_QUEUE = "postern-email-events";

const RESTART_MS = 10 * 60_000;

export class Runtime {
  readonly origin: string;
  readonly stores: Stores;
  readonly #miniflare: Miniflare;
  readonly #optionsWith: (vars: Readonly<Record<string, string>>) => WorkerdOptions;
  /** Set while workerd is down. */
  #restarting: PromiseWithResolvers<void> | undefined;

  private constructor(bundle: Bundle, settings: RuntimeSettings) {
    this.origin = `http://127.0.0.1:${settings.port}`;
    this.#optionsWith = (vars) =>
      optionsOf(bundle, { ...settings, vars: { ...settings.vars, ...vars } }, () =>
        this.#restarted(),
      );
    this.#miniflare = new Miniflare(this.#optionsWith({}));
    this.stores = new Stores(this.#miniflare);
  }

  /** Resolves when workerd is up and its databases are migrated. */
  static async start(
    cleanup: Cleanup,
    bundle: Bundle,
    settings: RuntimeSettings,
  ): Promise<Runtime> {
    const listeners = ENDING_SIGNALS.map((signal) => process.listeners(signal));
    const runtime = new Runtime(bundle, settings);
    // Miniflare's listeners would end this process at a signal and leave other processes running.
    for (const [index, signal] of ENDING_SIGNALS.entries())
      for (const added of process
        .listeners(signal)
        .filter((one) => !listeners[index]!.includes(one)))
        process.removeListener(signal, added);
    cleanup.add(() => runtime.#miniflare.dispose());
    await runtime.#miniflare.ready;
    runtime.#restarted();
    await runtime.stores.migrate(["DB", "SHARD_0"]);
    return runtime;
  }

  get isUp(): boolean {
    return this.#restarting === undefined;
  }

  /**
   * Kills workerd after it was silent for `downMs`. Miniflare restarts it. Resolves when workerd is
   * up again. A second call during the restart waits for the same restart.
   */
  kill(downMs = 0): Promise<void> {
    return this.#restart(async () => {
      if (downMs > 0) signalWorkerd("SIGSTOP");
      await sleep(downMs);
      signalWorkerd("SIGKILL");
    });
  }

  /** Restarts workerd with other settings, as a deployment does. Resolves when it is up. */
  async deploy(vars: Readonly<Record<string, string>>): Promise<void> {
    await this.#restarting?.promise;
    await this.#restart(async () => {
      await this.#miniflare.setOptions(this.#optionsWith(vars));
      this.#restarted();
    });
  }

  #restart(act: () => Promise<void>): Promise<void> {
    if (this.#restarting) return this.#restarting.promise;
    this.#restarting = Promise.withResolvers();
    const { promise, reject } = this.#restarting;
    const timer = setTimeout(() => reject(new Error("workerd did not start again")), RESTART_MS);
    act().catch(reject);
    return promise.finally(() => clearTimeout(timer));
  }

  #restarted(): void {
    this.#restarting?.resolve();
    this.#restarting = undefined;
  }
}

type WorkerdOptions = ReturnType<typeof optionsOf>;

function signalWorkerd(signal: NodeJS.Signals): void {
  for (const pid of childrenNamed(process.pid, "workerd")) process.kill(pid, signal);
}

function optionsOf(
  { config, script }: Bundle,
  { state, port, entryPort, vars, onLog: heard }: RuntimeSettings,
  restarted: () => void,
) {
  const {
    assets: _,
    queueProducers,
    ...workerOptions
  } = unstable_getMiniflareWorkerOptions(config).workerOptions;
  const { d1Databases = {}, durableObjects = {} } = workerOptions;
  const worker = {
    ...workerOptions,
    d1Databases: d1Databases as Record<string, { id: string }>,
    durableObjects: durableObjects as Record<string, { className: string }>,
    name: NAME,
    bindings: vars,
    queueProducers: {
      ...(queueProducers as object),
      [EVENTS_BINDING]: { queueName: EVENTS_QUEUE },
    },
    modules: [{ type: "ESModule" as const, path: script }],
    modulesRoot: dirname(script),
    unsafeDirectSockets: [{ host: "127.0.0.1", port }],
  };
  return convertV4MiniflareOptions({
    host: "127.0.0.1",
    port: entryPort,
    cf: false,
    log: new Log(LogLevel.NONE),
    resourcePersistencePath: state,
    unsafeHandleRuntimeRestart: restarted,
    handleStructuredLogs: ({ message }) => heard(message),
    workers: [worker, storesBeside(worker)],
  });
}
