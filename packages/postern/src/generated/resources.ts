// Generated from the OpenAPI document by `npm run client`. Do not edit.
import { at, type ApiCaller, type ChangeOptions, type RequestOptions, type SendOptions } from "../request/api-call.ts";
import { Pages } from "../request/item-pages.ts";
import type { SendBody } from "../request/send-body.ts";
import type {
  ApiKey,
  ApiKeySettings,
  CancelEmailCampaignRequest,
  CanceledCampaign,
  CanceledEmail,
  CountSuppressionsQuery,
  CreateApiKeyResponse,
  CreateDomainRequest,
  CreateSuppressionRequest,
  CreateTemplateRequest,
  CreateWebhookRequest,
  CreateWebhookResponse,
  Deliverability,
  Domain,
  DomainDns,
  DuplicateTemplateRequest,
  Email,
  EmailCheck,
  EmailCheckRequest,
  EmailContent,
  EmailSendRequest,
  EmailSendResponse,
  Event,
  ExportSuppressionsQuery,
  GetDeliverabilityQuery,
  GetStatsQuery,
  Identity,
  ImportSuppressionsResponse,
  ListApiKeysQuery,
  ListDomainsQuery,
  ListEmailsQuery,
  ListEventsQuery,
  ListRecipientsQuery,
  ListRepliesQuery,
  ListRequestsQuery,
  ListSuppressionsQuery,
  ListTemplateVersionsQuery,
  ListTemplatesQuery,
  ListWebhookDeliveriesQuery,
  ListWebhookReplaysQuery,
  ListWebhooksQuery,
  ListedEmail,
  LoggedRequest,
  MoveEmailRequest,
  MovedEmail,
  PreviewTemplateRequest,
  Recipient,
  RecipientList,
  ReplayWebhookRequest,
  ReplayWebhookResponse,
  Reply,
  SendEmailAgainRequest,
  SendEmailBatchRequest,
  SendEmailBatchResponse,
  Stats,
  Suppression,
  SuppressionCount,
  SuppressionImports,
  SuppressionsOfAddress,
  TeamSettings,
  Template,
  TemplateDraft,
  TemplatePreview,
  TemplateVersion,
  TemplateVersionWithContent,
  TestWebhookResponse,
  UpdateDomainRequest,
  UpdateReplyRequest,
  UpdateTeamSettingsRequest,
  UpdateTemplateDraftRequest,
  UpdateTemplateRequest,
  UpdateWebhookRequest,
  Usage,
  WaitingCampaigns,
  Webhook,
  WebhookBatches,
  WebhookDeliveries,
  WebhookReplay,
  WholeReply,
} from "./types.ts";

