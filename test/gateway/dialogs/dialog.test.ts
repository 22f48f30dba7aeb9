// Plays every dialog of this folder against the SMTP server, with a fake worker, and compares each
// line.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { play } from "./dialog-player.ts";

const dialogs = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".dialog"));

describe("the dialog", () => {
  it.each(dialogs)("%s goes as written", async (name) => {
    await play(readFileSync(join(import.meta.dirname, name), "utf8"));
  });
});
