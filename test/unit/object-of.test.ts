// Tests src/object-of.ts and src/regions.ts: the deployment's jurisdiction and the region with
// which an object is got. The local runtime knows no jurisdictions, so the namespaces here are
// fakes.
import { expect, it } from "vitest";
import type { Env } from "../../src/env.ts";
import { objectOf } from "../../src/object-of.ts";
import { makeFirstMail, type Region } from "../../src/regions.ts";

const namespace = (jurisdiction: string) => ({
  getByName: (name: string, options?: object) => ({ jurisdiction, name, options }),
  jurisdiction: (name: string) => namespace(name),
});

const got = (JURISDICTION: string | undefined, region?: Region | null): unknown =>
  objectOf(
    { METRICS: namespace("none"), JURISDICTION } as unknown as Pick<Env, "METRICS">,
    "METRICS",
    "one",
    region,
  );

it.each([
  [undefined, undefined, { jurisdiction: "none", name: "one", options: undefined }],
  ["any", "oc", { jurisdiction: "none", name: "one", options: { locationHint: "oc" } }],
  ["eu", null, { jurisdiction: "eu", name: "one", options: undefined }],
  ["eu", "weur", { jurisdiction: "eu", name: "one", options: { locationHint: "weur" } }],
] as const)(
  "an object of the jurisdiction %s, asked for in %s, is got with both",
  (jurisdiction, region, expected) => {
    expect(got(jurisdiction, region)).toEqual(expected);
  },
);

it.each([
  [null, "EU", null, "weur"],
  [null, "OC", null, "oc"],
  [null, "OC", "eu", null],
  ["eeur", "NA", "eu", "eeur"],
  ["sam", "EU", null, "sam"],
  [null, "AN", null, null],
] as const)(
  "the setting %s and a caller in %s give a ledger of the jurisdiction %s the region %s",
  (setting, continent, jurisdiction, region) => {
    expect(makeFirstMail(setting, { continent }, jurisdiction, 1)).toMatchObject({
      region,
      jurisdiction,
    });
  },
);
