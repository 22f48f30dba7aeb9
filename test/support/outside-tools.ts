// The programs of others that tests run. A test whose program this machine lacks is skipped, and the
// run counts it. `.ci/packages` names the Debian packages that CI installs for them.
import { spawnSync } from "node:child_process";

/** Commands by program. A command succeeds if the tests can run its program. */
const PROBES = {
  bash: ["bash", "--version"],
  dkimpy: ["/usr/bin/python3", "-c", "import dkim"],
  fish: ["fish", "--version"],
  go: ["go", "version"],
  msmtp: ["msmtp", "--version"],
  php: ["php", "-r", "exit(extension_loaded('curl') ? 0 : 1);"],
  promtool: ["promtool", "--version"],
  python: ["python3", "--version"],
  rails: ["ruby", "-e", 'require "action_mailer"; require "active_job"'],
  ruby: ["ruby", "--version"],
  // swaks needs a Perl module for TLS. Debian recommends this module, but does not require it.
  swaks: ["sh", "-c", 'swaks --support | grep -q "TLS supported"'],
  zsh: ["zsh", "--version"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type OutsideTool = keyof typeof PROBES;

export function hasTool(name: OutsideTool): boolean {
  const [program, ...args] = PROBES[name];
  return spawnSync(program, args).status === 0;
}
