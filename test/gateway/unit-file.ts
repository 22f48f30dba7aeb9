// Reads the gateway's systemd unit for tests.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const PATH = join(import.meta.dirname, "../../smtp-gateway/systemd/postern-gateway.service");
export const UNIT = readFileSync(PATH, "utf8");

/** Returns all values of a systemd directive, in the order of the unit file. */
export const values = (name: string): string[] =>
  Array.from(UNIT.matchAll(new RegExp(`^${name}=(.*)$`, "gm")), ([, value = ""]) => value);
export const firstValue = (name: string): string | undefined => values(name)[0];
/** Splits lines of the form `NAME=value`. */
export const pairs = (lines: readonly string[]): [string, string][] =>
  lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]);
