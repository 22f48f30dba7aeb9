// Starts what several benches measure: the worker, its gateway, and the mail server that accepts
// everything (smtp/sink.ts).
import { type Child, startNode } from "../../harness/child.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import { VARS } from "../../harness/tenant.ts";
import { type Bundle, bundleWorker } from "../../harness/worker-bundle.ts";
import { startWorker, type Worker, type WorkerSettings } from "../../harness/workerd.ts";
import { type GatewayProcess, startGateway, toRoutes } from "../smtp/gateway-process.ts";
import type { SinkCommand, ReceivedMessages } from "../smtp/sink.ts";

/** Starts a server of ours, which reports the port on which it listens. */
export async function startServer(
  cleanup: Cleanup,
  entry: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly child: Child; readonly port: number }> {
  const child = startNode(cleanup, entry, { env });
  const [, port] = await child.says(/^listening on (\d+)$/);
  return { child, port: Number(port) };
}

/** Starts a program of ours that waits for commands. */
export async function startProgram(
  cleanup: Cleanup,
  entry: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Child> {
  const child = startNode(cleanup, entry, { env });
  await child.says(/^ready$/);
  return child;
}

/** The mail server that accepts everything. */
export class Sink {
  readonly child: Child;
  readonly port: number;

  private constructor({ child, port }: { readonly child: Child; readonly port: number }) {
    this.child = child;
    this.port = port;
  }

  static async start(cleanup: Cleanup, env: Readonly<Record<string, string>> = {}): Promise<Sink> {
    return new Sink(await startServer(cleanup, import.meta.resolve("../smtp/sink.ts"), env));
  }

  /** A shut sink answers no command. Each call resets the count. */
  async setOpen(isOpen: boolean): Promise<void> {
    const command: SinkCommand = { open: isOpen };
    await this.child.ask(command, COMMAND_MS);
  }

  /** Waits for this many messages since the reset. Returns the times of all messages. */
  async arrivals(messages: number, withinMs: number): Promise<readonly number[]> {
    const command: SinkCommand = { wait: messages, withinMs };
    return (await this.child.ask<ReceivedMessages>(command, withinMs + COMMAND_MS)).at;
  }
}

const COMMAND_MS = 10_000;

export interface BenchSystem {
  readonly sink: Sink;
  readonly gateway: GatewayProcess;
  readonly worker: Worker;
}

/** `settings` are added to the settings of the gateway. */
export async function startSystem(
  cleanup: Cleanup,
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchSystem> {
  const sink = await Sink.start(cleanup);
  const gateway = await startGateway(cleanup, { ...toRoutes(sink.port), ...settings });
  const worker = await startWorkerFor(cleanup, await bundleWorker(cleanup), gateway.origin);
  return { sink, gateway, worker };
}

/** Starts the worker. It sends its mail through the gateway at `egress`. */
export function startWorkerFor(
  cleanup: Cleanup,
  bundle: Bundle,
  egress: string,
  { vars, ...settings }: Partial<WorkerSettings> = {},
): Promise<Worker> {
  const own = { ...VARS, EGRESS_URL: egress, WEBHOOK_ALLOW_PRIVATE: "true", ...vars };
  return startWorker(cleanup, bundle, { ...settings, vars: own });
}
