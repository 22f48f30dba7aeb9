// The entries of the changelog. Each change has a file in changes/, and a release gathers them into
// CHANGELOG.md under its version. The first word of a file's name is its section.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Sections in the order of the changelog. The key is the word with which a file's name begins. */
const SECTIONS: Readonly<Record<string, string>> = {
  sending: "Sending",
  templates: "Templates",
  delivery: "Delivery",
  outcomes: "What became of the mail",
  domains: "Domains",
  console: "Console",
  client: "Client and command line",
  agents: "Agents",
  api: "API",
  operating: "Operating",
  development: "Development",
};
const FOLDER = "changes";
const ENTRY_CHARACTERS = 400;
const NAME = /^([a-z]+)-[a-z0-9-]+\.md$/;

export interface Entry {
  /** Path of the entry's file, relative to the repository's root. */
  readonly path: string;
  readonly section: string;
  readonly text: string;
}

/** Reads the entries. The folder may be missing, because git does not keep an empty folder. */
export function readEntries(root: string): Entry[] {
  const folder = join(root, FOLDER);
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  return names.map((name) => ({
    path: `${FOLDER}/${name}`,
    section: NAME.exec(name)?.[1] ?? "",
    text: readFileSync(join(folder, name), "utf8"),
  }));
}

/** Returns the faults in the form of each entry. */
export function malformed(entries: readonly Entry[]): string[] {
  return entries.flatMap(({ path, section, text }) => {
    const problem = !(section in SECTIONS)
      ? "the name must be <section>-<change>.md, with one of the sections " +
        Object.keys(SECTIONS).join(", ")
      : !/^[^\s#*>-]/.test(text)
        ? "it must begin with its first sentence: no heading, no bullet, no front matter"
        : !/[.)]\n$/.test(text)
          ? "it must end with a full stop and one line break"
          : text.trimEnd().includes("\n\n")
            ? "it must be one paragraph"
            : text.length > ENTRY_CHARACTERS
              ? `it has ${text.length} characters; at most ${ENTRY_CHARACTERS} are allowed`
              : undefined;
    return problem === undefined ? [] : [`${path}: ${problem}`];
  });
}

/** Returns a version's notes without their heading. Undefined: the changelog has no notes of it. */
export function notesOf(changelog: string, version: string): string | undefined {
  const [, ...parts] = changelog.split(/^## /m);
  const part = parts.find((one) => one.startsWith(`${version}\n`));
  return part?.slice(version.length).trim();
}

/** Adds entries to the section of a version. If the version has no section, adds one at the top. */
export function gather(changelog: string, version: string, entries: readonly Entry[]): string {
  if (entries.length === 0) return changelog;
  const known = notesOf(changelog, version);
  const [introduction = "", ...lists] = (known ?? "").split(/^### /m);
  const sections = new Map(
    lists.map((list) => {
      const [title = "", ...lines] = list.trim().split("\n");
      return [title, lines.join("\n").trim()] as const;
    }),
  );
  for (const [word, title] of Object.entries(SECTIONS)) {
    const bullets = entries
      .filter(({ section }) => section === word)
      .map(({ text }) => `- ${text.trim().replaceAll("\n", " ")}`);
    if (bullets.length > 0)
      sections.set(title, [sections.get(title) ?? [], bullets].flat().join("\n"));
  }
  const titles = [...new Set([...Object.values(SECTIONS), ...sections.keys()])];
  const body = [
    ...(introduction.trim() === "" ? [] : [introduction.trim()]),
    ...titles
      .filter((title) => sections.has(title))
      .map((title) => `### ${title}\n\n${sections.get(title)}`),
  ].join("\n\n");
  const [head = "", ...versions] = changelog.split(/^(?=## )/m);
  const others = versions.filter((one) => !one.startsWith(`## ${version}\n`));
  return `${[head.trim(), `## ${version}\n\n${body}`, ...others.map((one) => one.trim())].join("\n\n")}\n`;
}
