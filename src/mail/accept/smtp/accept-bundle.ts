// Accepts several messages that one API key submitted by SMTP at the same time, in one request
// (docs/gateway-protocol.md). Each message is judged, admitted and answered as if it had come
// alone. One shared call passes as many messages to the ledger as fit into a call. Each further
// message needs a separate call.
import * as z from "zod";
import type { HttpReply } from "../../../endpoint.ts";
import { SUBMISSIONS_PER_BUNDLE } from "../../../limits.ts";
import { type RefusalError, refuse } from "../../../refusal.ts";
import type { SendContext } from "../send-context.ts";
import { renderSendReply } from "../submit/send-reply.ts";
import { admitEach, type AdmissionInput, wholeAdmission } from "../submit/call-ledger.ts";
import { CallRoom } from "../submit/call-room.ts";
import { finish, submit } from "../submit/submit.ts";
import { type JudgedSubmission, judgeSubmission } from "./accept-submission.ts";

/**
 * The answers, in the order of the frames. Each answer describes the response to its message, as if
 * the message were submitted alone: the status, the body, and whether the response has a
 * `Retry-After`.
 */
export const BundleResponses = z.object({
  answers: z.array(z.object({ status: z.int(), retry_after: z.boolean(), body: z.unknown() })),
});

/** A judged message, or the response to a message that needs no call to the ledger. */
type BundleEntry = JudgedSubmission | HttpReply;

/** A message that is part of the shared call to the ledger. */
interface Asked {
  readonly entry: BundleEntry;
  readonly question: AdmissionInput;
}

/** Renders an error of one message as the API would render it. */
type ReplyTo = (error: unknown) => HttpReply;

const LENGTH_BYTES = 4;

/** Handles POST /gateway/message-bundles. Replies 200 with the answer to each message, in order. */
export async function acceptBundle(
  context: SendContext,
  bundle: Uint8Array,
  replyTo: ReplyTo,
): Promise<HttpReply> {
  const entries = await Promise.all(
    framesIn(bundle).map((frame) => judgeSubmission(context, frame).catch(replyTo)),
  );
  const asked = askedTogether(entries);
  const questions = asked.map(({ question }) => question);
  const admissions = questions.length > 0 ? admitEach(context, questions) : Promise.resolve([]);
  const answer = async (entry: BundleEntry): Promise<HttpReply> => {
    if ("status" in entry) return entry;
    const { claim, judgement } = entry;
    const place = asked.findIndex((one) => one.entry === entry);
    const admission =
      place < 0 ? await submit(context, claim, judgement) : (await admissions)[place]!;
    return renderSendReply(
      admission.kind === "begun" ? await finish(context, claim, judgement, admission) : admission,
    );
  };
  const replies = await Promise.all(entries.map((entry) => answer(entry).catch(replyTo)));
  return { status: 200, body: `{"answers":[${replies.map(renderAnswer).join(",")}]}` };
}

/** Returns the messages that fit into the shared call to the ledger. */
function askedTogether(entries: readonly BundleEntry[]): Asked[] {
  const room = new CallRoom();
  return entries.flatMap((entry): Asked[] => {
    if ("status" in entry) return [];
    const whole = room.take(entry.judgement);
    return whole ? [{ entry, question: wholeAdmission(entry.claim, whole) }] : [];
  });
}

/**
 * Splits a bundle into its frames. Throws `malformed` for the field `bundle` if it is unreadable.
 */
function framesIn(bundle: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = [];
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.byteLength);
  let at = 0;
  while (at < bundle.length) {
    if (frames.length === SUBMISSIONS_PER_BUNDLE)
      throw malformedBundle(`has more than ${SUBMISSIONS_PER_BUNDLE} frames`);
    const start = at + LENGTH_BYTES;
    const end = start > bundle.length ? Number.POSITIVE_INFINITY : start + view.getUint32(at);
    if (end > bundle.length) throw malformedBundle("ends inside a frame");
    frames.push(bundle.subarray(start, end));
    at = end;
  }
  if (frames.length === 0) throw malformedBundle("has no frame");
  return frames;
}

function malformedBundle(problem: string): RefusalError {
  return refuse("malformed", { errors: { bundle: [problem] } });
}

function renderAnswer({ status, headers = {}, body }: HttpReply): string {
  return `{"status":${status},"retry_after":${"Retry-After" in headers},"body":${body ?? "null"}}`;
}
