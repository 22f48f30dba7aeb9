// Prints the remaining work of the operator with the courier `gateway`: to start the gateway on
// each of its hosts, as a systemd service or in a container, with settings that match the worker's.
// The text names the token but never shows it. For the courier `cloudflare`, it prints which
// features need a gateway.
import type { Context } from "./setup-context.ts";
import { hostOf } from "./setting-prompts.ts";
import { splitList } from "./rules.ts";

export function gatewayInstructions({
  settings,
  file,
}: Pick<Context, "settings" | "file">): string[] {
  if (settings["OUTBOUND"] !== "gateway") return [];
  const urls = splitList(settings["EGRESS_URL"]);
  const names = namesFor(urls, splitList(settings["MX_HOST"]));
  const [own = "", ...others] = names;
  const isOne = others.length === 0;
  const token =
    file.kept.secrets["GATEWAY_TOKEN"] === undefined
      ? "the worker's GATEWAY_TOKEN"
      : `the GATEWAY_TOKEN in ${file.path}`;
  const certificate = isOne ? own : "the host's name";
  return [
    "",
    `Still to be done: the gateway, on ${names.join(" and on ")} (smtp-gateway/README.md has ` +
      "each step):",
    `  1. Create its files in /etc/postern-gateway: token (${token}), tls (the certificate for ` +
      `${certificate}), and environment with:`,
    `       GATEWAY_HOSTNAME=${own}${isOne ? "" : `   (on the other${others.length > 1 ? "s" : ""} ${others.join(", ")})`}`,
    `       WORKER_URL=${settings["PUBLIC_URL"]}`,
    `       SERVICE_DOMAIN=${settings["SERVICE_DOMAIN"]}`,
    "       SUBMISSION_PORTS=587",
    "       RETURN_PATH=true",
    "  2. Start it as a service (smtp-gateway/systemd/postern-gateway.service), or in a " +
      "container (smtp-gateway/Dockerfile)",
    `  3. Let the worker reach its port 2580 at ${urls.join(" and ")}, through a proxy that ` +
      "speaks TLS (HAProxy). Open port 25 inwards and outwards, and set up reverse DNS",
    "",
  ];
}

/**
 * Returns a hint for the courier `cloudflare`: SMTP submission needs the gateway. The Email Service
 * has its own SMTP submission, but it does not accept Postern's API keys.
 */
export function submissionInstructions({ settings }: Pick<Context, "settings">): string[] {
  return settings["OUTBOUND"] === "cloudflare"
    ? [
        "Mail needs no host of yours. Only SMTP submission needs the gateway. The gateway can " +
          "run with submission alone (docs/set-up.md, SMTP submission without port 25).",
      ]
    : [];
}

/**
 * Returns the gateways' own host names. If each gateway has an MX host, returns the MX hosts.
 * Otherwise, returns the hosts of the gateways' URLs.
 */
function namesFor(urls: readonly string[], mailHosts: readonly string[]): string[] {
  if (mailHosts.length >= urls.length) return [...mailHosts];
  return [...new Set(urls.map((url) => hostOf(url) ?? url))];
}
