// Compares the documents with the gateway: its settings and their defaults, the events of its log,
// its replies, its ports and paths. test/node/dashboards.test.ts checks its metrics.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GATEWAY_SETTINGS } from "../../smtp-gateway/src/gateway-setting-table.ts";
import * as replies from "../../smtp-gateway/src/inbound/replies.ts";
import { startHarness } from "./gateway-harness.ts";
import { settingNames, settingsWith } from "./setting-names.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const readme = read("smtp-gateway/README.md");
const logs = read("docs/logs.md");
const sources = globSync("smtp-gateway/src/**/*.ts", { cwd: ROOT }).map(read);

/** Returns the rows of the tables under a heading, each a list of cells. */
function rowsBelow(text: string, heading: string): string[][] {
  const from = text.indexOf(`\n${heading}\n`);
  if (from < 0) throw new Error(`there is no heading ${heading}`);
  const rank = /^#+/.exec(heading)?.[0] ?? "";
  const body = text.slice(from + heading.length + 2);
  const end = body.search(new RegExp(`^#{1,${rank.length}} `, "m"));
  const lines = body.slice(0, end < 0 ? undefined : end).split("\n");
  const rows = lines.filter((line) => line.startsWith("| ") && !line.startsWith("| Setting |"));
  return rows.map((row) => row.slice(2, -2).split(" | "));
}

const inTicks = (cell = ""): string[] =>
  Array.from(cell.matchAll(/`([^`]+)`/g), ([, text = ""]) => text);

// test/node/operator-texts.test.ts compares the rows of the table with GATEWAY_SETTINGS.
describe("the table of settings", () => {
  it("has only settings that the gateway reads", () => {
    expect(settingNames()).toEqual(new Set(Object.keys(GATEWAY_SETTINGS)));
  });

  it("has every setting of the example for the systemd unit", () => {
    const [, example = ""] = /```ini\n(GATEWAY_HOSTNAME=[^]*?)```/.exec(readme) ?? [];
    const given = Object.fromEntries(
      example
        .trim()
        .split("\n")
        .map((line) => line.split("=") as [string, string]),
    );
    for (const name of Object.keys(given)) expect(settingNames()).toContain(name);
    expect(settingsWith(given).intake).toMatchObject({
      submissionPorts: [587, 2587],
      returnPathPorts: [25],
    });
  });
});

describe("the table of the log's events", () => {
  it("has every event, with its level", () => {
    const logged = sources.flatMap((text) =>
      Array.from(
        text.matchAll(/\blog\("(\w+)", "(\w+)"/g),
        ([, level, event]) => `${event} ${level}`,
      ),
    );
    const rows = rowsBelow(logs, "### The gateway's log").filter(([events]) => events !== "Event");
    const listed = rows.flatMap(([events, level]) =>
      inTicks(events).map((event) => `${event} ${inTicks(level)[0]}`),
    );
    // The gateway logs a message with its kind as the event.
    const byKind = ["submission info", "report info", "reply info"];
    expect(new Set(listed)).toEqual(new Set([...logged, ...byKind]));
    expect(listed).toHaveLength(new Set(listed).size);
  });
});

describe("the table of replies", () => {
  it("has every reply that a customer can get, and three cells in every row", () => {
    const given = Object.values(replies).filter((one) => typeof one === "object");
    expect(given.length).toBeGreaterThan(8);
    const rows = rowsBelow(read("docs/smtp.md"), "## Replies");
    for (const row of rows) expect(row).toHaveLength(3);
    const listed = new Set(rows.flatMap(([codes]) => inTicks(codes)));
    for (const { code, text } of given)
      expect(listed).toContain(`${code} ${replies.enhancedCode({ code, text })}`);
  });
});

describe("the gateway's doors of docs/doors.md", () => {
  const doorsBelow = (heading: string): (readonly [door: string, cells: string[]])[] =>
    rowsBelow(read("docs/doors.md"), heading).flatMap(([doors, ...cells]) =>
      inTicks(doors).map((door) => [door, cells] as const),
    );
  const HTTP = "### HTTP, at `EGRESS_PORT`";

  it("over HTTP are the paths that the egress knows, and answer a caller without a token as the page says", async () => {
    const egress = read("smtp-gateway/src/outbound/egress.ts");
    const paths = new Set(Array.from(egress.matchAll(/"(\/[^"]*)"/g), ([, path]) => path));
    const doors = doorsBelow(HTTP);
    expect(new Set(doors.map(([door]) => door.split(" ")[1]))).toEqual(paths);
    const { port } = await startHarness();
    for (const [door, [gets]] of doors) {
      const [method = "", path = ""] = door.split(" ");
      const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { method });
      expect([door, status]).toEqual([door, Number(gets)]);
    }
  });

  it("over SMTP are the settings that open a port, and only two files open ports", () => {
    const ports = [...settingNames()].filter((name) => /_PORTS?$/.test(name));
    const doors = doorsBelow("### SMTP").map(([door]) => door);
    const outgoing = "EGRESS_SMTP_PORT";
    expect(new Set([...doors, ...inTicks(HTTP), outgoing])).toEqual(new Set(ports));
    const listening = globSync("smtp-gateway/src/**/*.ts", { cwd: ROOT })
      .filter((path) => /[sS]erver\.listen\(/.test(read(path)))
      .map((path) => path.replace("smtp-gateway/src/", ""));
    expect(listening.toSorted()).toEqual(["inbound/mail-ports.ts", "outbound/egress.ts"]);
  });
});
