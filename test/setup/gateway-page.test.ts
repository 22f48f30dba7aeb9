// Compares the instructions for starting a gateway, in set-up's last lines and in
// smtp-gateway/README.md, with the gateway itself: its settings, its image, its unit.
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gatewayInstructions } from "../../tools/setup/gateway-instructions.ts";
import { SetupFile } from "../../tools/setup/setup-file.ts";
import { settingNames, settingsWith } from "../gateway/setting-names.ts";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "smtp-gateway/README.md"), "utf8");
const dockerfile = readFileSync(join(ROOT, "smtp-gateway/Dockerfile"), "utf8");

const [, container = ""] = /### In a container\n[^]*?```sh\n([^]*?)```/.exec(page) ?? [];
const [, run = ""] = /^docker run ([^]*?[^\\])$/m.exec(container) ?? [];
const all = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, value = ""]) => value);

function notes(settings: Record<string, string>): string {
  const file = new SetupFile({ POSTERN_STATE: join(tmpdir(), "no-such-state") }, ROOT, true);
  return gatewayInstructions({
    settings: { PUBLIC_URL: "https://post.example.com", OUTBOUND: "gateway", ...settings },
    file,
  }).join("\n");
}

describe("set-up's last lines", () => {
  it("name settings with which a gateway starts, and existing files", () => {
    const text = notes({ EGRESS_URL: "https://mx.example.com", MX_HOST: "mx.example.com" });
    const given = Object.fromEntries(
      Array.from(text.matchAll(/^ {7}([A-Z_]+)=(\S+)$/gm), ([, name = "", value = ""]) => [
        name,
        value,
      ]),
    );
    expect(Object.keys(given)).toEqual([
      "GATEWAY_HOSTNAME",
      "WORKER_URL",
      "SERVICE_DOMAIN",
      "SUBMISSION_PORTS",
      "RETURN_PATH",
    ]);
    expect(settingsWith(given)).toMatchObject({
      hostname: "mx.example.com",
      intake: { submissionPorts: [587], returnPathPorts: [25] },
    });
    for (const path of all(text, /(smtp-gateway\/[\w./-]+\w)/g))
      expect(existsSync(join(ROOT, path)), path).toBe(true);
  });

  it("name each gateway's host, by its MX name if it has its own", () => {
    const urls = "https://egress-a.example.com,https://egress-b.example.com";
    const apart = notes({ EGRESS_URL: urls, MX_HOST: "mx-a.example.com,mx-b.example.com" });
    expect(apart).toContain("the gateway, on mx-a.example.com and on mx-b.example.com");
    expect(apart).toContain("at https://egress-a.example.com and https://egress-b.example.com,");
    expect(notes({ EGRESS_URL: urls, MX_HOST: "mx.example.com" })).toContain(
      "on egress-a.example.com and on egress-b.example.com",
    );
  });

  it("do not mention a gateway if another courier carries the mail", () => {
    expect(notes({ OUTBOUND: "smtp" })).toBe("");
  });
});

describe("a gateway for submission alone", () => {
  it("starts with the settings of its page, and takes mail on no other port", () => {
    const [, section = ""] = /^### Submission alone\n([^]*?)^##/m.exec(page) ?? [];
    for (const name of ["`WORKER_URL`", "`GATEWAY_TOKEN`", "`SUBMISSION_PORTS`"])
      expect(section).toContain(name);
    expect(section).toContain("leave out `RETURN_PATH`");
    expect(settingsWith({ SUBMISSION_PORTS: "587", RETURN_PATH: "" })).toMatchObject({
      intake: { submissionPorts: [587], returnPathPorts: [] },
    });
  });
});

describe("the container of smtp-gateway/README.md", () => {
  it("uses existing settings, and mounts and ports of the image", () => {
    const names = all(run, / -e ([A-Z_]+)=/g);
    expect(names).toEqual(["GATEWAY_TOKEN_FILE", "SUBMISSION_CERTIFICATE", "SUBMISSION_KEY"]);
    for (const name of names) expect(settingNames()).toContain(name);
    const exposed = (/^EXPOSE (.*)$/m.exec(dockerfile)?.[1] ?? "").split(" ");
    expect(all(run, / -p (?:\S*:)?(\d+)(?= )/g).toSorted()).toEqual(exposed.toSorted());
    expect(all(run, / -v postern-gateway:(\S+)/g)).toEqual(all(dockerfile, /^VOLUME (\S+)$/gm));
    expect(run).toMatch(/ postern-gateway$/);
  });
});
