// Tests the release of a scheduled message (contract.md §Scheduled sends): the message is delivered
// once, its date is that of its release, and the service checks again everything that may have
// changed since acceptance.
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/limits.ts";
import { recipientOf, tokenOf } from "../../../src/mail/feedback/inbound.ts";
import { bindings, ok, operator, statement } from "../../support/api.ts";
import { DELIVERED } from "../../support/fakes/fake-egress.ts";
import { Harness, headersOf, someone, kindsOf } from "../../support/harness.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const WAIT_MS = 20 * DAY_MS;

const harness = ofEachTest(Harness.make);

/** Schedules a message, and returns its id and its time. */
async function schedule(
  body: Record<string, unknown>,
): Promise<{ readonly id: string; readonly at: number }> {
  const at = Date.now() + WAIT_MS;
  const message = { text: "Hello.", scheduled_at: new Date(at).toISOString(), ...body };
  const id = await harness.send(message);
  return { id, at };
}

/** Returns the content of scheduled messages with that id in R2. */
async function contentOf(id: string): Promise<R2Object[]> {
  const { objects } = await bindings.CONTENT.list({ prefix: "scheduled/" });
  return objects.filter(({ key }) => key.endsWith(id));
}

describe("a scheduled message", () => {
  it("is delivered once at its time, with that time as its date", async () => {
    const to = someone();
    const { id, at } = await schedule({ to: [to] });
    await harness.reach(at);
    expect(kindsOf(await harness.history(id, 2))).toBe("sent delivered");
    expect(harness.egress.to(to)).toHaveLength(1);
    const copy = await harness.copyTo(to);
    expect(Date.parse(headersOf(copy, "Date")[0]!)).toBe(Math.floor(at / 1_000) * 1_000);
    expect(headersOf(copy, "DKIM-Signature")[0]).toContain(`t=${Math.floor(at / 1_000)};`);
    const message = await harness.lookUp(id);
    expect(message).toMatchObject({
      scheduled_at: new Date(at).toISOString(),
      canceled_at: null,
      recipients: [{ status: "delivered" }],
    });
  });

  it("goes out although its key was deleted and the subscription ended meanwhile", async () => {
    const to = someone();
    const { at } = await schedule({ to: [to] });
    expect((await harness.delete(`/v1/api-keys/${harness.keyId}`)).status).toBe(204);
    await ok(operator.patch(`/admin/teams/${harness.id}`, { subscription: "inactive" }));
    await harness.reach(at);
    await expect.poll(() => harness.egress.to(to)).toHaveLength(1);
  });

  it("has return-paths that are taken for 30 days after its release", async () => {
    const to = someone();
    const { at } = await schedule({ to: [to] });
    await harness.reach(at);
    await expect.poll(() => harness.egress.to(to)).toHaveLength(1);
    const token = tokenOf(harness.egress.to(to)[0]!.mail_from) ?? "";
    expect(await recipientOf(bindings, token, at + 29 * DAY_MS)).toBeDefined();
    expect(await recipientOf(bindings, token, at + 31 * DAY_MS)).toBeUndefined();
  });

  it("is tried for 72 hours after its scheduled time", async () => {
    const to = someone();
    harness.egress.replies(to, { ...DELIVERED, code: 451, text: "Later" });
    const { id, at } = await schedule({ to: [to] });
    await harness.reach(at);
    await harness.history(id, 2);
    const { recipients } = await harness.lookUp(id);
    expect(recipients[0]?.status).toBe("delayed");
    expect(Date.parse(recipients[0]!.next_attempt_at!)).toBeLessThan(at + HOUR_MS);
  });

  it("brings its large content along, and leaves none behind", async () => {
    const to = someone();
    const text = `${"x".repeat(70)}\r\n`.repeat(30_000);
    const { id, at } = await schedule({ to: [to], text: text.slice(0, 990_000) });
    expect(await contentOf(id)).toHaveLength(1);
    await harness.reach(at);
    await harness.history(id, 2);
    await expect.poll(() => contentOf(id)).toEqual([]);
    expect((await harness.copyTo(to)).text?.length).toBeGreaterThan(900_000);
  });

  it("leaves no content behind when it is canceled", async () => {
    const { id } = await schedule({ to: [someone()], text: "x".repeat(200_000) });
    await harness.post(`/v1/email/${id}/cancel`);
    await expect.poll(() => contentOf(id)).toEqual([]);
  });

  it("leaves out recipients that were suppressed meanwhile", async () => {
    const to = someone();
    const { id, at } = await schedule({ to: [to] });
    await harness.post("/v1/suppressions", { email: to });
    await harness.reach(at);
    expect(kindsOf(await harness.history(id, 1))).toBe("suppressed");
    expect(harness.egress.to(to)).toEqual([]);
  });

  it("bounces with a reason when its sending domain is gone by then", async () => {
    const to = someone();
    const { id, at } = await schedule({ to: [to] });
    await statement("DELETE FROM domains WHERE name = ?", harness.domain).run();
    await harness.reach(at);
    const events = await harness.history(id, 1);
    expect(events).toMatchObject([
      { type: "email.bounced", bounce_type: "transient", bounce_classification: "InvalidSender" },
    ]);
    expect(harness.egress.to(to)).toEqual([]);
    const { recipients } = await harness.lookUp(id);
    expect(recipients[0]?.events[0]?.smtp_response).toBe(
      "The sending domain was deleted before the message's scheduled time.",
    );
  });
});
