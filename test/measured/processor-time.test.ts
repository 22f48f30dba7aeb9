// Tests the measurement of processor time (test/support/processor-time.ts): it recognises growth,
// whatever else runs on the machine.
import { expect, it } from "vitest";
import { expectBounded, expectLinear } from "../support/processor-time.ts";

let sum = 0;
const spin = (steps: number) => () => {
  for (let step = 0; step < steps; step += 1) sum = (sum + Math.imul(step, 31)) | 0;
};

it("linear work counts as linear", async () => {
  await expectLinear(8_000_000, spin);
});

it("quadratic work is refused", async () => {
  await expect(expectLinear(6_000, (size) => spin(size * size))).rejects.toThrow(
    "the processor time grows",
  );
});

it("limited work counts as bounded", async () => {
  await expectBounded(160_000_000, (size) => spin(Math.min(size, 8_000_000)));
});

it("linear work is refused where it must be bounded", async () => {
  await expect(expectBounded(16_000_000, spin)).rejects.toThrow("the processor time grows");
});
