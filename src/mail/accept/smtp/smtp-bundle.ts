// Messages that came in by SMTP at the same time, by one key and from one address, in one request
// (docs/gateway-protocol.md): each is judged, admitted and answered as if it had come alone, but
// the ledger is asked once for all of them. Large ones, whose content must be stored first, go
// their own way.
import * as z from "zod";
import type { ApiRequest, HttpReply } from "../../../endpoint.ts";
import { SUBMISSIONS_PER_BUNDLE } from "../../../limits.ts";
import { type RefusalError, refuse } from "../../../refusal.ts";
import { renderAccepted } from "../accept.ts";
import { replyOf } from "../ask-ledger.ts";
import { fitsInline, itemOf } from "../message-content.ts";
import { admitSubmission, type JudgedSubmission, judgeSubmission } from "./smtp-intake.ts";
import { admitEach, type AdmissionQuestion, wholeQuestion } from "../submit.ts";

/**
 * In the order of the frames: what a request with that message alone would have been answered, and
 * whether with `Retry-After`.
 */
export const BundleAnswers = z.object({
  answers: z.array(z.object({ status: z.int(), retry_after: z.boolean(), body: z.unknown() })),
});

type Entry =
  | { readonly kind: "answered"; readonly reply: HttpReply }
  | { readonly kind: "small"; readonly question: AdmissionQuestion }
  | { readonly kind: "large"; readonly request: ApiRequest; readonly submission: JudgedSubmission };

const LENGTH_BYTES = 4;
/** A replay compares what was sent under the path of a message that comes alone. */
const PATH = "/gateway/messages";

/** POST /gateway/message-bundles: 200 with the answer to each message, in order. */
export async function acceptBundle(request: ApiRequest): Promise<HttpReply> {
  const entries = await Promise.all(
    framesIn(request.bytes).map((bytes) => entryOf({ ...request, path: PATH, bytes })),
  );
  const small = entries.filter((entry) => entry.kind === "small");
  const questions = small.map(({ question }) => question);
  const admissions = questions.length > 0 ? admitEach(request, questions) : Promise.resolve([]);
  const answer = async (entry: Entry): Promise<HttpReply> => {
    if (entry.kind === "answered") return entry.reply;
    if (entry.kind === "large") return admitSubmission(entry.request, entry.submission);
    return replyOf((await admissions)[small.indexOf(entry)]!, renderAccepted);
  };
  const replies = await Promise.all(entries.map((entry) => answer(entry).catch(request.replyTo)));
  return { status: 200, body: `{"answers":[${replies.map(answerText).join(",")}]}` };
}

async function entryOf(request: ApiRequest): Promise<Entry> {
  try {
    const submission = await judgeSubmission(request);
    const question = questionOf(submission);
    return question ? { kind: "small", question } : { kind: "large", request, submission };
  } catch (error) {
    return { kind: "answered", reply: request.replyTo(error) };
  }
}

/** What the ledger is asked about it; undefined for large content. */
function questionOf({ claim, judged }: JudgedSubmission): AdmissionQuestion | undefined {
  if (judged.kind === "refused") return wholeQuestion(claim, judged);
  return fitsInline(judged.draft)
    ? wholeQuestion(claim, { kind: "items", items: [itemOf(judged.draft)] })
    : undefined;
}

/** Throws `malformed` under `bundle` for what is none. */
function framesIn(bundle: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = [];
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.byteLength);
  let at = 0;
  while (at < bundle.length) {
    if (frames.length === SUBMISSIONS_PER_BUNDLE)
      throw unreadable(`has more than ${SUBMISSIONS_PER_BUNDLE} frames`);
    const start = at + LENGTH_BYTES;
    const end = start > bundle.length ? Number.POSITIVE_INFINITY : start + view.getUint32(at);
    if (end > bundle.length) throw unreadable("ends inside a frame");
    frames.push(bundle.subarray(start, end));
    at = end;
  }
  if (frames.length === 0) throw unreadable("has no frame");
  return frames;
}

function unreadable(problem: string): RefusalError {
  return refuse("malformed", { errors: { bundle: [problem] } });
}

function answerText({ status, headers = {}, body }: HttpReply): string {
  return `{"status":${status},"retry_after":${"Retry-After" in headers},"body":${body ?? "null"}}`;
}