/** The operations below `/v1/email`. */
export class EmailsApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * Send one message to up to 50 recipients.
   *
   * One message with one envelope: everyone in `to` and `cc` sees the others. The answer is also 202
   * when some recipients can't be mailed: each of them bounces. At least one of `text`, `html` and
   * `template_id` is required; `template_id` excludes the other two.
   *
   * Needs any key.
   */
  send(body: SendBody<EmailSendRequest>, options?: SendOptions): Promise<EmailSendResponse> {
    return this.#call({ method: "POST", path: "/v1/email", body, isSend: true, options });
  }

  /**
   * List scheduled messages, or all messages.
   *
   * Lists, by default, the messages that wait for their scheduled time. The last accepted comes
   * first; with `order=soonest`, the earliest scheduled time comes first. With `status=all` lists
   * every message that is kept, the last accepted first, with its status and its newest event. A
   * page of `status=all` may have fewer messages than `limit`, or none, and still have a next page.
   *
   * Needs a key with `full` permissions.
   */
  list(query: ListEmailsQuery = {}, options?: RequestOptions): Pages<ListedEmail> {
    return new Pages(this.#call, "/v1/email", query, options);
  }

  /**
   * Send up to 100 independent messages in one request.
   *
   * Each of `emails` is an independent send, merged with `defaults`. For most members the entry's
   * value wins. `headers`, `variables` and `metadata` are merged member by member, and the entry's
   * members win. `cc`, `bcc`, `attachments` and `tags` are joined, those of `defaults` first. One
   * invalid entry refuses the whole batch, unless `validation` is `permissive`: then it fails alone.
   * After validation each entry succeeds or fails alone: 202 when all are queued, 207 when some are,
   * otherwise 400, 429 or 502 with an error for each item.
   *
   * Needs any key.
   */
  sendBatch(body: SendBody<SendEmailBatchRequest>, options?: SendOptions): Promise<SendEmailBatchResponse> {
    return this.#call({ method: "POST", path: "/v1/email/batch", body, isSend: true, options });
  }

  /**
   * Check a mail before it is sent.
   *
   * Takes the body of a send, a `template_id` with `variables`, a template that is not saved (`kind`
   * with `html` or `markdown`), or a whole message (`raw`). Sends and stores nothing, and uses no
   * quota. If a send would be refused, the response is a 200 too, and the first of `problems` has
   * the reason. Files of `attachments[].path` are not fetched.
   *
   * Needs a key with `full` permissions.
   */
  check(body: EmailCheckRequest, options?: RequestOptions): Promise<EmailCheck> {
    return this.#call({ method: "POST", path: "/v1/email/check", body, options });
  }

  /**
   * Count the scheduled messages of each campaign.
   *
   * Returns up to 100 campaigns, the one with the earliest scheduled time first. At most 10,000
   * messages are counted in all; `is_complete` is false for a campaign that has more.
   *
   * Needs a key with `full` permissions.
   */
  listCampaigns(options?: RequestOptions): Promise<WaitingCampaigns> {
    return this.#call({ method: "GET", path: "/v1/email/campaigns", options });
  }

  /**
   * Cancel the scheduled messages of a campaign.
   *
   * Cancels up to 100 messages, those with the earliest scheduled time first, as if each were
   * canceled by itself. Call again while `has_more` is true. A campaign without waiting messages
   * gives an empty answer.
   *
   * Needs a key with `full` permissions.
   */
  cancelCampaign(body: CancelEmailCampaignRequest, options?: RequestOptions): Promise<CanceledCampaign> {
    return this.#call({ method: "POST", path: "/v1/email/cancel", body, options });
  }

  /**
   * Cancel a scheduled message.
   *
   * After a 200 no copy of the message is ever sent. The quota of its day and month is returned if
   * that day and month are not over. A repeated call gets the same answer. 409: the message was
   * already released, or was never scheduled.
   *
   * Needs a key with `full` permissions.
   */
  cancel(id: string, options?: RequestOptions): Promise<CanceledEmail> {
    return this.#call({ method: "POST", path: at`/v1/email/${id}/cancel`, options });
  }

  /**
   * Change the time of a scheduled message.
   *
   * A time in the past minute releases the message at once. 409: the message was already released or
   * canceled, or was never scheduled.
   *
   * Needs a key with `full` permissions.
   */
  move(id: string, body: MoveEmailRequest, options?: RequestOptions): Promise<MovedEmail> {
    return this.#call({ method: "PATCH", path: at`/v1/email/${id}`, body, options });
  }

  /**
   * Get a message with each recipient's status and events.
   *
   * Available from the message's 202 for as long as the team's events are kept. `status` is the
   * recipient's latest state. `events` is its timeline, oldest first: each attempt with the mail
   * server's host, the stage and text of its reply, and `rule`, the part of the reply that decided
   * the classification. `next_attempt_at` is when a delayed recipient is tried again.
   * `events_truncated`: the message has more than 5,000 events and the oldest are left out; `GET
   * /v1/events` pages through all of them.
   *
   * Needs a key with `full` permissions.
   */
  get(id: string, options?: RequestOptions): Promise<Email> {
    return this.#call({ method: "GET", path: at`/v1/email/${id}`, options });
  }

  /**
   * Get the content of a sent message.
   *
   * The content as it was accepted: rendered, before tracking, and with a dead link in place of each
   * recipient's unsubscribe link. It is kept for as long as the team chose by `PATCH /v1/team`.
   * Otherwise the answer is a 404 that says why.
   *
   * Needs a key with `full` permissions.
   */
  getContent(id: string, options?: RequestOptions): Promise<EmailContent> {
    return this.#call({ method: "GET", path: at`/v1/email/${id}/content`, options });
  }

  /**
   * Get an attachment of a sent message.
   *
   * The bytes of the file. `GET /v1/email/{id}/content` has its name and type.
   *
   * Needs a key with `full` permissions.
   */
  getContentAttachment(id: string, index: string, options?: RequestOptions): Promise<Uint8Array> {
    return this.#call({ method: "GET", path: at`/v1/email/${id}/content/attachments/${index}`, options });
  }

  /**
   * Send a message again to one of its recipients.
   *
   * Sends the kept content of the message as a new message with a new Message-ID and date. Limits,
   * suppressions and the key's `allowed_domains` apply as to every send.
   *
   * Needs a key with `full` permissions.
   */
  sendAgain(id: string, body: SendEmailAgainRequest = {}, options?: SendOptions): Promise<EmailSendResponse> {
    return this.#call({ method: "POST", path: at`/v1/email/${id}/send-again`, body, isSend: true, options });
  }
}

