// The account's suppression list. The Email Service sends nothing to a recipient on this list. A
// hard bounce stays on the list for 7 days. A soft bounce stays for 24 hours after its last retry.
// A complaint stays forever.
import { Problem } from "../http-server.ts";
import { StateMirror } from "../state-file.ts";

const REASONS = ["manual", "complaint", "hard_bounce", "soft_bounce"] as const;
const HOUR_MS = 60 * 60 * 1000;
const SOFT_MS = 24 * HOUR_MS;
const HARD_MS = 7 * SOFT_MS;
/**
 * Matches status codes (RFC 3463) for which the message or its sender is at fault: size, protocol,
 * content, policy. A bounce with such a code suppresses no recipient.
 */
const SENDERS_FAULT = /^[45]\.(?:3\.4|[567]\.)/;

export interface AccountSuppression {
  readonly recipient: string;
  readonly reason: (typeof REASONS)[number];
  readonly created_at: string;
  /** Time when the entry expires, or null if it never expires. */
  readonly expires_at: string | null;
}

export class AccountSuppressions {
  readonly #file: StateMirror;
  readonly #byRecipient = new Map<string, AccountSuppression>();

  constructor(path: string) {
    this.#file = new StateMirror(path, () => [...this.#byRecipient.values()]);
    for (const one of (this.#file.read() ?? []) as AccountSuppression[])
      this.#byRecipient.set(one.recipient, one);
  }

  list(now: number): AccountSuppression[] {
    return [...this.#byRecipient.values()].filter((one) => isInForce(one, now));
  }

  holds(recipient: string, now: number): boolean {
    const found = this.#byRecipient.get(recipient.toLowerCase());
    return found !== undefined && isInForce(found, now);
  }

  /** Adds a bounced recipient. Does nothing if the bounce's status blames the sender. */
  addBounce(recipient: string, type: "hard" | "soft", status: string | null, now: number): void {
    if (SENDERS_FAULT.test(status ?? "")) return;
    const expiresAt = now + (type === "hard" ? HARD_MS : SOFT_MS);
    this.#add(recipient, `${type}_bounce`, now, new Date(expiresAt).toISOString());
  }

  addComplaint(recipient: string, now: number): void {
    this.#add(recipient, "complaint", now, null);
  }

  /** Adds the entry `{recipient, reason?, expires_at?}`. Throws a 400 Problem if it is invalid. */
  addByHand(body: Record<string, unknown>, now: number): void {
    const { recipient, reason = "manual", expires_at: expiresAt = null } = body;
    if (typeof recipient !== "string" || !recipient.includes("@"))
      throw new Problem(400, "recipient: is not an address");
    if (!REASONS.includes(reason as AccountSuppression["reason"]))
      throw new Problem(400, `reason: is not one of ${REASONS.join(", ")}`);
    if (expiresAt !== null && (typeof expiresAt !== "string" || !Date.parse(expiresAt)))
      throw new Problem(400, "expires_at: is not a time or null");
    this.#add(recipient, reason as AccountSuppression["reason"], now, expiresAt);
  }

  /** Removes a recipient. Throws a 404 Problem if the recipient is not on the list. */
  remove(recipient: string): void {
    if (!this.#byRecipient.delete(recipient.toLowerCase()))
      throw new Problem(404, `${recipient} is not suppressed`);
    this.#file.keep();
  }

  #add(
    given: string,
    reason: AccountSuppression["reason"],
    now: number,
    expiresAt: string | null,
  ): void {
    const recipient = given.toLowerCase();
    // An entry with an end does not replace an entry without an end.
    if (this.#byRecipient.get(recipient)?.expires_at === null && expiresAt !== null) return;
    const createdAt = new Date(now).toISOString();
    this.#byRecipient.set(recipient, {
      recipient,
      reason,
      created_at: createdAt,
      expires_at: expiresAt,
    });
    this.#file.keep();
  }
}

function isInForce({ expires_at: expiresAt }: AccountSuppression, now: number): boolean {
  return expiresAt === null || Date.parse(expiresAt) > now;
}
