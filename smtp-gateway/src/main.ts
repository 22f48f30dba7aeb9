// Starts the gateway from its environment, and ends it on SIGTERM or SIGINT when its transactions
// are done; a second signal ends it at once.
import { SettingError, type GatewaySettings, settingsFrom } from "./config.ts";
import { startGateway } from "./gateway.ts";
import { log } from "./gateway-log.ts";

async function main(settings: GatewaySettings): Promise<void> {
  const gateway = await startGateway(settings);
  let signals = 0;
  const stop = async (): Promise<void> => {
    if (signals++ > 0) process.exit(1);
    await gateway.drain();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop());
}

try {
  await main(settingsFrom(process.env));
} catch (error) {
  const named = error instanceof SettingError || (error instanceof Error && "code" in error);
  log("error", "not_started", {
    error: named
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error),
  });
  process.exit(1);
}
