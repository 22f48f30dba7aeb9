// Commits the changelog with the gathered entries, and tags the version.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "./git.ts";
import type { PreparedRelease } from "./readiness.ts";

/** Commits and tags. Returns the tag. If it is pushed, the workflow publishes the release. */
export function tagRelease(root: string, { release, entries, changelog }: PreparedRelease): string {
  const tag = `v${release.version}`;
  if (entries.length > 0) {
    writeFileSync(join(root, "CHANGELOG.md"), changelog);
    for (const { path } of entries) rmSync(join(root, path));
    git(root, "add", "--all", "CHANGELOG.md", ...entries.map(({ path }) => path));
    const subject = `changelog: gather the changes of ${release.version}`;
    git(root, "commit", "--quiet", "--message", subject);
  }
  git(root, "tag", "--annotate", tag, "--message", tag);
  return tag;
}
