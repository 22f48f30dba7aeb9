// Tests which attempt an event of the Email Service is about when its id is not known
// (src/mail/deliver/email-service/match-attempt.ts).
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { emailServiceEvent, publishEvents, quoting } from "../../support/email-service-events.ts";
import { typesOf, kindsOf } from "../../support/harness.ts";
import { EmailServiceTeam } from "./email-service-team.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const team = ofEachTest(EmailServiceTeam.make);

describe("an event whose message id the Email Service did not return to the worker", () => {
  const late = (): number => Date.now() - 80_000;

  /** Changes the ledger's rows as if the Email Service had taken the copies two minutes earlier. */
  async function ageCopies(): Promise<void> {
    await runInDurableObject(team.ledger, (_, { storage }) => {
      const tables = storage.sql.exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE name GLOB 'provider_copies_[0-9]*' AND type = 'table'",
      );
      for (const { name } of tables.toArray())
        storage.sql.exec(`UPDATE ${name} SET at = at - 120000`);
    });
  }

  it("is matched by sender, recipient and time", async () => {
    const taken = await team.sendTaken();
    await ageCopies();
    const messageId = `0101-${crypto.randomUUID()}`;
    await publishEvents(
      emailServiceEvent("deferred", { ...taken, messageId, at: late() }, quoting("451 4.2.0 No")),
    );
    expect(kindsOf(await team.history(taken.id, 2))).toBe("sent delayed");
    // The event before this one has told the ledger this message id.
    await publishEvents(emailServiceEvent("delivered", { ...taken, messageId }));
    expect(typesOf(await team.history(taken.id, 3)).at(-1)).toBe("email.delivered");
  });
});
