// Tests the end of the 72 hours (contract.md §Event types): the reply to one last attempt is final,
// however late the attempt is made. If no courier took the copy, the recipient bounces as expired.
import { expect, it, vi } from "vitest";
import { EXPIRY_AFTER_MS, HOUR_MS } from "../../../src/limits.ts";
import { DELIVERED } from "../../support/fakes/fake-egress.ts";
import { someone, Harness, kindsOf } from "../../support/harness.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const LATER = { ...DELIVERED, code: 451, enhanced: "4.7.1", text: "try later", stage: "rcpt" };

const harness = ofEachTest(Harness.make);

async function passExpiry(lateByMs: number): Promise<void> {
  await harness.pass(EXPIRY_AFTER_MS + lateByMs);
  await harness.settled();
}

it("the final event is a delivery if the server accepts, even hours late", async () => {
  const to = someone();
  harness.egress.replies(to, LATER, DELIVERED);
  const id = await harness.send({ to: [to], text: "Hello." });
  await harness.history(id, 2);
  await passExpiry(5 * HOUR_MS);
  expect(kindsOf(await harness.allEvents(id))).toBe("sent delayed delivered");
});

it("the final event is a bounce with the service's own text if the gateway is down", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const to = someone();
  harness.egress.replies(to, LATER);
  const id = await harness.send({ to: [to], text: "Hello." });
  await harness.history(id, 2);
  harness.egress.up = false;
  await passExpiry(1_000);
  expect((await harness.allEvents(id)).at(-1)).toMatchObject({
    type: "email.bounced",
    attempt: 2,
    smtp_code: 451,
    bounce_type: "expired",
    bounce_classification: null,
  });
  expect(harness.egress.to(to)).toHaveLength(1);
});