/** The operations below `/v1/whoami`. */
export class IdentityApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * The caller's team, key permission and sending limits.
   *
   * `daily` and `monthly` limit the number of messages; a 429 uses the same names in `scope`.
   * `delivery_rate_per_minute` is the rate at which accepted mail is released; it never refuses a
   * send. `sending` is only present when a courier other than the gateway carries the team's mail.
   * It says which parts of the mail that courier keeps unchanged.
   *
   * Needs any key.
   */
  get(options?: RequestOptions): Promise<Identity> {
    return this.#call({ method: "GET", path: "/v1/whoami", options });
  }
}

/** The operations below `/v1/team`. */
export class TeamApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * Get the team's own settings.
   *
   * Needs a key with `full` permissions.
   */
  getSettings(options?: RequestOptions): Promise<TeamSettings> {
    return this.#call({ method: "GET", path: "/v1/team", options });
  }

  /**
   * Change the team's own settings.
   *
   * Only the given members change.
   *
   * Needs a key with `full` permissions.
   */
  updateSettings(body: UpdateTeamSettingsRequest, options?: ChangeOptions): Promise<TeamSettings> {
    return this.#call({ method: "PATCH", path: "/v1/team", body, options });
  }
}

/** The operations below `/v1/api-keys`. */
export class ApiKeysApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * List API keys.
   *
   * Needs a key with `full` permissions.
   */
  list(query: ListApiKeysQuery = {}, options?: RequestOptions): Pages<ApiKey> {
    return new Pages(this.#call, "/v1/api-keys", query, options);
  }

  /**
   * Create an API key.
   *
   * The secret is returned only once, in this response. A restriction limits this key, not the
   * person who holds it: a key with `full` permissions can make other keys without restrictions. To
   * confine a sender, give it a `send_only` key.
   *
   * Needs a key with `full` permissions.
   */
  create(body: ApiKeySettings, options?: RequestOptions): Promise<CreateApiKeyResponse> {
    return this.#call({ method: "POST", path: "/v1/api-keys", body, options });
  }

  /**
   * Get an API key.
   *
   * Needs a key with `full` permissions.
   */
  get(id: string, options?: RequestOptions): Promise<ApiKey> {
    return this.#call({ method: "GET", path: at`/v1/api-keys/${id}`, options });
  }

  /**
   * Change an API key's name, permissions and restrictions.
   *
   * Replaces all four members: an empty or absent restriction is removed. The secret stays. The
   * change is in force everywhere within 5 minutes.
   *
   * Needs a key with `full` permissions.
   */
  update(id: string, body: ApiKeySettings, options?: ChangeOptions): Promise<ApiKey> {
    return this.#call({ method: "PATCH", path: at`/v1/api-keys/${id}`, body, options });
  }

  /**
   * Delete an API key.
   *
   * The deletion is in force everywhere within 5 minutes.
   *
   * Needs a key with `full` permissions.
   */
  delete(id: string, options?: ChangeOptions): Promise<void> {
    return this.#call({ method: "DELETE", path: at`/v1/api-keys/${id}`, options });
  }
}

