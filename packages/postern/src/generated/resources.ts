// Generated from the OpenAPI document by `npm run client`. Do not edit.
import { at, type ApiCaller, type RequestOptions, type SendOptions } from "../request/api-call.ts";
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
  ListSuppressionsQuery,
  ListTemplatesQuery,
  ListWebhookDeliveriesQuery,
  ListWebhookReplaysQuery,
  ListWebhooksQuery,
  ListedEmail,
  MoveEmailRequest,
  MovedEmail,
  PreviewTemplateRequest,
  Recipient,
  RecipientList,
  ReplayWebhookRequest,
  ReplayWebhookResponse,
  SendEmailBatchRequest,
  SendEmailBatchResponse,
  Stats,
  Suppression,
  SuppressionCount,
  SuppressionImports,
  SuppressionsOfAddress,
  Template,
  TemplateDraft,
  TemplatePreview,
  TestWebhookResponse,
  UpdateDomainRequest,
  UpdateTemplateDraftRequest,
  UpdateTemplateRequest,
  UpdateWebhookRequest,
  Usage,
  WaitingCampaigns,
  Webhook,
  WebhookBatches,
  WebhookDeliveries,
  WebhookReplay,
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
   * when some recipients were left out because they can't be mailed. At least one of `text`, `html`
   * and `template_id` is required; `template_id` excludes the other two.
   *
   * Needs any key.
   */
  send(body: SendBody<EmailSendRequest>, options?: SendOptions): Promise<EmailSendResponse> {
    return this.#call({ method: "POST", path: "/v1/email", body, isSend: true, options });
  }

  /**
   * List the messages that wait for their time, or all messages.
   *
   * By default those that wait: the last accepted first, or the next to go out first. With
   * `status=all` every message that is kept, the last accepted first, with its status and its newest
   * event. A page of `status=all` may have fewer messages than `limit`, or none, and still be
   * followed by others.
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
   * value wins. `headers` and `variables` are merged member by member, and the entry's members win.
   * `cc`, `bcc`, `attachments` and `tags` are joined, those of `defaults` first. One invalid entry
   * refuses the whole batch, unless `validation` is `permissive`: then it fails alone. After
   * validation each entry succeeds or fails alone: 202 when all are queued, 207 when some are,
   * otherwise 400, 429 or 502 with an error for each item.
   *
   * Needs any key.
   */
  sendBatch(body: SendBody<SendEmailBatchRequest>, options?: SendOptions): Promise<SendEmailBatchResponse> {
    return this.#call({ method: "POST", path: "/v1/email/batch", body, isSend: true, options });
  }

  /**
   * Count the messages that wait for their time, by campaign.
   *
   * Up to 100 campaigns, the next to go out first. 10,000 messages are counted in all; `is_complete`
   * is false where that was not enough.
   *
   * Needs a key with `full` permissions.
   */
  listCampaigns(options?: RequestOptions): Promise<WaitingCampaigns> {
    return this.#call({ method: "GET", path: "/v1/email/campaigns", options });
  }

  /**
   * Cancel the messages of a campaign that wait for their time.
   *
   * Cancels up to 100 messages, the next to go out first, as if each were canceled by itself. Call
   * again while `has_more` is true. A campaign of which no message waits is an empty answer.
   *
   * Needs a key with `full` permissions.
   */
  cancelCampaign(body: CancelEmailCampaignRequest, options?: RequestOptions): Promise<CanceledCampaign> {
    return this.#call({ method: "POST", path: "/v1/email/cancel", body, options });
  }

  /**
   * Cancel a message that waits for its time.
   *
   * After a 200 nothing of the message is ever sent, and its quota is given back within the same day
   * and month. A repeated call gets the same answer. 409: the message was released before, or never
   * scheduled.
   *
   * Needs a key with `full` permissions.
   */
  cancel(id: string, options?: RequestOptions): Promise<CanceledEmail> {
    return this.#call({ method: "POST", path: at`/v1/email/${id}/cancel`, options });
  }

  /**
   * Move a message that waits for its time.
   *
   * A time in the past minute releases it at once. 409: it was released or canceled before, or never
   * scheduled.
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
   * `daily` and `monthly` limit the number of messages and have the names of a 429's `scope`.
   * `delivery_rate_per_minute` is the rate at which accepted mail is released; it never refuses a
   * send. `sending` is only present when a courier other than the gateway carries the team's mail,
   * and tells what that courier cannot keep.
   *
   * Needs any key.
   */
  get(options?: RequestOptions): Promise<Identity> {
    return this.#call({ method: "GET", path: "/v1/whoami", options });
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
   * The secret is returned only once, in this response. A restriction binds what is done with this
   * key, not the person who holds it: a `full` key can make other keys, without restrictions. To
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
   * Replaces all four: a restriction that is empty or left out is lifted. The secret stays. The
   * change is in force everywhere within 5 minutes.
   *
   * Needs a key with `full` permissions.
   */
  update(id: string, body: ApiKeySettings, options?: RequestOptions): Promise<ApiKey> {
    return this.#call({ method: "PATCH", path: at`/v1/api-keys/${id}`, body, options });
  }

  /**
   * Delete an API key.
   *
   * The deletion is in force everywhere within 5 minutes.
   *
   * Needs a key with `full` permissions.
   */
  delete(id: string, options?: RequestOptions): Promise<void> {
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
   * The template is unpublished. Content in the request becomes its first draft.
   *
   * Needs a key with `full` permissions.
   */
  create(body: CreateTemplateRequest, options?: RequestOptions): Promise<Template> {
    return this.#call({ method: "POST", path: "/v1/templates", body, options });
  }

  /**
   * Get a template with its published content.
   *
   * `variables` lists the variables that this content uses.
   *
   * Needs a key with `full` permissions.
   */
  get(id: string, options?: RequestOptions): Promise<Template> {
    return this.#call({ method: "GET", path: at`/v1/templates/${id}`, options });
  }

  /**
   * Change a template's name or alias.
   *
   * `null` takes the alias away.
   *
   * Needs a key with `full` permissions.
   */
  update(id: string, body: UpdateTemplateRequest, options?: RequestOptions): Promise<Template> {
    return this.#call({ method: "PATCH", path: at`/v1/templates/${id}`, body, options });
  }

  /**
   * Delete a template and its draft.
   *
   * Needs a key with `full` permissions.
   */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#call({ method: "DELETE", path: at`/v1/templates/${id}`, options });
  }

  /**
   * Copy a template.
   *
   * The copy is unpublished. Its draft is the source's draft or, without one, the source's published
   * content.
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
   * Only the given members change; `null` clears one. A new draft starts with the published content.
   *
   * Needs a key with `full` permissions.
   */
  updateDraft(id: string, body: UpdateTemplateDraftRequest, options?: RequestOptions): Promise<TemplateDraft> {
    return this.#call({ method: "PATCH", path: at`/v1/templates/${id}/draft`, body, options });
  }

  /**
   * Discard a template's draft.
   *
   * Needs a key with `full` permissions.
   */
  deleteDraft(id: string, options?: RequestOptions): Promise<void> {
    return this.#call({ method: "DELETE", path: at`/v1/templates/${id}/draft`, options });
  }

  /**
   * Publish a template's draft.
   *
   * The draft replaces the published content and is deleted.
   *
   * Needs a key with `full` permissions.
   */
  publish(id: string, options?: RequestOptions): Promise<Template> {
    return this.#call({ method: "POST", path: at`/v1/templates/${id}/publish`, options });
  }

  /**
   * Render a template's content without storing it.
   *
   * Takes the content of a new template, and `variables`, and answers what a send of it would say.
   * Content is rendered even without variables, and `unsubscribe_url` is a link that leads nowhere,
   * unless `variables` has one. Content that could not be saved is a 200 too: `problems` says what
   * is wrong, and where.
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
   * Publish its `dns_records` as they are, then verify it. Cloudflare publishes the
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
   * Only the given members change. Changing a flag or the subdomain clears the verification of
   * tracking, never that of the domain.
   *
   * Needs a key with `full` permissions.
   */
  update(id: string, body: UpdateDomainRequest, options?: RequestOptions): Promise<Domain> {
    return this.#call({ method: "PATCH", path: at`/v1/domains/${id}`, body, options });
  }

  /**
   * Delete a sending domain and its DKIM keys.
   *
   * Needs a key with `full` permissions.
   */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#call({ method: "DELETE", path: at`/v1/domains/${id}`, options });
  }

  /**
   * Check a sending domain's records.
   *
   * Always 200: `status`, `verification_failure` and `tracking` hold the result. May be polled.
   *
   * Needs a key with `full` permissions.
   */
  verify(id: string, options?: RequestOptions): Promise<Domain> {
    return this.#call({ method: "POST", path: at`/v1/domains/${id}/verify`, options });
  }

  /**
   * See a sending domain in DNS now.
   *
   * Asks DNS for each record of the domain, and judges its SPF, DMARC, MTA-STS and BIMI. It stores
   * nothing: `POST /v1/domains/{id}/verify` does. Faults of DNS are 200 with `unknown`. May be
   * polled.
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
   * For every topic, or for one. It stays in force until it is removed. 422 if the address is
   * already suppressed for that topic.
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
   * The file is UTF-8. Its first row names the columns: `email`, and optionally `topic` and `note`.
   * A file with one column needs no such row. The response comes once the file is stored; the import
   * runs in the background. A team can have 5 imports under way; another is refused
   * (`errors.imports`).
   *
   * Needs a key with `full` permissions.
   */
  import(body: string, options?: RequestOptions): Promise<ImportSuppressionsResponse> {
    return this.#call({ method: "POST", path: "/v1/suppressions/import", body, type: "text/csv", options });
  }

  /**
   * Get an import of suppressions.
   *
   * Counts of the rows that the import has read so far: `total` is the sum of `imported`, `skipped`
   * (already suppressed) and `failed`. Valid rows are stored even if others fail. `errors` lists the
   * first 1,000 errors, by row number as in a spreadsheet. An import can be read for 7 days after
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
   * A text that a spreadsheet would take for a formula begins with an apostrophe, which an import
   * takes off again. Programs ask for `format=plain`, which has none.
   *
   * Needs a key with `full` permissions.
   */
  export(query: ExportSuppressionsQuery = {}, options?: RequestOptions): Promise<string> {
    return this.#call({ method: "GET", path: "/v1/suppressions/export", query, options });
  }

  /**
   * Get an address's suppressions of every topic.
   *
   * Or, by its id, one suppression.
   *
   * Needs a key with `full` permissions.
   */
  getOfAddress(email: string, options?: RequestOptions): Promise<SuppressionsOfAddress> {
    return this.#call({ method: "GET", path: at`/v1/suppressions/${email}`, options });
  }

  /**
   * Remove an address's suppressions of every topic.
   *
   * Mail to it is sent again at once.
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
   * Looks among the team's suppressions, its open messages and its most recent events. The history
   * keeps only hashes of addresses, so an address that got mail only some time ago is not found
   * here; `GET /v1/recipients/{address}` knows it.
   *
   * Needs a key with `full` permissions.
   */
  list(query: ListRecipientsQuery = {}, options?: RequestOptions): Promise<RecipientList> {
    return this.#call({ method: "GET", path: "/v1/recipients", query, options });
  }

  /**
   * Say why mail to an address arrived or did not.
   *
   * Its suppressions, its last messages with what became of each and why, and its events of the last
   * 30 days, counted as far as the team's events are kept. `explanation` is the answer in short. An
   * address that nothing is known of is a 200 as well.
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
   * From `start` up to `end`: the last 24 hours where they are left out, never further back than the
   * team's retention. Filters narrow each other; one that is present and empty is a value like any
   * other, and matches nothing, but for an empty `subject`, which is refused. A `domain` that the
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
   * Recipients, counted by when it happened, from `start` up to `end`: the last 24 hours where they
   * are left out, never further back than the team's retention, rounded out to whole intervals in
   * UTC. Each interval has its entry, an empty one too. By `recipient_domain` an interval has an
   * entry for each domain that occurs, the largest first: at most 64 domains an hour and 200 in all
   * are named, and the entry `other` holds the rest. By `provider` it has an entry for each mailbox
   * provider or filter whose mail servers took or refused mail.
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
   * The fate of the mail by provider, and findings.
   *
   * Each mailbox provider's figures from `start` up to `end`, and in the window before: how much
   * mail it took, put off and refused, how soon it took it, its most frequent refusals; and
   * findings, each with its evidence and what can be done. The window is the last 24 hours where it
   * is left out, never further back than the team's retention, rounded out to whole hours. Mail to
   * the simulator's addresses counts in none of it.
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
   * Counted exactly: a send that was answered is in it. `daily` and `monthly` count messages, one
   * for each recipient, and `labels` the distinct labels in each cap's rolling window; a 429 names
   * the one that is used up. `delivery` counts the recipients that have no final outcome yet; its
   * rate never refuses a send.
   *
   * Needs a key with `full` permissions.
   */
  get(options?: RequestOptions): Promise<Usage> {
    return this.#call({ method: "GET", path: "/v1/usage", options });
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
   * Change a webhook's name, URL, events, status and format.
   *
   * Needs a key with `full` permissions.
   */
  update(id: string, body: UpdateWebhookRequest, options?: RequestOptions): Promise<Webhook> {
    return this.#call({ method: "PATCH", path: at`/v1/webhooks/${id}`, body, options });
  }

  /**
   * Delete a webhook.
   *
   * Needs a key with `full` permissions.
   */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#call({ method: "DELETE", path: at`/v1/webhooks/${id}`, options });
  }

  /**
   * Send a webhook a test event and show what it answered.
   *
   * One signed `webhook.test` event, whatever the webhook's status; nothing is retried or kept. A
   * 200 is the test's own: `delivered` says whether the endpoint took the event.
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
   * The replay sends the events from `start` up to `end`, never further back than the team's
   * retention, of the types named or, where none are, of those that the webhook is subscribed to.
   * They go to this webhook alone, with the ids that they had, in batches of their own, the newest
   * first. The answer shows the window in force. A webhook that is `disabled` is refused
   * (`errors.status`).
   *
   * Needs a key with `full` permissions.
   */
  replay(id: string, body: ReplayWebhookRequest, options?: RequestOptions): Promise<ReplayWebhookResponse> {
    return this.#call({ method: "POST", path: at`/v1/webhooks/${id}/replay`, body, options });
  }

  /**
   * A webhook's replays that are running or ended in the last seven days, newest first.
   *
   * A replay goes backwards, from its `end` to its `start`, and stays only a little ahead of the
   * receiver. It is `done` when all of its events are with the webhook's deliveries, and `stopped`
   * when the webhook was disabled before.
   *
   * Needs a key with `full` permissions.
   */
  listReplays(id: string, query: ListWebhookReplaysQuery = {}, options?: RequestOptions): Pages<WebhookReplay> {
    return new Pages(this.#call, at`/v1/webhooks/${id}/replays`, query, options);
  }

  /**
   * List a webhook's deliveries of the last three days, newest first.
   *
   * An entry for each attempt at a batch, and one, `dropped`, for each batch that was given up:
   * because its twelve hours of retries, or its time in the queue of a webhook that takes no
   * deliveries, were over.
   *
   * Needs a key with `full` permissions.
   */
  listDeliveries(id: string, query: ListWebhookDeliveriesQuery = {}, options?: RequestOptions): Pages<WebhookDeliveries> {
    return new Pages(this.#call, at`/v1/webhooks/${id}/deliveries`, query, options);
  }

  /**
   * Get a batch of events: its body, its attempts, and the replies.
   *
   * A batch of the last three days by the `batch_id` of its deliveries. The body is kept until the
   * batch was delivered or dropped, and the start of the reply to each attempt that failed.
   *
   * Needs a key with `full` permissions.
   */
  getBatch(id: string, batch_id: string, options?: RequestOptions): Promise<WebhookBatches> {
    return this.#call({ method: "GET", path: at`/v1/webhooks/${id}/batches/${batch_id}`, options });
  }
}

/** Every resource of the API. */
export class Resources {
  readonly emails: EmailsApi;
  readonly identity: IdentityApi;
  readonly apiKeys: ApiKeysApi;
  readonly templates: TemplatesApi;
  readonly domains: DomainsApi;
  readonly suppressions: SuppressionsApi;
  readonly recipients: RecipientsApi;
  readonly events: EventsApi;
  readonly stats: StatsApi;
  readonly deliverability: DeliverabilityApi;
  readonly usage: UsageApi;
  readonly webhooks: WebhooksApi;

  constructor(call: ApiCaller) {
    this.emails = new EmailsApi(call);
    this.identity = new IdentityApi(call);
    this.apiKeys = new ApiKeysApi(call);
    this.templates = new TemplatesApi(call);
    this.domains = new DomainsApi(call);
    this.suppressions = new SuppressionsApi(call);
    this.recipients = new RecipientsApi(call);
    this.events = new EventsApi(call);
    this.stats = new StatsApi(call);
    this.deliverability = new DeliverabilityApi(call);
    this.usage = new UsageApi(call);
    this.webhooks = new WebhooksApi(call);
  }
}
