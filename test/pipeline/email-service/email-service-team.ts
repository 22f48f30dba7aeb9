// Makes a team whose mail Miniflare's Email Service carries, and messages that it has taken.
import { expect, onTestFinished } from "vitest";
import type { Email } from "../../../src/mail/lookup/wire.ts";
import { bindings, ok, operator } from "../../support/api.ts";
import { emailServiceEvent, publishEvents, quoting } from "../../support/email-service-events.ts";
import { Harness, someone, kindsOf } from "../../support/harness.ts";

/**
 * A message that the Email Service took, with the facts by which the service's events refer to it.
 */
export interface TakenMessage {
  readonly id: string;
  readonly messageId: string;
  readonly sender: string;
  readonly recipient: string;
}

/**
 * Replaces the Email Service's `send` until the test ends. A spy can't do this: a binding's members
 * are not its own properties, so a spy can't be restored.
 */
export function replaceService(send: SendEmail["send"]): void {
  const service = bindings.EMAIL as SendEmail;
  Object.defineProperty(service, "send", { value: send, configurable: true });
  onTestFinished(() => {
    Reflect.deleteProperty(service, "send");
  });
}

export class EmailServiceTeam extends Harness {
  static override make = async (): Promise<EmailServiceTeam> => {
    const harness = await Harness.make();
    await ok(operator.patch(`/admin/teams/${harness.id}`, { courier: "cloudflare" }));
    return new EmailServiceTeam(harness, harness.domain, harness.egress);
  };

  async sendTaken(recipient = someone()): Promise<TakenMessage> {
    const id = await this.send({ to: [recipient], text: "Hello." });
    expect(kindsOf(await this.history(id, 1))).toBe("sent");
    const { events } = await this.found(id);
    const messageId = /^queued as (\S+)$/.exec(String(events[0]?.smtp_response))?.[1] ?? "";
    expect(messageId).not.toBe("");
    return { id, messageId, sender: `hello@${this.domain}`, recipient };
  }

  /** Looks up the message's only recipient. */
  async found(id: string): Promise<Email["recipients"][number]> {
    return (await this.lookUp(id)).recipients[0]!;
  }

  /**
   * Publishes a delivery of another message, and waits until it is applied. All earlier events are
   * applied by then.
   */
  async drain(): Promise<void> {
    const other = await this.sendTaken();
    await publishEvents(emailServiceEvent("delivered", other, quoting("250 2.0.0 OK")));
    await this.history(other.id, 2);
  }
}
