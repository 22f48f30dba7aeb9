// Reads the deployed worker's compatibility date and flags, for workers of tests and benches. This
// file does not import wrangler. Wrangler would load Miniflare, which reads the trusted
// certificates from the environment too early.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";

export const ROOT = join(import.meta.dirname, "../..");
export const CONFIG = join(ROOT, "wrangler.toml");

const { compatibility_date: date, compatibility_flags: flags } = parse(
  readFileSync(CONFIG, "utf8"),
) as { readonly compatibility_date: string; readonly compatibility_flags: string[] };

export const COMPATIBILITY = { date, flags };
