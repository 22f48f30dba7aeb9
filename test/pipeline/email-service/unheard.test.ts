// Tests messages without events, messages of unknown fate, and messages that wait for the Email
// Service's quota (docs/architecture.md §Await, §Carry).
import { runInDurableObject } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import { EXPIRY_AFTER_MS } from "../../../src/limits.ts";
import { consumeDeliverJobs } from "../../../src/mail/deliver/consumer.ts";
import { bindings } from "../../support/api.ts";
import { consumeBatch } from "../../support/fakes/queue-batch.ts";
import { emailServiceEvent, publishEvents, quoting } from "../../support/email-service-events.ts";
import { someone, type TestPulledEvent, typesOf, kindsOf } from "../../support/harness.ts";
import { EmailServiceTeam, replaceService } from "./email-service-team.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const MINUTE_MS = 60_000;

const team = ofEachTest(EmailServiceTeam.make);

const openJobs = async () => (await team.usage()).jobs;
/** Replaces Miniflare's service by a fake that takes every copy until a test changes its answer. */
const fakeService = () => {
  const send = vi.fn(() => Promise.resolve({ messageId: `0101-${crypto.randomUUID()}` }));
  replaceService(send);
  return send;
};
type Service = ReturnType<typeof fakeService>;

async function expireUnheard(service: Service, id: string): Promise<TestPulledEvent[]> {
  service.mockClear();
  await team.pass(EXPIRY_AFTER_MS - MINUTE_MS);
  expect(await openJobs()).toBe(1);
  await team.pass(2 * MINUTE_MS);
  await expect.poll(openJobs).toBe(0);
  await team.pass(EXPIRY_AFTER_MS);
  expect(service).not.toHaveBeenCalled();
  return team.allEvents(id);
}

it("a message without an event for 72 hours is bounced as expired, and not sent again", async () => {
  const service = fakeService();
  const { id } = await team.sendTaken();
  const events = await expireUnheard(service, id);
  expect(kindsOf(events)).toBe("sent bounced");
  const facts = { attempt: 1, bounce_type: "expired", bounce_classification: null, smtp_code: 451 };
  expect(events[1]).toMatchObject(facts);
});

/**
 * Sends a message that the Email Service refuses for now, and waits until the worker has postponed
 * it.
 */
async function sendPostponed(service: Service, recipient: string, code: string): Promise<string> {
  service.mockRejectedValueOnce(Object.assign(new Error(code), { code }));
  const id = await team.send({ to: [recipient], text: "Hello." });
  const postponed = () =>
    runInDurableObject(team.ledger, (_, { storage }) =>
      storage.sql
        .exec(
          "SELECT 1 FROM ledger WHERE id = ? AND (jobs GLOB '*postponed*' OR jobs GLOB '*isHeld*')",
          id,
        )
        .toArray(),
    );
  await expect.poll(postponed).toHaveLength(1);
  expect(await team.allEvents(id)).toEqual([]);
  service.mockClear();
  return id;
}

it("a message to a verified destination counts as delivered after ten minutes, until an event says otherwise", async () => {
  const [service, recipient] = [fakeService(), someone()];
  const id = await sendPostponed(service, recipient, "E_RATE_LIMIT_EXCEEDED");
  const destinations = [{ email: recipient.toUpperCase(), verified: "2026-10-01T00:00:00Z" }];
  const api = vi.spyOn(globalThis, "fetch").mockImplementation(async (input) =>
    Response.json({
      success: true,
      result: /zones/.test(new Request(input).url) ? [{ account: { id: "a" } }] : destinations,
    }),
  );
  vi.setSystemTime(Date.now() + MINUTE_MS);
  const env = { ...bindings, EMAIL_API_TOKEN: "token-for-tests" };
  const job = { teamId: team.id, emailId: id, recipientIndex: 0 };
  await consumeBatch("postern-deliver", [job], (batch, later) =>
    consumeDeliverJobs(batch, env, later),
  );
  api.mockRestore();
  expect((await team.found(id)).status).toBe("sent");
  await team.pass(9 * MINUTE_MS);
  expect(await openJobs()).toBe(1);
  await team.pass(2 * MINUTE_MS);
  await expect.poll(openJobs).toBe(0);
  expect(await team.allEvents(id)).toMatchObject([
    { type: "email.sent", attempt: 1 },
    { type: "email.delivered", attempt: 1, smtp_code: null },
  ]);
  const { status, explanation } = await team.found(id);
  const summary = "Cloudflare took the message, and reports nothing for this address.";
  expect({ status, explanation }).toMatchObject({
    status: "delivered",
    explanation: { cause: "unreported", summary },
  });

  const { messageId } = await (service.mock.results.at(-1)!.value as Promise<EmailSendResult>);
  const sender = `hello@${team.domain}`;
  const bounce = emailServiceEvent(
    "bounced",
    { messageId, sender, recipient },
    quoting("550 5.1.1 Unknown"),
    { bounce: { type: "hard" } },
  );
  await publishEvents(bounce);
  await expect.poll(() => team.allEvents(id)).toHaveLength(3);
  expect((await team.found(id)).status).toBe("bounced");
});

it("a message waits for the service's quota as the same attempt, whatever events of other mail say", async () => {
  const start = Date.now();
  const [service, recipient] = [fakeService(), someone()];
  const other = await team.sendTaken();
  const code = "E_DAILY_LIMIT_EXCEEDED";
  const id = await sendPostponed(service, recipient, code);
  service.mockRejectedValue(Object.assign(new Error(code), { code }));

  await team.pass(5 * MINUTE_MS);
  // The event is about mail that another worker of the account sent, with the same sender domain
  // and recipient.
  const sender = `hello@${team.domain}`;
  const foreign = { messageId: `0101-${crypto.randomUUID()}`, sender, recipient };
  await publishEvents(
    emailServiceEvent("delivered", { ...foreign, at: start - MINUTE_MS }, quoting("250 OK")),
    emailServiceEvent("delivered", { ...foreign, at: start + MINUTE_MS }, quoting("250 OK")),
    emailServiceEvent("delivered", other, quoting("250 OK")),
  );
  await expect.poll(() => team.allEvents(other.id)).toHaveLength(2);
  expect([await openJobs(), await team.allEvents(id)]).toEqual([1, []]);

  service.mockImplementation(() => Promise.resolve({ messageId: "0101-later" }));
  await team.pass(20 * MINUTE_MS);
  await expect.poll(() => team.allEvents(id)).toHaveLength(1);
  expect(await team.allEvents(id)).toMatchObject([{ type: "email.sent", attempt: 1 }]);
  expect((await team.found(id)).status).toBe("sent");
});

it("an event settles an attempt of unknown fate, which is then not sent again", async () => {
  const [service, recipient] = [fakeService(), someone()];
  service.mockRejectedValueOnce(new Error("Network connection lost."));
  const id = await team.send({ to: [recipient], text: "Hello." });
  expect(kindsOf(await team.history(id, 2))).toBe("sent delayed");
  vi.setSystemTime(Date.now() + 80_000);
  const facts = { messageId: "0101-lost", sender: `hello@${team.domain}`, recipient };
  await publishEvents(emailServiceEvent("delivered", { ...facts, at: Date.now() - 79_000 }));
  expect(typesOf(await team.history(id, 3)).at(-1)).toBe("email.delivered");
  expect(await team.usage()).toMatchObject({ messages: 0, jobs: 0 });
  expect(service).toHaveBeenCalledOnce();
});
