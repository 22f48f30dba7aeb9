// Templates as a folder in git: a subfolder for each, with `template.json` (name and subject), the
// content as HTML or Markdown, and perhaps `variables.json` for a preview.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wrongUsage } from "../exit-codes.ts";

const ABOUT = "template.json";
const VARIABLES = "variables.json";
const CONTENT = { html: "content.html", markdown: "content.md" } as const;

export interface LocalTemplate {
  readonly name: string;
  readonly subject: string | null;
  readonly kind: "html" | "markdown";
  readonly content: string;
}

/** Returns the templates' folders, in the order of their names. */
export function templateFolders(root: string): readonly string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .map((name) => join(root, name))
    .filter((folder) => existsSync(join(folder, ABOUT)))
    .toSorted();
}

/** Throws a CommandFailure if the folder does not hold a template. */
export function readTemplate(folder: string): LocalTemplate {
  const about = readJson(join(folder, ABOUT)) as { name?: unknown; subject?: unknown };
  if (typeof about.name !== "string") throw wrongUsage(`${join(folder, ABOUT)} has no name`);
  const kind = existsSync(join(folder, CONTENT.html)) ? "html" : "markdown";
  const path = join(folder, CONTENT[kind]);
  if (!existsSync(path))
    throw wrongUsage(`${folder} has neither ${CONTENT.html} nor ${CONTENT.markdown}`);
  const subject = typeof about.subject === "string" ? about.subject : null;
  return { name: about.name, subject, kind, content: readFileSync(path, "utf8") };
}

/** Returns the values for a preview: none if the folder has no file of them. */
export function readVariables(folder: string): Record<string, unknown> {
  const path = join(folder, VARIABLES);
  return existsSync(path) ? (readJson(path) as Record<string, unknown>) : {};
}

/** Writes the template into the folder that has its name, or into a new one. Returns the folder. */
export function writeTemplate(root: string, template: LocalTemplate): string {
  const known = templateFolders(root).find((one) => readTemplate(one).name === template.name);
  const folder = known ?? freshFolder(root, template.name);
  mkdirSync(folder, { recursive: true });
  const { name, subject, kind, content } = template;
  writeFileSync(join(folder, ABOUT), `${JSON.stringify({ name, subject }, null, 2)}\n`);
  writeFileSync(join(folder, CONTENT[kind]), content);
  rmSync(join(folder, CONTENT[kind === "html" ? "markdown" : "html"]), { force: true });
  return folder;
}

/** Two names may make one folder's name: the second gets a number. */
function freshFolder(root: string, name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
  const base = join(root, slug === "" ? "template" : slug);
  for (let number = 1; ; number += 1) {
    const folder = number === 1 ? base : `${base}-${number}`;
    if (!existsSync(folder)) return folder;
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw wrongUsage(`${path} can't be read: ${(error as Error).message}`);
  }
}
