// Tests a deployment that stays in the EU (docs/near-its-users.md §EU only): set-up creates every
// store there, or refuses; the doctor checks each store.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { harness as doctor, useDoctor } from "./doctor-harness.ts";
import { harness as setup, useSetup } from "./finished-setup.ts";
import { SMALL_ROOT } from "./small-root.ts";

const CONFIG = join(SMALL_ROOT, "wrangler.toml");
const SHIPPED = readFileSync(CONFIG, "utf8");
const DATABASES = ["postern-core", "postern-shard-0"];
const BUCKET = "postern-content";
const EU = { JURISDICTION: "eu" };

describe("set-up with JURISDICTION=eu", () => {
  useSetup();
  afterEach(() => writeFileSync(CONFIG, SHIPPED));

  it("creates each database, the bucket and each queue in the EU, and a second run creates nothing", async () => {
    const { code, text, steps } = await setup.run(EU);
    expect(code, text).toBe(0);
    expect(steps["jurisdiction"]).toBe("done");
    const { queues, jurisdictions } = setup.account;
    const all = [...DATABASES, BUCKET, ...queues];
    expect(queues).toHaveLength(7);
    expect(jurisdictions).toEqual(Object.fromEntries(all.map((name) => [name, "eu"])));
    expect(readFileSync(CONFIG, "utf8")).toContain(
      `bucket_name = "${BUCKET}"\njurisdiction = "eu"\n`,
    );
    expect(setup.variables?.["JURISDICTION"]).toBe("eu");
    expect((await setup.run()).steps["jurisdiction"]).toBe("already");
    const elsewhere = await setup.run({ JURISDICTION: "any" });
    expect([elsewhere.code, elsewhere.steps["jurisdiction"]]).toEqual([1, "FAILED"]);
  });

  it("is refused by a deployment that exists elsewhere, and says whether it has mail", async () => {
    expect((await setup.run()).code).toBe(0);
    const before = structuredClone(setup.account);
    const empty = await setup.run(EU);
    expect(empty.code).toBe(1);
    expect(empty.text).toMatch(
      /FAILED +jurisdiction +.*the database postern-core, .*→ delete them/s,
    );
    setup.change({ mailed: 3 });
    expect((await setup.run(EU)).text).toMatch(/3 of its teams have had mail\n +→ set up a second/);
    expect((await setup.run()).code).toBe(0);
    expect({ ...setup.account, mailed: 0 }).toEqual(before);
    expect(readFileSync(CONFIG, "utf8")).toBe(SHIPPED);
  });
});

describe("the doctor of a deployment in the EU", () => {
  useDoctor();

  const found = async () =>
    Object.fromEntries(
      (await doctor.examine("--json")).findings
        .filter(({ check }) => check.startsWith("data."))
        .map(({ check, status, what }) => [check.slice("data.".length), `${status} ${what}`]),
    );

  it("checks that each store is there, and names one that is elsewhere", async () => {
    const stores = [...DATABASES, BUCKET, "postern-deliver"];
    const jurisdictions = Object.fromEntries(stores.map((name) => [name, "eu"]));
    doctor.worker.place = { jurisdiction: "eu", object_jurisdiction: "eu", teams_elsewhere: 0 };
    const databases = Object.fromEntries(DATABASES.map((name) => [name, []]));
    doctor.change({ databases, buckets: [BUCKET], queues: ["postern-deliver"], jurisdictions });
    expect(await found()).toEqual({
      objects: "ok an object says that it is in the EU",
      databases: "ok in the EU: postern-core, postern-shard-0",
      buckets: "ok in the EU: postern-content",
      queues: "ok in the EU: postern-deliver",
    });
    doctor.worker.place = { jurisdiction: "eu", object_jurisdiction: null, teams_elsewhere: 2 };
    doctor.change({ jurisdictions: { ...jurisdictions, "postern-core": "us" } });
    expect(await found()).toMatchObject({
      teams: expect.stringMatching(/^critical .* 2 teams /),
      objects: "critical an object says no jurisdiction",
      databases: "critical outside the EU: postern-core",
    });
  });

  it("does not mention places if the deployment may be anywhere", async () => {
    expect(await found()).toEqual({});
  });
});
