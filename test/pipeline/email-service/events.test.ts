// Tests how the Email Service's events settle a message (src/mail/deliver/email-service): from
// Miniflare's binding over the real queue to the history and the suppressions.
import { describe, expect, it } from "vitest";
import { consumeEmailServiceEvents } from "../../../src/mail/deliver/email-service/consumer.ts";
import { bindings } from "../../support/api.ts";
import { emailServiceEvent, publishEvents, quoting } from "../../support/email-service-events.ts";
import { consumeBatch } from "../../support/fakes/queue-batch.ts";
import { Harness, kindsOf } from "../../support/harness.ts";
import { EmailServiceTeam } from "./email-service-team.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const team = ofEachTest(EmailServiceTeam.make);

describe("a message that the Email Service took", () => {
  it("counts as delivered, with the server's own reply, when the event says so", async () => {
    const taken = await team.sendTaken();
    const reply = "250 2.0.0 OK 1714820445 a1b2c3 - gsmtp";
    await publishEvents(emailServiceEvent("delivered", taken, quoting(reply)));
    expect(kindsOf(await team.history(taken.id, 2))).toBe("sent delivered");
    const { status, events } = await team.found(taken.id);
    expect(status).toBe("delivered");
    const expected = { attempt: 1, smtp_code: 250, smtp_response: reply, mx_host: null, tls: null };
    expect(events[1]).toMatchObject(expected);
    expect(await team.usage()).toMatchObject({ messages: 0, jobs: 0 });
  });

  it("gets one complaint and one suppression from an event of the type complained", async () => {
    const taken = await team.sendTaken();
    await publishEvents(emailServiceEvent("delivered", taken, quoting("250 OK")));
    await team.history(taken.id, 2);
    const complained = () =>
      emailServiceEvent("complained", taken, {}, { complaint: { type: "abuse" } });
    await publishEvents(complained(), complained());
    await team.history(taken.id, 3);
    await team.drain();
    expect(kindsOf(await team.history(taken.id, 3))).toBe("sent delivered complained");
    await expect
      .poll(() => team.suppressionsOf(taken.recipient))
      .toMatchObject([{ reason: "complaint" }]);
  });
});

describe("an event that is late, doubled, reordered or unknown", () => {
  it("changes nothing after the outcome, but for a bounce after a delivery", async () => {
    const taken = await team.sendTaken();
    const delivered = emailServiceEvent("delivered", taken, quoting("250 OK"));
    await publishEvents(delivered, delivered);
    await team.history(taken.id, 2);
    await publishEvents(
      emailServiceEvent("deferred", taken, quoting("451 4.2.0 Later")),
      emailServiceEvent("failed", taken, {}, { failure: { reason: "delivery_failed" } }),
      emailServiceEvent("bounced", taken, quoting("550 5.1.1 No such user"), {
        bounce: { type: "hard" },
      }),
      emailServiceEvent("delivered", taken, quoting("250 OK")),
    );
    await team.history(taken.id, 3);
    await team.drain();
    expect(kindsOf(await team.history(taken.id, 3))).toBe("sent delivered bounced");
  });

  it("changes nothing if it has the message's id, but another domain", async () => {
    const taken = await team.sendTaken();
    const stranger = await Harness.make();
    await publishEvents(
      emailServiceEvent("delivered", { ...taken, sender: `hello@${stranger.domain}` }),
    );
    await team.drain();
    expect(await team.found(taken.id)).toMatchObject({ status: "sent" });
  });

  it("is retried while its message is not found, and applied once it is found", async () => {
    const taken = await team.sendTaken();
    const early = { ...taken, messageId: `<${crypto.randomUUID()}@early.example>` };
    const expected = { acked: [], retried: ["m0"] };
    expect(await consume(emailServiceEvent("delivered", early))).toEqual(expected);
    const facts = { acked: ["m0"], retried: [] };
    expect(await consume(emailServiceEvent("delivered", taken))).toEqual(facts);
    expect(await team.found(taken.id)).toMatchObject({ status: "delivered" });
  });
});

/** Hands an event to the consumer, as the message m0. */
function consume(event: unknown) {
  return consumeBatch("postern-email-events", [event], (batch) =>
    consumeEmailServiceEvents(batch, bindings),
  );
}
