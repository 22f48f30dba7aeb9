// Generated from the OpenAPI document by `npm run console`. Do not edit.
export interface paths {
    "/v1/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages that wait for their time
         * @description Newest first, by the time of acceptance. `GET /v1/events` tells about messages that were released.
         *
         *     Needs a key with `full` permissions.
         */
        get: operations["listEmails"];
        put?: never;
        /**
         * Send one message to up to 50 recipients
         * @description One message with one envelope: everyone in `to` and `cc` sees the others. The answer is also 202 when some recipients were left out because they can't be mailed. At least one of `text`, `html` and `template_id` is required; `template_id` excludes the other two.
         *
         *     Needs any key.
         */
        post: operations["sendEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/email/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send up to 100 independent messages in one request
         * @description Each of `emails` is an independent send, merged with `defaults`. For most members the entry's value wins. `headers` and `variables` are merged member by member, and the entry's members win. `cc`, `bcc`, `attachments` and `tags` are joined, those of `defaults` first. One invalid entry refuses the whole batch. After validation each entry succeeds or fails alone: 202 when all are queued, 207 when some are, otherwise 400, 429 or 502 with an error for each item.
         *
         *     Needs any key.
         */
        post: operations["sendEmailBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/email/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a message with each recipient's status and events
         * @description Available from the message's 202 for as long as the team's events are kept. `status` is the recipient's latest state. `events` is its timeline, oldest first: each attempt with the mail server's host, the stage and text of its reply, and `rule`, the part of the reply that decided the classification. `next_attempt_at` is when a delayed recipient is tried again. `events_truncated`: the message has more than 5,000 events and the oldest are left out; `GET /v1/events` pages through all of them.
         *
         *     Needs a key with `full` permissions.
         */
        get: operations["getEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Move a message that waits for its time
         * @description A time in the past minute releases it at once. 409: it was released or canceled before, or never scheduled.
         *
         *     Needs a key with `full` permissions.
         */
        patch: operations["moveEmail"];
        trace?: never;
    };
    "/v1/email/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a message that waits for its time
         * @description After a 200 nothing of the message is ever sent, and its quota is given back within the same day and month. A repeated call gets the same answer. 409: the message was released before, or never scheduled.
         *
         *     Needs a key with `full` permissions.
         */
        post: operations["cancelEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's team, key permission and sending limits
         * @description `daily` and `monthly` limit the number of messages and have the names of a 429's `scope`. `delivery_rate_per_minute` is the rate at which accepted mail is released; it never refuses a send. `sending` is only present when a courier other than the gateway carries the team's mail, and tells what that courier cannot keep.
         *
         *     Needs any key.
         */
        get: operations["getIdentity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Needs a key with `full` permissions.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The secret is returned only once, in this response. A restriction binds what is done with this key, not the person who holds it: a `full` key can make other keys, without restrictions. To confine a sender, give it a `send_only` key.
         *
         *     Needs a key with `full` permissions.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description Needs a key with `full` permissions.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Delete an API key
         * @description The deletion is in force everywhere within 5 minutes.
         *
         *     Needs a key with `full` permissions.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        /**
         * Change an API key's name, permissions and restrictions
         * @description Replaces all four: a restriction that is empty or left out is lifted. The secret stays. The change is in force everywhere within 5 minutes.
         *
         *     Needs a key with `full` permissions.
         */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates
         * @description Needs a key with `full` permissions.
         */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Create a template
         * @description The template is unpublished. Content in the request becomes its first draft.
         *
         *     Needs a key with `full` permissions.
         */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a template with its published content
         * @description `variables` lists the variables that this content uses.
         *
         *     Needs a key with `full` permissions.
         */
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        /**
         * Delete a template and its draft
         * @description Needs a key with `full` permissions.
         */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        /**
         * Rename a template
         * @description Needs a key with `full` permissions.
         */
        patch: operations["updateTemplate"];
        trace?: never;
    };
    "/v1/templates/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy a template
         * @description The copy is unpublished. Its draft is the source's draft or, without one, the source's published content.
         *
         *     Needs a key with `full` permissions.
         */
        post: operations["duplicateTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a template's draft
         * @description Needs a key with `full` permissions.
         */
        get: operations["getTemplateDraft"];
        put?: never;
        post?: never;
        /**
         * Discard a template's draft
         * @description Needs a key with `full` permissions.
         */
        delete: operations["deleteTemplateDraft"];
        options?: never;
        head?: never;
        /**
         * Change a template's draft, or begin one
         * @description Only the given members change; `null` clears one. A new draft starts with the published content.
         *
         *     Needs a key with `full` permissions.
         */
        patch: operations["updateTemplateDraft"];
        trace?: never;
    };
    "/v1/templates/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a template's draft
         * @description The draft replaces the published content and is deleted.
         *
         *     Needs a key with `full` permissions.
         */
        post: operations["publishTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render a template's content without storing it
         * @description Takes the content of a new template, and `variables`, and answers what a send of it would say. Content is rendered even without variables, and `unsubscribe_url` is a link that leads nowhere, unless `variables` has one. Content that could not be saved is a 200 too: `problems` says what is wrong, and where.
         *
         *     Needs a key with `full` permissions.
         */
        post: operations["previewTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sending domains
         * @description Needs a key with `full` permissions.
         */
        get: operations["listDomains"];
        put?: never;
        /**
         * Add a sending domain
         * @description Publish its `dns_records` as they are, then verify it. Cloudflare publishes the `courier_dns_records`, if there are any. A 503 means that nothing was created.
         *
         *     Needs a key with `full` permissions.
         */
        post: operations["createDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/domains/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a sending domain
         * @description Needs a key with `full` permissions.
         */
        get: operations["getDomain"];
        put?: never;
        post?: never;
        /**
         * Delete a sending domain and its DKIM keys
         * @description Needs a key with `full` permissions.
         */
        delete: operations["deleteDomain"];
        options?: never;
        head?: never;
        /**
         * Change a sending domain's tracking
         * @description Only the given members change. Changing a flag or the subdomain clears the verification of tracking, never that of the domain.
         *
         *     Needs a key with `full` permissions.
         */
        patch: operations["updateDomain"];
        trace?: never;
    };
    "/v1/domains/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a sending domain's records
         * @description Always 200: `status`, `verification_failure` and `tracking` hold the result. May be polled.
         *
         *     Needs a key with `full` permissions.
         */
        post: operations["verifyDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/domains/{id}/dns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See a sending domain in DNS now
         * @description Asks DNS for each record of the domain, and judges its SPF, DMARC, MTA-STS and BIMI. It stores nothing: `POST /v1/domains/{id}/verify` does. Faults of DNS are 200 with `unknown`. May be polled.
         *
         *     Needs a key with `full` permissions.
         */
        get: operations["getDomainDns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suppressions
         * @description Needs a key with `full` permissions.
         */
        get: operations["listSuppressions"];
        put?: never;
        /**
         * Suppress an address
         * @description For every topic, or for one. It stays in force until it is removed. 422 if the address is already suppressed for that topic.
         *
         *     Needs a key with `full` permissions.
         */
        post: operations["createSuppression"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suppress the addresses of a CSV file
         * @description The file is UTF-8. Its first row names the columns: `email`, and optionally `topic` and `note`. A file with one column needs no such row. The response comes once the file is stored; the import runs in the background. A team can have 5 imports under way; another is refused (`errors.imports`).
         *
         *     Needs a key with `full` permissions.
         */
        post: operations["importSuppressions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an import of suppressions
         * @description Counts of the rows that the import has read so far: `total` is the sum of `imported`, `skipped` (already suppressed) and `failed`. Valid rows are stored even if others fail. `errors` lists the first 1,000 errors, by row number as in a spreadsheet. An import can be read for 7 days after its end.
         *
         *     Needs a key with `full` permissions.
         */
        get: operations["getSuppressionImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download suppressions as a CSV file
         * @description A text that a spreadsheet would take for a formula begins with an apostrophe, which an import takes off again. Programs ask for `format=plain`, which has none.
         *
         *     Needs a key with `full` permissions.
         */
        get: operations["exportSuppressions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions/{email}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an address's suppressions of every topic
         * @description Needs a key with `full` permissions.
         */
        get: operations["getSuppressionsOfAddress"];
        put?: never;
        post?: never;
        /**
         * Remove an address's suppressions of every topic
         * @description Mail to it is sent again at once.
         *
         *     Needs a key with `full` permissions.
         */
        delete: operations["deleteSuppressionsOfAddress"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions/{email}/{topic}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an address's suppression of one topic
         * @description Needs a key with `full` permissions.
         */
        get: operations["getSuppression"];
        put?: never;
        post?: never;
        /**
         * Remove an address's suppression of one topic
         * @description Needs a key with `full` permissions.
         */
        delete: operations["deleteSuppression"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The team's events, newest first
         * @description From `start` up to `end`: the last 24 hours where they are left out, never further back than the team's retention. Filters narrow each other; one that is present and empty is a value like any other, and matches nothing, but for an empty `subject`, which is refused. A `domain` that the team never sent from is a 400.
         *
         *     Needs a key with `full` permissions.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts of events by hour or day
         * @description Recipients, counted by when it happened, from `start` up to `end`: the last 24 hours where they are left out, never further back than the team's retention, rounded out to whole intervals in UTC. Each interval has its entry, an empty one too. By `recipient_domain` an interval has an entry for each domain that occurs, the largest first: at most 64 domains an hour and 200 in all are named, and the entry `other` holds the rest.
         *
         *     Needs a key with `full` permissions.
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The team's quotas, caps and waiting mail now
         * @description Counted exactly: a send that was answered is in it. `daily` and `monthly` count messages, one for each recipient, and `labels` the distinct labels in each cap's rolling window; a 429 names the one that is used up. `delivery` counts the recipients that have no final outcome yet; its rate never refuses a send.
         *
         *     Needs a key with `full` permissions.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Needs a key with `full` permissions.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Needs a key with `full` permissions.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Needs a key with `full` permissions.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Needs a key with `full` permissions.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook's name, URL, events and status
         * @description Needs a key with `full` permissions.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook a test event and show what it answered
         * @description One signed `webhook.test` event, whatever the webhook's status; nothing is retried or kept. A 200 is the test's own: `delivered` says whether the endpoint took the event.
         *
         *     Needs a key with `full` permissions.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a webhook's signing secret, honoring the previous one for 24 hours
         * @description Needs a key with `full` permissions.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook events of the past again
         * @description The replay sends the events from `start` up to `end`, never further back than the team's retention, of the types named or, where none are, of those that the webhook is subscribed to. They go to this webhook alone, with the ids that they had, in batches of their own, the newest first. The answer shows the window in force. A webhook that is `disabled` is refused (`errors.status`).
         *
         *     Needs a key with `full` permissions.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A webhook's replays that are running or ended in the last seven days, newest first
         * @description A replay goes backwards, from its `end` to its `start`, and stays only a little ahead of the receiver. It is `done` when all of its events are with the webhook's deliveries, and `stopped` when the webhook was disabled before.
         *
         *     Needs a key with `full` permissions.
         */
        get: operations["listWebhookReplays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a webhook's deliveries of the last three days, newest first
         * @description An entry for each attempt at a batch, and one, `dropped`, for each batch that was given up: because its twelve hours of retries, or its time in the queue of a webhook that takes no deliveries, were over.
         *
         *     Needs a key with `full` permissions.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/batches/{batch_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a batch of events: its body, its attempts, and the replies
         * @description A batch of the last three days by the `batch_id` of its deliveries. The body is kept until the batch was delivered or dropped, and the start of the reply to each attempt that failed.
         *
         *     Needs a key with `full` permissions.
         */
        get: operations["getWebhookBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List teams
         * @description Needs the operator's token.
         */
        get: operations["listTeams"];
        put?: never;
        /**
         * Create a team and its first API key
         * @description The key has `full` permissions. Its secret is returned only once, in this response.
         *
         *     Needs the operator's token.
         */
        post: operations["createTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/teams/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a team
         * @description Needs the operator's token.
         */
        get: operations["getTeam"];
        put?: never;
        post?: never;
        /**
         * Delete a team and everything it owns
         * @description Needs the operator's token.
         */
        delete: operations["deleteTeam"];
        options?: never;
        head?: never;
        /**
         * Change a team's settings
         * @description Only the given members change.
         *
         *     Needs the operator's token.
         */
        patch: operations["updateTeam"];
        trace?: never;
    };
    "/admin/shards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the shards
         * @description Needs the operator's token.
         */
        get: operations["listShards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/teams/{id}/shards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Spread a team's events over several shards
         * @description From the next UTC midnight that is at least an hour away, the team's days of events are stored on `shards` in turn; without `shards`, on its current ones and the emptiest other one. Shards above 7 GB are left out while there are others. Events already written stay where they are. Until an hour before that midnight, another call replaces this one.
         *
         *     Needs the operator's token.
         */
        post: operations["widenTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dead letters
         * @description Jobs that a queue gave up after the last attempt. Only their ids are kept, for 30 days.
         *
         *     Needs the operator's token.
         */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/dead-letters/{id}/requeue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a dead letter back onto its queue
         * @description The queue offers the job again, and the dead letter is deleted. A delivery that was done meanwhile is not repeated, because its team's ledger decides.
         *
         *     Needs the operator's token.
         */
        post: operations["requeueDeadLetter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/dead-letters/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Forget a dead letter
         * @description Needs the operator's token.
         */
        delete: operations["deleteDeadLetter"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Numbers for monitoring
         * @description Prometheus text format 0.0.4: totals over all teams, at most a minute old. The metrics of a source that does not answer are left out, and `postern_source_up` names it.
         *
         *     Needs the operator's token.
         */
        get: operations["getMetric"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/deployment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the deployment's settings, and whether its gateways agree
         * @description Asks each gateway whether it accepts this worker's token. `state`: `agreed`, `refused` (the tokens differ), `unavailable` (it accepts no mail at the moment), `unreachable`, or `unexpected` (something else answers there). No secret is shown.
         *
         *     Needs the operator's token.
         */
        get: operations["getDeployment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is signed in to the console
         * @description 401 without a session that is still good.
         *
         *     Only a page of the same origin may sign in and out.
         */
        get: operations["getConsoleSession"];
        put?: never;
        /**
         * Sign in to the console
         * @description Exchanges a credential for a session of 12 hours, in a cookie that scripts can't read. `/v1` takes that cookie in place of the key from pages of this origin that send `X-Postern-Console: 1`, and `/admin` the operator's in place of the token. Deleting the key ends its sessions within a minute. Programs send keys instead.
         *
         *     Only a page of the same origin may sign in and out.
         */
        post: operations["signIn"];
        /**
         * Sign out of the console
         * @description The browser forgets the session. Without one the answer is the same.
         *
         *     Only a page of the same origin may sign in and out.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/console-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link that signs in to the console
         * @description Only the local stack has it. The link works once, for 10 minutes, and stands for the team's oldest key with `full` permissions.
         *
         *     Needs the operator's token.
         */
        post: operations["createConsoleLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the database, the queues and the team objects answer
         * @description Needs no credentials.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "email.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The first attempt for a recipient starts
         * @description One delivery may hold events of several types that the webhook is subscribed to. An event may be delivered more than once, and then has the same `id`.
         */
        post: operations["onEmailSentEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.delivered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The recipient's mail server took a message
         * @description One delivery may hold events of several types that the webhook is subscribed to. An event may be delivered more than once, and then has the same `id`.
         */
        post: operations["onEmailDeliveredEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.delayed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An attempt failed, and another will follow
         * @description One delivery may hold events of several types that the webhook is subscribed to. An event may be delivered more than once, and then has the same `id`.
         */
        post: operations["onEmailDelayedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.bounced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A message can't be delivered to a recipient
         * @description One delivery may hold events of several types that the webhook is subscribed to. An event may be delivered more than once, and then has the same `id`.
         */
        post: operations["onEmailBouncedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.complained": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A recipient reported a message as spam
         * @description One delivery may hold events of several types that the webhook is subscribed to. An event may be delivered more than once, and then has the same `id`.
         */
        post: operations["onEmailComplainedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.suppressed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A recipient is suppressed and was sent nothing
         * @description One delivery may hold events of several types that the webhook is subscribed to. An event may be delivered more than once, and then has the same `id`.
         */
        post: operations["onEmailSuppressedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.unsubscribed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A recipient unsubscribed
         * @description One delivery may hold events of several types that the webhook is subscribed to. An event may be delivered more than once, and then has the same `id`.
         */
        post: operations["onEmailUnsubscribedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A message was opened
         * @description One delivery may hold events of several types that the webhook is subscribed to. An event may be delivered more than once, and then has the same `id`.
         */
        post: operations["onEmailOpenedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.clicked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link of a message was followed
         * @description One delivery may hold events of several types that the webhook is subscribed to. An event may be delivered more than once, and then has the same `id`.
         */
        post: operations["onEmailClickedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test of the webhook was requested
         * @description Only `POST /v1/webhooks/{id}/test` sends it. The batch has one event, in a shape of its own.
         */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        ApiKey: {
            id: string;
            name: string;
            key_prefix: string;
            /** @enum {string} */
            permissions: "full" | "send_only";
            allowed_domains: string[] | null;
            allowed_ips: string[] | null;
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        ApiKeySettings: {
            name: string;
            /** @enum {string} */
            permissions: "full" | "send_only";
            /** @description Sending domains allowed in `from`. Null, empty or absent: all of the team's. */
            allowed_domains?: string[] | null;
            /** @description Addresses and CIDR blocks from which the key works. Null, empty or absent: any. */
            allowed_ips?: string[] | null;
        };
        CanceledEmail: {
            id: string;
            /** Format: date-time */
            canceled_at: string;
        };
        ConsoleSession: {
            team: {
                id: string;
                name: string;
            } | null;
            /** @description The key that the session stands for. Null, like `team`: the operator's session. */
            api_key: {
                id: string;
                /** @enum {string} */
                permissions: "full" | "send_only";
            } | null;
            /** Format: date-time */
            expires_at: string;
        };
        /** @description Exactly one member. */
        ConsoleSignIn: {
            /** @description An API key of the team. */
            key?: string;
            /** @description What stands behind `#` in a link of `POST /admin/console-links`. */
            link?: string;
            /** @description The operator's `ADMIN_TOKEN`. */
            admin_token?: string;
        };
        CourierDnsRecord: {
            /** @enum {string} */
            type: "MX" | "TXT";
            name: string;
            /** @description Null for `dkim`: Cloudflare makes the key and is the only one to know it. */
            value: string | null;
            /** @enum {string} */
            purpose: "bounces" | "spf" | "dkim";
        };
        CreateApiKeyResponse: {
            id: string;
            name: string;
            key_prefix: string;
            /** @enum {string} */
            permissions: "full" | "send_only";
            allowed_domains: string[] | null;
            allowed_ips: string[] | null;
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
            key: string;
        };
        CreateConsoleLinkRequest: {
            team_id: string;
        };
        CreateConsoleLinkResponse: {
            /** Format: uri */
            url: string;
            /** Format: date-time */
            expires_at: string;
        };
        CreateDomainRequest: {
            /** @description In any script and case, with or without a final dot. */
            name: string;
        };
        CreateSuppressionRequest: {
            /** @description A bare address, in any script. White space around it is left out. */
            email: string;
            /** @description `*`, or a topic; kept in lower case. */
            topic?: string;
            /** @default null */
            note: string | null;
        };
        CreateTeamRequest: {
            name: string;
            limits?: {
                daily?: number;
                monthly?: number;
                delivery_rate_per_minute?: number;
                requests_per_second?: number;
            };
            label_caps?: {
                tags_per_hour?: number;
                topic_per_hour?: number;
                campaign_per_hour?: number;
                campaign_per_72_hours?: number;
            };
            event_retention_days?: 3 | 7 | 30;
            /** @enum {string} */
            subscription?: "active" | "inactive";
            overage_credits?: number;
            ip_pools?: string[];
            courier?: ("gateway" | "smtp" | "cloudflare") | null;
        };
        CreateTeamResponse: {
            id: string;
            name: string;
            limits: {
                daily: number;
                monthly: number;
                delivery_rate_per_minute: number;
                requests_per_second: number;
            };
            label_caps: {
                tags_per_hour: number;
                topic_per_hour: number;
                campaign_per_hour: number;
                campaign_per_72_hours: number;
            };
            event_retention_days: number;
            /** @enum {string} */
            subscription: "active" | "inactive";
            overage_credits: number;
            ip_pools: string[];
            courier: ("gateway" | "smtp" | "cloudflare") | null;
            sending: {
                /** @enum {string} */
                courier: "gateway" | "smtp" | "cloudflare";
                keeps: {
                    /** @enum {string} */
                    dkim_signature: "kept" | "up_to_relay" | "lost";
                    /** @enum {string} */
                    message_id: "kept" | "up_to_relay" | "lost";
                    /** @enum {string} */
                    return_path: "kept" | "up_to_relay" | "lost";
                    /** @enum {string} */
                    ip_pool: "kept" | "up_to_relay" | "lost";
                    /** @enum {string} */
                    server_reply: "kept" | "up_to_relay" | "lost";
                };
            };
            number: number;
            shards: {
                /** Format: date */
                from: string;
                shards: number[];
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            api_key: components["schemas"]["CreateApiKeyResponse"];
        };
        CreateTemplateRequest: {
            name: string;
            subject?: string | null;
            /**
             * @default html
             * @enum {string}
             */
            kind: "html" | "markdown";
            html?: string | null;
            markdown?: string | null;
        };
        CreateWebhookRequest: {
            name: string;
            /** @description An absolute https URL. It may hold characters beyond ASCII, and is then kept in its ASCII spelling. */
            url: string;
            events: ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked")[];
        };
        CreateWebhookResponse: {
            id: string;
            name: string;
            /** Format: uri */
            url: string;
            events: ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked")[];
            /** @enum {string} */
            status: "active" | "circuit_disabled" | "disabled";
            signing_secret_prefix: string;
            signing_secret_previous_prefix: string | null;
            signing_secret_grace_expires_at: string | null;
            last_delivery_at: string | null;
            /** Format: date-time */
            created_at: string;
            signing_secret: string;
        };
        DeadLetter: {
            id: string;
            /** @enum {string} */
            queue: "postern-deliver" | "postern-dns-cleanup" | "postern-webhook";
            /** @description The job's ids. Null for an unknown body, which cannot be put back. */
            body: {
                [key: string]: string | number | string[];
            } | null;
            /** @description The last attempt's error, if known. */
            error: string | null;
            /** @description Number of attempts in total. */
            attempts: number;
            /** Format: date-time */
            first_failed_at: string;
            /** Format: date-time */
            last_failed_at: string;
        };
        Deployment: {
            service_domain: string;
            public_url: string;
            /** @enum {string} */
            outbound: "gateway" | "smtp" | "cloudflare";
            gateways: {
                url: string;
                /** @enum {string} */
                state: "agreed" | "refused" | "unavailable" | "unreachable" | "unexpected";
                status: number | null;
                date: string | null;
            }[];
            /** Format: date-time */
            time: string;
        };
        Domain: {
            id: string;
            name: string;
            /** @enum {string} */
            status: "pending" | "verified";
            dns_records: {
                /** @constant */
                type: "CNAME";
                name: string;
                value: string;
                /** @enum {string} */
                purpose: "verification" | "dkim" | "tracking";
            }[];
            /** @description Only present when Cloudflare's Email Service carries the team's mail. Cloudflare makes and publishes these records when the operator onboards the domain to Email Sending (`npx wrangler email sending enable`). They are listed to be compared. */
            courier_dns_records?: components["schemas"]["CourierDnsRecord"][];
            verification_failure: {
                /** @enum {string} */
                code: "apex_cname_missing" | "apex_cname_mismatch" | "dkim_cname_missing" | "dkim_cname_mismatch" | "dkim_mismatch" | "chain_broken" | "mx_missing" | "spf_missing";
                message: string;
            } | null;
            tracking: {
                opens_enabled: boolean;
                clicks_enabled: boolean;
                subdomain: string | null;
                dns_records: {
                    /** @constant */
                    type: "CNAME";
                    name: string;
                    value: string;
                    /** @enum {string} */
                    purpose: "verification" | "dkim" | "tracking";
                }[];
                /** @enum {string} */
                status: "disabled" | "pending" | "verified";
                verification_failure: {
                    /** @enum {string} */
                    code: "tracking_cname_missing" | "tracking_cname_mismatch" | "chain_broken";
                    message: string;
                } | null;
                verified_at: string | null;
            };
            /** Format: date-time */
            created_at: string;
            verified_at: string | null;
        };
        DomainDns: {
            /** @description The domain's `dns_records`, those of its tracking, then its `courier_dns_records`, judged as verification judges them. */
            records: components["schemas"]["DomainDnsRecord"][];
            policies: {
                spf: components["schemas"]["DomainPolicy"];
                /** @description By RFC 9989 and by RFC 7489, because receivers follow either. Where they differ, the message says both. */
                dmarc: components["schemas"]["DomainPolicy"];
                mta_sts: components["schemas"]["DomainPolicy"];
                bimi: components["schemas"]["DomainPolicy"];
            };
            /** Format: date-time */
            checked_at: string;
        };
        DomainDnsRecord: {
            /** @enum {string} */
            type: "CNAME" | "MX" | "TXT";
            /** @description As in the domain's own list of records. */
            name: string;
            /** @description The whole name, without the final dot. */
            host: string;
            /** @description Null: only Cloudflare knows the value. */
            expected: string | null;
            /** @enum {string} */
            purpose: "verification" | "dkim" | "tracking" | "bounces" | "spf";
            /**
             * @description `mismatch`: DNS has another value, or the value leads to nothing of use. `unknown`: DNS gave no answer.
             * @enum {string}
             */
            status: "ok" | "missing" | "mismatch" | "unknown";
            /** @description What DNS has: for a CNAME the names that it leads to, in order. At most 20 values of at most 1024 characters; `…` ends one that was cut. */
            found: string[];
            /** @description Whole sentences: what is there, and what to do. */
            message: string;
        };
        DomainPolicy: {
            /**
             * @description `wrong`: receivers cannot use it. `warn`: they use it, and it could do more. `unknown`: DNS gave no answer.
             * @enum {string}
             */
            status: "ok" | "warn" | "missing" | "wrong" | "unknown";
            /** @description The name of the record that counts, or of the one to publish. */
            host: string;
            /** @description All TXT records at `host`. At most 20 values of at most 1024 characters; `…` ends one that was cut. */
            found: string[];
            /** @description Whole sentences: what is there, and what to do. */
            message: string;
        };
        DuplicateTemplateRequest: {
            name?: string;
        };
        Email: {
            id: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Present only if it was scheduled.
             */
            scheduled_at?: string;
            /** @description Null: it was not canceled. Present only if it was scheduled. */
            canceled_at?: string | null;
            from: string;
            to: string[];
            cc: string[];
            bcc: string[];
            subject: string;
            message_id: string;
            template_id: string | null;
            topic: string | null;
            campaign: string | null;
            tags: string[];
            ip_pool: string | null;
            recipients: {
                recipient: string;
                /** @enum {string} */
                status: "scheduled" | "canceled" | "queued" | "sent" | "delayed" | "delivered" | "bounced" | "suppressed" | "complained";
                next_attempt_at: string | null;
                events: {
                    id: string;
                    /** @enum {string} */
                    type: "email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked";
                    /** Format: date-time */
                    occurred_at: string;
                    attempt: number | null;
                    smtp_code: number | null;
                    smtp_response: string | null;
                    stage: string | null;
                    mx_host: string | null;
                    tls: string | null;
                    bounce_type: ("permanent" | "transient" | "expired") | null;
                    bounce_classification: string | null;
                    rule: string | null;
                    suppression: {
                        reason: string;
                        topic: string;
                        classification: string | null;
                    } | null;
                    complaint: {
                        feedback_type: string;
                        user_agent: string | null;
                        reported_at: string | null;
                    } | null;
                    tracking: {
                        url?: string;
                        user_agent?: string;
                        bot?: {
                            source: string;
                            /** @constant */
                            kind: "proxy";
                        };
                    } | null;
                }[];
            }[];
            events_truncated: boolean;
        };
        EmailAttachment: {
            /** @description Directories are removed. */
            filename: string;
            /** @description Base64 in either alphabet, with or without padding and line breaks. */
            content: string;
            /** @description Default: by the file name's extension. */
            content_type?: string;
            /** @description Makes the attachment inline: HTML shows it as `cid:<content_id>`. */
            content_id?: string;
        };
        EmailBatchDefaults: {
            /** @description `addr@host` or `Display Name <addr@host>`, on a verified domain of the team. The text before the last `<...>` is the display name. */
            from?: string;
            cc?: string[];
            /** @description Recipients that no header names. */
            bcc?: string[];
            reply_to?: string | string[];
            /** @description Required unless the template has a subject; replaces the template's. At most 998 characters, after line breaks and other control characters are removed. */
            subject?: string;
            /** @description A published template of the team. Can't be combined with `text` or `html`. */
            template_id?: string;
            text?: string;
            html?: string;
            /** @description Headers are dropped whose names are malformed, longer than 78 characters, or set by the service. At most 25 may remain. A value has at most 8192 characters, after line breaks are removed. */
            headers?: {
                [key: string]: string;
            };
            attachments?: components["schemas"]["EmailAttachment"][];
            /** @description At most 10 different ones. */
            tags?: string[];
            /** @description Overrides the domain's settings. A member that is left out keeps the domain's setting. */
            tracking?: {
                opens?: boolean;
                clicks?: boolean;
            };
            /** @description Values for `{{ }}` in subject, bodies and header values. At most 64 KB of JSON, 100 keys in each object, 4 levels. */
            variables?: {
                [key: string]: unknown;
            };
            /** @description Gives the send a delivery queue of its own. */
            campaign?: string;
            /** @description One of the team's named pools. Without it, the default pool is used. */
            ip_pool?: string;
            /** @description The scope of suppressions. Without a topic, only suppressions of all topics apply. */
            topic?: string;
            /**
             * Format: date-time
             * @description When the message goes out: up to 30 days ahead. A time in the past minute is now.
             */
            scheduled_at?: string;
            /** @description `generate` adds a one-click unsubscribe link, unless `headers` has an https link in `List-Unsubscribe`. It requires a `topic`. */
            unsubscribe?: {
                /** @enum {string} */
                mode: "generate" | "none";
                display_name?: string;
            };
        };
        EmailBouncedEvent: {
            /** @description The same at every delivery of the event: `evt_…`. */
            id: string;
            /** @constant */
            type: "email.bounced";
            /** Format: date-time */
            occurred_at: string;
            data: {
                email_id: string;
                recipient: string;
                /** @description The From as it was sent: `Acme <hello@acme.example>`, or the bare address. */
                from: string;
                subject: string;
                message_id: string;
                topic?: string;
                tags?: string[];
                campaign?: string;
                template_id?: string;
                ip_pool?: string;
                /** @description The message's custom `X-` headers under their snake-cased names: `x_campaign_id`. */
                headers?: {
                    [key: string]: string;
                };
                /** @description The attempt at delivery that led to the event, from 1. */
                attempt?: number;
                bounce: {
                    /** @enum {string} */
                    type: "permanent" | "transient" | "expired";
                    classification: string | null;
                    smtp_code: number | null;
                    smtp_response: string | null;
                };
            };
        };
        EmailClickedEvent: {
            /** @description The same at every delivery of the event: `evt_…`. */
            id: string;
            /** @constant */
            type: "email.clicked";
            /** Format: date-time */
            occurred_at: string;
            data: {
                email_id: string;
                recipient: string;
                /** @description The From as it was sent: `Acme <hello@acme.example>`, or the bare address. */
                from: string;
                subject: string;
                message_id: string;
                topic?: string;
                tags?: string[];
                campaign?: string;
                template_id?: string;
                ip_pool?: string;
                /** @description The message's custom `X-` headers under their snake-cased names: `x_campaign_id`. */
                headers?: {
                    [key: string]: string;
                };
                tracking: {
                    url?: string;
                    user_agent?: string;
                    bot?: {
                        source: string;
                        /** @constant */
                        kind: "proxy";
                    };
                };
            };
        };
        EmailComplainedEvent: {
            /** @description The same at every delivery of the event: `evt_…`. */
            id: string;
            /** @constant */
            type: "email.complained";
            /** Format: date-time */
            occurred_at: string;
            data: {
                email_id: string;
                recipient: string;
                /** @description The From as it was sent: `Acme <hello@acme.example>`, or the bare address. */
                from: string;
                subject: string;
                message_id: string;
                topic?: string;
                tags?: string[];
                campaign?: string;
                template_id?: string;
                ip_pool?: string;
                /** @description The message's custom `X-` headers under their snake-cased names: `x_campaign_id`. */
                headers?: {
                    [key: string]: string;
                };
                complaint: {
                    feedback_type: string;
                    user_agent: string | null;
                    reported_at: string | null;
                };
            };
        };
        EmailDelayedEvent: {
            /** @description The same at every delivery of the event: `evt_…`. */
            id: string;
            /** @constant */
            type: "email.delayed";
            /** Format: date-time */
            occurred_at: string;
            data: {
                email_id: string;
                recipient: string;
                /** @description The From as it was sent: `Acme <hello@acme.example>`, or the bare address. */
                from: string;
                subject: string;
                message_id: string;
                topic?: string;
                tags?: string[];
                campaign?: string;
                template_id?: string;
                ip_pool?: string;
                /** @description The message's custom `X-` headers under their snake-cased names: `x_campaign_id`. */
                headers?: {
                    [key: string]: string;
                };
                /** @description The attempt at delivery that led to the event, from 1. */
                attempt?: number;
            };
        };
        EmailDeliveredEvent: {
            /** @description The same at every delivery of the event: `evt_…`. */
            id: string;
            /** @constant */
            type: "email.delivered";
            /** Format: date-time */
            occurred_at: string;
            data: {
                email_id: string;
                recipient: string;
                /** @description The From as it was sent: `Acme <hello@acme.example>`, or the bare address. */
                from: string;
                subject: string;
                message_id: string;
                topic?: string;
                tags?: string[];
                campaign?: string;
                template_id?: string;
                ip_pool?: string;
                /** @description The message's custom `X-` headers under their snake-cased names: `x_campaign_id`. */
                headers?: {
                    [key: string]: string;
                };
                /** @description The attempt at delivery that led to the event, from 1. */
                attempt?: number;
            };
        };
        EmailOpenedEvent: {
            /** @description The same at every delivery of the event: `evt_…`. */
            id: string;
            /** @constant */
            type: "email.opened";
            /** Format: date-time */
            occurred_at: string;
            data: {
                email_id: string;
                recipient: string;
                /** @description The From as it was sent: `Acme <hello@acme.example>`, or the bare address. */
                from: string;
                subject: string;
                message_id: string;
                topic?: string;
                tags?: string[];
                campaign?: string;
                template_id?: string;
                ip_pool?: string;
                /** @description The message's custom `X-` headers under their snake-cased names: `x_campaign_id`. */
                headers?: {
                    [key: string]: string;
                };
                tracking: {
                    url?: string;
                    user_agent?: string;
                    bot?: {
                        source: string;
                        /** @constant */
                        kind: "proxy";
                    };
                };
            };
        };
        EmailSendRequest: {
            /** @description `addr@host` or `Display Name <addr@host>`, on a verified domain of the team. The text before the last `<...>` is the display name. */
            from: string;
            /** @description All of them are named in the header `To`. At most 50 together with `cc` and `bcc`. */
            to: string[];
            cc?: string[];
            /** @description Recipients that no header names. */
            bcc?: string[];
            reply_to?: string | string[];
            /** @description Required unless the template has a subject; replaces the template's. At most 998 characters, after line breaks and other control characters are removed. */
            subject?: string;
            /** @description A published template of the team. Can't be combined with `text` or `html`. */
            template_id?: string;
            text?: string;
            html?: string;
            /** @description Headers are dropped whose names are malformed, longer than 78 characters, or set by the service. At most 25 may remain. A value has at most 8192 characters, after line breaks are removed. */
            headers?: {
                [key: string]: string;
            };
            attachments?: components["schemas"]["EmailAttachment"][];
            /** @description At most 10 different ones. */
            tags?: string[];
            /** @description Overrides the domain's settings. A member that is left out keeps the domain's setting. */
            tracking?: {
                opens?: boolean;
                clicks?: boolean;
            };
            /** @description Values for `{{ }}` in subject, bodies and header values. At most 64 KB of JSON, 100 keys in each object, 4 levels. */
            variables?: {
                [key: string]: unknown;
            };
            /** @description Gives the send a delivery queue of its own. */
            campaign?: string;
            /** @description One of the team's named pools. Without it, the default pool is used. */
            ip_pool?: string;
            /** @description The scope of suppressions. Without a topic, only suppressions of all topics apply. */
            topic?: string;
            /**
             * Format: date-time
             * @description When the message goes out: up to 30 days ahead. A time in the past minute is now.
             */
            scheduled_at?: string;
            /** @description `generate` adds a one-click unsubscribe link, unless `headers` has an https link in `List-Unsubscribe`. It requires a `topic`. */
            unsubscribe?: {
                /** @enum {string} */
                mode: "generate" | "none";
                display_name?: string;
            };
        };
        EmailSendResponse: {
            /** @description email_<uuidv7> */
            id: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When the message goes out. Present only if it was scheduled.
             */
            scheduled_at?: string;
        };
        EmailSentEvent: {
            /** @description The same at every delivery of the event: `evt_…`. */
            id: string;
            /** @constant */
            type: "email.sent";
            /** Format: date-time */
            occurred_at: string;
            data: {
                email_id: string;
                recipient: string;
                /** @description The From as it was sent: `Acme <hello@acme.example>`, or the bare address. */
                from: string;
                subject: string;
                message_id: string;
                topic?: string;
                tags?: string[];
                campaign?: string;
                template_id?: string;
                ip_pool?: string;
                /** @description The message's custom `X-` headers under their snake-cased names: `x_campaign_id`. */
                headers?: {
                    [key: string]: string;
                };
                /** @description The attempt at delivery that led to the event, from 1. */
                attempt?: number;
            };
        };
        EmailSuppressedEvent: {
            /** @description The same at every delivery of the event: `evt_…`. */
            id: string;
            /** @constant */
            type: "email.suppressed";
            /** Format: date-time */
            occurred_at: string;
            data: {
                email_id: string;
                recipient: string;
                /** @description The From as it was sent: `Acme <hello@acme.example>`, or the bare address. */
                from: string;
                subject: string;
                message_id: string;
                topic?: string;
                tags?: string[];
                campaign?: string;
                template_id?: string;
                ip_pool?: string;
                /** @description The message's custom `X-` headers under their snake-cased names: `x_campaign_id`. */
                headers?: {
                    [key: string]: string;
                };
                suppression: {
                    reason: string;
                    topic: string;
                    classification: string | null;
                };
            };
        };
        EmailUnsubscribedEvent: {
            /** @description The same at every delivery of the event: `evt_…`. */
            id: string;
            /** @constant */
            type: "email.unsubscribed";
            /** Format: date-time */
            occurred_at: string;
            data: {
                email_id: string;
                recipient: string;
                /** @description The From as it was sent: `Acme <hello@acme.example>`, or the bare address. */
                from: string;
                subject: string;
                message_id: string;
                topic?: string;
                tags?: string[];
                campaign?: string;
                template_id?: string;
                ip_pool?: string;
                /** @description The message's custom `X-` headers under their snake-cased names: `x_campaign_id`. */
                headers?: {
                    [key: string]: string;
                };
            };
        };
        Event: {
            id: string;
            /** @enum {string} */
            type: "email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked";
            /** Format: date-time */
            occurred_at: string;
            email_id: string;
            message_id: string;
            from: string;
            from_domain: string;
            recipient: string;
            subject: string;
            campaign: string | null;
            template_id: string | null;
            topic: string | null;
            tags: string[];
            ip_pool: string | null;
            smtp_code: number | null;
            bounce_type: ("permanent" | "transient" | "expired") | null;
            bounce_classification: string | null;
            attempt: number | null;
            tracking: {
                url?: string;
                user_agent?: string;
                bot?: {
                    source: string;
                    /** @constant */
                    kind: "proxy";
                };
            } | null;
        };
        EventCounts: {
            sent: number;
            delivered: number;
            delayed: number;
            bounced: number;
            complained: number;
            opened: number;
            clicked: number;
            unsubscribed: number;
            suppressed: number;
        };
        Identity: {
            team: {
                id: string;
                name: string;
            } | null;
            api_key: {
                id: string;
                /** @enum {string} */
                permissions: "full" | "send_only";
            };
            limits: {
                daily: number;
                monthly: number;
                delivery_rate_per_minute: number;
            } | null;
            sending?: {
                /** @enum {string} */
                courier: "gateway" | "smtp" | "cloudflare";
                keeps: {
                    /** @enum {string} */
                    dkim_signature: "kept" | "up_to_relay" | "lost";
                    /** @enum {string} */
                    message_id: "kept" | "up_to_relay" | "lost";
                    /** @enum {string} */
                    return_path: "kept" | "up_to_relay" | "lost";
                    /** @enum {string} */
                    ip_pool: "kept" | "up_to_relay" | "lost";
                    /** @enum {string} */
                    server_reply: "kept" | "up_to_relay" | "lost";
                };
            };
        };
        ImportSuppressionsResponse: {
            id: string;
            /** @constant */
            status: "running";
        };
        LabelUsage: {
            used: number;
            limit: number;
        };
        MoveEmailRequest: {
            /**
             * Format: date-time
             * @description When the message goes out: up to 30 days ahead. A time in the past minute is now.
             */
            scheduled_at: string;
        };
        MovedEmail: {
            id: string;
            /** Format: date-time */
            scheduled_at: string;
        };
        PreviewTemplateRequest: {
            subject?: string | null;
            /**
             * @default html
             * @enum {string}
             */
            kind: "html" | "markdown";
            html?: string | null;
            markdown?: string | null;
            /** @description Values for `{{ }}`, with the limits of a send's. */
            variables?: {
                [key: string]: unknown;
            };
        };
        ReplayWebhookRequest: {
            /** @description An ISO 8601 date, or date and time, in UTC unless it says otherwise. */
            start: string;
            /** @description An ISO 8601 date, or date and time, in UTC unless it says otherwise. */
            end?: string;
            event_types?: ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked")[];
            /**
             * @deprecated
             * @description Another name of `event_types`, which wins.
             */
            events?: ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked") | ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked")[];
            /**
             * @deprecated
             * @description Another name of `event_types`, which wins.
             */
            event_type?: ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked") | ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked")[];
        };
        ReplayWebhookResponse: {
            id: string;
            webhook_id: string;
            /**
             * Format: date-time
             * @description Inclusive, and within the team's retention.
             */
            start: string;
            /**
             * Format: date-time
             * @description Exclusive.
             */
            end: string;
            event_types: ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked")[];
        };
        ScheduledEmail: {
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            scheduled_at: string;
            from: string;
            recipients: string[];
            subject: string;
            template_id: string | null;
            topic: string | null;
            campaign: string | null;
            tags: string[];
        };
        SendEmailBatchRequest: {
            emails: {
                /** @description `addr@host` or `Display Name <addr@host>`, on a verified domain of the team. The text before the last `<...>` is the display name. */
                from?: string;
                /** @description All of them are named in the header `To`. At most 50 together with `cc` and `bcc`. */
                to: string[];
                cc?: string[];
                /** @description Recipients that no header names. */
                bcc?: string[];
                reply_to?: string | string[];
                /** @description Required unless the template has a subject; replaces the template's. At most 998 characters, after line breaks and other control characters are removed. */
                subject?: string;
                /** @description A published template of the team. Can't be combined with `text` or `html`. */
                template_id?: string;
                text?: string;
                html?: string;
                /** @description Headers are dropped whose names are malformed, longer than 78 characters, or set by the service. At most 25 may remain. A value has at most 8192 characters, after line breaks are removed. */
                headers?: {
                    [key: string]: string;
                };
                attachments?: components["schemas"]["EmailAttachment"][];
                /** @description At most 10 different ones. */
                tags?: string[];
                /** @description Overrides the domain's settings. A member that is left out keeps the domain's setting. */
                tracking?: {
                    opens?: boolean;
                    clicks?: boolean;
                };
                /** @description Values for `{{ }}` in subject, bodies and header values. At most 64 KB of JSON, 100 keys in each object, 4 levels. */
                variables?: {
                    [key: string]: unknown;
                };
                /** @description Gives the send a delivery queue of its own. */
                campaign?: string;
                /** @description One of the team's named pools. Without it, the default pool is used. */
                ip_pool?: string;
                /** @description The scope of suppressions. Without a topic, only suppressions of all topics apply. */
                topic?: string;
                /**
                 * Format: date-time
                 * @description When the message goes out: up to 30 days ahead. A time in the past minute is now.
                 */
                scheduled_at?: string;
                /** @description `generate` adds a one-click unsubscribe link, unless `headers` has an https link in `List-Unsubscribe`. It requires a `topic`. */
                unsubscribe?: {
                    /** @enum {string} */
                    mode: "generate" | "none";
                    display_name?: string;
                };
            }[];
            defaults?: components["schemas"]["EmailBatchDefaults"];
        };
        SendEmailBatchResponse: {
            summary: {
                total: number;
                queued: number;
                failed: number;
            };
            data: ({
                /** @constant */
                status: "queued";
                index: number;
                /** @description email_<uuidv7> */
                id: string;
                /** Format: date-time */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When the message goes out. Present only if it was scheduled.
                 */
                scheduled_at?: string;
            } | {
                /** @constant */
                status: "failed";
                index: number;
                error: {
                    /** @constant */
                    type: "validation_error";
                    message: string;
                    errors: {
                        [key: string]: string[];
                    };
                } | {
                    /** @constant */
                    type: "quota_exceeded";
                    message: string;
                    /** @enum {string} */
                    scope: "tag_cardinality" | "campaign_cardinality" | "topic_cardinality";
                    limit: number;
                    retry_after_seconds: number;
                } | {
                    /** @constant */
                    type: "internal_error";
                    message: string;
                };
            })[];
        };
        Shard: {
            shards: {
                shard: number;
                teams: number;
                size: number | null;
                takes_new_teams: boolean;
            }[];
        };
        Stats: {
            /** @enum {string} */
            interval: "hour" | "day";
            /** Format: date-time */
            start: string;
            /** Format: date-time */
            end: string;
            data: {
                /** Format: date-time */
                start: string;
                /** @description With `group_by=recipient_domain` alone; `other` for all that have no entry of their own. */
                recipient_domain?: string;
                counts: components["schemas"]["EventCounts"];
                /** @description Bounces by classification. `none` counts those without one. */
                bounced: {
                    [key: string]: number;
                };
            }[];
            /** @description With `group_by=type` alone: the whole window. */
            total?: {
                /** Format: date-time */
                start: string;
                counts: components["schemas"]["EventCounts"];
                /** @description Bounces by classification. `none` counts those without one. */
                bounced: {
                    [key: string]: number;
                };
            };
        };
        Suppression: {
            id: string;
            email: string;
            topic: string;
            /** @enum {string} */
            reason: "permanent_bounce" | "complaint" | "unsubscribed" | "manual";
            /** @enum {string} */
            origin: "auto" | "manual";
            classification: string | null;
            smtp_code: number | null;
            note: string | null;
            /** Format: date-time */
            suppressed_at: string;
            expires_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        SuppressionImports: {
            id: string;
            /** @enum {string} */
            status: "running" | "done" | "failed";
            total: number;
            imported: number;
            skipped: number;
            failed: number;
            errors: {
                row: number;
                /** @enum {string} */
                field: "email" | "topic" | "note" | "row";
                message: string;
            }[];
        };
        SuppressionsOfAddress: {
            data: components["schemas"]["Suppression"][];
        };
        Team: {
            id: string;
            name: string;
            limits: {
                daily: number;
                monthly: number;
                delivery_rate_per_minute: number;
                requests_per_second: number;
            };
            label_caps: {
                tags_per_hour: number;
                topic_per_hour: number;
                campaign_per_hour: number;
                campaign_per_72_hours: number;
            };
            event_retention_days: number;
            /** @enum {string} */
            subscription: "active" | "inactive";
            overage_credits: number;
            ip_pools: string[];
            courier: ("gateway" | "smtp" | "cloudflare") | null;
            sending: {
                /** @enum {string} */
                courier: "gateway" | "smtp" | "cloudflare";
                keeps: {
                    /** @enum {string} */
                    dkim_signature: "kept" | "up_to_relay" | "lost";
                    /** @enum {string} */
                    message_id: "kept" | "up_to_relay" | "lost";
                    /** @enum {string} */
                    return_path: "kept" | "up_to_relay" | "lost";
                    /** @enum {string} */
                    ip_pool: "kept" | "up_to_relay" | "lost";
                    /** @enum {string} */
                    server_reply: "kept" | "up_to_relay" | "lost";
                };
            };
            number: number;
            shards: {
                /** Format: date */
                from: string;
                shards: number[];
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Template: {
            id: string;
            name: string;
            subject: string | null;
            /** @enum {string} */
            kind: "html" | "markdown";
            html: string | null;
            text: string | null;
            markdown: string | null;
            /** @description The variables that the published content uses, dotted and sorted; without `unsubscribe_url` and names that blocks bind. Left out in lists. */
            variables?: string[];
            has_draft: boolean;
            published_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        TemplateDraft: {
            subject: string | null;
            html: string | null;
            text: string | null;
            markdown: string | null;
            /** @description The variables that the draft uses, dotted and sorted; without `unsubscribe_url` and names that blocks bind. */
            variables: string[];
            /** Format: date-time */
            updated_at: string;
        };
        TemplatePreview: {
            subject: string | null;
            html: string | null;
            text: string | null;
            /** @description The variables that the content uses, as a template shows them. Without those of a part that has a problem. */
            variables: string[];
            /** @description Those that the request's `variables` lack. They are rendered as nothing. */
            missing: string[];
            /** @description Why the content could not be saved, or a send of it would be refused. What a problem concerns is null. */
            problems: components["schemas"]["TemplateProblem"][];
        };
        TemplateProblem: {
            /** @enum {string} */
            field: "subject" | "html" | "markdown";
            /** @description In the field as it was sent; null when the problem has no place there. */
            line: number | null;
            /** @description From 1, in UTF-16 code units; null when the problem has no place there. */
            column: number | null;
            /** @description Continues the field's name, like the errors of a 422. */
            message: string;
        };
        TestWebhookResponse: {
            /** @description True only for a 2xx. */
            delivered: boolean;
            /** @description Null when the request never completed. */
            status_code: number | null;
            latency_ms: number;
            /** @description Set when the request never completed. */
            error: string | null;
            /** @description The first KiB of the response's body. */
            response_body_preview: string | null;
        };
        UpdateDomainRequest: {
            tracking: {
                opens_enabled?: boolean;
                clicks_enabled?: boolean;
                subdomain?: string | null;
            };
        };
        UpdateTeamRequest: {
            name?: string;
            limits?: {
                daily?: number;
                monthly?: number;
                delivery_rate_per_minute?: number;
                requests_per_second?: number;
            };
            label_caps?: {
                tags_per_hour?: number;
                topic_per_hour?: number;
                campaign_per_hour?: number;
                campaign_per_72_hours?: number;
            };
            event_retention_days?: 3 | 7 | 30;
            /** @enum {string} */
            subscription?: "active" | "inactive";
            overage_credits?: number;
            ip_pools?: string[];
            courier?: ("gateway" | "smtp" | "cloudflare") | null;
        };
        UpdateTemplateDraftRequest: {
            subject?: string | null;
            html?: string | null;
            markdown?: string | null;
        };
        UpdateTemplateRequest: {
            name?: string;
            subject?: unknown;
            html?: unknown;
            text?: unknown;
            markdown?: unknown;
            kind?: unknown;
        };
        UpdateWebhookRequest: {
            name: string;
            /** @description An absolute https URL. It may hold characters beyond ASCII, and is then kept in its ASCII spelling. */
            url: string;
            events: ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked")[];
            /** @enum {string} */
            status: "active" | "disabled";
        };
        Usage: {
            daily: {
                used: number;
                limit: number;
                /**
                 * Format: date-time
                 * @description The next midnight in UTC.
                 */
                resets_at: string;
            };
            monthly: {
                /** @description Without the messages that overage credits paid for. */
                used: number;
                limit: number;
                /**
                 * Format: date-time
                 * @description The first midnight of the next month in UTC.
                 */
                resets_at: string;
                /** @description Prepaid messages beyond the limit that are left. */
                overage_credits: number;
            };
            /** @description Distinct labels that were used in each cap's rolling window. */
            labels: {
                tags_per_hour: components["schemas"]["LabelUsage"];
                topic_per_hour: components["schemas"]["LabelUsage"];
                campaign_per_hour: components["schemas"]["LabelUsage"];
                campaign_per_72_hours: components["schemas"]["LabelUsage"];
            };
            /** @description The limit; RateLimit-Remaining tells what is left. */
            requests_per_second: number;
            /** @description Accepted recipients without a final outcome, each in one of five states. */
            delivery: {
                /** @description At most so many recipients a minute are released. */
                rate_per_minute: number;
                /** @description Recipients that wait for their release, at this rate. */
                waiting: number;
                /** @description Recipients that are released and not attempted yet. */
                queued: number;
                /** @description Recipients with an attempt under way. */
                attempting: number;
                /** @description Recipients that wait for their next attempt. */
                deferred: number;
                /** @description Recipients whose copy a provider took and has given no verdict on. */
                awaiting: number;
                /** @description When the oldest of these messages was accepted. Null without messages. */
                oldest_accepted_at: string | null;
            };
        };
        Webhook: {
            id: string;
            name: string;
            /** Format: uri */
            url: string;
            events: ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked")[];
            /** @enum {string} */
            status: "active" | "circuit_disabled" | "disabled";
            signing_secret_prefix: string;
            signing_secret_previous_prefix: string | null;
            signing_secret_grace_expires_at: string | null;
            last_delivery_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        WebhookBatches: {
            id: string;
            webhook_id: string;
            event_count: number;
            /** @description The request's body. Null once the batch was delivered or dropped. */
            body: string | null;
            /** @description The batch's entries of the delivery log, oldest first. */
            deliveries: {
                id: string;
                batch_id: string;
                /** @description From 1. Of a batch that was dropped: how many there were. */
                attempt: number;
                /** Format: date-time */
                attempted_at: string;
                /** @enum {string} */
                outcome: "delivered" | "failed" | "dropped";
                /** @description Null when the request never completed. */
                status_code: number | null;
                /** @description Null for a batch that was dropped. */
                latency_ms: number | null;
                /** @description Set when the request never completed, or the batch was dropped. */
                error: string | null;
                event_count: number;
                /** @description Null when none is planned: it is over, or deliveries are held. */
                next_attempt_at: string | null;
                /** @description The first KiB of the reply to an attempt that failed. */
                response_body_preview: string | null;
            }[];
        };
        WebhookDeliveries: {
            id: string;
            batch_id: string;
            /** @description From 1. Of a batch that was dropped: how many there were. */
            attempt: number;
            /** Format: date-time */
            attempted_at: string;
            /** @enum {string} */
            outcome: "delivered" | "failed" | "dropped";
            /** @description Null when the request never completed. */
            status_code: number | null;
            /** @description Null for a batch that was dropped. */
            latency_ms: number | null;
            /** @description Set when the request never completed, or the batch was dropped. */
            error: string | null;
            event_count: number;
            /** @description Null when none is planned: it is over, or deliveries are held. */
            next_attempt_at: string | null;
        };
        WebhookEvent: components["schemas"]["EmailSentEvent"] | components["schemas"]["EmailDeliveredEvent"] | components["schemas"]["EmailDelayedEvent"] | components["schemas"]["EmailBouncedEvent"] | components["schemas"]["EmailComplainedEvent"] | components["schemas"]["EmailSuppressedEvent"] | components["schemas"]["EmailUnsubscribedEvent"] | components["schemas"]["EmailOpenedEvent"] | components["schemas"]["EmailClickedEvent"];
        WebhookReplay: {
            id: string;
            webhook_id: string;
            /**
             * Format: date-time
             * @description Inclusive, and within the team's retention.
             */
            start: string;
            /**
             * Format: date-time
             * @description Exclusive.
             */
            end: string;
            event_types: ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked")[];
            /** @enum {string} */
            status: "running" | "done" | "stopped";
            /** @description Events handed over to be delivered, so far. */
            sent: number;
            /**
             * Format: date-time
             * @description How far back it has come: its events after this time are handed over.
             */
            reached_at: string;
            /** Format: date-time */
            created_at: string;
            /** @description When it ended, done or stopped; null while it is running. */
            completed_at: string | null;
        };
        WebhookTestEvent: {
            /** @constant */
            schema_version: 1;
            event_id: string;
            /** @constant */
            event: "webhook.test";
            /** Format: date-time */
            occurred_at: string;
            /** Format: date-time */
            received_at: string;
            webhook_id: string;
            message: string;
        };
        WidenTeamRequest: {
            shards?: number[];
            dry_run?: boolean;
        };
        WidenTeamResponse: {
            shards: {
                /** Format: date */
                from: string;
                shards: number[];
            }[];
        };
        ValidationError: {
            error: {
                /** @constant */
                type: "validation_error";
                message: string;
                /** @description Dotted field path → the problems of that field. */
                errors: {
                    [key: string]: string[];
                };
            };
        };
        AuthenticationError: {
            error: {
                /** @constant */
                type: "authentication_error";
                message: string;
            };
        };
        SubscriptionRequired: {
            error: {
                /** @constant */
                type: "subscription_required";
                message: string;
            };
        };
        PermissionError: {
            error: {
                /** @constant */
                type: "permission_error";
                message: string;
            };
        };
        NotFoundError: {
            error: {
                /** @constant */
                type: "not_found";
                message: string;
            };
        };
        IdempotencyConcurrent: {
            error: {
                /** @constant */
                type: "idempotency_concurrent";
                message: string;
            };
        };
        IdempotencyMismatch: {
            error: {
                /** @constant */
                type: "idempotency_mismatch";
                message: string;
            };
        };
        NotCancelable: {
            error: {
                /** @constant */
                type: "not_cancelable";
                message: string;
            };
        };
        WebhookRotationInProgress: {
            error: {
                /** @constant */
                type: "webhook_rotation_in_progress";
                message: string;
            };
        };
        InternalError: {
            error: {
                /** @constant */
                type: "internal_error";
                message: string;
            };
        };
        ProvisioningError: {
            error: {
                /** @constant */
                type: "provisioning_error";
                message: string;
            };
        };
        PayloadTooLarge: {
            /** @constant */
            error: "payload_too_large";
        };
        RateLimitExceeded: {
            /** @constant */
            error: "rate_limit_exceeded";
            message: string;
        };
        QuotaExceeded: {
            /** @constant */
            error: "quota_exceeded";
            message: string;
            /** @enum {string} */
            scope: "daily" | "monthly" | "tag_cardinality" | "campaign_cardinality" | "topic_cardinality";
            limit: number;
            /** @description The same number as `Retry-After`. */
            retry_after_seconds: number;
        };
    };
    responses: {
        /** @description The body is unreadable, or a value can't be corrected. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description Credentials are missing or unknown. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuthenticationError"];
            };
        };
        /** @description The team has no active subscription. */
        SubscriptionRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SubscriptionRequired"];
            };
        };
        /** @description The key may not do this, or not from this address. With `Retry-After`: the credentials are wrong, and so were too many others from this address. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PermissionError"];
            };
        };
        /** @description The first request with this `Idempotency-Key` is still in progress. */
        RequestInFlight: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdempotencyConcurrent"];
            };
        };
        /** @description The body is over 5 MB, or at `/console/session` over 16 KB. Decided before anything else; the connection is closed. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayloadTooLarge"];
            };
        };
        /** @description `Content-Type` is not what this endpoint takes, or the body is compressed. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description A rule failed, or the `Idempotency-Key` was used with another body. */
        UnprocessableSend: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "X-Missing-Variables": components["headers"]["X-Missing-Variables"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"] | components["schemas"]["IdempotencyMismatch"];
            };
        };
        /** @description Over the request rate, or (with `scope`) over a quota. Nothing was accepted. */
        OverRateOrQuota: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitExceeded"] | components["schemas"]["QuotaExceeded"];
            };
        };
        /** @description A fault on our side; it has been logged. */
        Fault: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalError"];
            };
        };
        /** @description A fault on our side: nothing was accepted, unless the message says that this is unknown. Retry with backoff, and with the same `Idempotency-Key`. */
        PipelineUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalError"];
            };
        };
        /** @description The team has no such resource. Another team's resource is answered the same. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description Over the team's request rate. */
        OverRate: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitExceeded"];
            };
        };
        /** @description A fault on our side kept the request from being answered. Retry with backoff. */
        LedgerUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalError"];
            };
        };
        /** @description A rule failed. */
        Unprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description The message was released or canceled, or was never scheduled. */
        NotCancelable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotCancelable"];
            };
        };
        /** @description The domain's records could not be published. Nothing was created; retry with backoff. */
        ProvisioningFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ProvisioningError"];
            };
        };
        /** @description The grace window of an earlier rotation is still open. */
        RotationInProgress: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookRotationInProgress"];
            };
        };
        /** @description The body is unreadable, or a value can't be corrected. */
        OperatorBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description The resource does not exist, or this deployment has no operator API. */
        OperatorNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description `Content-Type` is not what this endpoint takes, or the body is compressed. */
        OperatorUnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description A rule failed. */
        OperatorUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description A fault on our side; it has been logged. */
        OperatorFault: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalError"];
            };
        };
        /** @description The body is unreadable, or a value can't be corrected. */
        ConsoleBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description The page is of another origin, its address is not https, or the key may not be used from this address. With `Retry-After`: the credentials are wrong, and so were too many others from this address. */
        ForbiddenPage: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PermissionError"];
            };
        };
        /** @description `Content-Type` is not what this endpoint takes, or the body is compressed. */
        ConsoleUnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description A rule failed. */
        ConsoleUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description A fault on our side; it has been logged. */
        ConsoleFault: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The request's id, `req_<uuidv7>`. Quote it to the operator of the service. */
        "X-Request-Id": string;
        /** @description Requests a second that the team may make. */
        "RateLimit-Limit": number;
        /** @description Requests that may still be made at once. */
        "RateLimit-Remaining": number;
        /** @description Seconds until all of them may be made again. */
        "RateLimit-Reset": number;
        /** @description Seconds to wait. */
        "Retry-After": number;
        /** @description The scheme to use. */
        "WWW-Authenticate": "Bearer";
        /** @description Present when the body has members that the endpoint does not know: their dotted paths, sorted, at most 512 bytes. `+2` at the end counts members that are left out because their path is longer than 64 characters, has characters other than `A-Z a-z 0-9 _ . -`, or does not fit. */
        "X-Ignored-Members": string;
        /** @description Present when the query has parameters that the endpoint does not know: their names, as in `X-Ignored-Members`. */
        "X-Ignored-Parameters": string;
        /** @description Present when a template uses variables that the send's `variables` do not have: their names, as in `X-Ignored-Members`, in a batch with their entry (`emails.3.name`). The message is sent all the same. */
        "X-Missing-Variables": string;
        /** @description Present when the response repeats an earlier one. */
        "Idempotent-Replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listEmails: {
        parameters: {
            query?: {
                /** @description The only choice, and the default: the messages that wait for their time. */
                status?: "scheduled";
                /** @description The most items that a page has. */
                limit?: number;
                /** @description The `next_cursor` of the page before. An opaque text: do not parse or build it. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        data: components["schemas"]["ScheduledEmail"][];
                        has_more: boolean;
                        /** @description The `after` of the next page; null on the last. */
                        next_cursor: string | null;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    sendEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body within 24 hours gets the first response again, and nothing is sent twice. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailSendRequest"];
            };
        };
        responses: {
            /** @description Accepted for delivery. Events report whether it is delivered. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    "X-Missing-Variables": components["headers"]["X-Missing-Variables"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailSendResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["RequestInFlight"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableSend"];
            429: components["responses"]["OverRateOrQuota"];
            500: components["responses"]["Fault"];
            502: components["responses"]["PipelineUnavailable"];
        };
    };
    sendEmailBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body within 24 hours gets the first response again, and nothing is sent twice. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendEmailBatchRequest"];
            };
        };
        responses: {
            /** @description Accepted for delivery. Events report whether it is delivered. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    "X-Missing-Variables": components["headers"]["X-Missing-Variables"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEmailBatchResponse"];
                };
            };
            /** @description Some items were queued, some failed. */
            207: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    "X-Missing-Variables": components["headers"]["X-Missing-Variables"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEmailBatchResponse"];
                };
            };
            /** @description The body is unreadable, or a value can't be corrected. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["SendEmailBatchResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["RequestInFlight"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableSend"];
            /** @description Over the request rate, or (with `scope`) over a quota. Nothing was accepted. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceeded"] | components["schemas"]["QuotaExceeded"] | components["schemas"]["SendEmailBatchResponse"];
                };
            };
            500: components["responses"]["Fault"];
            /** @description A fault on our side: nothing was accepted, unless the message says that this is unknown. Retry with backoff, and with the same `Idempotency-Key`. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"] | components["schemas"]["SendEmailBatchResponse"];
                };
            };
        };
    };
    getEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `email_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    moveEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `email_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveEmailRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MovedEmail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["NotCancelable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    cancelEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `email_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CanceledEmail"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["NotCancelable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    getIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Identity"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description The most items that a page has. */
                limit?: number;
                /** @description The `next_cursor` of the page before. An opaque text: do not parse or build it. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        data: components["schemas"]["ApiKey"][];
                        has_more: boolean;
                        /** @description The `after` of the next page; null on the last. */
                        next_cursor: string | null;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeySettings"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateApiKeyResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `key_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `key_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `key_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeySettings"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /** @description The most items that a page has. */
                limit?: number;
                /** @description The `next_cursor` of the page before. An opaque text: do not parse or build it. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        data: components["schemas"]["Template"][];
                        has_more: boolean;
                        /** @description The `after` of the next page; null on the last. */
                        next_cursor: string | null;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTemplateRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `template_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `template_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    updateTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `template_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTemplateRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    duplicateTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `template_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DuplicateTemplateRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    getTemplateDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `template_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateDraft"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    deleteTemplateDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `template_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    updateTemplateDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `template_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTemplateDraftRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateDraft"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    publishTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `template_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    previewTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewTemplateRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    listDomains: {
        parameters: {
            query?: {
                /** @description The most items that a page has. */
                limit?: number;
                /** @description The `next_cursor` of the page before. An opaque text: do not parse or build it. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        data: components["schemas"]["Domain"][];
                        has_more: boolean;
                        /** @description The `after` of the next page; null on the last. */
                        next_cursor: string | null;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    createDomain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDomainRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
            503: components["responses"]["ProvisioningFailed"];
        };
    };
    getDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `domain_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    deleteDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `domain_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    updateDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `domain_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDomainRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    verifyDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `domain_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    getDomainDns: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `domain_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainDns"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    listSuppressions: {
        parameters: {
            query?: {
                email_contains?: string;
                topic?: string;
                reason?: "permanent_bounce" | "complaint" | "unsubscribed" | "manual";
                origin?: "auto" | "manual";
                /** @description The most items that a page has. */
                limit?: number;
                /** @description The `next_cursor` of the page before. An opaque text: do not parse or build it. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        data: components["schemas"]["Suppression"][];
                        has_more: boolean;
                        /** @description The `after` of the next page; null on the last. */
                        next_cursor: string | null;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    createSuppression: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSuppressionRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suppression"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    importSuppressions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportSuppressionsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    getSuppressionImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `suppression_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionImports"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    exportSuppressions: {
        parameters: {
            query?: {
                email_contains?: string;
                topic?: string;
                reason?: "permanent_bounce" | "complaint" | "unsubscribed" | "manual";
                origin?: "auto" | "manual";
                /** @description `plain`: each cell holds exactly the stored text, for programs. */
                format?: "plain";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    getSuppressionsOfAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An address, URL-encoded; matched after trimming and lowercasing. */
                email: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionsOfAddress"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    deleteSuppressionsOfAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An address, URL-encoded; matched after trimming and lowercasing. */
                email: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    getSuppression: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An address, URL-encoded; matched after trimming and lowercasing. */
                email: string;
                /** @description A topic, or `*` (also as `%2A`) for the entry that holds for every topic. */
                topic: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suppression"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    deleteSuppression: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An address, URL-encoded; matched after trimming and lowercasing. */
                email: string;
                /** @description A topic, or `*` (also as `%2A`) for the entry that holds for every topic. */
                topic: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description An ISO 8601 date, or date and time, in UTC unless it says otherwise. */
                start?: string;
                /** @description An ISO 8601 date, or date and time, in UTC unless it says otherwise. */
                end?: string;
                event_type?: "email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked";
                recipient?: string;
                email_id?: string;
                message_id?: string;
                domain?: string;
                topic?: string;
                campaign?: string;
                template_id?: string;
                ip_pool?: string;
                tags?: string | string[];
                /** @description Words that the subject has, all of them: letters and digits, without their case. */
                subject?: string;
                /**
                 * @deprecated
                 * @description An alias of `event_type`, used when that parameter is absent.
                 */
                type?: "email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked";
                /** @description The most items that a page has. */
                limit?: number;
                /** @description The `next_cursor` of the page before. An opaque text: do not parse or build it. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        data: components["schemas"]["Event"][];
                        has_more: boolean;
                        /** @description The `after` of the next page; null on the last. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    getStats: {
        parameters: {
            query?: {
                /** @description An ISO 8601 date, or date and time, in UTC unless it says otherwise. */
                start?: string;
                /** @description An ISO 8601 date, or date and time, in UTC unless it says otherwise. */
                end?: string;
                /** @description `hour` where it is left out, `day` for a window of more than 7 days. */
                interval?: "hour" | "day";
                /** @description `none` where it is left out. `type` adds `total`; `recipient_domain` gives each domain an entry of its own. */
                group_by?: "none" | "type" | "recipient_domain";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stats"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description The most items that a page has. */
                limit?: number;
                /** @description The `next_cursor` of the page before. An opaque text: do not parse or build it. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        data: components["schemas"]["Webhook"][];
                        has_more: boolean;
                        /** @description The `after` of the next page; null on the last. */
                        next_cursor: string | null;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateWebhookResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `wh_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `wh_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `wh_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `wh_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWebhookResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `wh_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateWebhookResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["RotationInProgress"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `wh_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayWebhookRequest"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayWebhookResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    listWebhookReplays: {
        parameters: {
            query?: {
                /** @description The most items that a page has. */
                limit?: number;
                /** @description The `next_cursor` of the page before. An opaque text: do not parse or build it. */
                after?: string;
            };
            header?: never;
            path: {
                /** @description `wh_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        data: components["schemas"]["WebhookReplay"][];
                        has_more: boolean;
                        /** @description The `after` of the next page; null on the last. */
                        next_cursor: string | null;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description The most items that a page has. */
                limit?: number;
                /** @description The `next_cursor` of the page before. An opaque text: do not parse or build it. */
                after?: string;
            };
            header?: never;
            path: {
                /** @description `wh_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        data: components["schemas"]["WebhookDeliveries"][];
                        has_more: boolean;
                        /** @description The `after` of the next page; null on the last. */
                        next_cursor: string | null;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    getWebhookBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `wh_<uuid>` */
                id: string;
                /** @description `wh_<uuid>` */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookBatches"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["OverRate"];
            500: components["responses"]["Fault"];
            502: components["responses"]["LedgerUnavailable"];
        };
    };
    listTeams: {
        parameters: {
            query?: {
                /** @description The most items that a page has. */
                limit?: number;
                /** @description The `next_cursor` of the page before. An opaque text: do not parse or build it. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        data: components["schemas"]["Team"][];
                        has_more: boolean;
                        /** @description The `after` of the next page; null on the last. */
                        next_cursor: string | null;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OperatorNotFound"];
            422: components["responses"]["OperatorUnprocessable"];
            500: components["responses"]["OperatorFault"];
        };
    };
    createTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTeamRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateTeamResponse"];
                };
            };
            400: components["responses"]["OperatorBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OperatorNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["OperatorUnsupportedMediaType"];
            422: components["responses"]["OperatorUnprocessable"];
            500: components["responses"]["OperatorFault"];
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `team_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OperatorNotFound"];
            500: components["responses"]["OperatorFault"];
        };
    };
    deleteTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `team_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OperatorNotFound"];
            500: components["responses"]["OperatorFault"];
        };
    };
    updateTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `team_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTeamRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: components["responses"]["OperatorBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OperatorNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["OperatorUnsupportedMediaType"];
            422: components["responses"]["OperatorUnprocessable"];
            500: components["responses"]["OperatorFault"];
        };
    };
    listShards: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shard"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OperatorNotFound"];
            500: components["responses"]["OperatorFault"];
        };
    };
    widenTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `team_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WidenTeamRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WidenTeamResponse"];
                };
            };
            400: components["responses"]["OperatorBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OperatorNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["OperatorUnsupportedMediaType"];
            422: components["responses"]["OperatorUnprocessable"];
            500: components["responses"]["OperatorFault"];
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                /** @description Only dead letters of this queue. */
                queue?: "postern-deliver" | "postern-dns-cleanup" | "postern-webhook";
                /** @description The most items that a page has. */
                limit?: number;
                /** @description The `next_cursor` of the page before. An opaque text: do not parse or build it. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        data: components["schemas"]["DeadLetter"][];
                        has_more: boolean;
                        /** @description The `after` of the next page; null on the last. */
                        next_cursor: string | null;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OperatorNotFound"];
            422: components["responses"]["OperatorUnprocessable"];
            500: components["responses"]["OperatorFault"];
        };
    };
    requeueDeadLetter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `dead_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetter"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OperatorNotFound"];
            422: components["responses"]["OperatorUnprocessable"];
            500: components["responses"]["OperatorFault"];
        };
    };
    deleteDeadLetter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `dead_<uuid>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OperatorNotFound"];
            500: components["responses"]["OperatorFault"];
        };
    };
    getMetric: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OperatorNotFound"];
            500: components["responses"]["OperatorFault"];
        };
    };
    getDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OperatorNotFound"];
            500: components["responses"]["OperatorFault"];
        };
    };
    getConsoleSession: {
        parameters: {
            query?: {
                /** @description The session that is meant: the team's, or the operator's. */
                as?: "team" | "operator";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleSession"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenPage"];
            422: components["responses"]["ConsoleUnprocessable"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleSignIn"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleSession"];
                };
            };
            400: components["responses"]["ConsoleBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenPage"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["ConsoleUnsupportedMediaType"];
            422: components["responses"]["ConsoleUnprocessable"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    signOut: {
        parameters: {
            query?: {
                /** @description The session that is meant: the team's, or the operator's. */
                as?: "team" | "operator";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenPage"];
            422: components["responses"]["ConsoleUnprocessable"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    createConsoleLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateConsoleLinkRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Members": components["headers"]["X-Ignored-Members"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateConsoleLinkResponse"];
                };
            };
            400: components["responses"]["OperatorBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OperatorNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["OperatorUnsupportedMediaType"];
            422: components["responses"]["OperatorUnprocessable"];
            500: components["responses"]["OperatorFault"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok" | "failing";
                        /** @description Name of a check → whether it passed. */
                        checks: {
                            [key: string]: boolean;
                        };
                        /** @description Name of a failed check → the command that repairs it, if one is known. Absent when all checks pass. */
                        hints?: {
                            [key: string]: string;
                        };
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description One does not. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok" | "failing";
                        /** @description Name of a check → whether it passed. */
                        checks: {
                            [key: string]: boolean;
                        };
                        /** @description Name of a failed check → the command that repairs it, if one is known. Absent when all checks pass. */
                        hints?: {
                            [key: string]: string;
                        };
                    };
                };
            };
        };
    };
    onEmailSentEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<timestamp>` and a `v1=<hex>` for each secret in force: HMAC-SHA-256 of `<timestamp>.<body>`, the key the whole `whsec_…` text. */
                "Service-Signature": string;
                /** @description The body's `timestamp`. */
                "Service-Timestamp": string;
                /** @description The body's `batch_id`. */
                "Service-Batch-Id": string;
                /** @description The body's `batch_id`, as the Standard Webhooks scheme names it. */
                "webhook-id": string;
                /** @description The body's `timestamp`, as the Standard Webhooks scheme names it. */
                "webhook-timestamp": string;
                /** @description A `v1,<base64>` for each secret in force, by the Standard Webhooks scheme. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The same at every attempt. Opaque. */
                    batch_id: string;
                    /** @description When this attempt was signed, in Unix seconds. */
                    timestamp: number;
                    events: components["schemas"]["WebhookEvent"][];
                };
            };
        };
        responses: {
            /** @description The delivery is accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is repeated later, for up to twelve hours. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailDeliveredEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<timestamp>` and a `v1=<hex>` for each secret in force: HMAC-SHA-256 of `<timestamp>.<body>`, the key the whole `whsec_…` text. */
                "Service-Signature": string;
                /** @description The body's `timestamp`. */
                "Service-Timestamp": string;
                /** @description The body's `batch_id`. */
                "Service-Batch-Id": string;
                /** @description The body's `batch_id`, as the Standard Webhooks scheme names it. */
                "webhook-id": string;
                /** @description The body's `timestamp`, as the Standard Webhooks scheme names it. */
                "webhook-timestamp": string;
                /** @description A `v1,<base64>` for each secret in force, by the Standard Webhooks scheme. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The same at every attempt. Opaque. */
                    batch_id: string;
                    /** @description When this attempt was signed, in Unix seconds. */
                    timestamp: number;
                    events: components["schemas"]["WebhookEvent"][];
                };
            };
        };
        responses: {
            /** @description The delivery is accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is repeated later, for up to twelve hours. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailDelayedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<timestamp>` and a `v1=<hex>` for each secret in force: HMAC-SHA-256 of `<timestamp>.<body>`, the key the whole `whsec_…` text. */
                "Service-Signature": string;
                /** @description The body's `timestamp`. */
                "Service-Timestamp": string;
                /** @description The body's `batch_id`. */
                "Service-Batch-Id": string;
                /** @description The body's `batch_id`, as the Standard Webhooks scheme names it. */
                "webhook-id": string;
                /** @description The body's `timestamp`, as the Standard Webhooks scheme names it. */
                "webhook-timestamp": string;
                /** @description A `v1,<base64>` for each secret in force, by the Standard Webhooks scheme. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The same at every attempt. Opaque. */
                    batch_id: string;
                    /** @description When this attempt was signed, in Unix seconds. */
                    timestamp: number;
                    events: components["schemas"]["WebhookEvent"][];
                };
            };
        };
        responses: {
            /** @description The delivery is accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is repeated later, for up to twelve hours. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailBouncedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<timestamp>` and a `v1=<hex>` for each secret in force: HMAC-SHA-256 of `<timestamp>.<body>`, the key the whole `whsec_…` text. */
                "Service-Signature": string;
                /** @description The body's `timestamp`. */
                "Service-Timestamp": string;
                /** @description The body's `batch_id`. */
                "Service-Batch-Id": string;
                /** @description The body's `batch_id`, as the Standard Webhooks scheme names it. */
                "webhook-id": string;
                /** @description The body's `timestamp`, as the Standard Webhooks scheme names it. */
                "webhook-timestamp": string;
                /** @description A `v1,<base64>` for each secret in force, by the Standard Webhooks scheme. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The same at every attempt. Opaque. */
                    batch_id: string;
                    /** @description When this attempt was signed, in Unix seconds. */
                    timestamp: number;
                    events: components["schemas"]["WebhookEvent"][];
                };
            };
        };
        responses: {
            /** @description The delivery is accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is repeated later, for up to twelve hours. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailComplainedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<timestamp>` and a `v1=<hex>` for each secret in force: HMAC-SHA-256 of `<timestamp>.<body>`, the key the whole `whsec_…` text. */
                "Service-Signature": string;
                /** @description The body's `timestamp`. */
                "Service-Timestamp": string;
                /** @description The body's `batch_id`. */
                "Service-Batch-Id": string;
                /** @description The body's `batch_id`, as the Standard Webhooks scheme names it. */
                "webhook-id": string;
                /** @description The body's `timestamp`, as the Standard Webhooks scheme names it. */
                "webhook-timestamp": string;
                /** @description A `v1,<base64>` for each secret in force, by the Standard Webhooks scheme. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The same at every attempt. Opaque. */
                    batch_id: string;
                    /** @description When this attempt was signed, in Unix seconds. */
                    timestamp: number;
                    events: components["schemas"]["WebhookEvent"][];
                };
            };
        };
        responses: {
            /** @description The delivery is accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is repeated later, for up to twelve hours. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailSuppressedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<timestamp>` and a `v1=<hex>` for each secret in force: HMAC-SHA-256 of `<timestamp>.<body>`, the key the whole `whsec_…` text. */
                "Service-Signature": string;
                /** @description The body's `timestamp`. */
                "Service-Timestamp": string;
                /** @description The body's `batch_id`. */
                "Service-Batch-Id": string;
                /** @description The body's `batch_id`, as the Standard Webhooks scheme names it. */
                "webhook-id": string;
                /** @description The body's `timestamp`, as the Standard Webhooks scheme names it. */
                "webhook-timestamp": string;
                /** @description A `v1,<base64>` for each secret in force, by the Standard Webhooks scheme. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The same at every attempt. Opaque. */
                    batch_id: string;
                    /** @description When this attempt was signed, in Unix seconds. */
                    timestamp: number;
                    events: components["schemas"]["WebhookEvent"][];
                };
            };
        };
        responses: {
            /** @description The delivery is accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is repeated later, for up to twelve hours. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailUnsubscribedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<timestamp>` and a `v1=<hex>` for each secret in force: HMAC-SHA-256 of `<timestamp>.<body>`, the key the whole `whsec_…` text. */
                "Service-Signature": string;
                /** @description The body's `timestamp`. */
                "Service-Timestamp": string;
                /** @description The body's `batch_id`. */
                "Service-Batch-Id": string;
                /** @description The body's `batch_id`, as the Standard Webhooks scheme names it. */
                "webhook-id": string;
                /** @description The body's `timestamp`, as the Standard Webhooks scheme names it. */
                "webhook-timestamp": string;
                /** @description A `v1,<base64>` for each secret in force, by the Standard Webhooks scheme. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The same at every attempt. Opaque. */
                    batch_id: string;
                    /** @description When this attempt was signed, in Unix seconds. */
                    timestamp: number;
                    events: components["schemas"]["WebhookEvent"][];
                };
            };
        };
        responses: {
            /** @description The delivery is accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is repeated later, for up to twelve hours. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailOpenedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<timestamp>` and a `v1=<hex>` for each secret in force: HMAC-SHA-256 of `<timestamp>.<body>`, the key the whole `whsec_…` text. */
                "Service-Signature": string;
                /** @description The body's `timestamp`. */
                "Service-Timestamp": string;
                /** @description The body's `batch_id`. */
                "Service-Batch-Id": string;
                /** @description The body's `batch_id`, as the Standard Webhooks scheme names it. */
                "webhook-id": string;
                /** @description The body's `timestamp`, as the Standard Webhooks scheme names it. */
                "webhook-timestamp": string;
                /** @description A `v1,<base64>` for each secret in force, by the Standard Webhooks scheme. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The same at every attempt. Opaque. */
                    batch_id: string;
                    /** @description When this attempt was signed, in Unix seconds. */
                    timestamp: number;
                    events: components["schemas"]["WebhookEvent"][];
                };
            };
        };
        responses: {
            /** @description The delivery is accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is repeated later, for up to twelve hours. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailClickedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<timestamp>` and a `v1=<hex>` for each secret in force: HMAC-SHA-256 of `<timestamp>.<body>`, the key the whole `whsec_…` text. */
                "Service-Signature": string;
                /** @description The body's `timestamp`. */
                "Service-Timestamp": string;
                /** @description The body's `batch_id`. */
                "Service-Batch-Id": string;
                /** @description The body's `batch_id`, as the Standard Webhooks scheme names it. */
                "webhook-id": string;
                /** @description The body's `timestamp`, as the Standard Webhooks scheme names it. */
                "webhook-timestamp": string;
                /** @description A `v1,<base64>` for each secret in force, by the Standard Webhooks scheme. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The same at every attempt. Opaque. */
                    batch_id: string;
                    /** @description When this attempt was signed, in Unix seconds. */
                    timestamp: number;
                    events: components["schemas"]["WebhookEvent"][];
                };
            };
        };
        responses: {
            /** @description The delivery is accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is repeated later, for up to twelve hours. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<timestamp>` and a `v1=<hex>` for each secret in force: HMAC-SHA-256 of `<timestamp>.<body>`, the key the whole `whsec_…` text. */
                "Service-Signature": string;
                /** @description The body's `timestamp`. */
                "Service-Timestamp": string;
                /** @description The body's `batch_id`. */
                "Service-Batch-Id": string;
                /** @description The body's `batch_id`, as the Standard Webhooks scheme names it. */
                "webhook-id": string;
                /** @description The body's `timestamp`, as the Standard Webhooks scheme names it. */
                "webhook-timestamp": string;
                /** @description A `v1,<base64>` for each secret in force, by the Standard Webhooks scheme. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The same at every attempt. Opaque. */
                    batch_id: string;
                    /** @description When this attempt was signed, in Unix seconds. */
                    timestamp: number;
                    events: components["schemas"]["WebhookTestEvent"][];
                };
            };
        };
        responses: {
            /** @description The delivery is accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is repeated later, for up to twelve hours. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
