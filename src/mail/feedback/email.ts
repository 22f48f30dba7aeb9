// Receives mail that Cloudflare Email Routing hands to the worker, for operators who route the mail
// to return-paths in that way (contract.md §Returned mail). It is handled like mail from the
// gateway. Mail is rejected if its address is neither a return-path nor the feedback loops'
// address. Mail to postmaster is handled in deliver/postmaster.ts.
import { type Env } from "../../env.ts";
import { settingsOf } from "../../settings.ts";
import { REPORT_BYTES } from "../../limits.ts";
import { receiveFeedback, receiveReport, tokenOf } from "./inbound.ts";
import { roleOf } from "./mailboxes.ts";

const NOT_HERE = "5.7.1 This address takes no mail";
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
  const token = tokenOf(email.to);
  const isLoop = roleOf(email.to, settingsOf(env).serviceDomain) === "fbl";
  if (token === undefined && !isLoop) return email.setReject(NOT_HERE);
  if (email.rawSize > REPORT_BYTES) return email.setReject(TOO_LARGE);
  const raw = new Uint8Array(await new Response(email.raw).arrayBuffer());
  if (token === undefined) return void (await receiveFeedback(env, raw, now));
  const receipt = await receiveReport(
    env,
    token,
    raw,
    now,
    email.from === "" || email.from === "<>",
  );
  switch (receipt.kind) {
    case "taken":
      return undefined;
    case "unknown":
      return email.setReject(NOT_HERE);
    case "too_large":
      return email.setReject(TOO_LARGE);
    case "refused":
      return email.setReject(`5.6.0 The message ${receipt.problem}`);
  }
}
