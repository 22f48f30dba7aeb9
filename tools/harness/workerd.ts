// Runs a bundle in workerd under Miniflare, on its direct socket. The worker has no proxy in front,
// its state is on disk, and its databases are migrated.
import { dirname } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { type Bundle } from "./worker-bundle.ts";
import { type Cleanup, temporaryFolder } from "./cleanup.ts";
import { IsolateInspector } from "./isolate-inspector.ts";
import { childrenNamed } from "./machine.ts";
import { ENDING_SIGNALS } from "./process-table.ts";
import { Stores, storesBeside } from "./stores.ts";

export interface Worker {
  /** URL of the form `http://127.0.0.1:port`. */
  readonly origin: string;
  /** Process id of workerd, for cpuSeconds(). */
  readonly pid: number;
  readonly stores: Stores;
  /**
   * Fires the hourly trigger as if the time were `now` (Unix milliseconds), and waits until it has
   * run. Returns the log entries that the worker wrote during this time.
   */
  sweep(now: number): Promise<string[]>;
  /** The worker's latest logged errors. */
  errors(): readonly string[];
  /** Measures the isolate of the worker and of all its Durable Objects. */
  inspect(): Promise<IsolateInspector>;
}

export interface WorkerSettings {
  /** The folder of the worker's state. The default is a new folder. */
  readonly state?: string;
  /** True: an earlier start has made the tables. */
  readonly hasTables?: boolean;
  /** Port of the worker. The default is any free port. */
  readonly port?: number;
  /** Variables that replace the configuration's `vars` or are added to them. */
  readonly vars: Readonly<Record<string, string>>;
  /** The bundle that runs the Durable Objects of these bindings in place of the worker. */
  readonly objects?: { readonly bundle: Bundle; readonly bindings: readonly string[] };
  /** Additional producers of queues: the name of each queue, by binding. */
  readonly producers?: Readonly<Record<string, string>>;
  /** True: inspect() works. */
  readonly isInspected?: boolean;
}

const ERRORS_KEPT = 10;
const NAME = "bench";
const OBJECTS = "objects";

export async function startWorker(
  cleanup: Cleanup,
  bundle: Bundle,
  { state, hasTables, port, vars, objects, producers, isInspected }: WorkerSettings,
): Promise<Worker> {
  const folder = state ?? (await temporaryFolder(cleanup));
  const before = new Set(childrenNamed(process.pid, "workerd"));
  const errors: string[] = [];
  let noted: string[] = [];
  const giveBackSignals = noteSignals();
  const main = optionsOf(bundle, NAME, vars, port, producers);
  const workers = objects ? besideObjects(main, objects, vars) : [main];
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      log: new Log(LogLevel.ERROR),
      unsafeTriggerHandlers: true,
      ...(isInspected && { inspectorPort: 0 }),
      resourcePersistencePath: folder,
      handleStructuredLogs: ({ level, message }) => {
        noted.push(message);
        if (level === "error")
          errors.splice(0, errors.length, ...[...errors, message].slice(-ERRORS_KEPT));
      },
      workers: [...workers, storesBeside(workers[0]!)],
    }),
  );
  giveBackSignals();
  cleanup.add(() => miniflare.dispose());
  await miniflare.ready;
  const pid = childrenNamed(process.pid, "workerd").find((one) => !before.has(one));
  if (pid === undefined) throw new Error("Miniflare started, but no workerd was found");
  const stores = new Stores(miniflare);
  const worker: Worker = {
    origin: (await miniflare.unsafeGetDirectURL(NAME)).origin,
    pid,
    stores,
    async sweep(now) {
      noted = [];
      const response = await miniflare.dispatchFetch(
        `http://worker/cdn-cgi/local/scheduled?time=${now}`,
      );
      if (!response.ok) throw new Error(`the sweep: ${response.status} ${await response.text()}`);
      return noted;
    },
    errors: () => errors,
    inspect: async () =>
      new IsolateInspector(await miniflare.getInspectorURL(), `core:user:${NAME}`, () =>
        fetch(worker.origin),
      ),
  };
  if (!hasTables) await stores.migrate(Object.keys(main.d1Databases));
  return worker;
}

function optionsOf(
  { config, script }: Bundle,
  name: string,
  vars: Readonly<Record<string, string>>,
  port = 0,
  producers: Readonly<Record<string, string>> = {},
) {
  // Static assets are left out, because Miniflare would put its own router in front of the worker.
  // A deployment has such a router too, but it uses none of the worker's time.
  const { assets: _, ...workerOptions } = unstable_getMiniflareWorkerOptions(config).workerOptions;
  const { d1Databases = {}, durableObjects = {}, queueProducers = {} } = workerOptions;
  const further = Object.entries(producers).map(([binding, queueName]) => [binding, { queueName }]);
  return {
    ...workerOptions,
    d1Databases: d1Databases as Record<string, { id: string }>,
    durableObjects: durableObjects as Record<string, { className: string }>,
    queueProducers: { ...(queueProducers as object), ...Object.fromEntries(further) },
    name,
    bindings: vars,
    modules: [{ type: "ESModule" as const, path: script }],
    modulesRoot: dirname(script),
    unsafeDirectSockets: [{ host: "127.0.0.1", port }],
  };
}

/**
 * Returns two workers: the main worker, and the worker with the Durable Objects. Both can call all
 * objects.
 */
function besideObjects(
  main: ReturnType<typeof optionsOf>,
  { bundle, bindings }: NonNullable<WorkerSettings["objects"]>,
  vars: Readonly<Record<string, string>>,
) {
  const beside = optionsOf(bundle, OBJECTS, vars);
  const placed = Object.fromEntries(
    Object.entries(main.durableObjects).map(([binding, object]) => [
      binding,
      { ...object, scriptName: bindings.includes(binding) ? OBJECTS : NAME },
    ]),
  );
  // Only the main worker consumes the queues.
  return [
    { ...main, durableObjects: placed },
    { ...beside, durableObjects: placed, queueConsumers: {}, cronTriggers: [] },
  ];
}

/**
 * Removes Miniflare's listeners. They would end this process at a signal, and leave the other
 * processes running.
 */
function noteSignals(): () => void {
  const before = ENDING_SIGNALS.map((signal) => process.listeners(signal));
  return () => {
    for (const [index, signal] of ENDING_SIGNALS.entries()) {
      const added = process
        .listeners(signal)
        .filter((listener) => !before[index]!.includes(listener));
      for (const listener of added) process.removeListener(signal, listener);
    }
  };
}
