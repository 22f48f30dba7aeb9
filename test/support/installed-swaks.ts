// Tells whether this machine has a swaks for the tests that run it.
import { spawnSync } from "node:child_process";

const SWAKS = "swaks";

/** swaks needs a Perl module for TLS. Debian recommends this module, but does not require it. */
export function hasSwaks(): boolean {
  // A command that is not installed has no output at all, although the type says otherwise.
  const { stdout }: { stdout?: string | null } = spawnSync(SWAKS, ["--support"], {
    encoding: "utf8",
  });
  return stdout?.includes("TLS supported") ?? false;
}
