// Runs the gateway as the only work of a process, with the settings of its environment. The first
// SIGTERM or SIGINT ends the gateway when its transactions are done. A second signal ends it at
// once.
import { readSettings } from "./config.ts";
import { SettingError } from "./setting-readers.ts";
import { startGateway } from "./gateway.ts";
import { log } from "./gateway-log.ts";

/** The part of `process` that the gateway uses. */
export interface HostProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  on(signal: "SIGTERM" | "SIGINT", listener: () => void): unknown;
  exit(code: number): void;
}

export async function runGateway(process: HostProcess): Promise<void> {
  try {
    const gateway = await startGateway(readSettings(process.env));
    let signals = 0;
    const stop = async (): Promise<void> => {
      if (signals++ > 0) return process.exit(1);
      await gateway.drain();
      process.exit(0);
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop());
  } catch (error) {
    const isExplained =
      error instanceof SettingError || (error instanceof Error && "code" in error);
    log("error", "not_started", {
      error: isExplained
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error),
    });
    process.exit(1);
  }
}
