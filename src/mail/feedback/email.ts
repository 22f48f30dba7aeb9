// Receives mail that Cloudflare Email Routing passes to the worker, for operators who let Email
// Routing receive the mail to return-paths or replies (contract.md §Returned mail, §Replies). The
// mail is treated like mail from the gateway. It is rejected if its address is not a return-path, a
// reply address or the feedback loops' address. deliver/postmaster.ts forwards mail to postmaster.
import { type Env } from "../../env.ts";
import { settingsOf } from "../../settings.ts";
import { REPORT_BYTES } from "../../limits.ts";
import { type Receipt, receiveFeedback, receiveReport, tokenOf } from "./inbound.ts";
import { roleOf } from "./mailboxes.ts";
import { replyTokenIn } from "../reply-address.ts";
import { NOT_CHECKED } from "../../resources/replies/reply-records.ts";
import { receiveReply, type ReplyReceipt } from "./replies/receive-reply.ts";

const NOT_HERE = "5.7.1 This address takes no mail";
const NO_SUCH_ADDRESS = "5.1.1 No such address";
const FULL = "5.2.2 The mailbox takes no more mail now";
const TOO_LARGE = "5.3.4 The message is too large";

/** The members of ForwardableEmailMessage that this file uses. */
interface IncomingEmail {
  /** Envelope sender. Empty for `MAIL FROM:<>`. */
  readonly from?: string;
  readonly to: string;
  readonly raw: ReadableStream<Uint8Array>;
  readonly rawSize: number;
  setReject(reason: string): void;
}

export async function receiveEmail(email: IncomingEmail, env: Env, now: number): Promise<void> {
  const replyToken = replyTokenIn(email.to);
  if (replyToken !== undefined) return takeReply(email, replyToken, env, now);
  const token = tokenOf(email.to);
  const isLoop = roleOf(email.to, settingsOf(env).serviceDomain) === "fbl";
  if (token === undefined && !isLoop) return email.setReject(NOT_HERE);
  if (email.rawSize > REPORT_BYTES) return email.setReject(TOO_LARGE);
  const raw = new Uint8Array(await new Response(email.raw).arrayBuffer());
  if (token === undefined) return void (await receiveFeedback(env, raw, now));
  const receipt = await receiveReport(env, token, raw, now, hasNullSender(email));
  reject(email, receipt, NOT_HERE);
}

/** Takes a reply. Its sender was not checked, because such mail has no Authentication-Results. */
async function takeReply(
  email: IncomingEmail,
  token: string,
  env: Env,
  now: number,
): Promise<void> {
  const receipt = await receiveReply(
    env,
    token,
    {
      stream: email.raw,
      bytes: email.rawSize,
      address: email.to,
      isSenderNull: hasNullSender(email),
      verdicts: NOT_CHECKED,
    },
    now,
  );
  reject(email, receipt, NO_SUCH_ADDRESS);
}

/** Rejects mail that was not taken. `unknown` is the text for an unknown address. */
function reject(email: IncomingEmail, receipt: Receipt | ReplyReceipt, unknown: string): void {
  switch (receipt.kind) {
    case "taken":
      return undefined;
    case "unknown":
      return email.setReject(unknown);
    case "full":
      return email.setReject(FULL);
    case "too_large":
      return email.setReject(TOO_LARGE);
    case "refused":
      return email.setReject(`5.6.0 The message ${receipt.problem}`);
  }
}

function hasNullSender({ from }: IncomingEmail): boolean {
  return from === "" || from === "<>";
}
