// Tests IP addresses and blocks of them (src/lib/cidr.ts).
import { describe, expect, it } from "vitest";
import { addressGroup, blockContains, parseAddress, parseBlock } from "../../../src/lib/cidr.ts";

const contains = (block: string, address: string) => {
  const [outer, inner] = [parseBlock(block), parseAddress(address)];
  if (!outer || !inner) throw new Error(`unreadable: ${block} ${address}`);
  return blockContains(outer, inner);
};

describe("blocks", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7", true],
    ["192.0.2.7", "192.0.2.8", false],
    ["192.0.2.0/24", "192.0.2.255", true],
    ["192.0.2.77/24", "192.0.2.1", true],
    ["192.0.2.0/24", "192.0.3.0", false],
    ["0.0.0.0/0", "255.255.255.255", true],
    ["0.0.0.0/0", "::1", false],
    ["::/0", "2001:db8::1", true],
    ["::/0", "192.0.2.1", false],
    ["2001:db8::/32", "2001:db8:ffff::1", true],
    ["2001:db8::/32", "2001:db9::", false],
    ["192.0.2.0/24", "::ffff:192.0.2.9", true],
    ["::ffff:192.0.2.0/120", "192.0.2.9", true],
    ["::ffff:c000:200/120", "192.0.3.9", false],
    ["2001:DB8::A", "2001:db8:0:0:0:0:0:a", true],
    ["64:ff9b::192.0.2.1", "64:ff9b::c000:201", true],
  ])("%s contains %s: %s", (block, address, expected) => {
    expect(contains(block, address)).toBe(expected);
  });

  it.each([
    ..."1.2.3 1.2.3.4.5 256.1.1.1 01.2.3.4 1.2.3.4/33 1.2.3.4/-1 1.2.3.4/08 1.2.3.4/".split(" "),
    ...": ::: 1::2::3 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1:2:3:4:5:6:7:8:: ::12345 ::g".split(" "),
    ..."fe80::1%eth0 ::/129 ::1.2.3 1.2.3.4:: ::ffff:1.2.3.4/95 localhost １.2.3.4".split(" "),
    "",
    " 1.2.3.4",
  ])("are not parsed from %j", (text) => {
    expect(parseBlock(text)).toBeUndefined();
  });
});

describe("groups of failed authentications", () => {
  const group = (text: string) => {
    const address = parseAddress(text);
    return address && addressGroup(address);
  };

  it("are one IPv4 address or one IPv6 /64", () => {
    expect(group("192.0.2.1")).not.toBe(group("192.0.2.2"));
    expect(group("192.0.2.1")).toBe(group("::ffff:192.0.2.1"));
    expect(group("2001:db8:1:2::1")).toBe(group("2001:db8:1:2:ffff:ffff:ffff:ffff"));
    expect(group("2001:db8:1:2::1")).not.toBe(group("2001:db8:1:3::1"));
  });
});
