// The rule of the places (smtp-gateway/src/inbound/connection-caps.ts), on a moved clock: who is
// admitted, who is displaced, and how addresses are counted.
import { describe, expect, it } from "vitest";
import { networksOf } from "../../smtp-gateway/src/inbound/client-networks.ts";
import {
  type CapOptions,
  ConnectionCaps,
  type ConnectionPlace,
} from "../../smtp-gateway/src/inbound/connection-caps.ts";

class Stand {
  now = 1_000_000;
  readonly caps: ConnectionCaps;
  readonly displaced: string[] = [];
  /** Names of connections that wait for an answer. */
  readonly waiting = new Set<string>();

  constructor(options: Partial<CapOptions> = {}) {
    this.caps = new ConnectionCaps(
      { connections: 20, connectionsPerAddress: 20, attemptsPerMinute: 100, ...options },
      () => this.now,
    );
  }

  /** A place, or the cap in the way; `name` is what `displaced` calls it. */
  admit(address: string, name = address): ConnectionPlace | string {
    return this.caps.admit(address, {
      awaitsReply: () => this.waiting.has(name),
      displace: () => this.displaced.push(name),
    });
  }

  place(address: string, name = address): ConnectionPlace {
    const place = this.admit(address, name);
    if (typeof place === "string") throw new Error(`${name} was refused: ${place}`);
    return place;
  }

  authenticate(address: string, name = address): ConnectionPlace {
    const place = this.place(address, name);
    place.authenticate();
    return place;
  }

  /** A millisecond apart. */
  fill(count: number, address: (at: number) => string): ConnectionPlace[] {
    return Array.from({ length: count }, (_, at) => {
      this.now += 1;
      return this.place(address(at), `${address(at)} ${at}`);
    });
  }
}

describe("strangers", () => {
  it("hold half of the places at most, and leave the rest to customers", () => {
    const stand = new Stand();
    stand.fill(10, (at) => `192.0.2.${at}`);
    expect(stand.admit("198.51.100.1")).toBe("strangers");
    const known = new Stand();
    for (let at = 0; at < 10; at += 1) known.authenticate(`198.51.100.${at}`).release();
    known.fill(10, (at) => `192.0.2.${at}`);
    for (let at = 0; at < 10; at += 1) known.authenticate(`198.51.100.${at}`);
    expect(known.displaced).toEqual([]);
  });

  it("make room for another one, the most silent first, when they have said nothing for a second", () => {
    const stand = new Stand();
    const places = stand.fill(10, (at) => `192.0.2.${at}`);
    stand.now += 500;
    places[0]!.noteActivity();
    stand.now += 500;
    expect(typeof stand.admit("198.51.100.1")).toBe("object");
    expect(stand.displaced).toEqual(["192.0.2.1 1"]);
  });

  it("from the network that holds the most make room at once", () => {
    const stand = new Stand({ connectionsPerAddress: 10 });
    stand.fill(3, (at) => `192.0.2.${at}`);
    stand.fill(7, () => "203.0.113.1");
    for (let at = 0; at < 6; at += 1) stand.place(`198.51.100.${at}`);
    expect(stand.displaced).toEqual([0, 1, 2, 3, 4, 5].map((at) => `203.0.113.1 ${at}`));
    expect(stand.admit("198.51.100.9")).toBe("strangers");
    stand.now += 1_000;
    expect(typeof stand.admit("198.51.100.9")).toBe("object");
  });

  it("that wait for an answer are not displaced", () => {
    const stand = new Stand();
    stand.fill(10, () => "203.0.113.1");
    for (let at = 0; at < 9; at += 1) stand.waiting.add(`203.0.113.1 ${at}`);
    stand.place("198.51.100.1");
    expect(stand.displaced).toEqual(["203.0.113.1 9"]);
    expect(stand.admit("198.51.100.2")).toBe("strangers");
  });

  it("that authenticate leave the strangers' places, and keep their own from then on", () => {
    const stand = new Stand();
    for (const place of stand.fill(10, (at) => `192.0.2.${at}`)) place.authenticate();
    stand.fill(10, (at) => `198.51.100.${at}`);
    stand.now += 60_000;
    for (let at = 0; at < 10; at += 1) stand.place(`203.0.113.${at}`);
    expect(stand.displaced).toHaveLength(10);
    for (const name of stand.displaced) expect(name).toMatch(/^198\.51\.100\./);
  });

  it("at a genuine return-path stay strangers, and get their try back", () => {
    const stand = new Stand({ attemptsPerMinute: 1 });
    const place = stand.place("192.0.2.1");
    place.refundAttempt();
    expect(stand.place("192.0.2.1").known).toBe(false);
    expect(stand.admit("192.0.2.1")).toBe("rate");
  });

  it("cause stress when they hold half of their places", () => {
    const stand = new Stand();
    const places = stand.fill(5, (at) => `192.0.2.${at}`);
    expect(stand.caps.isStressed).toBe(true);
    places[0]!.authenticate();
    expect(stand.caps.isStressed).toBe(false);
  });
});

