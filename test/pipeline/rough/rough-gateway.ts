// A fake gateway. Each receiving server has a fixed behaviour: it accepts, delays, refuses or stays
// silent. The gateway's answer to the worker may break off. The fake remembers outcomes by key like
// the real gateway (docs/egress-protocol.md), so two requests for one attempt make one SMTP
// transaction.
import { framesIn } from "../../support/fakes/fake-egress.ts";
import type { RoughChance } from "./rough-chance.ts";

/**
 * The behaviour of a receiving mail server. `after`: the number of attempts that it delays first.
 * `silent`: it gives no outcome before `until` (Unix milliseconds).
 */
export type Server =
  | { readonly kind: "accepts" | "refuses"; readonly after: number }
  | { readonly kind: "defers" | "unreachable" }
  | { readonly kind: "silent"; readonly until: number };

/** One SMTP transaction with a receiving server. */
export interface RoughTransaction {
  readonly key: string;
  readonly recipient: string;
  readonly at: number;
  readonly code: number | null;
}

type Answer = Readonly<Record<string, unknown>>;

const reply = (code: number, enhanced: string, text: string, stage: string): Answer => ({
  kind: "reply",
  code,
  enhanced,
  text,
  stage,
  mx_host: "mx.example.net",
  tls: null,
});
const TAKEN = reply(250, "2.0.0", "queued", "end");
const REFUSED = reply(550, "5.1.1", "No such user", "rcpt");
const LATER = reply(451, "4.7.1", "Greylisted, try again later", "rcpt");
const UNREACHABLE: Answer = {
  kind: "failure",
  cause: "connect",
  detail: "timed out",
  mx_host: null,
};

/** The probability that the gateway's response to the worker breaks off. */
const BROKEN_ANSWERS = 0.03;

export class RoughGateway {
  readonly transactions: RoughTransaction[] = [];
  /** The gateway is down between these two times, Unix milliseconds. */
  down: readonly [from: number, to: number] = [0, 0];
  readonly #chance: RoughChance;
  readonly #servers = new Map<string, Server>();
  readonly #remembered = new Map<string, Answer>();

  constructor(chance: RoughChance) {
    this.#chance = chance;
  }

  /** Sets the behaviour of a recipient's server. Other servers accept. */
  decide(recipient: string, server: Server): void {
    this.#servers.set(recipient, server);
  }

  /** Answers POST /deliver. Throws while the gateway is down. */
  async deliver(request: Request): Promise<Response> {
    const now = Date.now();
    if (now >= this.down[0] && now < this.down[1]) throw new Error("connection refused");
    const lines = framesIn(new Uint8Array(await request.arrayBuffer())).flatMap(
      ({ key, rcpt_to: recipient }) => {
        const answer = this.#remembered.get(key) ?? this.#transact(key, recipient, now);
        return answer ? [`${JSON.stringify({ key, ...answer })}\n`] : [];
      },
    );
    const isBroken = this.#chance.happens("broken answer", BROKEN_ANSWERS);
    const arrived = isBroken
      ? lines.slice(0, this.#chance.below("where it broke", lines.length))
      : lines;
    return new Response(arrived.join(""), { headers: { "Content-Type": "application/x-ndjson" } });
  }

  /**
   * Answers POST /ask. If an attempt had no outcome, the gateway has returned the copy to the
   * worker, so its answer is `never_heard`.
   */
  async ask(request: Request): Promise<Response> {
    const now = Date.now();
    if (now >= this.down[0] && now < this.down[1]) throw new Error("connection refused");
    const { keys } = await request.json<{ keys: string[] }>();
    const lines = keys.map((key) => {
      const answer = this.#remembered.get(key) ?? { kind: "never_heard" };
      return `${JSON.stringify({ key, ...answer })}\n`;
    });
    return new Response(lines.join(""), { headers: { "Content-Type": "application/x-ndjson" } });
  }

  #transact(key: string, recipient: string, now: number): Answer | undefined {
    const answer = answerOf(
      this.#servers.get(recipient) ?? { kind: "accepts", after: 0 },
      attemptOf(key),
      now,
    );
    if (!answer) return undefined;
    this.#remembered.set(key, answer);
    this.transactions.push({
      key,
      recipient,
      at: now,
      code: typeof answer["code"] === "number" ? answer["code"] : null,
    });
    return answer;
  }
}

function answerOf(server: Server, attempt: number, now: number): Answer | undefined {
  switch (server.kind) {
    case "accepts":
      return attempt > server.after ? TAKEN : LATER;
    case "refuses":
      return attempt > server.after ? REFUSED : LATER;
    case "defers":
      return LATER;
    case "unreachable":
      return UNREACHABLE;
    case "silent":
      return now >= server.until ? TAKEN : undefined;
  }
}

function attemptOf(key: string): number {
  return Number(key.slice(key.lastIndexOf("/") + 1));
}
