// Judges the short mails of the tests.
import support from "../../../public/api/client-support.json" with { type: "json" };
import { authoredHtml, variableSources } from "../../../src/lint/authored-html.ts";
import { type ClientSupport, STANDARD_CLIENTS } from "../../../src/lint/client-support.ts";
import { judgeMail } from "../../../src/lint/judge-mail.ts";
import type { LintRule, MailProblem } from "../../../src/lint/mail-problem.ts";
import { runToEnd } from "../../../src/lib/step-scheduler.ts";

/** A mail in short. `text` absent: the check judges no text part. */
export interface ShortMail {
  readonly html?: string;
  readonly text?: string | null;
  readonly files?: readonly string[];
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The size of the copy on Cloudflare's Email Service. */
  readonly copyBytes?: number;
  readonly clickHost?: string;
}

export type Reported = readonly [source: string, broken: ShortMail, mended: ShortMail];

export const github = (path: string): string => `https://github.com/${path}`;
export const htmlMail = (html: string): ShortMail => ({ html });

const EMAIL_SERVICE = { name: "Cloudflare's Email Service", messageBytes: 5 * 1024 * 1024 };

export function judgeShort(
  { html, text, files = [], variables, copyBytes, clickHost }: ShortMail,
  rulesOff: readonly LintRule[] = [],
  clients: readonly string[] = STANDARD_CLIENTS,
): MailProblem<LintRule>[] {
  const authored = {
    subject: null,
    html: html ?? null,
    text: null,
    markdown: null,
    isTextDerived: true,
  };
  const values = variables ?? null;
  const checked = authoredHtml(authored, values);
  if (checked && "kind" in checked) throw new Error(checked.message);
  const mail = {
    html: checked,
    text,
    variables: { sources: variableSources(authored), values, given: Object.keys(values ?? {}) },
    attachments: files.map((name, index) => ({
      field: `attachments.${index}`,
      name,
      contentId: name,
    })),
    copyBytes: copyBytes ?? null,
    courier: EMAIL_SERVICE,
    clickHost: clickHost ?? null,
    ownUrls: [],
  };
  const choices = { rulesOff, clients, support: support as unknown as ClientSupport };
  return runToEnd(judgeMail(mail, choices));
}
