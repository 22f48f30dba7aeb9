// Reads and writes templates as a folder in git, with a subfolder for each template. A subfolder
// has `template.json` (name, alias, subject, and defaults for messages), the content as HTML or
// Markdown, and optionally `variables.json` for a preview.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CreateTemplateRequest } from "../../generated/types.ts";
import { wrongUsage } from "../exit-codes.ts";
import { makeFolder, readFolder, readJson, readText, writeText } from "../file-access.ts";

const ABOUT = "template.json";
const VARIABLES = "variables.json";
const CONTENT = { html: "content.html", markdown: "content.md" } as const;

type Member<Name extends keyof CreateTemplateRequest> = NonNullable<
  CreateTemplateRequest[Name]
> | null;

export interface LocalTemplate {
  readonly name: string;
  /** The alias. Undefined: `template.json` does not mention an alias. */
  readonly alias: string | null | undefined;
  readonly subject: string | null;
  readonly from: string | null;
  readonly reply_to: string[] | null;
  readonly fallbacks: Member<"fallbacks">;
  readonly kind: "html" | "markdown";
  readonly content: string;
}

interface About {
  readonly name?: unknown;
  readonly alias?: string | null;
  readonly subject?: string | null;
  readonly from?: string | null;
  readonly reply_to?: Member<"reply_to">;
  readonly fallbacks?: Member<"fallbacks">;
}

/** Returns the subfolders with templates, sorted by name. */
export function templateFolders(root: string): readonly string[] {
  return readFolder(root)
    .map((name) => join(root, name))
    .filter((folder) => existsSync(join(folder, ABOUT)))
    .toSorted();
}

/** Throws a CommandFailure if the folder does not hold a template. */
export function readTemplate(folder: string): LocalTemplate {
  const about = readJson(join(folder, ABOUT)) as About | null;
  if (typeof about?.name !== "string") throw wrongUsage(`${join(folder, ABOUT)} has no name`);
  const kind = existsSync(join(folder, CONTENT.html)) ? "html" : "markdown";
  const path = join(folder, CONTENT[kind]);
  if (!existsSync(path))
    throw wrongUsage(`${folder} has neither ${CONTENT.html} nor ${CONTENT.markdown}`);
  const { name, alias, subject = null, from = null, reply_to: replyTo, fallbacks } = about;
  return {
    name,
    alias,
    subject,
    from,
    reply_to: orNull([replyTo ?? []].flat()),
    fallbacks: orNull(fallbacks ?? {}),
    kind,
    content: readText(path),
  };
}

/** An empty list or object means no default (contract.md §Template defaults). */
function orNull<Value extends object>(value: Value): Value | null {
  return Object.keys(value).length > 0 ? value : null;
}

/** Returns the values for a preview, or none if the folder has no `variables.json`. */
export function readVariables(folder: string): Record<string, unknown> {
  const path = join(folder, VARIABLES);
  return existsSync(path) ? (readJson(path) as Record<string, unknown>) : {};
}

/**
 * Writes the template into the subfolder that already has a template of this name, or else into a
 * new subfolder. Returns the subfolder.
 */
export function writeTemplate(root: string, template: LocalTemplate): string {
  makeFolder(root);
  const known = templateFolders(root).find((one) => readTemplate(one).name === template.name);
  const folder = known ?? freshFolder(root, template.name);
  makeFolder(folder);
  const { kind, content, name, alias, subject, ...defaults } = template;
  const about = {
    name,
    ...(alias !== null && { alias }),
    subject,
    ...Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== null)),
  };
  writeText(join(folder, ABOUT), `${JSON.stringify(about, null, 2)}\n`);
  writeText(join(folder, CONTENT[kind]), content);
  rmSync(join(folder, CONTENT[kind === "html" ? "markdown" : "html"]), { force: true });
  return folder;
}

/** Two template names can give the same folder name, so the second folder gets a number. */
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
