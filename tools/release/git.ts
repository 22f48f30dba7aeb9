// Reads the state of the tree from git, makes commits and sets tags.
import { spawnSync } from "node:child_process";

/** Runs git, and returns what it prints. */
export function git(root: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 24,
  });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}
