// The measure itself (test/support/processor-time.ts): it tells growth apart, whatever else the
// machine does.
import { expect, it } from "vitest";
import { expectBounded, expectLinear } from "../support/processor-time.ts";

let sum = 0;
const spin = (steps: number) => () => {
  for (let step = 0; step < steps; step += 1) sum = (sum + Math.imul(step, 31)) | 0;
};

it("takes linear work for linear", async () => {
  await expectLinear(8_000_000, spin);
});

it("refuses quadratic work", async () => {
  await expect(expectLinear(6_000, (size) => spin(size * size))).rejects.toThrow("a sixteenth");
});

it("takes work that a limit holds for bounded", async () => {
  await expectBounded(160_000_000, (size) => spin(Math.min(size, 8_000_000)));
});

it("refuses linear work where it has to be bounded", async () => {
  await expect(expectBounded(16_000_000, spin)).rejects.toThrow("a sixteenth");
});
