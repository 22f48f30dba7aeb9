// What the operator still has to do by hand for the courier `gateway`: start it on its hosts, with the settings that agree with the worker's.
import type { Context } from "./context.ts";
import { listed } from "./rules.ts";

export function gatewayNotes({ settings }: Context): string[] {
  if (settings["OUTBOUND"] !== "gateway") return [];
  const hosts = listed(settings["MX_HOST"]);
  return [
    "",
    `On the gateway's host (${hosts.join(", ")}; smtp-gateway/README.md), with its egress reached at ${settings["EGRESS_URL"]}:`,
    `  GATEWAY_TOKEN=<the worker's> GATEWAY_HOSTNAME=${hosts.length === 1 ? hosts[0] : "<the host's own>"} WORKER_URL=${settings["PUBLIC_URL"]} RETURN_PATH=true SUBMISSION_PORTS=587 \\`,
    "  SUBMISSION_CERTIFICATE=/path/to/fullchain.pem SUBMISSION_KEY=/path/to/key.pem node smtp-gateway/src/main.ts",
    "",
  ];
}
