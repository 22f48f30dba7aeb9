// Tests how set-up classifies a name's DNS records (tools/setup/record-sets.ts): missing, present,
// changeable by set-up, or of another owner.
import { describe, expect, it } from "vitest";
import { type ZoneRecord, textOf } from "../../tools/setup/dns-api.ts";
import { CLOUDFLARE_MX } from "../../tools/setup/setting-prompts.ts";
import { planFor, type RecordSet, serviceRecordSets } from "../../tools/setup/record-sets.ts";

const NAME = "*.return-path.post.example.com";
const SETTINGS = {
  SERVICE_DOMAIN: "post.example.com",
  MX_HOST: "mx1.example.com,mx2.example.com",
  SPF: "v=spf1 a:mx1.example.com -all",
  TRACK_TARGET: "post.example.com",
};
const [mx, spf, track] = serviceRecordSets(SETTINGS) as [RecordSet, RecordSet, RecordSet];

const at = (
  type: string,
  content: string,
  priority: number | null = null,
  name = NAME,
): ZoneRecord => ({ id: `${type} ${content}`, type, name, content, priority });
const tracked = (type: string, content: string) =>
  at(type, content, null, "*.track.post.example.com");
const MX1 = at("MX", "mx1.example.com", 10);
const MX2 = at("MX", "mx2.example.com", 20);
const SPF = at("TXT", SETTINGS.SPF);

describe("the names that set-up publishes", () => {
  it("include one for replies, unless a gateway takes replies at the return-path's host", () => {
    const named = (settings: Record<string, string>) =>
      serviceRecordSets(settings).map(({ name }) => name);
    expect(named(SETTINGS)).toContain("reply.post.example.com");
    expect(named({ ...SETTINGS, EGRESS_URL: "https://mx1.example.com" })).toEqual(
      named(SETTINGS).filter((name) => name !== "reply.post.example.com"),
    );
    const routed = { ...SETTINGS, MX_HOST: CLOUDFLARE_MX };
    expect(named(routed)).not.toContain("reply.post.example.com");
  });
});

describe("the records of a name", () => {
  it.each([
    ["both mail servers", mx, [MX2, MX1], "present"],
    ["one of them, after a run that was cut short", mx, [MX1], "create"],
    ["nothing", mx, [], "create"],
    ["another mail server beside them", mx, [MX1, MX2, at("MX", "mx.other.net", 5)], "conflict"],
    ["the same with another preference", mx, [MX1, at("MX", "mx2.example.com", 5)], "conflict"],
    ["texts alone", mx, [SPF], "create"],
    ["an alias in the place of mail servers", mx, [at("CNAME", "other.net")], "conflict"],
    ["the SPF record beside other texts", spf, [SPF, at("TXT", "verification=1")], "present"],
    ["other texts alone", spf, [at("TXT", "verification=1"), MX1], "create"],
    ["a second SPF record", spf, [SPF, at("TXT", "V=SPF1 -all")], "conflict"],
    ["a text that only begins like one", spf, [at("TXT", "v=spf10")], "create"],
    ["the alias", track, [tracked("CNAME", "post.example.com")], "present"],
    ["an address in the place of the alias", track, [tracked("A", "192.0.2.1")], "conflict"],
    ["a text in the place of the alias", track, [tracked("TXT", "x")], "conflict"],
  ] as const)("are classified: %s", (_, set, standing, kind) => {
    expect(planFor(set, standing, []).kind).toBe(kind);
  });

  it("are set-up's own if it published them before", () => {
    const old = at("TXT", "v=spf1 a:old.example.com -all");
    const published = { type: "TXT", name: NAME, content: old.content };
    expect(planFor(spf, [old], [published])).toEqual({ kind: "change", standing: [old] });
    const elsewhere = { ...published, name: "other.example.com" };
    expect(planFor(spf, [old], [elsewhere]).kind).toBe("conflict");
    const beside = [old, at("TXT", "v=spf1 -all")];
    expect(planFor(spf, beside, [published]).kind).toBe("conflict");
  });

  it("are created only where they are missing", () => {
    const missing = [{ content: "mx2.example.com", priority: 20 }];
    expect(planFor(mx, [MX1], [])).toMatchObject({ kind: "create", missing });
  });
});

describe("a text", () => {
  it.each([
    ['"v=spf1 -all"', "v=spf1 -all"],
    ["v=spf1 -all", "v=spf1 -all"],
    ['"v=spf1 " "-all"', "v=spf1 -all"],
    [String.raw`"say \"hi\" \\ "`, String.raw`say "hi" \ `],
    ['no "string"', 'no "string"'],
  ])("%s is read as %s", (content, text) => {
    expect(textOf(content)).toBe(text);
  });
});
