// Tests the ports for servers that are restarted (tools/harness/loopback.ts).
import { existsSync, readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { ownPorts } from "../../tools/harness/loopback.ts";

const RANGE = "/proc/sys/net/ipv4/ip_local_port_range";

it("two processes that try the same numbers get different ports, and neither gets a port twice", async () => {
  vi.resetModules();
  const one = await import("../../tools/harness/loopback.ts");
  vi.resetModules();
  const other = await import("../../tools/harness/loopback.ts");
  const numbers = vi.spyOn(Math, "random");
  const first = Math.random();
  numbers.mockReturnValueOnce(first).mockReturnValueOnce(first);
  const ports = [
    await one.ownPort(),
    await other.ownPort(),
    ...Object.values(await one.ownPorts("a", "b")),
  ];
  expect(new Set(ports).size).toBe(4);
});

it.runIf(existsSync(RANGE))(
  "the ports are outside the range that the system gives out",
  async () => {
    const [least = 0, most = 0] = readFileSync(RANGE, "utf8").trim().split(/\s+/).map(Number);
    const ports = Object.values(await ownPorts("a", "b", "c"));
    expect(ports.filter((port) => port >= least && port <= most)).toEqual([]);
  },
);
