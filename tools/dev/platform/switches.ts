// The switches that make the local stack as strict as Cloudflare (docs/real-platform.md lists them
// with their sources). `npm start -- --platform=real` turns all of them on. Pure.

/** Switches of the local Email Service. Each adds a behaviour of real accounts. */
export const SERVICE_SWITCHES = [
  "plain_errors",
  "exact_names",
  "late_start",
  "silent_destinations",
  "invalid_bounces",
] as const;

/** Limits of the platform that the local runtime does not have. */
export const RUNTIME_SWITCHES = [
  "latencies",
  "overload",
  "six_connections",
  "query_limit",
] as const;

export type RuntimeSwitch = (typeof RUNTIME_SWITCHES)[number];
export type PlatformSwitch = (typeof SERVICE_SWITCHES)[number] | RuntimeSwitch;

const SWITCHES: readonly PlatformSwitch[] = [...SERVICE_SWITCHES, ...RUNTIME_SWITCHES];
const ALL = "real";

/**
 * Reads `real`, or names of switches with commas between them. An empty text turns no switch on.
 * Returns the first unknown name.
 */
export function readSwitches(
  text: string,
): readonly PlatformSwitch[] | { readonly unknown: string } {
  const names = text.split(",").flatMap((name) => name.trim() || []);
  const unknown = names.find((name) => name !== ALL && !isSwitch(name));
  if (unknown !== undefined) return { unknown };
  return names.includes(ALL) ? SWITCHES : names.filter(isSwitch);
}

function isSwitch(name: string): name is PlatformSwitch {
  return (SWITCHES as readonly string[]).includes(name);
}