describe("a full server", () => {
  it("gives a customer's new connection the place of a stranger, and refuses when there is none", () => {
    const stand = new Stand({ connections: 6 });
    stand.authenticate("198.51.100.1").release();
    for (let at = 0; at < 3; at += 1) stand.authenticate("198.51.100.1");
    stand.fill(3, () => "203.0.113.1");
    for (let at = 0; at < 3; at += 1) stand.authenticate("198.51.100.1");
    expect(stand.displaced).toHaveLength(3);
    stand.now += 600_000;
    expect(stand.admit("198.51.100.1")).toBe("server");
  });

  it("of silent connections from known addresses gives one up to a stranger, after a second", () => {
    const stand = new Stand({ connections: 6 });
    stand.authenticate("203.0.113.1").release();
    stand.fill(6, () => "203.0.113.1");
    expect(stand.admit("198.51.100.1")).toBe("server");
    stand.now += 1_000;
    stand.place("198.51.100.1");
    expect(stand.displaced).toEqual(["203.0.113.1 0"]);
  });

  it("counts a place that was given up twice once", () => {
    const stand = new Stand({ connections: 2 });
    const first = stand.authenticate("192.0.2.1");
    stand.authenticate("192.0.2.1");
    first.release();
    first.release();
    stand.authenticate("192.0.2.1");
    expect(stand.admit("192.0.2.1")).toBe("server");
  });
});

