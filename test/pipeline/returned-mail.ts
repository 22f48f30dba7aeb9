// Helps the tests of feedback: sends messages, makes return-path tokens, delivers reports, and
// reads the events that follow.
import { settingsOf } from "../../src/settings.ts";
import { timeOfUuidv7 } from "../../src/lib/ids.ts";
import { releaseDayAt } from "../../src/mail/recipient-ref.ts";
import { mintToken } from "../../src/mail/token.ts";
import { bindings, numberOf, type TestTeam } from "../support/api.ts";
import { askGateway } from "../support/fakes/fake-gateway.ts";
import type { Harness } from "../support/harness.ts";
import { fixture } from "../unit/mail/feedback/reading.ts";

interface TokenOptions {
  readonly purpose?: string;
  readonly of?: TestTeam;
  readonly recipientIndex?: number;
}

export class ReturnedMail {
  readonly #harness: Harness;

  constructor(harness: Harness) {
    this.#harness = harness;
  }

  /**
   * Sends a message, waits until everything about it is recorded, and returns its recipients'
   * tokens in order.
   */
  async send(...to: string[]): Promise<{ id: string; tokens: string[] }> {
    const { domain, egress } = this.#harness;
    const message = { from: `hello@${domain}`, to, text: "Hello.", topic: "news", tags: ["a"] };
    const id = await this.#harness.send(message);
    await this.#harness.history(id, 2 * to.length);
    return { id, tokens: to.map((address) => tokenIn(egress.to(address)[0]?.mail_from)) };
  }

  /**
   * Makes a token in which the release day is the day of the message's id. The default is the token
   * of the recipient's return-path.
   */
  async mintToken(emailId: string, options: TokenOptions = {}): Promise<string> {
    const { purpose = "return-path", of = this.#harness, recipientIndex = 0 } = options;
    const releaseDay = releaseDayAt(timeOfUuidv7(emailId.slice("email_".length)));
    const ref = { teamNumber: await numberOf(of.id), emailId, recipientIndex, releaseDay };
    return mintToken(settingsOf(bindings).signingKey, purpose, ref);
  }

  eventsOf(id: string, type?: string) {
    return this.#harness.events(`email_id=${id}${type === undefined ? "" : `&event_type=${type}`}`);
  }
}

export function tokenIn(mailFrom: string | undefined): string {
  return /^b\+([a-z2-7]{61})@/.exec(mailFrom ?? "")?.[1] ?? "none";
}

/** Returns a report of the fixtures, with `address` as its recipient. */
export function reportAbout(name: string, address: string): string {
  return fixture(name).replaceAll("ann@example.com", address);
}

/** Delivers a message to a return-path as the gateway does. Returns the HTTP status. */
export async function report(token: string, message: string): Promise<number> {
  return (await askGateway("POST", `/gateway/inbound/${token}`, { raw: message })).status;
}
