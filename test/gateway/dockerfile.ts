// Reads the gateway's Dockerfile for tests.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder that is the build context. */
export const CONTEXT = join(import.meta.dirname, "../../smtp-gateway");
const DOCKERFILE = readFileSync(join(CONTEXT, "Dockerfile"), "utf8").replace(/\\\n\s*/g, "");

/** Returns what follows each instruction of this name. */
export const instructions = (name: string): string[] =>
  Array.from(DOCKERFILE.matchAll(new RegExp(`^${name} (.*)$`, "gm")), ([, rest = ""]) => rest);

/** Paths in the build context that any stage of the Dockerfile copies. */
export const COPIED = instructions("COPY")
  .filter((rest) => !rest.startsWith("--from"))
  .flatMap((rest) => rest.split(" ").slice(0, -1));
