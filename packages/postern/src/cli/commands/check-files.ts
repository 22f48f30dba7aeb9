// Reads the file or folder of `postern check` as a mail to judge, without a deployment: HTML, a
// whole message, or a folder with a template.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { authoredHtml, variableSources } from "../../../../../src/lint/authored-html.ts";
import type { CheckedMail } from "../../../../../src/lint/checked-mail.ts";
import type { MailProblem } from "../../../../../src/lint/mail-problem.ts";
import { readMail, wholeHtml } from "../../../../../src/lint/read-mail.ts";
import { withFallbacks } from "../../../../../src/resources/templates/fallbacks.ts";
import { readBytes } from "../file-access.ts";
import { type LocalTemplate, readTemplate, readVariables } from "./template-folder.ts";

type Values = Readonly<Record<string, unknown>>;

export interface LocalMail {
  readonly mail: CheckedMail;
  /** The error of a template that can't be rendered. */
  readonly problems: readonly MailProblem[];
}

/** The link of a variable that the service sets. */
const LINK = { unsubscribe_url: "https://example.com/unsubscribe" };
/** Facts that only the service knows. */
const UNKNOWN = { attachments: [], copyBytes: null, courier: null, clickHost: null, ownUrls: [] };
const MESSAGE = /\.(?:eml|msg)$/i;
/** The first line of a message, which HTML can't have. */
const HEADER = /^[!-9;-~]+:[ \t]/;

export function isTemplateFolder(path: string): boolean {
  return existsSync(join(path, "template.json"));
}

/** `values`: the variables; undefined: none were given. */
export async function readLocalMail(path: string, values: Values | undefined): Promise<LocalMail> {
  const bytes = readBytes(path);
  const isMessage = MESSAGE.test(path) || HEADER.test(bytes.toString("latin1", 0, 200));
  if (isMessage) return { mail: await readMail(bytes), problems: [] };
  const html = bytes.toString("utf8");
  return values === undefined
    ? { mail: { ...UNKNOWN, html: wholeHtml(html), text: undefined }, problems: [] }
    : rendered({ subject: null, html }, values, values);
}

/** Reads a folder with a template of HTML. `values` replace those of `variables.json`. */
export function readLocalTemplate(folder: string, values: Values | undefined): LocalMail {
  const { subject, content, fallbacks } = readTemplate(folder);
  const given = values ?? readVariables(folder);
  return rendered({ subject, html: content }, withFallbacks(given, fallbacks), given);
}

export function localKind(folder: string): LocalTemplate["kind"] {
  return readTemplate(folder).kind;
}

function rendered(
  parts: { readonly subject: string | null; readonly html: string },
  values: Values,
  given: Values,
): LocalMail {
  const authored = { ...parts, text: null, markdown: null, isTextDerived: true };
  const html = authoredHtml(authored, { ...LINK, ...values });
  const variables = {
    sources: variableSources(authored),
    values: { ...LINK, ...values },
    given: Object.keys(given),
  };
  const isError = html !== null && "kind" in html;
  return {
    mail: { ...UNKNOWN, html: isError ? null : html, text: undefined, variables },
    problems: isError
      ? [
          {
            rule: "refused",
            severity: "error",
            where: { field: "html", line: html.line, column: html.column },
            message: html.message,
            help: "A template with this error can't be saved.",
          },
        ]
      : [],
  };
}
