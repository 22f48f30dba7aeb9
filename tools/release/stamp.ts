// `npm run stamp`: writes the version and the published names from package.json (`version`,
// `published`) into all other places: the workspaces, the lockfiles, the API's description, and
// addresses and imports in pages, examples and tests.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "./git.ts";

/** The members of package.json that other files repeat. */
export interface Release {
  readonly version: string;
  readonly published: {
    /** The repository at GitHub: owner and name. */
    readonly repository: string;
    /** The package's name at npm, with a scope or without one. */
    readonly package: string;
  };
}

const PACKAGE = "packages/postern";
const LOCKFILE = "package-lock.json";
const GATEWAY_LOCKFILE = `smtp-gateway/${LOCKFILE}`;
/**
 * Files with the version in one place. In manifests, the version is the first member of that name.
 */
const VERSIONED: readonly (readonly [path: string, version: RegExp])[] = [
  ...["console", PACKAGE, "smtp-gateway", "test", "tools/bench"].map(
    (folder) => [`${folder}/package.json`, /(?<=^ {2}"version": ")[^"]+/m] as const,
  ),
  ["public/api/openapi.json", /(?<=^ {4}"version": ")[^"]+/m],
  ["src/api/openapi.ts", /(?<=^export const VERSION = ")[^"]+/m],
];
/**
 * Files that may have published names. Generated texts, records of the past and other people's mail
 * are not changed.
 */
const TEXT = /\.(?:cjs|css|go|html|js|json|md|mjs|php|py|rb|sh|ts|tsx|txt|ya?ml)$|CODEOWNERS$/;
const LEFT_ALONE =
  /^(?:CHANGELOG\.md|package\.json|docs\/decisions\/|public\/|test\/fixtures\/|tools\/release\/)|(?:^|\/)package-lock\.json$/;

/** Reads the values of package.json that other files repeat. */
export function readRelease(root: string): Release {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Release;
}

/**
 * Returns the files that differ from package.json. The key is the path, the value is the text that
 * the file should have.
 */
export function unstamped(root: string, release = readRelease(root)): Map<string, string> {
  const old = publishedBefore(root);
  const wrong = new Map<string, string>();
  const change = (path: string, edit: (text: string) => string): void => {
    const text = wrong.get(path) ?? readFileSync(join(root, path), "utf8");
    const edited = edit(text);
    if (edited !== text) wrong.set(path, edited);
  };
  for (const path of textsOf(root)) change(path, (text) => renamed(path, text, old, release));
  for (const [path, version] of VERSIONED)
    if (existsSync(join(root, path)))
      change(path, (text) => text.replace(version, release.version));
  change("package.json", (text) =>
    text.replace(/(?<=^ {2}"repository": "github:)[^"]+/m, release.published.repository),
  );
  change(LOCKFILE, (text) => lockfileOf(text, old.package, release));
  change(GATEWAY_LOCKFILE, (text) => lockfileOf(text, old.package, release));
  return wrong;
}

/** Returns the names that the files have now. It reads them from the package's own manifest. */
function publishedBefore(root: string): Release["published"] {
  const { name, repository } = JSON.parse(
    readFileSync(join(root, PACKAGE, "package.json"), "utf8"),
  ) as { name: string; repository: { url: string } };
  const [, slug = ""] = /github\.com\/(.+)\.git$/.exec(repository.url) ?? [];
  return { package: name, repository: slug };
}

function textsOf(root: string): string[] {
  return git(root, "ls-files", "-co", "--exclude-standard", "-z")
    .split("\0")
    .filter((path) => TEXT.test(path) && !LEFT_ALONE.test(path) && existsSync(join(root, path)));
}

/** Replaces the old names in a text with the new names. */
function renamed(
  path: string,
  text: string,
  old: Release["published"],
  { version, published }: Release,
): string {
  const name = escaped(old.package);
  const places: readonly (readonly [at: string, becomes: string])[] = [
    [`(?<![\\w-])${escaped(old.repository)}(?![\\w-])`, published.repository],
    [escaped(imageOf(old)), imageOf(published)],
    [`(?<=(?:from |require\\(|import\\(|"args": \\[)["'])${name}(?=["'])`, published.package],
    [`(?<=[Pp]ackage \\[?\`)${name}(?=\`)`, published.package],
    [`(?<=(?:npm install|npx) )${name}(?![\\w@/-])`, published.package],
    [`(?<=^ +")${name}(?=": "file:)`, published.package],
    [
      `${escaped(fileName(old.package))}-\\d+\\.\\d+\\.\\d+[\\w.-]*\\.tgz`,
      `${fileName(published.package)}-${version}.tgz`,
    ],
    ...(path === `${PACKAGE}/package.json`
      ? ([['(?<=^ {2}"name": ")[^"]+', published.package]] as const)
      : []),
    ...(path.endsWith("CODEOWNERS")
      ? ([[`(?<=@)${ownerOf(old)}\\b`, ownerOf(published)]] as const)
      : []),
  ];
  return places.reduce(
    (edited, [at, becomes]) => edited.replaceAll(new RegExp(at, "gm"), () => becomes),
    text,
  );
}

function ownerOf({ repository }: Release["published"]): string {
  return repository.split("/")[0] ?? "";
}

/** The gateway's image, without its tag. */
export function imageOf({ repository }: Release["published"]): string {
  return `ghcr.io/${repository.toLowerCase()}-gateway`;
}

/**
 * Returns the first part of the file name that npm gives to a packed package. The version follows.
 */
export function fileName(name: string): string {
  return name.replace(/^@/, "").replace("/", "-");
}

function lockfileOf(text: string, oldPackage: string, { version, published }: Release): string {
  const lockfile = JSON.parse(text) as {
    readonly packages: Record<string, Record<string, unknown>>;
  };
  // npm writes a workspace's name into the lockfile only if the name of its folder differs.
  const name = PACKAGE.endsWith(`/${published.package}`) ? {} : { name: published.package };
  const packages = Object.fromEntries(
    Object.entries(lockfile.packages).map(([path, entry]) => {
      if (path === `node_modules/${oldPackage}` && entry["link"] === true)
        return [`node_modules/${published.package}`, entry];
      if (path.includes("node_modules/") || !("version" in entry)) return [path, entry];
      const { name: _, ...others } = entry;
      return [path, path === PACKAGE ? { ...name, ...others, version } : { ...entry, version }];
    }),
  );
  return `${JSON.stringify({ ...lockfile, version, packages }, null, 2)}\n`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
