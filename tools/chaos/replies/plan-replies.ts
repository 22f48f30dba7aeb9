// Plans the reader's answer to a copy, only from the seed and the copy's address. Pure.
import { Chance } from "../chance.ts";

/**
 * The way by which an answer enters the service: the gateway's port 25, or the worker's `email()`,
 * which Email Routing calls.
 */
export type ReplyDoorName = "port 25" | "email()";

/** The copy that is answered. */
export interface RepliedCopy {
  readonly seed: number;
  /** The message's token. */
  readonly token: string;
  readonly recipient: string;
  /** True: the Email Service carried the copy. */
  readonly isServices: boolean;
}

export type PlannedReply = ReturnType<typeof planReplies>[number];

const LARGE_BYTES = 400_000;
const SMALL_BYTES = 200;
const LATEST_MS = 600;

export function planReplies({ seed, token, recipient, isServices }: RepliedCopy) {
  const chance = new Chance(`${seed}/${token}/${recipient}/replies`);
  const doorOf = (): ReplyDoorName =>
    isServices && chance.happens("email()", 0.5) ? "email()" : "port 25";
  return Array.from({ length: chance.between("answers", 1, 2) }, (_, index) => ({
    /** Names the answer within the campaign. */
    name: `${token}.${recipient.slice(0, recipient.lastIndexOf("@"))}.${index}`,
    door: doorOf(),
    /** Milliseconds between the copy's arrival and the answer. */
    afterMs: chance.between("after", 0, LATEST_MS),
    /** True: the answer is a vacation note. */
    isAuto: chance.happens("auto", 0.25),
    bytes: chance.happens("large", 0.1) ? LARGE_BYTES : SMALL_BYTES,
    /** True: the sender's server loses the acceptance and sends the answer a second time. */
    isRepeated: chance.happens("repeated", 0.25),
  }));
}
