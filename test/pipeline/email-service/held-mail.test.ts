// Tests mail whose sending domain the Email Service does not take (docs/architecture.md §Hold): what
// its team and the operator read about it, and how it ends.
import { expect, it, vi } from "vitest";
import { HOLD_LIMIT_MS } from "../../../src/limits.ts";
import { bindings, operator, ok, type Page } from "../../support/api.ts";
import { someone } from "../../support/harness.ts";
import { EmailServiceTeam, replaceService } from "./email-service-team.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const MINUTE_MS = 60_000;

const team = ofEachTest(EmailServiceTeam.make);

async function readDomain(): Promise<{ id: string; status: string; sending: object }> {
  const { data } = await ok<Page<{ id: string }>>(team.get("/v1/domains"));
  return ok(team.get(`/v1/domains/${data[0]!.id}`));
}

/** Sends a message that the Email Service refuses, because the domain is not onboarded. */
async function sendHeld() {
  const words = `email sending not authorized for subdomain '${team.domain}'`;
  const send = vi.fn(() => Promise.reject<{ messageId: string }>(new Error(words)));
  replaceService(send);
  const id = await team.send({ to: [someone()], text: "Hello." });
  await expect
    .poll(async () => (await team.ledger.find(id)).open?.hold?.code)
    .toBe("not_onboarded");
  return { id, send };
}

/**
 * Returns the message's event. Runs the alarm each second until the event exists, because an alarm
 * that goes off while a consumer still works on the copy does not release it.
 */
async function eventOf(id: string) {
  await expect
    .poll(async () => {
      await team.pass(1_000);
      return team.events(`email_id=${id}`);
    })
    .toHaveLength(1);
  return (await team.events(`email_id=${id}`))[0]!;
}

it("a domain that is not onboarded holds its mail, says why, and sends within a minute after it is", async () => {
  const { id, send } = await sendHeld();
  const later = await team.send({ to: [someone()], text: "Hello." });
  const message = expect.stringContaining(`set up exactly ${team.domain}`) as string;
  const held = { held: true, code: "not_onboarded", message };
  expect(await readDomain()).toMatchObject({ status: "verified", sending: held });
  for (const waiting of [id, later])
    expect(await team.found(waiting)).toMatchObject({ explanation: { cause: "held_domain" } });
  await bindings.METRICS.getByName("metrics").report(team.id, { holds: 1 }, Date.now());
  const attention = await (await operator.get("/admin/attention")).text();
  expect(attention).toContain(`set up exactly ${team.domain}`);
  expect(send).toHaveBeenCalledOnce();

  send.mockImplementation(() => Promise.resolve({ messageId: `0101-${crypto.randomUUID()}` }));
  await team.pass(MINUTE_MS);
  expect((await eventOf(id)).type).toBe("email.sent");
  expect((await eventOf(later)).type).toBe("email.sent");
  expect(await readDomain()).toMatchObject({ sending: { held: false, since: null } });
});

it("mail that was held for seven days expires, and its explanation names the operator", async () => {
  const { id, send } = await sendHeld();
  await team.pass(HOLD_LIMIT_MS + MINUTE_MS);
  expect(await eventOf(id)).toMatchObject({ type: "email.bounced", bounce_type: "expired" });
  const summary = expect.stringContaining("for the operator of this service to change") as string;
  expect((await team.found(id)).explanation).toMatchObject({ cause: "held_domain", summary });
  expect(send).toHaveBeenCalledOnce();
});

it("mail of a held domain bounces at once when the domain is deleted, and no address is suppressed", async () => {
  const { id, send } = await sendHeld();
  const { id: domain } = await readDomain();
  await team.delete(`/v1/domains/${domain}`);
  expect(await eventOf(id)).toMatchObject({
    type: "email.bounced",
    bounce_type: "transient",
    bounce_classification: "BadDomain",
  });
  expect(send).toHaveBeenCalledOnce();
});
