// The version that a deployment of this tree replaces: the last release. Before the first release,
// it is the commit before the last change of stored rows. CI's clone has this commit, but a shallow
// clone does not.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../tools/harness/compatibility.ts";

/** The commit that counts as the last release, until the repository has a tag `v*`. */
const BASE = "6f175ee361a7fb556589460c7d7e71574f9fccc2";

/** Returns the commit of the last release. Null: this clone of the repository does not have it. */
export function findLastVersion(): string | null {
  const release = git("describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^");
  return git("rev-parse", "--verify", `${release ?? BASE}^{commit}`);
}

/**
 * Extracts the files of a commit into the folder, and links this checkout's dependencies into it.
 */
export function extractTree(commit: string, folder: string): void {
  mkdirSync(folder);
  const tree = `${folder}.tar`;
  execFileSync("git", ["archive", "--output", tree, commit], { cwd: ROOT });
  execFileSync("tar", ["-xf", tree, "-C", folder]);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
}

function git(...args: readonly string[]): string | null {
  const { status, stdout } = spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}
