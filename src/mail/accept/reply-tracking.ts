// Checks whether a send may track replies (contract.md §Replies). The team must have a webhook or
// program that reads replies. The content must not be sensitive, because a reply quotes it.
import { coreFor } from "../../db/client.ts";
import { hasReplyReader } from "../../resources/replies/reply-readers.ts";
import type { Message } from "../message.ts";
import type { FieldProblems } from "./field-problems.ts";
import type { SendContext } from "./send-context.ts";

const PATH = "reply_tracking";

type RenderedOptions = Pick<Message, "sensitive" | "replyTracking">;

/** Reports the errors of a rendered send. A template can set `sensitive` and `reply_tracking`. */
export async function checkReplyTracking(
  { env, sender, now }: Pick<SendContext, "env" | "sender" | "now">,
  { sensitive, replyTracking }: RenderedOptions,
  problems: FieldProblems,
): Promise<void> {
  if (!replyTracking) return;
  if (sensitive)
    problems.invalid(PATH, "can't be combined with sensitive: an answer quotes the content");
  else if (!(await hasReplyReader(coreFor(env, sender.team.id), now)))
    problems.invalid(
      PATH,
      "needs a webhook for email.replied, or reads_replies: true by PATCH /v1/team",
    );
}