/** The operations below `/v1/templates`. */
export class TemplatesApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * List templates.
   *
   * Needs a key with `full` permissions.
   */
  list(query: ListTemplatesQuery = {}, options?: RequestOptions): Pages<Template> {
    return new Pages(this.#call, "/v1/templates", query, options);
  }

  /**
   * Create a template.
   *
   * The new template is unpublished. Content in the request becomes its first draft.
   *
   * Needs a key with `full` permissions.
   */
  create(body: CreateTemplateRequest, options?: RequestOptions): Promise<Template> {
    return this.#call({ method: "POST", path: "/v1/templates", body, options });
  }

  /**
   * Get a template with its published content.
   *
   * `variables` lists the variables that the published content uses.
   *
   * Needs a key with `full` permissions.
   */
  get(id: string, options?: RequestOptions): Promise<Template> {
    return this.#call({ method: "GET", path: at`/v1/templates/${id}`, options });
  }

  /**
   * Change a template's name, its alias or what holds for all its mail.
   *
   * `"alias": null` removes the alias.
   *
   * Needs a key with `full` permissions.
   */
  update(id: string, body: UpdateTemplateRequest, options?: ChangeOptions): Promise<Template> {
    return this.#call({ method: "PATCH", path: at`/v1/templates/${id}`, body, options });
  }

  /**
   * Delete a template and its draft.
   *
   * `If-Match` takes the `ETag` of the draft or, without a draft, of the template.
   *
   * Needs a key with `full` permissions.
   */
  delete(id: string, options?: ChangeOptions): Promise<void> {
    return this.#call({ method: "DELETE", path: at`/v1/templates/${id}`, options });
  }

  /**
   * Copy a template.
   *
   * The copy is unpublished. Its draft is a copy of the source's draft or, without one, of the
   * source's published content.
   *
   * Needs a key with `full` permissions.
   */
  duplicate(id: string, body: DuplicateTemplateRequest = {}, options?: RequestOptions): Promise<Template> {
    return this.#call({ method: "POST", path: at`/v1/templates/${id}/duplicate`, body, options });
  }

  /**
   * Get a template's draft.
   *
   * Needs a key with `full` permissions.
   */
  getDraft(id: string, options?: RequestOptions): Promise<TemplateDraft> {
    return this.#call({ method: "GET", path: at`/v1/templates/${id}/draft`, options });
  }

  /**
   * Change a template's draft, or begin one.
   *
   * Only the given members change; `null` clears a member. A new draft starts with the published
   * content. `If-Match` takes the `ETag` of the draft or, without a draft, of the template.
   *
   * Needs a key with `full` permissions.
   */
  updateDraft(id: string, body: UpdateTemplateDraftRequest, options?: ChangeOptions): Promise<TemplateDraft> {
    return this.#call({ method: "PATCH", path: at`/v1/templates/${id}/draft`, body, options });
  }

  /**
   * Discard a template's draft.
   *
   * Needs a key with `full` permissions.
   */
  deleteDraft(id: string, options?: ChangeOptions): Promise<void> {
    return this.#call({ method: "DELETE", path: at`/v1/templates/${id}/draft`, options });
  }

  /**
   * Publish a template's draft.
   *
   * The draft replaces the published content and is deleted. The new content is kept as a version.
   * `If-Match` takes the draft's `ETag`.
   *
   * Needs a key with `full` permissions.
   */
  publish(id: string, options?: ChangeOptions): Promise<Template> {
    return this.#call({ method: "POST", path: at`/v1/templates/${id}/publish`, options });
  }

  /**
   * List a template's versions, the newest first.
   *
   * Each publication makes a version. The newest 50 are kept, of at most 5 MB together.
   *
   * Needs a key with `full` permissions.
   */
  listVersions(id: string, query: ListTemplateVersionsQuery = {}, options?: RequestOptions): Pages<TemplateVersion> {
    return new Pages(this.#call, at`/v1/templates/${id}/versions`, query, options);
  }

  /**
   * Get a template's version with its content.
   *
   * Needs a key with `full` permissions.
   */
  getVersion(id: string, version: string, options?: RequestOptions): Promise<TemplateVersionWithContent> {
    return this.#call({ method: "GET", path: at`/v1/templates/${id}/versions/${version}`, options });
  }

  /**
   * Make a version's content the template's draft.
   *
   * Replaces the draft, if there is one. Sends change only when the draft is published. `If-Match`
   * takes the `ETag` of the draft or, without a draft, of the template.
   *
   * Needs a key with `full` permissions.
   */
  restoreVersion(id: string, version: string, options?: ChangeOptions): Promise<TemplateDraft> {
    return this.#call({ method: "POST", path: at`/v1/templates/${id}/versions/${version}/restore`, options });
  }

  /**
   * Render a template's content without storing it.
   *
   * Takes the content of a new template and `variables`, and returns the text that a send would
   * have. Content is rendered even without variables. `unsubscribe_url` is a link that leads
   * nowhere, unless `variables` has one. Content that could not be saved is a 200 too: `problems`
   * says what is wrong, and where.
   *
   * Needs a key with `full` permissions.
   */
  preview(body: PreviewTemplateRequest, options?: RequestOptions): Promise<TemplatePreview> {
    return this.#call({ method: "POST", path: "/v1/templates/preview", body, options });
  }
}

/** The operations below `/v1/domains`. */
export class DomainsApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * List sending domains.
   *
   * Needs a key with `full` permissions.
   */
  list(query: ListDomainsQuery = {}, options?: RequestOptions): Pages<Domain> {
    return new Pages(this.#call, "/v1/domains", query, options);
  }

  /**
   * Add a sending domain.
   *
   * Publish its `dns_records` unchanged, then verify the domain. Cloudflare publishes the
   * `courier_dns_records`, if there are any. A 503 means that nothing was created.
   *
   * Needs a key with `full` permissions.
   */
  create(body: CreateDomainRequest, options?: RequestOptions): Promise<Domain> {
    return this.#call({ method: "POST", path: "/v1/domains", body, options });
  }

  /**
   * Get a sending domain.
   *
   * Needs a key with `full` permissions.
   */
  get(id: string, options?: RequestOptions): Promise<Domain> {
    return this.#call({ method: "GET", path: at`/v1/domains/${id}`, options });
  }

  /**
   * Change a sending domain's tracking.
   *
   * Only the given members change. Changing a flag or the subdomain makes tracking unverified; the
   * domain itself stays verified.
   *
   * Needs a key with `full` permissions.
   */
  update(id: string, body: UpdateDomainRequest, options?: ChangeOptions): Promise<Domain> {
    return this.#call({ method: "PATCH", path: at`/v1/domains/${id}`, body, options });
  }

  /**
   * Delete a sending domain and its DKIM keys.
   *
   * Needs a key with `full` permissions.
   */
  delete(id: string, options?: ChangeOptions): Promise<void> {
    return this.#call({ method: "DELETE", path: at`/v1/domains/${id}`, options });
  }

  /**
   * Check a sending domain's records.
   *
   * Always answers 200: `status`, `verification_failure` and `tracking` hold the result. With
   * Cloudflare's Email Service, it may also start the domain's `courier_onboarding`. You may poll
   * this endpoint.
   *
   * Needs a key with `full` permissions.
   */
  verify(id: string, options?: RequestOptions): Promise<Domain> {
    return this.#call({ method: "POST", path: at`/v1/domains/${id}/verify`, options });
  }

  /**
   * See a sending domain in DNS now.
   *
   * Looks up each record of the domain in DNS, and judges its SPF, DMARC, MTA-STS and BIMI. Stores
   * nothing; `POST /v1/domains/{id}/verify` does. A DNS failure gives a 200 with `unknown`. You may
   * poll this endpoint.
   *
   * Needs a key with `full` permissions.
   */
  getDns(id: string, options?: RequestOptions): Promise<DomainDns> {
    return this.#call({ method: "GET", path: at`/v1/domains/${id}/dns`, options });
  }
}

/** The operations below `/v1/suppressions`. */
export class SuppressionsApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * List suppressions.
   *
   * Needs a key with `full` permissions.
   */
  list(query: ListSuppressionsQuery = {}, options?: RequestOptions): Pages<Suppression> {
    return new Pages(this.#call, "/v1/suppressions", query, options);
  }

  /**
   * Suppress an address.
   *
   * Suppresses an address for every topic, or for one. The suppression stays in force until it is
   * removed. 422 if the address is already suppressed for that topic.
   *
   * Needs a key with `full` permissions.
   */
  create(body: CreateSuppressionRequest, options?: RequestOptions): Promise<Suppression> {
    return this.#call({ method: "POST", path: "/v1/suppressions", body, options });
  }

  /**
   * Count suppressions.
   *
   * Needs a key with `full` permissions.
   */
  count(query: CountSuppressionsQuery = {}, options?: RequestOptions): Promise<SuppressionCount> {
    return this.#call({ method: "GET", path: "/v1/suppressions/count", query, options });
  }

  /**
   * Suppress the addresses of a CSV file.
   *
   * The file is UTF-8. Its columns are separated by commas, semicolons, tabs or `|`. Its first row
   * names the columns: `email`, and optionally `topic` and `note`. A file with one column of
   * addresses needs no such name. The response comes once the file is stored; the import runs in the
   * background. A team can run 5 imports at a time; another is refused (`errors.imports`).
   *
   * Needs a key with `full` permissions.
   */
  import(body: string, options?: RequestOptions): Promise<ImportSuppressionsResponse> {
    return this.#call({ method: "POST", path: "/v1/suppressions/import", body, type: "text/csv", options });
  }

  /**
   * Get an import of suppressions.
   *
   * Counts the rows that the import has read so far: `total` is the sum of `imported`, `skipped`
   * (already suppressed) and `failed`. Valid rows are stored even if others fail. `errors` lists the
   * first 1,000 errors, with row numbers as in a spreadsheet. An import can be read for 7 days after
   * its end.
   *
   * Needs a key with `full` permissions.
   */
  getImport(id: string, options?: RequestOptions): Promise<SuppressionImports> {
    return this.#call({ method: "GET", path: at`/v1/suppressions/imports/${id}`, options });
  }

  /**
   * Download suppressions as a CSV file.
   *
   * A text that a spreadsheet would take for a formula gets an apostrophe in front, which an import
   * removes again. Programs should ask for `format=plain`, which adds no apostrophes.
   *
   * Needs a key with `full` permissions.
   */
  export(query: ExportSuppressionsQuery = {}, options?: RequestOptions): Promise<string> {
    return this.#call({ method: "GET", path: "/v1/suppressions/export", query, options });
  }

  /**
   * Get an address's suppressions of every topic.
   *
   * Takes an address, or the id of one suppression.
   *
   * Needs a key with `full` permissions.
   */
  getOfAddress(email: string, options?: RequestOptions): Promise<SuppressionsOfAddress> {
    return this.#call({ method: "GET", path: at`/v1/suppressions/${email}`, options });
  }

  /**
   * Remove an address's suppressions of every topic.
   *
   * Mail to the address is sent again at once.
   *
   * Needs a key with `full` permissions.
   */
  deleteOfAddress(email: string, options?: RequestOptions): Promise<void> {
    return this.#call({ method: "DELETE", path: at`/v1/suppressions/${email}`, options });
  }

  /**
   * Get an address's suppression of one topic.
   *
   * Needs a key with `full` permissions.
   */
  get(email: string, topic: string, options?: RequestOptions): Promise<Suppression> {
    return this.#call({ method: "GET", path: at`/v1/suppressions/${email}/${topic}`, options });
  }

  /**
   * Remove an address's suppression of one topic.
   *
   * Needs a key with `full` permissions.
   */
  delete(email: string, topic: string, options?: RequestOptions): Promise<void> {
    return this.#call({ method: "DELETE", path: at`/v1/suppressions/${email}/${topic}`, options });
  }
}

/** The operations below `/v1/recipients`. */
export class RecipientsApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * List addresses that begin with a text.
   *
   * Searches the team's suppressions, open messages and most recent events. The history keeps only
   * hashes of addresses. So an address that got mail only some time ago is not listed here; `GET
   * /v1/recipients/{address}` knows it.
   *
   * Needs a key with `full` permissions.
   */
  list(query: ListRecipientsQuery = {}, options?: RequestOptions): Promise<RecipientList> {
    return this.#call({ method: "GET", path: "/v1/recipients", query, options });
  }

  /**
   * Say why mail to an address arrived or did not.
   *
   * Returns the address's suppressions, its last messages with the outcome of each and the reason,
   * and counts of its events in the last 30 days, as far as the team's events are kept.
   * `explanation` is the answer in short. An unknown address is a 200 too.
   *
   * Needs a key with `full` permissions.
   */
  get(address: string, options?: RequestOptions): Promise<Recipient> {
    return this.#call({ method: "GET", path: at`/v1/recipients/${address}`, options });
  }
}

