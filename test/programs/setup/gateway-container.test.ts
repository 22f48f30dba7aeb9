// Runs the commands of smtp-gateway/README.md §In a container that put the gateway's files where the
// container mounts them.
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const PAGE = join(import.meta.dirname, "../../../smtp-gateway/README.md");
const [, container = ""] =
  /### In a container\n[^]*?```sh\n([^]*?)```/.exec(readFileSync(PAGE, "utf8")) ?? [];
const [, run = ""] = /^docker run ([^]*?[^\\])$/m.exec(container) ?? [];

it("a container finds its files at the paths of the preceding commands", () => {
  const directory = mkdtempSync(join(tmpdir(), "gateway-container-"));
  const here = (text: string): string =>
    text.replaceAll("/etc/postern-gateway", directory).replaceAll("-o 1000 ", "");
  mkdirSync(join(directory, "live"));
  for (const name of ["fullchain.pem", "privkey.pem"])
    writeFileSync(join(directory, "live", name), name);
  writeFileSync(join(directory, "token"), "token");
  symlinkSync(join(directory, "live"), join(directory, "tls"));
  const lines = container.split("\n").filter((line) => line.startsWith("install "));
  expect(lines).toHaveLength(2);
  // The second command runs twice, because it also has to work when a certificate is renewed.
  for (const line of [...lines, lines[1] ?? ""])
    expect(spawnSync("sh", ["-ec", here(line)], { encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: "",
    });
  const put = readdirSync(join(directory, "container"));
  const [, mounted = ""] = / -v (\S+):\/files:ro/.exec(run) ?? [];
  expect(here(mounted)).toBe(join(directory, "container"));
  const named = Array.from(run.matchAll(/=\/files\/(\S+)/g), ([, name = ""]) => name);
  expect(named.toSorted()).toEqual(put.toSorted());
  rmSync(directory, { recursive: true });
});
