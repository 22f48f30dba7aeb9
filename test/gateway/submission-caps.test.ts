// How many connections an address gets, and how many that lead to nothing.
import { afterEach, describe, expect, it } from "vitest";
import { addressGroup, ConnectionCaps, Place } from "../../smtp-gateway/src/connection-caps.ts";
import { mailStand } from "./mail-stand.ts";
import { SmtpClient } from "./smtp-client.ts";
import { eventually } from "./support.ts";

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function caps(overrides: Partial<ConstructorParameters<typeof ConnectionCaps>[0]> = {}) {
  const clock = { now: 1_000_000_000 };
  const options = { connections: 100, connectionsPerAddress: 100, attemptsPerMinute: 100, ...overrides };
  return { clock, caps: new ConnectionCaps(options, () => clock.now) };
}

describe("the caps", () => {
  it("count connections an address, an IPv6 address by its /64, and free a place when it is left, once", () => {
    const { caps: counted } = caps({ connectionsPerAddress: 2 });
    const first = counted.admit("2001:db8:1:2::1") as Place;
    expect(counted.admit("2001:db8:1:2:ffff::9")).toBeInstanceOf(Place);
    expect(counted.admit("2001:db8:1:2::3")).toBe("address");
    expect(counted.admit("2001:db8:1:3::3")).toBeInstanceOf(Place);
    first.leave();
    first.leave();
    expect(counted.admit("2001:db8:1:2::3")).toBeInstanceOf(Place);
    expect(counted.admit("2001:db8:1:2::4")).toBe("address");
  });

  it("count connections in all", () => {
    const { caps: counted } = caps({ connections: 2 });
    counted.admit("192.0.2.1");
    counted.admit("192.0.2.2");
    expect(counted.admit("192.0.2.3")).toBe("server");
  });

  it("let an address come for nothing so often a minute, and as often as it likes for something", () => {
    const { caps: counted, clock } = caps({ attemptsPerMinute: 3 });
    for (let at = 0; at < 50; at += 1) {
      const place = counted.admit("192.0.2.1") as Place;
      place.proveFruitful();
      place.proveFruitful();
      place.leave();
    }
    for (let at = 0; at < 3; at += 1) (counted.admit("192.0.2.1") as Place).leave();
    expect(counted.admit("192.0.2.1")).toBe("rate");
    expect(counted.admit("192.0.2.2")).toBeInstanceOf(Place);
    clock.now += 20_000;
    expect(counted.admit("192.0.2.1")).toBeInstanceOf(Place);
    expect(counted.admit("192.0.2.1")).toBe("rate");
  });

  it("know an address for an hour after a fruitful connection", () => {
    const { caps: counted, clock } = caps();
    const place = counted.admit("192.0.2.1") as Place;
    expect(place.known).toBe(false);
    place.proveFruitful();
    expect((counted.admit("192.0.2.1") as Place).known).toBe(true);
    expect((counted.admit("192.0.2.2") as Place).known).toBe(false);
    clock.now += 3_600_001;
    expect((counted.admit("192.0.2.1") as Place).known).toBe(false);
  });

  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:0DB8:0:0:1::", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["1:2:3:4:5:6:7:8", "1:2:3:4::/64"],
    ["1:2:3:4:5:6::", "1:2:3:4::/64"],
    ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ])("group %s as %s", (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});

describe("a connection too many", () => {
  it("hears why and is closed; the others go on", async () => {
    const { port, close } = await mailStand("submission", { connectionsPerAddress: 1 });
    closing.push(close);
    const first = await SmtpClient.authenticated(port);
    const second = await SmtpClient.connect(port);
    expect(await second.reply()).toBe("421 4.7.0 Too many connections, try again later\r\n");
    expect(await second.reply()).toBe("");
    expect(await first.command("NOOP")).toContain("250");
    first.close();
    await eventually(() => first.closed);
    await expect
      .poll(async () => {
        const third = await SmtpClient.connect(port);
        const said = await third.reply();
        third.close();
        return said.slice(0, 3);
      })
      .toBe("220");
  });

  it("that led to nothing is counted, one that authenticated is not", async () => {
    const { port, close } = await mailStand("submission", { attemptsPerMinute: 2 });
    closing.push(close);
    for (let at = 0; at < 5; at += 1) (await SmtpClient.authenticated(port)).close();
    for (const expected of ["220", "220", "421"]) {
      const client = await SmtpClient.connect(port);
      expect((await client.reply()).slice(0, 3)).toBe(expected);
      client.close();
    }
  });
});