/** The operations below `/v1/events`. */
export class EventsApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * The team's events, newest first.
   *
   * Lists events from `start` up to `end`. By default these are the last 24 hours; the window never
   * reaches back beyond the team's retention. An event must match all given filters. A filter that
   * is present but empty matches nothing; only an empty `subject` is refused. A `domain` that the
   * team never sent from is a 400.
   *
   * Needs a key with `full` permissions.
   */
  list(query: ListEventsQuery = {}, options?: RequestOptions): Pages<Event> {
    return new Pages(this.#call, "/v1/events", query, options);
  }
}

/** The operations below `/v1/stats`. */
export class StatsApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * Counts of events by hour or day.
   *
   * Counts recipients by the time of their events, from `start` up to `end`. By default these are
   * the last 24 hours. The window never reaches back beyond the team's retention, and is rounded out
   * to whole intervals in UTC. Each interval has an entry, even if it is empty. By
   * `recipient_domain` an interval has an entry for each domain that occurs, the largest first: at
   * most 64 domains an hour and 200 in all are named, and the entry `other` holds the rest. By
   * `sending_domain` it has the same of the domains that mail was sent from. By `provider` it has an
   * entry for each mailbox provider or filter whose mail servers accepted or refused mail.
   *
   * Needs a key with `full` permissions.
   */
  get(query: GetStatsQuery = {}, options?: RequestOptions): Promise<Stats> {
    return this.#call({ method: "GET", path: "/v1/stats", query, options });
  }
}

