// Finds in an event why mail was refused, delayed or returned (contract.md §Explanations). Pure.
import type { OwnEvent } from "../rpc/event-records.ts";
import type { SmtpStage } from "../../smtp-gateway/src/smtp/smtp-reply.ts";
import { classify } from "../classify/classify.ts";
import { type FailureCause, ownCause } from "../classify/own-replies.ts";
import { providerRefusalIn } from "../classify/provider-refusals.ts";
import type { NoReplyCause } from "./explanation.ts";
import { CLASS_TEXTS } from "./explanation-texts.ts";

/**
 * Why mail was not delivered. The cause is the class of the server's refusal, or the reason why no
 * server replied, such as a refusal by the provider itself.
 */
export type RefusalCause = keyof typeof CLASS_TEXTS | NoReplyCause;

const FAILURES: Readonly<Record<FailureCause, NoReplyCause>> = {
  no_mail_server: "no_mail_server",
  null_mx: "null_mx",
  dns: "no_dns_answer",
  tls: "no_tls",
  sender_domain: "sending_domain_gone",
  held_sender_domain: "sending_domain_gone",
  held_domain: "held_domain",
  held_account: "held_account",
  connect: "no_connection",
  limit: "no_free_connection",
  other: "connection_lost",
};

/** Returns the cause of a delay or a bounce. */
export function refusalOf(event: Pick<OwnEvent, "bounce" | "exchange" | "smtpCode">): RefusalCause {
  const { bounce, exchange, smtpCode } = event;
  const reply = bounce?.smtpResponse ?? exchange?.response ?? null;
  const own = ownCause(smtpCode, reply);
  if (own) return FAILURES[own];
  const providers = providerRefusalIn(exchange?.rule);
  if (providers) return providers;
  if (bounce?.classification) return classOf(bounce.classification);
  // The event of a delay has no class, and the class of an expired bounce only says that the time
  // was over. So the reply is classified here.
  const isTemporary = bounce === null || bounce.type === "expired";
  if (!isTemporary || reply === null) return "Uncategorized";
  const stage = (exchange?.stage ?? null) as SmtpStage | null;
  const found = classify({ code: smtpCode ?? 0, enhanced: null, text: reply, stage });
  return found === null || found === "Uncategorized" ? "TransientFailure" : found;
}

/** Returns the class of this name. Any other text counts as uncategorized. */
export function classOf(name: string | null): keyof typeof CLASS_TEXTS {
  return name !== null && Object.hasOwn(CLASS_TEXTS, name)
    ? (name as keyof typeof CLASS_TEXTS)
    : "Uncategorized";
}
