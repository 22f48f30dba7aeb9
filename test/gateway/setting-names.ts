// Finds the names of all settings that the gateway reads. It records which variables the reader
// asks for (smtp-gateway/src/config.ts).
import { type GatewaySettings, readSettings } from "../../smtp-gateway/src/config.ts";

/** The fewest settings with which sending and receiving both start. */
export const MINIMAL_SETTINGS: Readonly<Record<string, string>> = {
  GATEWAY_TOKEN: "t",
  GATEWAY_HOSTNAME: "smtp.example.test",
  SUBMISSION_PORTS: "587",
  RETURN_PATH: "true",
  WORKER_URL: "https://api.example.test",
  SUBMISSION_CERTIFICATE: "fullchain.pem",
  SUBMISSION_KEY: "privkey.pem",
};

/**
 * Returns the names that the gateway reads if every setting is set that makes it read further ones.
 */
export function settingNames(): Set<string> {
  const names = new Set<string>();
  const environment = new Proxy(MINIMAL_SETTINGS, {
    get(target, name) {
      names.add(String(name));
      return target[String(name)];
    },
  });
  readSettings(environment);
  return names;
}

export function settingsWith(changes: Readonly<Record<string, string>>): GatewaySettings {
  return readSettings({ ...MINIMAL_SETTINGS, ...changes });
}
