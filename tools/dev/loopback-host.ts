// Checks that a request's Host header names this machine. A page of another site can make its own
// name resolve to 127.0.0.1 (DNS rebinding). Its requests then reach the local servers, but their
// Host header still has that name.
import { isIPv4 } from "node:net";

/**
 * Tells whether a Host header names this machine. `host` is its value, with or without a port.
 * Returns false without a header, because then the target is unknown.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/
    .exec(host ?? "")?.[1]
    ?.toLowerCase()
    .replace(/\.$/, "");
  if (!name) return false;
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "[::1]" ||
    (isIPv4(name) && name.startsWith("127."))
  );
}
