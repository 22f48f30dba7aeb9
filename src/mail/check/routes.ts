// Serves POST /v1/email/check, which finds the problems of a mail before it is sent (contract.md
// §Checks before a send).
import type * as z from "zod";
import { coreFor } from "../../db/client.ts";
import { type ApiRequest, type Endpoint, endpoint, type HttpReply, json } from "../../endpoint.ts";
import { runInSteps } from "../../lib/step-scheduler.ts";
import { publishedFile } from "../../published-file.ts";
import { courierFor } from "../../resources/team-settings/courier-choice.ts";
import { getTeam } from "../../resources/team-settings/store.ts";
import type { JsonObject } from "../accept/fields.ts";
import { type SendContext, sendContextOf } from "../accept/send-context.ts";
import type { CheckedMail } from "../../lint/checked-mail.ts";
import { type ClientSupport, STANDARD_CLIENTS } from "../../lint/client-support.ts";
import { authoredHtml, variableSources } from "../../lint/authored-html.ts";
import { judgeMail } from "../../lint/judge-mail.ts";
import { sortProblems } from "../../lint/mail-problem.ts";
import { checkedFiles, readMail } from "../../lint/read-mail.ts";
import { type CheckableMail, octetsOf, readCheckable } from "./checkable-mail.ts";
import { composeChecked, composeCheckedRaw } from "./checked-copy.ts";
import { domainProblems } from "./domain-problems.ts";
import { EmailCheck, EmailCheckRequest, NOT_CHECKED } from "./wire.ts";

export const emailCheckEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/v1/email/check",
    summary: "Check a mail before it is sent",
    description:
      "Takes the body of a send, a `template_id` with `variables`, a template that is not saved " +
      "(`kind` with `html` or `markdown`), or a whole message (`raw`). Sends and stores nothing, " +
      "and uses no quota. If a send would be refused, the response is a 200 too, and the first of " +
      "`problems` has the reason. Files of `attachments[].path` are not fetched.",
    operationId: "checkEmail",
    permission: "full",
    body: EmailCheckRequest,
    responses: { 200: EmailCheck },
    handle: checkEmail,
  }),
];

/** The maximum size of a message in Cloudflare's Email Service, in bytes (docs/couriers.md). */
const EMAIL_SERVICE_BYTES = 5 * 1024 * 1024;

/** The data of mail programs. It changes only with a deployment. */
let support: ClientSupport | undefined;

async function checkEmail(
  request: ApiRequest<z.output<typeof EmailCheckRequest>>,
): Promise<HttpReply> {
  const { env, settings, now } = request;
  const body = request.body as JsonObject;
  const context = sendContextOf(request);
  const { team } = context.sender;
  const checkable = await readCheckable(context, body);
  const courier = courierFor(team.courier, settings);
  const copy = await copyOf(context, checkable);
  support ??= await publishedFile<ClientSupport>(env, "client-support.json");
  const { checkRulesOff, mailClients } = await getTeam(env, team.id);
  const choices = {
    rulesOff: checkRulesOff ?? [],
    clients: mailClients ?? STANDARD_CLIENTS,
    support,
  };
  const facts = {
    copyBytes: copy?.view.bytes ?? null,
    courier:
      courier === "cloudflare"
        ? { name: "Cloudflare's Email Service", messageBytes: EMAIL_SERVICE_BYTES }
        : null,
    clickHost: copy?.clickHost ?? null,
    ownUrls: [`${settings.publicUrl}/`],
  };
  const mail = await mailOf(body, checkable, copy?.view.html, facts);
  const records = checkable.domain
    ? await domainProblems(coreFor(env, team.id), settings, courier, checkable.domain.id, now)
    : [];
  const found = [...records, ...(await runInSteps(judgeMail(mail, choices)))];
  return json(200, {
    problems: [...checkable.problems, ...sortProblems(found)],
    copy: copy?.view ?? null,
    not_checked: [...NOT_CHECKED, ...(checkable.hasPaths ? ["files"] : [])],
  } satisfies z.output<typeof EmailCheck>);
}

async function copyOf(context: SendContext, { email, submission, domain }: CheckableMail) {
  if (submission) return composeCheckedRaw(context, submission, domain);
  return email && composeChecked(context, email, domain);
}

type Facts = Pick<CheckedMail, "copyBytes" | "courier" | "clickHost" | "ownUrls">;

/** Makes the mail to judge: a whole message as it is, or the source that the author wrote. */
async function mailOf(
  { raw }: JsonObject,
  { email, source, values, given }: CheckableMail,
  copyHtml: string | null | undefined,
  facts: Facts,
): Promise<CheckedMail> {
  if (typeof raw === "string") {
    const mail = await readMail(octetsOf(raw));
    const bytes = new TextEncoder().encode(copyHtml ?? mail.html?.markup ?? "").length;
    return { ...mail, ...facts, html: mail.html && { ...mail.html, copyBytes: bytes } };
  }
  const html = authoredHtml(source, values, copyHtml);
  return {
    ...facts,
    // An error of the template is also an error of the send, which the check has already found.
    html: html && "markup" in html ? html : null,
    text: source.isTextDerived ? undefined : (email?.text ?? source.text),
    variables: { sources: variableSources(source), values, given },
    attachments: checkedFiles(email?.attachments ?? []),
  };
}
