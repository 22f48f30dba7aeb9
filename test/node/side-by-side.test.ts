// Tests how `npm run ci` runs commands at the same time (test/side-by-side.ts).
import { describe, expect, it } from "vitest";
import { type Command, runSideBySide } from "../side-by-side.ts";

const command = (name: string, script: string): Command => ({
  name,
  program: process.execPath,
  args: ["-e", script],
});

const said = async (commands: readonly Command[]) => {
  const pieces: string[] = [];
  const failed = await runSideBySide(commands, (text) => pieces.push(text));
  return { pieces, failed, text: pieces.join("") };
};

describe("commands side by side", () => {
  it("show the last command's output live, and every other command's output as a whole", async () => {
    const slow = `console.log("one"); setTimeout(() => console.error("two"), 50)`;
    const { pieces, failed } = await said([
      command("first", slow),
      command("second", slow),
      command("last", `console.log("shown")`),
    ]);
    expect(failed).toEqual([]);
    expect(pieces.filter((piece) => !piece.startsWith("\n---"))).toEqual(["shown\n"]);
    const ends = (name: string) => `\n--- ${name}: passed\none\ntwo\n--- end of ${name}\n\n`;
    expect(pieces.filter((piece) => piece.startsWith("\n---")).toSorted()).toEqual([
      ends("first"),
      ends("second"),
    ]);
  });

  it("all run to their ends, and the result names each failure", async () => {
    const { text, failed } = await said([
      command("wrong", "process.exit(3)"),
      command("killed", `process.kill(process.pid, "SIGKILL")`),
      command("right", ""),
      command("last", `setTimeout(() => { console.log("done"); process.exit(1); }, 100)`),
    ]);
    expect(failed).toEqual(["wrong", "killed", "last"]);
    expect(text).toContain("--- wrong: failed with 3\n");
    expect(text).toContain("--- killed: failed with 137\n");
    expect(text).toContain("done\n");
  });

  it("end with all their children when this process gets a signal", async () => {
    const listening = process.listeners("SIGHUP");
    const child =
      `require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => 0, ` +
      `1000)"], { stdio: "inherit" })`;
    const commands = [
      command("first", `${child}; console.log("up")`),
      command("last", `${child}; console.log("up")`),
    ];
    const pieces: string[] = [];
    const failed = runSideBySide(commands, (text) => {
      pieces.push(text);
      const own = process.listeners("SIGHUP").find((listener) => !listening.includes(listener));
      own?.("SIGHUP");
    });
    expect(await failed).toEqual(["first", "last"]);
    expect(pieces.join("")).toContain("--- first: failed with 129\n");
    expect(process.listeners("SIGHUP")).toEqual(listening);
  });
});
