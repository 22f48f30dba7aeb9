// Renders a mail's HTML as a mail program in the light or dark colour scheme shows it. Pure.

export type Scheme = "light" | "dark";

const ASKED = /\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi;
const IN_STYLES = /(\bcolor-scheme\s*:\s*)(?:light\s+dark|dark\s+light)\b/gi;
const IN_META = /(name=["']?color-scheme["']?\s+content=["'])(?:light\s+dark|dark\s+light)/gi;

/**
 * Applies the mail's `prefers-color-scheme` rules for `scheme`, and makes `scheme` the only scheme
 * that the mail supports. Otherwise the frame would always follow the system's scheme.
 */
export function inScheme(html: string, scheme: Scheme): string {
  return html
    .replace(ASKED, (_asked, wanted: string) =>
      wanted.toLowerCase() === scheme ? "(min-width: 0px)" : "(max-width: 0px)",
    )
    .replace(IN_STYLES, `$1${scheme}`)
    .replace(IN_META, `$1${scheme}`);
}
