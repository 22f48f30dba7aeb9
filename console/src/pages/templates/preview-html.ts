// The HTML of a mail as a program in the light or the dark shows it. Pure.

export type Scheme = "light" | "dark";

const ASKED = /\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi;
const IN_STYLES = /(\bcolor-scheme\s*:\s*)(?:light\s+dark|dark\s+light)\b/gi;
const IN_META = /(name=["']?color-scheme["']?\s+content=["'])(?:light\s+dark|dark\s+light)/gi;

/**
 * Answers the mail's own questions for the reader's colours as `scheme` would, and picks that one
 * of the schemes that the mail says it supports. A frame else follows the reader's system, which
 * shows only one of the two.
 */
export function inScheme(html: string, scheme: Scheme): string {
  return html
    .replace(ASKED, (_asked, wanted: string) =>
      wanted.toLowerCase() === scheme ? "(min-width: 0px)" : "(max-width: 0px)",
    )
    .replace(IN_STYLES, `$1${scheme}`)
    .replace(IN_META, `$1${scheme}`);
}
