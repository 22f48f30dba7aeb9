// Runs the gateway as the only work of a process, with the settings of its environment. The first
// SIGTERM or SIGINT stops the gateway after its transactions. A second signal ends it at once.
import { readSettings } from "./config.ts";
import { SettingError } from "./setting-readers.ts";
import { REMOVED_SETTINGS, withoutEffect } from "./gateway-setting-table.ts";
import { startGateway } from "./gateway.ts";
import { log, stackOf } from "./gateway-log.ts";
import type { CheckSender } from "./inbound/reply-addresses.ts";

/** The part of `process` that the gateway uses. */
export interface HostProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  on(signal: "SIGTERM" | "SIGINT", listener: () => void): unknown;
  exit(code: number): void;
}

/**
 * Starts the gateway. `checkSenders` makes the function that checks the senders of replies and asks
 * these DNS servers.
 */
export async function runGateway(
  process: HostProcess,
  checkSenders: (dnsServers: readonly string[]) => CheckSender | null = () => null,
): Promise<void> {
  try {
    const settings = readSettings(process.env);
    const check = settings.intake && checkSenders(settings.dnsServers);
    const gateway = await startGateway(settings, undefined, undefined, check);
    for (const setting of withoutEffect(Object.keys(process.env)))
      log("warning", "setting_without_effect", {
        setting,
        why: REMOVED_SETTINGS.includes(setting) ? "it was removed" : "it is unknown",
      });
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
    log("error", "not_started", { error: isExplained ? error.message : stackOf(error) });
    process.exit(1);
  }
}
