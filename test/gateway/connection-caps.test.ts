// Tests the caps on connections (smtp-gateway/src/inbound/connection-caps.ts) with a fake clock:
// which connections are admitted, which are displaced, and how addresses are counted.
import { describe, expect, it } from "vitest";
import { networksOf } from "../../smtp-gateway/src/inbound/client-networks.ts";
import {
  ConnectionCaps,
  type ConnectionSlot,
} from "../../smtp-gateway/src/inbound/connection-caps.ts";

class CapsHarness {
  now = 1_000_000;
  readonly caps: ConnectionCaps;
  readonly displaced: string[] = [];
  /** The names of the connections whose clients wait for a reply. */
  readonly waiting = new Set<string>();

  constructor(options: Partial<ConstructorParameters<typeof ConnectionCaps>[0]> = {}) {
    this.caps = new ConnectionCaps(
      { connections: 20, connectionsPerAddress: 20, attemptsPerMinute: 100, ...options },
      () => this.now,
    );
  }

  /**
   * Admits a connection. Returns its slot, or the name of the limit that refuses it. If the slot is
   * later taken away, `name` is added to `displaced`.
   */
  admit(address: string, name = address): ConnectionSlot | string {
    return this.caps.admit(address, {
      awaitsReply: () => this.waiting.has(name),
      displace: () => this.displaced.push(name),
    });
  }

  slot(address: string, name = address): ConnectionSlot {
    const slot = this.admit(address, name);
    if (typeof slot === "string") throw new Error(`${name} was refused: ${slot}`);
    return slot;
  }

  authenticate(address: string, name = address): ConnectionSlot {
    const slot = this.slot(address, name);
    slot.authenticate();
    return slot;
  }

  /** Admits connections one after the other, one millisecond apart. */
  fill(count: number, address: (at: number) => string): ConnectionSlot[] {
    return Array.from({ length: count }, (_, at) => {
      this.now += 1;
      return this.slot(address(at), `${address(at)} ${at}`);
    });
  }
}

describe("unknown connections", () => {
  it("hold at most half of the slots, and leave the rest to known addresses", () => {
    const harness = new CapsHarness();
    harness.fill(10, (at) => `192.0.2.${at}`);
    expect(harness.admit("198.51.100.1")).toBe("strangers");
    const known = new CapsHarness();
    for (let at = 0; at < 10; at += 1) known.authenticate(`198.51.100.${at}`).release();
    known.fill(10, (at) => `192.0.2.${at}`);
    for (let at = 0; at < 10; at += 1) known.authenticate(`198.51.100.${at}`);
    expect(known.displaced).toEqual([]);
  });

  it("make room for a new connection after a second of silence; the longest silent one ends first", () => {
    const harness = new CapsHarness();
    const slots = harness.fill(10, (at) => `192.0.2.${at}`);
    harness.now += 500;
    slots[0]!.noteActivity();
    harness.now += 500;
    expect(typeof harness.admit("198.51.100.1")).toBe("object");
    expect(harness.displaced).toEqual(["192.0.2.1 1"]);
  });

  it("give up slots at once in the network that holds the most slots", () => {
    const harness = new CapsHarness({ connectionsPerAddress: 10 });
    harness.fill(3, (at) => `192.0.2.${at}`);
    harness.fill(7, () => "203.0.113.1");
    for (let at = 0; at < 6; at += 1) harness.slot(`198.51.100.${at}`);
    expect(harness.displaced).toEqual([0, 1, 2, 3, 4, 5].map((at) => `203.0.113.1 ${at}`));
    expect(harness.admit("198.51.100.9")).toBe("strangers");
    harness.now += 1_000;
    expect(typeof harness.admit("198.51.100.9")).toBe("object");
  });

  it("that wait for a reply are not displaced", () => {
    const harness = new CapsHarness();
    harness.fill(10, () => "203.0.113.1");
    for (let at = 0; at < 9; at += 1) harness.waiting.add(`203.0.113.1 ${at}`);
    harness.slot("198.51.100.1");
    expect(harness.displaced).toEqual(["203.0.113.1 9"]);
    expect(harness.admit("198.51.100.2")).toBe("strangers");
  });

  it("that authenticate free their share of slots, and can no longer be displaced", () => {
    const harness = new CapsHarness();
    for (const slot of harness.fill(10, (at) => `192.0.2.${at}`)) slot.authenticate();
    harness.fill(10, (at) => `198.51.100.${at}`);
    harness.now += 60_000;
    for (let at = 0; at < 10; at += 1) harness.slot(`203.0.113.${at}`);
    expect(harness.displaced).toHaveLength(10);
    for (const name of harness.displaced) expect(name).toMatch(/^198\.51\.100\./);
  });

  it("that name a genuine return-path stay unknown, and their attempt no longer counts", () => {
    const harness = new CapsHarness({ attemptsPerMinute: 1 });
    const slot = harness.slot("192.0.2.1");
    slot.refundAttempt();
    expect(harness.slot("192.0.2.1").known).toBe(false);
    expect(harness.admit("192.0.2.1")).toBe("rate");
  });

  it("put the server under stress when they have half of the slots that they may have", () => {
    const harness = new CapsHarness();
    const slots = harness.fill(5, (at) => `192.0.2.${at}`);
    expect(harness.caps.isStressed).toBe(true);
    slots[0]!.authenticate();
    expect(harness.caps.isStressed).toBe(false);
  });
});