/** The operations below `/v1/deliverability`. */
export class DeliverabilityApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * The outcomes of the team's mail by provider.
   *
   * Reports each mailbox provider's figures from `start` up to `end`, and in the preceding window:
   * how much mail it accepted, deferred and refused, how soon it accepted mail, and its most
   * frequent refusals. Each finding comes with its evidence and advice. By default the window is the
   * last 24 hours. It never reaches back beyond the team's retention, and is rounded out to whole
   * hours. Mail to the simulator's addresses is not counted.
   *
   * Needs a key with `full` permissions.
   */
  get(query: GetDeliverabilityQuery = {}, options?: RequestOptions): Promise<Deliverability> {
    return this.#call({ method: "GET", path: "/v1/deliverability", query, options });
  }
}

/** The operations below `/v1/usage`. */
export class UsageApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * The team's quotas, caps and waiting mail now.
   *
   * The counts are exact: they include every send that was answered. `daily` and `monthly` count
   * messages, one for each recipient. `labels` counts the distinct labels in each cap's rolling
   * window. A 429 names the quota or cap that is used up. `delivery` counts the recipients that have
   * no final outcome yet; its rate never refuses a send.
   *
   * Needs a key with `full` permissions.
   */
  get(options?: RequestOptions): Promise<Usage> {
    return this.#call({ method: "GET", path: "/v1/usage", options });
  }
}

