// Chooses the sender and the reply addresses of a send that uses a template (contract.md §Template
// defaults). The addresses in the send have precedence over those of the template. Pure.
import type { ParsedMailbox } from "../../../lib/address.ts";
import type { SendDefaults } from "../../../resources/templates/send-defaults.ts";
import type { Mailbox } from "../../message.ts";
import type { FieldProblems } from "../field-problems.ts";
import { readReplyTo, requireMailbox } from "../recipients.ts";

/**
 * Returns the sender. Undefined means that the send and the template have no sender, and that an
 * error was reported.
 */
export function chooseSender(
  own: ParsedMailbox | null,
  template: SendDefaults | null,
  problems: FieldProblems,
): ParsedMailbox | undefined {
  if (own) return own;
  const from = template?.from ?? null;
  if (from !== null) return requireMailbox(from, "from", problems);
  problems.invalid("from", "is required, since the template has none");
  return undefined;
}

export function chooseReplyTo(
  own: readonly Mailbox[] | null,
  template: SendDefaults | null,
  problems: FieldProblems,
): readonly Mailbox[] {
  if (own) return own;
  return (template?.replyTo && readReplyTo({ reply_to: template.replyTo }, problems)) ?? [];
}
