// Finds the names of all settings that the gateway reads. It records which variables the reader
// asks for (smtp-gateway/src/config.ts).
import { type GatewaySettings, readSettings } from "../../smtp-gateway/src/config.ts";

/** The fewest settings with which the gateway starts both sending and receiving. */
const MINIMAL_SETTINGS: Readonly<Record<string, string>> = {
  GATEWAY_TOKEN: "t",
  GATEWAY_HOSTNAME: "smtp.example.test",
  SUBMISSION_PORTS: "587",
  RETURN_PATH: "true",
  WORKER_URL: "https://api.example.test",
  SUBMISSION_CERTIFICATE: "fullchain.pem",
  SUBMISSION_KEY: "privkey.pem",
};

/**
 * Returns the names of all settings that the gateway reads. The minimal settings switch on every
 * feature that has settings of its own.
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
