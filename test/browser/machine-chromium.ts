// Finds the machine's own Chromium. Playwright's core brings no browser, and a download would be
// needed at install time.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The headless shell comes first: it has no toolbar to draw for each page, and so takes a third of
 * the processor time.
 */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

export const HOW_TO_INSTALL =
  "no Chromium is on this machine: install one (Debian: `apt-get install " +
  "chromium-headless-shell`), or name it with CHROMIUM=<path>";

/**
 * Returns the path of a Chromium program. Null: the machine has none. The variable `CHROMIUM` names
 * another one.
 */
export function findChromium({ CHROMIUM, PATH = "" } = process.env): string | null {
  const inPath = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [CHROMIUM ?? "", ...inPath, MAC].find((path) => path !== "" && existsSync(path)) ?? null;
}
