// Accepts several messages that one key submitted by SMTP at the same time, in one request
// (docs/gateway-protocol.md). Each is judged, admitted and answered as if it had come alone, but
// the ledger is asked once for all small ones. A message whose content must be stored first asks
// the ledger by itself.
import * as z from "zod";
import type { HttpReply } from "../../../endpoint.ts";
import { SUBMISSIONS_PER_BUNDLE } from "../../../limits.ts";
import { type RefusalError, refuse } from "../../../refusal.ts";
import type { SendContext } from "../send-context.ts";
import { answerSend } from "../submit/answer.ts";
import { admitEach, type AdmissionQuestion, wholeQuestion } from "../submit/ask-ledger.ts";
import { isSmall } from "../submit/submit.ts";
import { type JudgedSubmission, judgeSubmission, submitJudged } from "./accept-submission.ts";

/**
 * The answers in the order of the frames: the response that a request with that message alone would
 * get, and whether it has `Retry-After`.
 */
export const BundleAnswers = z.object({
  answers: z.array(z.object({ status: z.int(), retry_after: z.boolean(), body: z.unknown() })),
});

type BundleEntry =
  | { readonly kind: "answered"; readonly reply: HttpReply }
  | { readonly kind: "small"; readonly question: AdmissionQuestion }
  | { readonly kind: "large"; readonly submission: JudgedSubmission };

/** Renders an error of one message as the API would answer it. */
type ReplyTo = (error: unknown) => HttpReply;

const LENGTH_BYTES = 4;

/** POST /gateway/message-bundles: 200 with the answer to each message, in order. */
export async function acceptBundle(
  context: SendContext,
  bundle: Uint8Array,
  replyTo: ReplyTo,
): Promise<HttpReply> {
  const entries = await Promise.all(
    framesIn(bundle).map((frame) => judgeEntry(context, frame, replyTo)),
  );
  const small = entries.filter((entry) => entry.kind === "small");
  const questions = small.map(({ question }) => question);
  const admissions = questions.length > 0 ? admitEach(context, questions) : Promise.resolve([]);
  const answer = async (entry: BundleEntry): Promise<HttpReply> => {
    if (entry.kind === "answered") return entry.reply;
    if (entry.kind === "large") return submitJudged(context, entry.submission);
    return answerSend((await admissions)[small.indexOf(entry)]!);
  };
  const replies = await Promise.all(entries.map((entry) => answer(entry).catch(replyTo)));
  return { status: 200, body: `{"answers":[${replies.map(renderAnswer).join(",")}]}` };
}

async function judgeEntry(
  context: SendContext,
  frame: Uint8Array,
  replyTo: ReplyTo,
): Promise<BundleEntry> {
  try {
    const submission = await judgeSubmission(context, frame);
    const { claim, judgement } = submission;
    return isSmall(judgement)
      ? { kind: "small", question: wholeQuestion(claim, judgement) }
      : { kind: "large", submission };
  } catch (error) {
    return { kind: "answered", reply: replyTo(error) };
  }
}

/** Splits a bundle into its frames. Throws `malformed` under `bundle`. */
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
