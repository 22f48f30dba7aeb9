// The message that a recipient reacts to, as the history has it. Recording follows delivery by moments, and a recipient's programs are sometimes quicker.
import { timeOfUuidv7 } from "../../lib/ids.ts";
import { EXPIRY_AFTER_MS } from "../../limits.ts";
import type { MessageRecord } from "../../resources/events/records.ts";

const WAITS_MS = [500, 1_500, 4_000];
const EMAIL_PREFIX = "email_";

/** What `find` finds of the message, waited for while it may still be on its way into the history; undefined: it is not there, or no more. */
export async function findRecorded<Found = MessageRecord>(
  find: (emailId: string) => Promise<Found | undefined>,
  emailId: string,
  now: number,
): Promise<Found | undefined> {
  for (const wait of WAITS_MS) {
    const found = await find(emailId);
    if (found || !mayBeOnItsWay(emailId, now)) return found;
    await scheduler.wait(wait);
  }
  return find(emailId);
}

/** Whether a message may have been delivered only just now. */
export function mayBeOnItsWay(emailId: string, now: number): boolean {
  return now - timeOfUuidv7(emailId.slice(EMAIL_PREFIX.length)) <= EXPIRY_AFTER_MS;
}
