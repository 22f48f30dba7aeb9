// Tests how many connections a server gets, its share among the servers of one destination, and a
// limit that a destination announces (docs/egress-protocol.md §Destinations).
import { describe, expect, it } from "vitest";
import { AnnouncedLimit } from "../../../smtp-gateway/src/destinations/announced-limit.ts";
import { Concurrency } from "../../../smtp-gateway/src/destinations/concurrency.ts";
import { Sites } from "../../../smtp-gateway/src/destinations/server-connections.ts";

const MINUTE = 60_000;

describe("the concurrency of a server", () => {
  const answer = (concurrency: Concurrency, times: number): void => {
    for (let time = 0; time < times; time += 1) concurrency.answered(0);
  };

  it("grows by one after as many replies as the server has connections, up to the limit", () => {
    const concurrency = new Concurrency(20);
    expect(concurrency.connections).toBe(5);
    answer(concurrency, 5);
    expect(concurrency.answered(0)).toBe(true);
    expect(concurrency.answered(0)).toBe(false);
    expect(concurrency.connections).toBe(6);
    answer(concurrency, 1000);
    expect(concurrency.connections).toBe(20);
  });

  it("falls to one after as many failures in a row as the server has connections, until a reply comes", () => {
    const concurrency = new Concurrency(20);
    concurrency.failed();
    expect(concurrency.connections).toBe(4);
    for (let time = 0; time < 4; time += 1) concurrency.failed();
    expect([concurrency.connections, concurrency.serverStateAt(0)]).toEqual([1, "fails"]);
    answer(concurrency, 1);
    expect(concurrency.connections).toBe(2);
    expect([concurrency.serverStateAt(0), concurrency.serverStateAt(MINUTE)]).toEqual([
      "answers",
      "untried",
    ]);
  });
});

describe("an announced limit", () => {
  it("holds for five minutes; then the gateway tries one more connection at a time", () => {
    const limit = new AnnouncedLimit(20);
    expect(limit.at(0)).toBeNull();
    limit.announce(5, 0);
    limit.announce(7, 0);
    const at = (minutes: number) => limit.at(minutes * MINUTE);
    expect([at(4), at(5), at(9), at(10)]).toEqual([5, 6, 6, 7]);
    // The server refuses the sixth connection again, so the gateway waits twice as long before it
    // tries a sixth one.
    limit.announce(5, 5 * MINUTE);
    expect([at(14), at(15), at(25), at(10_000)]).toEqual([5, 6, 7, null]);
  });

  it("leaves one connection, whatever the server announces", () => {
    const limit = new AnnouncedLimit(20);
    limit.announce(0, 0);
    expect(limit.at(0)).toBe(1);
  });
});

describe("the servers of one destination", () => {
  /** Takes every free connection of the mail server. Returns how many there were. */
  const fill = (sites: Sites, name: string): number => {
    let taken = 0;
    for (; sites.hasRoom(name, 0); taken += 1) sites.take(name);
    return taken;
  };

  it("share three quarters of its connections until they answer, however many servers hang", () => {
    const sites = new Sites(10);
    const taken = Array.from({ length: 200 }, (_, at) => fill(sites, `hangs ${at}`));
    expect(taken.slice(0, 3)).toEqual([5, 2, 0]);
    expect(taken.reduce((sum, one) => sum + one, 0)).toBe(7);
    sites.answered("answers", 0);
    expect(fill(sites, "answers")).toBe(3);
    expect(sites.serverStateAt(0)).toBe("answers");
  });

  it("share half of the destination's connections when they fail", () => {
    const sites = new Sites(10);
    const names = Array.from({ length: 200 }, (_, at) => `fails ${at}`);
    for (const name of names) for (let time = 0; time < 5; time += 1) sites.failed(name);
    expect(names.filter((name) => fill(sites, name) > 0)).toHaveLength(5);
    expect(fill(sites, "untried")).toBe(2);
  });

  it("have one connection each when they fail, and the other servers keep their connections", () => {
    const sites = new Sites(10);
    sites.answered("good", 0);
    for (let time = 0; time < 5; time += 1) sites.failed("bad");
    expect([fill(sites, "bad"), fill(sites, "good")]).toEqual([1, 5]);
    expect([sites.connections, sites.serverStateAt(0)]).toEqual([6, "answers"]);
  });

  it("make the destination fail only when all of them fail", () => {
    const sites = new Sites(10);
    expect(sites.serverStateAt(0)).toBe("untried");
    for (const name of ["first", "second"]) {
      expect(sites.serverStateAt(0)).toBe("untried");
      for (let time = 0; time < 5; time += 1) sites.failed(name);
      if (name === "first") sites.hasRoom("second", 0);
    }
    expect(sites.serverStateAt(0)).toBe("fails");
    sites.answered("second", 0);
    expect([sites.serverStateAt(0), sites.serverStateAt(MINUTE)]).toEqual(["answers", "untried"]);
  });

  it("are forgotten, the longest unused first, except those with connections", () => {
    const sites = new Sites(10);
    sites.take("held");
    for (let at = 0; at < 2_000; at += 1) sites.failed(`${at}`);
    expect(sites.connections).toBe(10);
    sites.release("held");
    expect(fill(sites, "held")).toBe(5);
  });
});
