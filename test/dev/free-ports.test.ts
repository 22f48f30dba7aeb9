// Tests the free ports for servers that a test may restart (tools/harness/loopback.ts): two
// processes that try the same numbers get different ports, and neither gets a port twice.
import { expect, it, vi } from "vitest";

it("two processes that try the same numbers get different ports, and neither returns a port twice", async () => {
  vi.resetModules();
  const one = await import("../../tools/harness/loopback.ts");
  vi.resetModules();
  const other = await import("../../tools/harness/loopback.ts");
  const numbers = vi.spyOn(Math, "random");
  const first = Math.random();
  numbers.mockReturnValueOnce(first).mockReturnValueOnce(first);
  const ports = [
    await one.freePort(),
    await other.freePort(),
    ...Object.values(await one.freePorts("a", "b")),
  ];
  expect(new Set(ports).size).toBe(4);
});
