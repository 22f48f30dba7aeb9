// Tests what the programs of others, and our own by their command line, say about the tree: Prometheus
// about the alerts, shells about the completion of `postern`, and `npm run bench` about its options.
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasTool } from "../../support/outside-tools.ts";

const ROOT = join(import.meta.dirname, "../../..");
const run = (program: string, args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT });
  return { status, said: `${stdout?.toString()}${stderr?.toString()}` };
};

describe("the alerts", () => {
  it.runIf(hasTool("promtool")).each([
    ["check", "rules", "dashboards/alerts.yml"],
    ["test", "rules", "dashboards/alerts.test.yml"],
  ])("pass promtool %s %s %s", (...args) => {
    const { status, said } = run("promtool", args);
    expect(status, said).toBe(0);
  });
});

describe("the program postern", () => {
  const MAIN = "packages/postern/src/cli/main.ts";

  const completion = (shell: string) => run(process.execPath, [MAIN, "completion", shell]).said;

  describe.each(["bash", "zsh", "fish"] as const)("with the shell %s", (shell) => {
    it.runIf(hasTool(shell))("prints a completion that the shell can read", () => {
      const script = join(mkdtempSync(join(tmpdir(), "completion-")), shell);
      writeFileSync(script, completion(shell));
      expect(run(shell, ["-n", script]).said).toBe("");
    });
  });

  it("completes commands, actions and options in bash", () => {
    const script = completion("bash");
    const complete = (words: readonly string[]) =>
      run("bash", [
        "-c",
        `${script}\nCOMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _postern; echo "\${COMPREPLY[@]}"`,
      ]).said.trim();
    expect(complete(["postern", "sup"])).toBe("suppressions");
    expect(complete(["postern", "templates", "p"])).toBe("pull push preview");
    expect(complete(["postern", "events", "--fo"])).toBe("--follow");
  });
});

describe("npm run bench", () => {
  it.each([
    [["nothing"], "bench: there is no bench nothing: accept, batch,"],
    [["accept", "--nothing"], "bench: there is no option --nothing"],
  ])("explains %j and ends with 2", (args, words) => {
    const { status, said } = run(process.execPath, ["tools/bench/main.ts", ...args]);
    expect([status, said]).toEqual([2, expect.stringContaining(words)]);
  });
});
