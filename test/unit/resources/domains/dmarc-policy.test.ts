// Tests how a domain's DMARC policy is judged (src/resources/domains/policies). The table
// test/fixtures/dmarc/records.txt has the cases, and the verdicts that follow from RFC 9989 and RFC
// 7489.
import { describe, expect, it } from "vitest";
import { lookUpDmarc } from "../../../../src/resources/domains/policies/dmarc-lookups.ts";
import { judgeDmarc } from "../../../../src/resources/domains/policies/dmarc-policy.ts";
import {
  type DmarcResult,
  oneLess,
  resultBy7489,
  resultBy9989,
} from "../../../../src/resources/domains/policies/dmarc-result.ts";
import { walkNames } from "../../../../src/resources/domains/policies/tree-walk.ts";
import { registrableDomain } from "../../../../src/resources/domains/record-names.ts";
import { DMARC_CASES, serveZone } from "./dmarc-table.ts";

type Zone = ReadonlyMap<string, readonly string[]>;

async function examine(domain: string, zone: Zone, doesExist = true) {
  const { texts, asked } = serveZone(zone, doesExist ? [domain] : []);
  const found = await lookUpDmarc({ texts }, domain, registrableDomain(domain));
  return { found, asked, ...judgeDmarc({ ...found, returnPath: `bounces.${domain}` }) };
}

const judge = (domain: string, records: Readonly<Record<string, readonly string[]>>) =>
  examine(domain, new Map(Object.entries(records)));

/** Writes a DMARC result in the short form of the table test/fixtures/dmarc/records.txt. */
function short(verdict: DmarcResult): string {
  if (verdict.kind === "absent") return "absent";
  if (verdict.kind === "several" || verdict.kind === "unknown")
    return `${verdict.kind} at ${verdict.domain}`;
  if (verdict.kind === "void")
    return (
      `void by ${verdict.tag} of ${verdict.domain}, ` +
      (verdict.isMonitored ? "as none" : "ignored")
    );
  const { asked, share, tag, domain } = verdict;
  const what = share === 100 ? asked : `${share} % ${asked}, else ${oneLess(asked)}`;
  return `${what} by ${tag} of ${domain}`;
}

describe("the verdicts on DMARC records", () => {
  it.each(DMARC_CASES.map((one) => [one.title, one] as const))(
    "of %s agree with both RFCs, and the message says them in plain words",
    async (_title, { domain, zone, doesExist, by7489, by9989, ours }) => {
      const { found, asked, judgement, isEnforced } = await examine(domain, zone, doesExist);
      expect(asked.filter((name) => name.startsWith("_dmarc.")).length).toBeLessThanOrEqual(8);
      expect(short(resultBy7489(found))).toBe(by7489);
      expect(short(resultBy9989(found))).toBe(by9989);
      const enforced = { true: "enforced", false: "not enforced", null: "unknown" }[
        `${isEnforced}`
      ];
      expect(`${judgement.status}, ${enforced}. ${judgement.message}`).toBe(ours);
    },
  );
});

describe("a DMARC policy", () => {
  it("shows the record that counts, and all other texts at its name", async () => {
    const texts = ["v=DMARC1; p=reject; rua=mailto:d@example.com", "hello"];
    const { judgement } = await judge("news.example.com", { "_dmarc.example.com": texts });
    expect(judgement).toEqual({
      status: "ok",
      host: "_dmarc.example.com",
      found: texts,
      message:
        "The DMARC record at _dmarc.example.com asks receivers to refuse mail that fails DMARC " +
        "(p=reject).",
    });
  });

  it("with several faults gets a warning that names each of them", async () => {
    const record = "v=DMARC1; p=quarantine; pct=5; sp=none; aspf=S";
    const { judgement } = await judge("example.com", { "_dmarc.example.com": [record] });
    for (const words of ["5 %", "pct=", "sp=none", "rua=", "aspf=s"])
      expect(judgement.message).toContain(words);
  });

  it.each(["V=DMARC; p=none", " v=DMARC1; p=reject", "v=DMARC1 p=none"])(
    "written as %j is wrong, since receivers ignore it",
    async (record) => {
      const { judgement } = await judge("example.com", { "_dmarc.example.com": [record] });
      expect(judgement.status).toBe("wrong");
      expect(judgement.message).toContain(`The record "${record}" at _dmarc.example.com does not`);
    },
  );

  it.each([
    ["p=reject", "v=DMARC1; p=reject", true],
    ["p=reject; t=y", "v=DMARC1; p=reject", false],
    ["p=reject", "v=DMARC1; p=none", false],
    ["p=reject", "v=DMARC1; p=reject; t=y", false],
    ["p=reject", "?SERVFAIL", null],
  ])("of %s, with %s at the organizational domain, is enforced: %s", async (own, above, is) => {
    const { isEnforced } = await judge("news.example.com", {
      "_dmarc.news.example.com": [`v=DMARC1; ${own}; rua=mailto:d@example.com`],
      "_dmarc.example.com": [above],
    });
    expect(isEnforced).toBe(is);
  });
});

describe("the look-ups", () => {
  it("of a long name skip to its last seven labels, as RFC 9989 §4.10 does", () => {
    expect(walkNames("a.b.c.d.e.f.g.h.i.j.mail.example.com")).toEqual([
      ..."a.b.c.d.e.f.g.h.i.j.mail.example.com g.h.i.j.mail.example.com".split(" "),
      ..."h.i.j.mail.example.com i.j.mail.example.com j.mail.example.com".split(" "),
      ..."mail.example.com example.com com".split(" "),
    ]);
  });

  it("ask whether the domain exists only if a record has the tag np", async () => {
    const asked = async (record: string) =>
      (await examine("news.example.com", new Map([["_dmarc.example.com", [record]]]), false)).asked;
    const names = ["_dmarc.news.example.com", "_dmarc.example.com", "_dmarc.com"];
    expect(await asked("v=DMARC1; p=reject")).toEqual(names);
    expect(await asked("v=DMARC1; p=reject; np=none")).toEqual([...names, "news.example.com"]);
  });
});