describe("an address", () => {
  it("has so many places, an IPv6 /64 as many", () => {
    const stand = new Stand({ connectionsPerAddress: 2 });
    const first = stand.authenticate("2001:db8:1:2::1");
    stand.authenticate("2001:db8:1:2:ffff::9");
    expect(stand.admit("2001:db8:1:2::3")).toBe("address");
    stand.place("2001:db8:1:3::3");
    first.release();
    stand.authenticate("2001:db8:1:2::3");
    expect(stand.admit("2001:db8:1:2::4")).toBe("address");
  });

  it("lets its own silent strangers make room, so that one machine behind it locks no other out", () => {
    const stand = new Stand({ connections: 100, connectionsPerAddress: 10 });
    stand.authenticate("192.0.2.1", "customer");
    stand.fill(9, () => "192.0.2.1");
    expect(stand.admit("192.0.2.1")).toBe("address");
    stand.now += 1_000;
    stand.authenticate("192.0.2.1", "another customer");
    expect(stand.displaced).toEqual(["192.0.2.1 0"]);
  });

  it("of an IPv6 /48 shares four times the places of a /64 with the other strangers of it", () => {
    const stand = new Stand({ connections: 1_000, connectionsPerAddress: 5 });
    stand.fill(20, (at) => `2001:db8:1:${at}::1`);
    expect(stand.admit("2001:db8:1:ff::1")).toBe("network");
    stand.place("2001:db8:2::1");
    stand.now += 1_000;
    stand.place("2001:db8:1:ff::1");
    expect(stand.displaced).toEqual(["2001:db8:1:0::1 0"]);
  });

  it("of an IPv6 /48 whose customers have authenticated is not limited by them", () => {
    const stand = new Stand({ connections: 1_000, connectionsPerAddress: 5 });
    for (let at = 0; at < 60; at += 1) stand.authenticate(`2001:db8:1:${at}::1`);
    expect(stand.displaced).toEqual([]);
  });

  it("loses to a stranger elsewhere first when its /48 holds the most places, however many /64 it spreads them over", () => {
    const stand = new Stand({ connections: 40, connectionsPerAddress: 5 });
    stand.fill(2, (at) => `192.0.2.${at}`);
    stand.fill(18, (at) => `2001:db8:1:${at}::1`);
    stand.place("198.51.100.1");
    expect(stand.displaced).toEqual(["2001:db8:1:0::1 0"]);
  });

  it("may come for nothing so often a minute, and as often as it likes for something", () => {
    const stand = new Stand({ attemptsPerMinute: 3 });
    for (let at = 0; at < 50; at += 1) {
      const place = stand.place("192.0.2.1");
      place.refundAttempt();
      place.refundAttempt();
      place.release();
    }
    for (let at = 0; at < 3; at += 1) stand.place("192.0.2.1").release();
    expect(stand.admit("192.0.2.1")).toBe("rate");
    stand.place("192.0.2.2");
    stand.now += 20_000;
    stand.place("192.0.2.1");
    expect(stand.admit("192.0.2.1")).toBe("rate");
  });

  it("of an IPv6 /48 may come for nothing four times as often as a /64", () => {
    const stand = new Stand({ connections: 1_000, attemptsPerMinute: 3 });
    for (let at = 0; at < 12; at += 1) stand.place(`2001:db8:1:${at}::1`).release();
    expect(stand.admit("2001:db8:1:ff::1")).toBe("rate");
    stand.place("2001:db8:2::1");
  });

  it("of an IPv6 /48 that is known is not refused for the tries of its neighbours", () => {
    const stand = new Stand({ connections: 1_000, attemptsPerMinute: 3 });
    stand.authenticate("2001:db8:1:1::1").release();
    for (let at = 2; at < 14; at += 1) stand.place(`2001:db8:1:${at}::1`).release();
    expect(stand.admit("2001:db8:1:ff::1")).toBe("rate");
    for (let at = 0; at < 3; at += 1) stand.place("2001:db8:1:1::1").release();
    expect(stand.admit("2001:db8:1:1::1")).toBe("rate");
  });

  it("is known for an hour after an authentication", () => {
    const stand = new Stand();
    const place = stand.place("192.0.2.1");
    expect(place.known).toBe(false);
    place.authenticate();
    expect([stand.place("192.0.2.1").known, stand.place("192.0.2.2").known]).toEqual([true, false]);
    stand.now += 3_600_001;
    expect(stand.place("192.0.2.1").known).toBe(false);
  });

  it.each([
    ["192.0.2.1", "192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1", "192.0.2.1"],
    ["2001:db8::1", "2001:db8:0:0::/64", "2001:db8:0::/48"],
    ["2001:0DB8:0:0:1::", "2001:db8:0:0::/64", "2001:db8:0::/48"],
    ["::1", "0:0:0:0::/64", "0:0:0::/48"],
    ["fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0::/48"],
    ["1:2:3:4:5:6:7:8", "1:2:3:4::/64", "1:2:3::/48"],
    ["1:2:3:4:5:6::", "1:2:3:4::/64", "1:2:3::/48"],
    ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64", "64:ff9b:0::/48"],
  ])("%s counts as %s and %s", (address, group, network) => {
    expect(networksOf(address)).toEqual({ address: group, network });
  });
});