describe("a full server", () => {
  it("gives a known address the slot of an unknown connection, and refuses the address if all connections are known", () => {
    const harness = new CapsHarness({ connections: 6 });
    harness.authenticate("198.51.100.1").release();
    for (let at = 0; at < 3; at += 1) harness.authenticate("198.51.100.1");
    harness.fill(3, () => "203.0.113.1");
    for (let at = 0; at < 3; at += 1) harness.authenticate("198.51.100.1");
    expect(harness.displaced).toHaveLength(3);
    harness.now += 600_000;
    expect(harness.admit("198.51.100.1")).toBe("server");
  });

  it("gives an unknown connection the slot of a known address's connection that was silent for a second", () => {
    const harness = new CapsHarness({ connections: 6 });
    harness.authenticate("203.0.113.1").release();
    harness.fill(6, () => "203.0.113.1");
    expect(harness.admit("198.51.100.1")).toBe("server");
    harness.now += 1_000;
    harness.slot("198.51.100.1");
    expect(harness.displaced).toEqual(["203.0.113.1 0"]);
  });

  it("counts a slot once if it is released twice", () => {
    const harness = new CapsHarness({ connections: 2 });
    const first = harness.authenticate("192.0.2.1");
    harness.authenticate("192.0.2.1");
    first.release();
    first.release();
    harness.authenticate("192.0.2.1");
    expect(harness.admit("192.0.2.1")).toBe("server");
  });
});

