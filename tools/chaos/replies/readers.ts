// The readers of the mail that the mail server accepted. They answer each copy that has a reply
// address, at the gateway's port 25 or at the worker's `email()`. They repeat an answer until the
// service accepts it.
import type { Cleanup } from "../../harness/cleanup.ts";
import { replyDoor } from "../../dev/reply-door.ts";
import { planOf } from "../plan.ts";
import { GrowingLog, type MailFact } from "../recorded-facts.ts";
import { ROUTED_MAIL } from "../worker/routed-mail.ts";
import { planReplies, type ReplyDoorName } from "./plan-replies.ts";
import { bringReply, type SentReply, type Transmit, newSentReply } from "./sent-replies.ts";

const LOOK_MS = 100;
const REPLY_ADDRESS = /r\+[a-z2-7]{61}@[^>\s]+/;

export class Readers {
  /** The answers to the copies of each message, by its token. */
  readonly sent = new Map<string, SentReply[]>();
  readonly #log: GrowingLog<MailFact>;
  readonly #doors: Readonly<Record<ReplyDoorName, Transmit>>;
  /**
   * The reply addresses that were answered. All copies of a message to one recipient have the same
   * address.
   */
  readonly #answered = new Set<string>();
  readonly #open = new Set<Promise<void>>();

  /** `mailLog` is the path of the mail server's log. */
  constructor(mailLog: string, doors: { readonly port: number; readonly worker: string }) {
    this.#log = new GrowingLog(mailLog);
    this.#doors = {
      "port 25": replyDoor("127.0.0.1", doors.port),
      "email()": (reply) => routeToWorker(doors.worker, reply),
    };
  }

  begin(cleanup: Cleanup): void {
    const timer = setInterval(() => this.#look(), LOOK_MS);
    cleanup.add(() => clearInterval(timer));
  }

  /** Resolves when every copy that has arrived is answered. */
  async idle(): Promise<void> {
    for (this.#look(); this.#open.size > 0; this.#look()) await Promise.all(this.#open);
  }

  /** Describes the answers that the service has not yet accepted or refused. */
  describe(): string[] {
    const all = [...this.sent.values()].flat();
    return all
      .filter(({ accepted, refused }) => accepted === 0 && refused === null)
      .map(({ name, door, log }) => `the answer ${name} waits at ${door}: ${log.at(-1)?.what}`);
  }

  #look(): void {
    for (const {
      what,
      subject: token = "",
      to,
      replyTo = "",
      messageId = "",
    } of this.#log.read()) {
      const [address] = REPLY_ADDRESS.exec(replyTo) ?? [];
      const plan = planOf(token);
      if (what !== "taken" || !plan || address === undefined || this.#answered.has(address))
        continue;
      this.#answered.add(address);
      const isServices = plan.courier !== "gateway";
      const copy = { seed: plan.seed, token, recipient: to, isServices, address };
      for (const planned of planReplies(copy))
        this.#send(newSentReply({ ...copy, answered: messageId }, planned));
    }
  }

  #send(reply: SentReply): void {
    const others = this.sent.get(reply.token) ?? [];
    this.sent.set(reply.token, [...others, reply]);
    const sending = bringReply(reply, this.#doors[reply.door]);
    this.#open.add(sending);
    void sending.finally(() => this.#open.delete(sending));
  }
}

/** Passes an answer to the worker's `email()`, as Email Routing does. */
async function routeToWorker(
  worker: string,
  { mailFrom, rcptTo, message }: Parameters<Transmit>[0],
): Promise<string> {
  const query = new URLSearchParams({ from: mailFrom, to: rcptTo });
  try {
    const response = await fetch(`${worker}${ROUTED_MAIL}?${query.toString()}`, {
      method: "POST",
      body: new Uint8Array(message),
    });
    return await response.text();
  } catch (error) {
    return `no answer: ${error instanceof Error ? error.message : String(error)}`;
  }
}
