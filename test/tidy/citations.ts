// Finds the documents and headings that comments and pages cite and the repository does not have,
// so that a reader can follow every citation.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const PAGES = [
  "*.md",
  "docs/**/*.md",
  "examples/**/*.md",
  "smtp-gateway/*.md",
  "tools/bench/*.md",
  "vectors/*.md",
];

/**
 * Matches a document, and the heading in `document §Heading`. The match of a heading may go on to
 * the end of its sentence.
 */
const CITATION = /(?<![\w./-])((?:[\w-]+\/)*[\w-]+\.md)(?::? §([\w' -]+))?/g;
const DECISION = /\bdecision (\d{4})\b/g;
/** Matches a file of code that a page names, with or without its folders. */
const NAMED_FILE = /`((?:[\w.-]+\/)*[\w.-]+\.ts)`/g;
const LINK = /\]\((?![a-z]+:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g;

/**
 * Returns the citations of a TypeScript file that lead nowhere. Documents are searched in its
 * comments, headings in all of its text. `path` is relative to the root.
 */
export function brokenCitations(path: string, text: string): string[] {
  const comments = (text.match(/(?:^|\s)\/\/.*$|^\s*\/?\*.*$/gm) ?? []).join("\n");
  const headings = citedIn(text).filter(({ heading }) => heading !== undefined);
  return [...broken(path, [...citedIn(comments), ...headings]), ...brokenDecisions(path, text)];
}

/** The pages of the repository, relative to its root. */
export function pages(): string[] {
  return PAGES.flatMap((pattern) => globSync(pattern, { cwd: ROOT }));
}

/**
 * Returns the files of code that a page names and the repository does not have. A page may leave
 * out any of the folders. CHANGELOG.md is skipped, because it names former files.
 */
export function missingFiles(path: string, files: readonly string[]): string[] {
  if (path === "CHANGELOG.md") return [];
  const named = [...readFileSync(join(ROOT, path), "utf8").matchAll(NAMED_FILE)].map(
    ([, file = ""]) => file,
  );
  const isKnown = (file: string) =>
    existsSync(join(ROOT, file)) || files.some((one) => one.endsWith(`/${file}`));
  return named.filter((file) => !isKnown(file)).map((file) => `${path}: ${file}`);
}

/** Returns the citations and links of a page that lead nowhere. */
export function brokenReferences(path: string): string[] {
  const prose = withoutFences(readFileSync(join(ROOT, path), "utf8"));
  const links = [...prose.replace(/`[^`\n]*`/g, "").matchAll(LINK)].flatMap(
    ([link, file = "", anchor]) => {
      const target = file === "" ? path : normalize(join(dirname(path), file));
      const leads =
        existsSync(join(ROOT, target)) && (anchor === undefined || anchorsOf(target).has(anchor));
      return leads ? [] : [`${path}: ${link.slice(1)}`];
    },
  );
  return [...broken(path, citedIn(prose)), ...brokenDecisions(path, prose), ...links];
}

interface Citation {
  readonly document: string;
  readonly heading: string | undefined;
}

function citedIn(text: string): Citation[] {
  const joined = text.replace(/\n\s*(?:\/\/|\*)/g, "");
  return [...joined.matchAll(CITATION)].map(([, document = "", heading]) => ({
    document,
    heading,
  }));
}

function broken(path: string, citations: readonly Citation[]): string[] {
  const wrong = citations.filter((citation) => !isThere(citation, path));
  return [
    ...new Set(
      wrong.map(
        ({ document, heading }) =>
          `${path}: ${document}${heading === undefined ? "" : ` §${heading}`}`,
      ),
    ),
  ];
}

/**
 * Looks for a document at the root, in docs/, and in the citing file's top folder and own folder.
 * The further pages of a document lie in a folder of its name. A citation may end at the colon of a
 * heading.
 */
function isThere({ document, heading }: Citation, citedBy: string): boolean {
  const rooms = ["", "docs", citedBy.split("/")[0] ?? "", dirname(citedBy)];
  const found = rooms
    .map((room) => join(room, document))
    .filter((path) => existsSync(join(ROOT, path)));
  if (heading === undefined) return found.length > 0;
  const headings = found
    .flatMap((path) => [path, ...globSync(path.replace(/\.md$/, "/*.md"), { cwd: ROOT })])
    .flatMap(headingsOf)
    .map((words) => words.replace(/^[\d.]+ /, "").replace(/:.*/, ""));
  return headings.some((words) => heading === words || heading.startsWith(`${words} `));
}

function brokenDecisions(path: string, text: string): string[] {
  const cited = [...text.matchAll(DECISION)].map(([, number = ""]) => number);
  return cited
    .filter((number) => globSync(`docs/decisions/${number}-*.md`, { cwd: ROOT }).length !== 1)
    .map((number) => `${path}: decision ${number}`);
}

function headingsOf(page: string): string[] {
  const prose = withoutFences(readFileSync(join(ROOT, page), "utf8"));
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, words = ""]) => words);
}

/**
 * Returns the anchors that GitHub makes of a page's headings: in lower case, with only letters,
 * digits, hyphens and underscores, and with a hyphen for each space.
 */
export function anchorsOf(page: string): Set<string> {
  return new Set(
    headingsOf(page).map((words) =>
      words
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

function withoutFences(page: string): string {
  return page.replace(/^```[\s\S]*?^```/gm, "");
}
