// Starts the gateway with the settings of its environment. The first SIGTERM or SIGINT ends the
// gateway when its transactions are done. A second signal ends it at once.
import { type GatewaySettings, readSettings } from "./config.ts";
import { SettingError } from "./setting-readers.ts";
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
  await main(readSettings(process.env));
} catch (error) {
  const isExplained = error instanceof SettingError || (error instanceof Error && "code" in error);
  log("error", "not_started", {
    error: isExplained
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error),
  });
  process.exit(1);
}
