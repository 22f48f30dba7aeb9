// Reads which copies the Email Service took. The Email Service's double stores each message in a
// file (tools/dev/email-service/taken-messages.ts).
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceMessage } from "../../dev/email-service/taken-messages.ts";

/**
 * A copy that the Email Service took. The mail has the Email Service's id as its Message-ID. The
 * status `failed` means that the last attempt to deliver the copy got no reply.
 */
export type CarriedCopy = Readonly<
  Pick<
    ServiceMessage,
    "messageId" | "recipient" | "subject" | "takenAt" | "status" | "attempts" | "lastReply"
  >
>;

/** Facts about the Email Service in a round whose mail it carried. */
export interface EmailServiceFacts {
  readonly copies: readonly CarriedCopy[];
  /** Sends whose answer was lost on the way to the worker. */
  readonly lostAnswers: readonly LostResponse[];
  /** The copies' ids in the event history, for messages that arrived more than once. */
  readonly noted: ReadonlySet<string>;
  /** Times when the Email Service or the worker was killed, Unix milliseconds. */
  readonly serviceKills: readonly number[];
  readonly workerKills: readonly number[];
  /** Times when the machine stalled, Unix milliseconds. */
  readonly stalls: readonly number[];
}

export interface LostResponse {
  /** The start time of the send, in Unix milliseconds. */
  readonly at: number;
  readonly recipient: string;
}

export class CarriedLog {
  readonly #folder: string;
  /** Copies with a final status, by file name. */
  readonly #over = new Map<string, CarriedCopy>();

  constructor(state: string) {
    this.#folder = join(state, "messages");
  }

  /** Returns the copies of these recipients, the oldest first. */
  read(recipients: ReadonlySet<string>): CarriedCopy[] {
    if (!existsSync(this.#folder)) return [];
    const names = readdirSync(this.#folder).filter((name) => /^\d+\.json$/.test(name));
    return names
      .sort()
      .map((name) => this.#over.get(name) ?? this.#readFile(name))
      .filter(({ recipient }) => recipients.has(recipient));
  }

  #readFile(name: string): CarriedCopy {
    const copy = JSON.parse(readFileSync(join(this.#folder, name), "utf8")) as CarriedCopy;
    if (copy.status !== "waiting") this.#over.set(name, copy);
    return copy;
  }
}
