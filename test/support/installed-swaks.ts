// Tells whether swaks is installed on this machine, for the tests that run it.
import { spawnSync } from "node:child_process";

const SWAKS = "swaks";

/** swaks needs a Perl module for TLS. Debian recommends this module, but does not require it. */
export function hasSwaks(): boolean {
  // If the command is not installed, `stdout` is null, although the type does not say so.
  const { stdout }: { stdout?: string | null } = spawnSync(SWAKS, ["--support"], {
    encoding: "utf8",
  });
  return stdout?.includes("TLS supported") ?? false;
}