describe("an address", () => {
  it("has the configured number of slots, and so has an IPv6 /64", () => {
    const harness = new CapsHarness({ connectionsPerAddress: 2 });
    const first = harness.authenticate("2001:db8:1:2::1");
    harness.authenticate("2001:db8:1:2:ffff::9");
    expect(harness.admit("2001:db8:1:2::3")).toBe("address");
    harness.slot("2001:db8:1:3::3");
    first.release();
    harness.authenticate("2001:db8:1:2::3");
    expect(harness.admit("2001:db8:1:2::4")).toBe("address");
  });

  it("displaces its own silent connections, so that no machine locks out another behind it", () => {
    const harness = new CapsHarness({ connections: 100, connectionsPerAddress: 10 });
    harness.authenticate("192.0.2.1", "customer");
    harness.fill(9, () => "192.0.2.1");
    expect(harness.admit("192.0.2.1")).toBe("address");
    harness.now += 1_000;
    harness.authenticate("192.0.2.1", "another customer");
    expect(harness.displaced).toEqual(["192.0.2.1 0"]);
  });

  it("of an IPv6 /48 shares four times the slots of a /64 with unauthenticated neighbours", () => {
    const harness = new CapsHarness({ connections: 1_000, connectionsPerAddress: 5 });
    harness.fill(20, (at) => `2001:db8:1:${at}::1`);
    expect(harness.admit("2001:db8:1:ff::1")).toBe("network");
    harness.slot("2001:db8:2::1");
    harness.now += 1_000;
    harness.slot("2001:db8:1:ff::1");
    expect(harness.displaced).toEqual(["2001:db8:1:0::1 0"]);
  });

  it("of an IPv6 /48 is not limited by its authenticated neighbours", () => {
    const harness = new CapsHarness({ connections: 1_000, connectionsPerAddress: 5 });
    for (let at = 0; at < 60; at += 1) harness.authenticate(`2001:db8:1:${at}::1`);
    expect(harness.displaced).toEqual([]);
  });

  it("is displaced first when its /48 holds the most slots, spread over any number of /64", () => {
    const harness = new CapsHarness({ connections: 40, connectionsPerAddress: 5 });
    harness.fill(2, (at) => `192.0.2.${at}`);
    harness.fill(18, (at) => `2001:db8:1:${at}::1`);
    harness.slot("198.51.100.1");
    expect(harness.displaced).toEqual(["2001:db8:1:0::1 0"]);
  });

  it("may open any number of connections with a result (an authentication or a report), and a limited number a minute without one", () => {
    const harness = new CapsHarness({ attemptsPerMinute: 3 });
    for (let at = 0; at < 50; at += 1) {
      const slot = harness.slot("192.0.2.1");
      slot.refundAttempt();
      slot.refundAttempt();
      slot.release();
    }
    for (let at = 0; at < 3; at += 1) harness.slot("192.0.2.1").release();
    expect(harness.admit("192.0.2.1")).toBe("rate");
    harness.slot("192.0.2.2");
    harness.now += 20_000;
    harness.slot("192.0.2.1");
    expect(harness.admit("192.0.2.1")).toBe("rate");
  });

  it("of an IPv6 /48 may open four times as many connections without a result as a /64", () => {
    const harness = new CapsHarness({ connections: 1_000, attemptsPerMinute: 3 });
    for (let at = 0; at < 12; at += 1) harness.slot(`2001:db8:1:${at}::1`).release();
    expect(harness.admit("2001:db8:1:ff::1")).toBe("rate");
    harness.slot("2001:db8:2::1");
  });

  it("of an IPv6 /48 is not refused for the attempts of its neighbours if it is known", () => {
    const harness = new CapsHarness({ connections: 1_000, attemptsPerMinute: 3 });
    harness.authenticate("2001:db8:1:1::1").release();
    for (let at = 2; at < 14; at += 1) harness.slot(`2001:db8:1:${at}::1`).release();
    expect(harness.admit("2001:db8:1:ff::1")).toBe("rate");
    for (let at = 0; at < 3; at += 1) harness.slot("2001:db8:1:1::1").release();
    expect(harness.admit("2001:db8:1:1::1")).toBe("rate");
  });

  it("is known for an hour after an authentication", () => {
    const harness = new CapsHarness();
    const slot = harness.slot("192.0.2.1");
    expect(slot.known).toBe(false);
    slot.authenticate();
    expect([harness.slot("192.0.2.1").known, harness.slot("192.0.2.2").known]).toEqual([
      true,
      false,
    ]);
    harness.now += 3_600_001;
    expect(harness.slot("192.0.2.1").known).toBe(false);
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
  ])("%s counts as the address %s in the network %s", (address, group, network) => {
    expect(networksOf(address)).toEqual({ address: group, network });
  });
});
