// The names of all settings that the gateway reads, learnt from the reading itself
// (smtp-gateway/src/config.ts).
import { type GatewaySettings, readSettings } from "../../smtp-gateway/src/config.ts";

/** The least that settings of both directions need. */
export const MINIMAL_SETTINGS: Readonly<Record<string, string>> = {
  GATEWAY_TOKEN: "t",
  GATEWAY_HOSTNAME: "smtp.example.test",
  SUBMISSION_PORTS: "587",
  RETURN_PATH: "true",
  WORKER_URL: "https://api.example.test",
  SUBMISSION_CERTIFICATE: "fullchain.pem",
  SUBMISSION_KEY: "privkey.pem",
};

/** What is read where everything is set that opens more of them. */
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