/** The operations below `/v1/requests`. */
export class RequestsApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * List the last requests that failed.
   *
   * What the team's programs got: each kind of request that ended in 4xx or 5xx, with its newest
   * request and a count, and one in a hundred of all other requests. Newest first, for three days.
   * No bodies, no paths and no whole addresses are kept.
   *
   * Needs a key with `full` permissions.
   */
  list(query: ListRequestsQuery = {}, options?: RequestOptions): Pages<LoggedRequest> {
    return new Pages(this.#call, "/v1/requests", query, options);
  }

  /**
   * Get one of the last requests.
   *
   * Finds a request by the `X-Request-Id` of its response. Of each kind of request, the newest eight
   * can be found.
   *
   * Needs a key with `full` permissions.
   */
  get(id: string, options?: RequestOptions): Promise<LoggedRequest> {
    return this.#call({ method: "GET", path: at`/v1/requests/${id}`, options });
  }
}

/** The operations below `/v1/webhooks`. */
export class WebhooksApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * List webhooks.
   *
   * Needs a key with `full` permissions.
   */
  list(query: ListWebhooksQuery = {}, options?: RequestOptions): Pages<Webhook> {
    return new Pages(this.#call, "/v1/webhooks", query, options);
  }

  /**
   * Create a webhook.
   *
   * Needs a key with `full` permissions.
   */
  create(body: CreateWebhookRequest, options?: RequestOptions): Promise<CreateWebhookResponse> {
    return this.#call({ method: "POST", path: "/v1/webhooks", body, options });
  }

  /**
   * Get a webhook.
   *
   * Needs a key with `full` permissions.
   */
  get(id: string, options?: RequestOptions): Promise<Webhook> {
    return this.#call({ method: "GET", path: at`/v1/webhooks/${id}`, options });
  }

  /**
   * Change a webhook's name, URL, events, status, format and whether it gets automatic replies.
   *
   * Needs a key with `full` permissions.
   */
  update(id: string, body: UpdateWebhookRequest, options?: ChangeOptions): Promise<Webhook> {
    return this.#call({ method: "PATCH", path: at`/v1/webhooks/${id}`, body, options });
  }

  /**
   * Delete a webhook.
   *
   * Needs a key with `full` permissions.
   */
  delete(id: string, options?: ChangeOptions): Promise<void> {
    return this.#call({ method: "DELETE", path: at`/v1/webhooks/${id}`, options });
  }

  /**
   * Send a webhook a test event and show what it answered.
   *
   * Sends one signed `webhook.test` event, whatever the webhook's status. Nothing is retried or
   * kept. A 200 only means that the test was made: `delivered` says whether the endpoint took the
   * event.
   *
   * Needs a key with `full` permissions.
   */
  test(id: string, options?: RequestOptions): Promise<TestWebhookResponse> {
    return this.#call({ method: "POST", path: at`/v1/webhooks/${id}/test`, options });
  }

  /**
   * Replace a webhook's signing secret, honoring the previous one for 24 hours.
   *
   * Needs a key with `full` permissions.
   */
  rotateSecret(id: string, options?: RequestOptions): Promise<CreateWebhookResponse> {
    return this.#call({ method: "POST", path: at`/v1/webhooks/${id}/rotate-secret`, options });
  }

  /**
   * Send a webhook events of the past again.
   *
   * Sends the events from `start` up to `end`; the window never reaches back beyond the team's
   * retention. `event_types` selects types; by default, the types that the webhook is subscribed to.
   * The events go only to this webhook, newest first. They keep their ids, but come in new batches.
   * The answer shows the window in force. A webhook that is `disabled` is refused (`errors.status`).
   *
   * Needs a key with `full` permissions.
   */
  replay(id: string, body: ReplayWebhookRequest, options?: RequestOptions): Promise<ReplayWebhookResponse> {
    return this.#call({ method: "POST", path: at`/v1/webhooks/${id}/replay`, body, options });
  }

  /**
   * List a webhook's replays that are running or ended in the last seven days, newest first.
   *
   * A replay goes backwards from its `end` to its `start`, and stays only a little ahead of the
   * receiver. It is `done` when all of its events were passed to the webhook's deliveries, and
   * `stopped` if the webhook was disabled before that.
   *
   * Needs a key with `full` permissions.
   */
  listReplays(id: string, query: ListWebhookReplaysQuery = {}, options?: RequestOptions): Pages<WebhookReplay> {
    return new Pages(this.#call, at`/v1/webhooks/${id}/replays`, query, options);
  }

  /**
   * List a webhook's deliveries of the last three days, newest first.
   *
   * Has one entry for each attempt at a batch. A batch that was given up has one more entry,
   * `dropped`, because its twelve hours of retries, or its time in the queue of a webhook that takes
   * no deliveries, were over.
   *
   * Needs a key with `full` permissions.
   */
  listDeliveries(id: string, query: ListWebhookDeliveriesQuery = {}, options?: RequestOptions): Pages<WebhookDeliveries> {
    return new Pages(this.#call, at`/v1/webhooks/${id}/deliveries`, query, options);
  }

  /**
   * Get a batch of events: its body, its attempts, and the replies.
   *
   * Finds a batch of the last three days by the `batch_id` of its deliveries. The body is kept until
   * the batch is delivered or dropped, and so is the start of the reply to each failed attempt.
   *
   * Needs a key with `full` permissions.
   */
  getBatch(id: string, batch_id: string, options?: RequestOptions): Promise<WebhookBatches> {
    return this.#call({ method: "GET", path: at`/v1/webhooks/${id}/batches/${batch_id}`, options });
  }
}

/** The operations below `/v1/replies`. */
export class RepliesApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * List replies, newest first.
   *
   * Answers to messages with `reply_tracking`. Each is tied to its message and recipient by the
   * signed address that it came to, not by subject or references.
   *
   * Needs a key with `full` permissions.
   */
  list(query: ListRepliesQuery = {}, options?: RequestOptions): Pages<Reply> {
    return new Pages(this.#call, "/v1/replies", query, options);
  }

  /**
   * Get a reply with its text, HTML and headers.
   *
   * `text` is the reply's own text. `quoted` is the quoted mail that was cut off. The sender of the
   * reply wrote both, so do not trust them.
   *
   * Needs a key with `full` permissions.
   */
  get(id: string, options?: RequestOptions): Promise<WholeReply> {
    return this.#call({ method: "GET", path: at`/v1/replies/${id}`, options });
  }

  /**
   * Mark a reply as seen or not seen.
   *
   * Needs a key with `full` permissions.
   */
  update(id: string, body: UpdateReplyRequest, options?: RequestOptions): Promise<Reply> {
    return this.#call({ method: "PATCH", path: at`/v1/replies/${id}`, body, options });
  }

  /**
   * Get a file of a reply.
   *
   * The bytes of the file. `GET /v1/replies/{id}` has its name and type.
   *
   * Needs a key with `full` permissions.
   */
  getAttachment(id: string, index: string, options?: RequestOptions): Promise<Uint8Array> {
    return this.#call({ method: "GET", path: at`/v1/replies/${id}/attachments/${index}`, options });
  }

  /**
   * Get the raw mail of a reply.
   *
   * Needs a key with `full` permissions.
   */
  getRaw(id: string, options?: RequestOptions): Promise<Uint8Array> {
    return this.#call({ method: "GET", path: at`/v1/replies/${id}/raw`, options });
  }
}

/** Every resource of the API. */
export class Resources {
  readonly emails: EmailsApi;
  readonly identity: IdentityApi;
  readonly team: TeamApi;
  readonly apiKeys: ApiKeysApi;
  readonly templates: TemplatesApi;
  readonly domains: DomainsApi;
  readonly suppressions: SuppressionsApi;
  readonly recipients: RecipientsApi;
  readonly events: EventsApi;
  readonly stats: StatsApi;
  readonly deliverability: DeliverabilityApi;
  readonly usage: UsageApi;
  readonly requests: RequestsApi;
  readonly webhooks: WebhooksApi;
  readonly replies: RepliesApi;

  constructor(call: ApiCaller) {
    this.emails = new EmailsApi(call);
    this.identity = new IdentityApi(call);
    this.team = new TeamApi(call);
    this.apiKeys = new ApiKeysApi(call);
    this.templates = new TemplatesApi(call);
    this.domains = new DomainsApi(call);
    this.suppressions = new SuppressionsApi(call);
    this.recipients = new RecipientsApi(call);
    this.events = new EventsApi(call);
    this.stats = new StatsApi(call);
    this.deliverability = new DeliverabilityApi(call);
    this.usage = new UsageApi(call);
    this.requests = new RequestsApi(call);
    this.webhooks = new WebhooksApi(call);
    this.replies = new RepliesApi(call);
  }
}
