// Decides whether the tree can be released, and what its changelog and notes would be.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Entry, gather, malformed, notesOf, readEntries } from "./changes.ts";
import { git } from "./git.ts";
import { readRelease, type Release, unstamped } from "./stamp.ts";

const PLACEHOLDER = "OWNER/";

export interface PreparedRelease {
  readonly release: Release;
  readonly entries: readonly Entry[];
  readonly changelog: string;
  readonly notes: string;
  /** The reasons against a release. If the list is empty, the tree can be released. */
  readonly problems: readonly string[];
}

export function prepare(
  root: string,
  { isDry, mayBeDirty }: { isDry: boolean; mayBeDirty: boolean },
): PreparedRelease {
  const release = readRelease(root);
  const { version } = release;
  const entries = readEntries(root);
  const changelog = gather(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version, entries);
  const notes = notesOf(changelog, version) ?? "";
  const dirty = git(root, "status", "--porcelain").trim();
  const problems = [
    ...(dirty === "" || mayBeDirty ? [] : [`the tree has changes: commit them first\n${dirty}`]),
    ...[...unstamped(root).keys()].map(
      (path) => `${path} differs from package.json: npm run stamp`,
    ),
    ...malformed(entries),
    ...(notes === "" ? [`neither changes/ nor CHANGELOG.md has an entry about ${version}`] : []),
    ...tagProblems(release),
    ...(isDry ? [] : finalProblems(root, release)),
  ];
  return { release, entries, changelog, notes, problems };
}

/**
 * Returns the problems with a tag that started the workflow. The tag must belong to this version,
 * and package.json must name the workflow's repository.
 */
function tagProblems({ version, published }: Release): string[] {
  const { GITHUB_REF_TYPE: kind, GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: here } = process.env;
  if (kind !== "tag") return [];
  return [
    ...(tag === `v${version}` ? [] : [`the tag is ${tag}, but package.json says ${version}`]),
    ...(here === published.repository
      ? []
      : [
          `package.json publishes ${published.repository}, but this repository is ${here}: set ` +
            '"published"',
        ]),
  ];
}

function finalProblems(root: string, { version, published }: Release): string[] {
  return [
    ...(git(root, "tag", "--list", `v${version}`) === ""
      ? []
      : [`v${version} is tagged already: set the next version in package.json, npm run stamp`]),
    ...(published.repository.startsWith(PLACEHOLDER)
      ? ['package.json publishes a placeholder: set "published", npm run stamp']
      : []),
  ];
}
