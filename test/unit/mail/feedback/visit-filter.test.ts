// Tests how visits are counted (src/mail/feedback/visit-filter.ts): repeated visits count once, and
// a burst of visits to many links does not count.
import { describe, expect, it } from "vitest";
import { bindings } from "../../../support/api.ts";

const visits = () => bindings.VISITS.getByName(crypto.randomUUID());
const link = (number: number, agent = "a") => ({ url: `https://shop.example/${number}`, agent });

describe.concurrent("visits to one copy", () => {
  it("count an open once per agent, however often it repeats", async () => {
    const copy = visits();
    const open = { url: null, agent: "a" };
    expect(
      await Promise.all([
        copy.shouldCount(open),
        copy.shouldCount(open),
        copy.shouldCount({ url: null, agent: "b" }),
      ]),
    ).toEqual([true, false, true]);
    expect(await copy.shouldCount(open)).toBe(false);
  });

  it("count no link of a burst over three links, but another agent's link", async () => {
    const copy = visits();
    const first = copy.shouldCount(link(1));
    await scheduler.wait(50);
    const answers = await Promise.all([
      first,
      copy.shouldCount(link(2)),
      copy.shouldCount(link(3)),
      copy.shouldCount(link(1, "b")),
      copy.shouldCount({ url: null, agent: "a" }),
    ]);
    expect(answers).toEqual([false, false, false, true, true]);
  });

  it("count two links in a row, and the same link once", async () => {
    const copy = visits();
    expect(
      await Promise.all([
        copy.shouldCount(link(1)),
        copy.shouldCount(link(2)),
        copy.shouldCount(link(1)),
      ]),
    ).toEqual([true, true, false]);
  });

  it("are independent of visits to another copy", async () => {
    expect(
      await Promise.all([1, 2, 3].map((number) => visits().shouldCount(link(number)))),
    ).toEqual([true, true, true]);
  });
});
