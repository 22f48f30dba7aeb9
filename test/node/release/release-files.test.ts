// Tests the files of a release: the changelog with its entries, and what a bill of materials must
// contain.
import { describe, expect, it } from "vitest";
import { faultsOf } from "../../../tools/release/bill-faults.ts";
import { gather, malformed, notesOf } from "../../../tools/release/changes.ts";

describe("the changelog", () => {
  const entry = (path: string, text: string) => ({
    path,
    section: /^changes\/([a-z]+)-/.exec(path)?.[1] ?? "",
    text,
  });
  const added = [
    entry("changes/api-second.md", "Two\nlines.\n"),
    entry("changes/sending-first.md", "One.\n"),
  ];

  it.each([
    ["changes/sending-a.md", "- A bullet.\n", /must begin with its first sentence/],
    ["changes/sending-a.md", "---\nsection: x\n---\nA.\n", /must begin with its first sentence/],
    ["changes/sending-a.md", "No full stop\n", /must end with a full stop/],
    ["changes/sending-a.md", "One.\n\nTwo.\n", /one paragraph/],
    ["changes/sending-a.md", `${"a".repeat(400)}.\n`, /402 characters; at most 400/],
    ["changes/mending-a.md", "A.\n", /with one of the sections sending, /],
    ["changes/README.md", "A.\n", /with one of the sections sending, /],
  ])("refuses an entry %s of %j", (path, text, why) => {
    expect(malformed([...added, entry(path, text)])).toEqual([expect.stringMatching(why)]);
  });

  it("has a new version first, with its entries by section", () => {
    expect(gather("# Changelog\n\nWhat.\n\n## 0.1.0\n\nOld.\n", "0.2.0", added)).toBe(
      "# Changelog\n\nWhat.\n\n## 0.2.0\n\n### Sending\n\n- One.\n\n### API\n\n- Two lines.\n\n" +
        "## 0.1.0\n\nOld.\n",
    );
  });

  it("keeps the existing lines of a version before the new ones", () => {
    const there =
      "# Changelog\n\n## 0.2.0\n\nNow.\n\n### API\n\n- Old.\n\n### Other\n\n- X.\n\n## 0.2.0-a\n\nY.\n";
    const gathered = gather(there, "0.2.0", added);
    expect(notesOf(gathered, "0.2.0")).toBe(
      "Now.\n\n### Sending\n\n- One.\n\n### API\n\n- Old.\n- Two lines.\n\n### Other\n\n- X.",
    );
    expect(notesOf(gathered, "0.2.0-a")).toBe("Y.");
    expect(notesOf(gathered, "0.2")).toBeUndefined();
  });
});

describe("a bill of materials", () => {
  const component = (name: string) => ({ "bom-ref": name, purl: `pkg:npm/${name}` });
  const bill = (...names: string[]) => ({
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    metadata: { component: component("root@1.0.0") },
    components: names.map(component),
  });
  const lockfile = {
    packages: {
      "": {},
      "node_modules/a": { version: "1.0.0" },
      "node_modules/a/node_modules/@b/c": { version: "2.0.0" },
      "node_modules/other-name": { name: "a", version: "1.0.0" },
      "node_modules/linked": { link: true },
    },
  };

  it.each([
    ["whole", bill("a@1.0.0", "@b/c@2.0.0"), []],
    ["without a package", bill("a@1.0.0"), ["lacks @b/c@2.0.0"]],
    ["doubled", bill("a@1.0.0", "a@1.0.0", "@b/c@2.0.0"), ["has the same reference twice"]],
    [
      "of another kind",
      { ...bill("a@1.0.0", "@b/c@2.0.0"), bomFormat: "SPDX" },
      ["is not CycloneDX 1"],
    ],
  ])("has one error for each fault: %s", (_, one, faults) => {
    expect(faultsOf(one, lockfile)).toEqual(faults);
  });

  it("is refused if it is empty", () => {
    expect(faultsOf(bill(), { packages: {} })).toEqual(["has no components"]);
  });
});
