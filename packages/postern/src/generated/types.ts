// Generated from the OpenAPI document by `npm run client`. Do not edit.
export interface ApiKey {
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
}
export interface ApiKeySettings {
    /** @description A name that tells people which key this is. */
    name: string;
    /**
     * @description `full`: all endpoints. `send_only`: sending, and `GET /v1/whoami`.
     * @enum {string}
     */
    permissions: "full" | "send_only";
    /** @description Sending domains allowed in `from`. Null, empty or absent: all of the team's domains. */
    allowed_domains?: string[] | null;
    /** @description Addresses and CIDR blocks from which the key works. Null, empty or absent: any address. */
    allowed_ips?: string[] | null;
}
export interface CancelEmailCampaignRequest {
    /** @description The `campaign` of the sends. */
    campaign: string;
}
export interface CanceledCampaign {
    /** @description The messages that this call canceled, sorted by scheduled time, the earliest first. */
    data: {
        id: string;
        /** Format: date-time */
        canceled_at: string;
    }[];
    /** @description True if more messages of the campaign wait: call again. */
    has_more: boolean;
}
export interface CanceledEmail {
    id: string;
    /** Format: date-time */
    canceled_at: string;
}
export interface CourierDnsRecord {
    /** @enum {string} */
    type: "MX" | "TXT";
    name: string;
    /** @description Null for `dkim`, because only Cloudflare knows the key. */
    value: string | null;
    /** @enum {string} */
    purpose: "bounces" | "spf" | "dkim";
}
export interface CreateApiKeyResponse {
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
}
export interface CreateDomainRequest {
    /** @description In any script and case, with or without a final dot. */
    name: string;
}
export interface CreateSuppressionRequest {
    /** @description A bare address, in any script. White space around the address is removed. */
    email: string;
    /** @description `*`, or a topic. Stored in lower case. */
    topic?: string;
    /**
     * @description Why, for people.
     * @default null
     */
    note?: string | null;
}
export interface CreateTemplateRequest {
    /** @description A name that tells people which template this is. */
    name: string;
    /** @description A second name for the template, unique in the team. It can be used wherever a template's id can. */
    alias?: string | null;
    /**
     * @description The member that holds the content. The kind can't be changed.
     * @default html
     * @enum {string}
     */
    kind?: "html" | "markdown";
    /** @description True: every send with the template is sensitive, whatever the send says. A change takes effect at once, without a publication. */
    sensitive?: boolean;
    /** @description True: replies to every send with the template come to the service, whatever the send says. A change takes effect at once, without a publication. */
    reply_tracking?: boolean;
    /** @description The subject of a send that has none. It may have `{{ }}`. */
    subject?: string | null;
    /** @description The content of the kind `html`. It may have `{{ }}`. */
    html?: string | null;
    /** @description The content of the kind `markdown`. It may have `{{ }}`. */
    markdown?: string | null;
    /** @description The sender of sends that name none. The sender's domain is checked at each send. */
    from?: string | null;
    /** @description The reply addresses of sends that name none. */
    reply_to?: (string | string[]) | null;
    /** @description Values for variables that a send leaves out. They are merged with the send's variables object by object, and have the limits of a send's `variables`. */
    fallbacks?: {
        [key: string]: unknown;
    } | null;
}
export interface CreateWebhookRequest {
    /** @description A name that tells people which webhook this is. */
    name: string;
    /** @description An absolute https URL. A URL with non-ASCII characters is stored in its ASCII spelling. */
    url: string;
    /** @description The event types to send, at least one. */
    events: ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked" | "email.replied")[];
    /**
     * @description `batch`: up to 100 events a request. `resend`: one, in the form of Resend's.
     * @default batch
     * @enum {string}
     */
    format?: "batch" | "resend";
    /**
     * @description True: `email.replied` also reports automatic replies.
     * @default false
     */
    auto_replies?: boolean;
}
export interface CreateWebhookResponse {
    id: string;
    name: string;
    /** Format: uri */
    url: string;
    events: ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked" | "email.replied")[];
    /** @enum {string} */
    status: "active" | "circuit_disabled" | "disabled";
    /** @enum {string} */
    format: "batch" | "resend";
    /**
     * @description True: `email.replied` also reports automatic replies. Present only if true.
     * @constant
     */
    auto_replies?: true;
    signing_secret_prefix: string;
    signing_secret_previous_prefix: string | null;
    signing_secret_grace_expires_at: string | null;
    last_delivery_at: string | null;
    /** Format: date-time */
    created_at: string;
    signing_secret: string;
}
export interface Deliverability {
    /** Format: date-time */
    start: string;
    /** Format: date-time */
    end: string;
    /** @description The preceding window. Null: it lies before the team's retention. */
    previous: {
        /** Format: date-time */
        start: string;
        /** Format: date-time */
        end: string;
    } | null;
    /** @description The current version of the rules that name providers, and the oldest version that was used for an hour of the window. */
    rules: {
        version: number;
        oldest: number | null;
    };
    /** @description Providers with the most mail first. */
    providers: ProviderDeliverability[];
    /** @description The most severe findings first. */
    findings: DeliverabilityFinding[];
}
export interface DeliverabilityFigures {
    sent: number;
    delivered: number;
    /** @description Attempts that the provider deferred. */
    deferred: number;
    bounced: number;
    /** @description Bounces by classification. `none` counts those without one. */
    bounces: {
        [key: string]: number;
    };
    complaints: number;
    /** @description Time from a message's start to a server's acceptance, rounded up to 1, 2, 5, 10 or 30 seconds, 1, 5 or 15 minutes, 1, 4, 12 or 72 hours. Null without deliveries. */
    time_to_acceptance: {
        median_seconds: number | null;
        p95_seconds: number | null;
    };
}
export interface DeliverabilityFinding {
    /** @enum {string} */
    kind: "refuses_all" | "refuses_many" | "defers_all" | "defers_many" | "unknown_recipients" | "complaints";
    /** @enum {string} */
    severity: "critical" | "warning";
    /** @description `other` for mail servers that no rule names, null for mail without a provider. */
    provider: ("other" | "google" | "microsoft" | "yahoo" | "apple" | "proofpoint" | "mimecast" | "barracuda" | "cisco" | "trendmicro" | "symantec" | "sophos" | "zoho" | "fastmail" | "proton" | "amazon" | "cloudflare" | "rackspace" | "godaddy" | "ovh" | "ionos" | "gmx" | "telekom" | "orange" | "free" | "laposte" | "sfr" | "libero" | "comcast" | "seznam" | "yandex" | "mailru" | "tencent" | "netease" | "naver") | null;
    /** Format: date-time */
    since: string;
    /** @description The finding in one sentence. */
    summary: string;
    evidence: {
        /** @description The text of the most frequent refusal. */
        reply: string | null;
        /** @description The number of recipients or attempts that the finding is about. */
        count: number;
        /** @description The number of all recipients or attempts in the same time. */
        of: number;
        rate: number;
        /** @description The lowest rate that makes a finding. */
        threshold: number | null;
        /** @description The page that publishes the threshold. */
        source: string | null;
        /** @description The path of this API that lists the counted events. */
        events: string;
    };
    action: {
        /** @enum {string} */
        kind: "contact_provider" | "fix_dns" | "change_content" | "wait" | "clean_list";
        text: string;
        href?: string;
    };
}
export interface DeliverabilityRefusal {
    /** @enum {string} */
    kind: "bounced" | "deferred";
    classification: string | null;
    /** @description The reply, with `…` in place of the parts that differ between messages. At most 200 bytes. */
    text: string;
    count: number;
    /** Format: date-time */
    first_at: string;
}
export interface Domain {
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
    /** @description Only present when Cloudflare's Email Service carries the team's mail. Cloudflare publishes these records when the operator onboards the domain to Email Sending (`npx wrangler email sending enable`). They are listed for comparison. */
    courier_dns_records?: CourierDnsRecord[];
    /** @description Only present when Cloudflare's Email Service carries the team's mail. How far the service has come with onboarding the domain to it. Null if the service did not try. */
    courier_onboarding?: {
        /** @enum {string} */
        status: "waiting" | "done" | "refused";
        /** @description Cloudflare's own code of its last error. */
        code: string | null;
        message: string;
        /** Format: date-time */
        updated_at: string;
    } | null;
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
            code: "tracking_cname_missing" | "tracking_cname_mismatch" | "chain_broken" | "tracking_host_taken" | "tracking_certificate_pending" | "tracking_not_served";
            message: string;
        } | null;
        verified_at: string | null;
    };
    /** Format: date-time */
    created_at: string;
    verified_at: string | null;
    /** @description Only present when one domain is read. `held`: Cloudflare's Email Service now takes no mail of the domain or of the whole account. The mail waits, and the domain stays verified. */
    sending?: {
        held: boolean;
        since: string | null;
        code: ("not_onboarded" | "sending_disabled" | "not_entitled" | "quota_used_up" | "unknown_words") | null;
        /** @description The reason, the remedy and Cloudflare's words. */
        message: string | null;
    };
}
export interface DomainDns {
    /** @description The domain's `dns_records`, its tracking records, and its `courier_dns_records`, judged by the rules of verification. */
    records: DomainDnsRecord[];
    policies: {
        spf: DomainPolicy;
        /** @description Judged by RFC 9989 and by RFC 7489, because receivers follow either. Where the results differ, the message gives both. */
        dmarc: DomainPolicy;
        mta_sts: DomainPolicy;
        bimi: DomainPolicy;
    };
    /** Format: date-time */
    checked_at: string;
}
export interface DomainDnsRecord {
    /** @enum {string} */
    type: "CNAME" | "MX" | "TXT";
    /** @description The name as in the domain's own list of records. */
    name: string;
    /** @description The whole name, without the final dot. */
    host: string;
    /** @description Null: only Cloudflare knows the value. */
    expected: string | null;
    /** @enum {string} */
    purpose: "verification" | "dkim" | "tracking" | "bounces" | "spf";
    /**
     * @description `mismatch`: DNS has another value, or the value leads to no usable record. `unknown`: DNS gave no answer.
     * @enum {string}
     */
    status: "ok" | "missing" | "mismatch" | "unknown";
    /** @description The values that DNS has. For a CNAME: the names that it leads to, in order. At most 20 values of at most 1024 characters; `…` ends a value that was cut. */
    found: string[];
    /** @description Whole sentences that say what DNS has and what to do. */
    message: string;
}
export interface DomainPolicy {
    /**
     * @description `wrong`: receivers cannot use it. `warn`: they use it, and it could do more. `unknown`: DNS gave no answer.
     * @enum {string}
     */
    status: "ok" | "warn" | "missing" | "wrong" | "unknown";
    /** @description The record that receivers use. If there is none, the record to publish. */
    host: string;
    /** @description All TXT records at `host`. At most 20 values of at most 1024 characters; `…` ends a value that was cut. */
    found: string[];
    /** @description Whole sentences that say what DNS has and what to do. */
    message: string;
}
export interface DuplicateTemplateRequest {
    /** @description A name that tells people which template this is. */
    name?: string;
}
export interface Email {
    id: string;
    /** Format: date-time */
    created_at: string;
    /**
     * Format: date-time
     * @description Present only if the message was scheduled.
     */
    scheduled_at?: string;
    /** @description Null: the message was not canceled. Present only if the message was scheduled. */
    canceled_at?: string | null;
    /** @description The message that was sent again as this one. Present only on a copy. */
    copy_of?: string;
    /** @description The version of the template that was sent. Absent if no version is known. */
    template_version?: number;
    from: string;
    /** @description The display name in the message's From. Null: it has none. */
    from_name: string | null;
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
    metadata: {
        [key: string]: string;
    } | null;
    /** @description The `Feedback-ID` of the copies, by whose parts Gmail counts complaints: hashes of the campaign, the topic and the team, then the service's name. Null: the courier writes one. */
    feedback_id: string | null;
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
        explanation: Explanation;
    }[];
    events_truncated: boolean;
    /** @description The answers to the message, oldest first, at most 100. Present only if there are some. `GET /v1/replies/{id}` has what they say. */
    replies?: {
        id: string;
        recipient: string | null;
        from: string | null;
        from_recipient: boolean;
        auto: boolean;
        seen: boolean;
        /** Format: date-time */
        received_at: string;
    }[];
}
export interface EmailAttachment {
    /** @description Directories are removed. */
    filename: string;
    /** @description Base64 in either alphabet, with or without padding and line breaks. Required unless `path` is given. */
    content?: string;
    /** @description The https URL of a file that is fetched and attached, if `content` is absent. Only in a single send. */
    path?: string;
    /** @description By default, the file name's extension decides. */
    content_type?: string;
    /** @description Makes the attachment inline: HTML shows it as `cid:<content_id>`. */
    content_id?: string;
}
export interface EmailBatchDefaults {
    /** @description Required unless the template has a sender. Replaces the template's sender. `addr@host` or `Display Name <addr@host>`, on a verified domain of the team. The text before the last `<...>` is the display name. */
    from?: string;
    /** @description Recipients that the header `Cc` names. */
    cc?: string[];
    /** @description Recipients that no header names. */
    bcc?: string[];
    /** @description Replaces the template's reply addresses. An empty list removes them. */
    reply_to?: string | string[];
    /** @description Required unless the template has a subject. Replaces the template's subject. At most 998 characters, after line breaks and other control characters are removed. */
    subject?: string;
    /** @description The id or alias of a published template of the team. Can't be combined with `text` or `html`. */
    template_id?: string;
    /** @description The body as plain text. Required unless `html` or `template_id` is given. */
    text?: string;
    /** @description The body as HTML. Required unless `text` or `template_id` is given. */
    html?: string;
    /** @description A header is dropped if its name is malformed, longer than 78 characters, or set by the service. At most 25 may remain. A value has at most 8192 characters, after line breaks are removed. */
    headers?: {
        [key: string]: string;
    };
    /** @description Files, each with its `content` or the `path` to fetch it from. */
    attachments?: EmailAttachment[];
    /** @description At most 10 different ones. */
    tags?: string[];
    /** @description Overrides the domain's settings. A member that is left out keeps the domain's setting. */
    tracking?: {
        /** @description Whether opens of the HTML are counted. */
        opens?: boolean;
        /** @description Whether links lead through the service. */
        clicks?: boolean;
    };
    /** @description Values for `{{ }}` in subject, bodies and header values. A variable without a value here gets the template's fallback. At most 64 KB of JSON, 100 keys in each object, 4 levels. */
    variables?: {
        [key: string]: unknown;
    };
    /** @description Your own names and values, such as an order number. Webhooks and look-ups show them; they are never part of the mail. At most 4 KB of JSON. */
    metadata?: {
        [key: string]: string;
    };
    /** @description Gives the send a delivery queue of its own. */
    campaign?: string;
    /** @description One of the team's named pools. Without it, the default pool is used. */
    ip_pool?: string;
    /**
     * @description `high` goes out before the team's other mail. The default is `normal`. While other mail waits, `high` gets at most nine tenths of the delivery rate.
     * @enum {string}
     */
    priority?: "high" | "normal";
    /** @description True for mail with a secret, such as a link that resets a password: its content is never kept, and its links never lead through the service. A template can set it too. */
    sensitive?: boolean;
    /** @description True: replies come to the service, tied to the message and its recipient. Each copy's `Reply-To` is an address of the service; the addresses in `reply_to` are shown with a reply and get no mail. It needs a webhook for `email.replied`, or `reads_replies` of the team, and excludes `sensitive`. A template can set it too. */
    reply_tracking?: boolean;
    /** @description The scope of suppressions. Without a topic, only suppressions of all topics apply. */
    topic?: string;
    /**
     * Format: date-time
     * @description When the message goes out: up to 30 days ahead. A time in the past minute counts as now.
     */
    scheduled_at?: string;
    /** @description `generate` adds a one-click unsubscribe link, unless `headers` has an https link in `List-Unsubscribe`. It requires a `topic`. */
    unsubscribe?: {
        /**
         * @description `none`: the service adds no unsubscribe link.
         * @enum {string}
         */
        mode: "generate" | "none";
        /** @description The sender's name on the page that the link opens. */
        display_name?: string;
    };
}
export interface EmailBouncedEvent {
    /** @description Every delivery of the event has the same id: `evt_…`. */
    id: string;
    /** @constant */
    type: "email.bounced";
    /** Format: date-time */
    occurred_at: string;
    data: {
        email_id: string;
        recipient: string;
        /** @description The From header as sent: `Acme <hello@acme.example>`, or the bare address. */
        from: string;
        subject: string;
        message_id: string;
        topic?: string;
        tags?: string[];
        campaign?: string;
        template_id?: string;
        ip_pool?: string;
        /** @description The message's custom `X-` headers, with names in snake case: `x_campaign_id`. */
        headers?: {
            [key: string]: string;
        };
        /** @description Names and values that the sender chose for the message. */
        metadata?: {
            [key: string]: string;
        };
        /** @description The number of the delivery attempt that led to the event, from 1. */
        attempt?: number;
        bounce: {
            /** @enum {string} */
            type: "permanent" | "transient" | "expired";
            classification: string | null;
            smtp_code: number | null;
            smtp_response: string | null;
        };
        explanation: EventExplanation;
    };
}
export interface EmailCheck {
    /** @description First the errors of a send, then all others from the worst to the least. */
    problems: EmailProblem[];
    /** @description The copy of the first recipient. Null: a send would be refused before it is composed. */
    copy: EmailCopy | null;
    /** @description Always `rate`, `quota`, `labels`, `suppression`; and `files` if `attachments` name files by `path`, which are not fetched. */
    not_checked: string[];
}
export interface EmailCheckRequest {
    /** @description Required unless the template has a sender. Replaces the template's sender. `addr@host` or `Display Name <addr@host>`, on a verified domain of the team. The text before the last `<...>` is the display name. */
    from?: string;
    /** @description Recipients that the header `To` names. At most 50 together with `cc` and `bcc`. */
    to?: string[];
    /** @description Recipients that the header `Cc` names. */
    cc?: string[];
    /** @description Recipients that no header names. */
    bcc?: string[];
    /** @description Replaces the template's reply addresses. An empty list removes them. */
    reply_to?: string | string[];
    /** @description The subject of the send, or of the template. */
    subject?: string | null;
    /** @description The id or alias of a published template of the team. Can't be combined with `text` or `html`. */
    template_id?: string;
    /** @description The body as plain text. Required unless `html` or `template_id` is given. */
    text?: string;
    /** @description The HTML of the send, or of a template of `kind`. */
    html?: string | null;
    /** @description A header is dropped if its name is malformed, longer than 78 characters, or set by the service. At most 25 may remain. A value has at most 8192 characters, after line breaks are removed. */
    headers?: {
        [key: string]: string;
    };
    /** @description Files, each with its `content` or the `path` to fetch it from. */
    attachments?: EmailAttachment[];
    /** @description At most 10 different ones. */
    tags?: string[];
    /** @description Overrides the domain's settings. A member that is left out keeps the domain's setting. */
    tracking?: {
        /** @description Whether opens of the HTML are counted. */
        opens?: boolean;
        /** @description Whether links lead through the service. */
        clicks?: boolean;
    };
    /** @description Values for `{{ }}` in subject, bodies and header values. A variable without a value here gets the template's fallback. At most 64 KB of JSON, 100 keys in each object, 4 levels. */
    variables?: {
        [key: string]: unknown;
    };
    /** @description Your own names and values, such as an order number. Webhooks and look-ups show them; they are never part of the mail. At most 4 KB of JSON. */
    metadata?: {
        [key: string]: string;
    };
    /** @description Gives the send a delivery queue of its own. */
    campaign?: string;
    /** @description One of the team's named pools. Without it, the default pool is used. */
    ip_pool?: string;
    /**
     * @description `high` goes out before the team's other mail. The default is `normal`. While other mail waits, `high` gets at most nine tenths of the delivery rate.
     * @enum {string}
     */
    priority?: "high" | "normal";
    /** @description True for mail with a secret, such as a link that resets a password: its content is never kept, and its links never lead through the service. A template can set it too. */
    sensitive?: boolean;
    /** @description True: replies come to the service, tied to the message and its recipient. Each copy's `Reply-To` is an address of the service; the addresses in `reply_to` are shown with a reply and get no mail. It needs a webhook for `email.replied`, or `reads_replies` of the team, and excludes `sensitive`. A template can set it too. */
    reply_tracking?: boolean;
    /** @description The scope of suppressions. Without a topic, only suppressions of all topics apply. */
    topic?: string;
    /**
     * Format: date-time
     * @description When the message goes out: up to 30 days ahead. A time in the past minute counts as now.
     */
    scheduled_at?: string;
    /** @description `generate` adds a one-click unsubscribe link, unless `headers` has an https link in `List-Unsubscribe`. It requires a `topic`. */
    unsubscribe?: {
        /**
         * @description `none`: the service adds no unsubscribe link.
         * @enum {string}
         */
        mode: "generate" | "none";
        /** @description The sender's name on the page that the link opens. */
        display_name?: string;
    };
    /**
     * @description The kind of a template that is not saved. Its content is `html` or `markdown`.
     * @enum {string}
     */
    kind?: "html" | "markdown";
    /** @description The content of the kind `markdown`. It may have `{{ }}`. */
    markdown?: string | null;
    /** @description Values for variables that a send leaves out. They are merged with the send's variables object by object, and have the limits of a send's `variables`. */
    fallbacks?: {
        [key: string]: unknown;
    } | null;
    /** @description A whole message (RFC 5322) in place of all other members: as text, or in base64. */
    raw?: string;
}
export interface EmailClickedEvent {
    /** @description Every delivery of the event has the same id: `evt_…`. */
    id: string;
    /** @constant */
    type: "email.clicked";
    /** Format: date-time */
    occurred_at: string;
    data: {
        email_id: string;
        recipient: string;
        /** @description The From header as sent: `Acme <hello@acme.example>`, or the bare address. */
        from: string;
        subject: string;
        message_id: string;
        topic?: string;
        tags?: string[];
        campaign?: string;
        template_id?: string;
        ip_pool?: string;
        /** @description The message's custom `X-` headers, with names in snake case: `x_campaign_id`. */
        headers?: {
            [key: string]: string;
        };
        /** @description Names and values that the sender chose for the message. */
        metadata?: {
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
}
export interface EmailComplainedEvent {
    /** @description Every delivery of the event has the same id: `evt_…`. */
    id: string;
    /** @constant */
    type: "email.complained";
    /** Format: date-time */
    occurred_at: string;
    data: {
        email_id: string;
        recipient: string;
        /** @description The From header as sent: `Acme <hello@acme.example>`, or the bare address. */
        from: string;
        subject: string;
        message_id: string;
        topic?: string;
        tags?: string[];
        campaign?: string;
        template_id?: string;
        ip_pool?: string;
        /** @description The message's custom `X-` headers, with names in snake case: `x_campaign_id`. */
        headers?: {
            [key: string]: string;
        };
        /** @description Names and values that the sender chose for the message. */
        metadata?: {
            [key: string]: string;
        };
        complaint: {
            feedback_type: string;
            user_agent: string | null;
            reported_at: string | null;
        };
        explanation: EventExplanation;
    };
}
export interface EmailContent {
    html: string | null;
    text: string | null;
    /** @description The fields of the header by name, with `From`, `To`, `Reply-To` and `Subject`. */
    headers: {
        [key: string]: string;
    };
    attachments: {
        index: number;
        filename: string;
        content_type: string;
        /** @description The HTML shows the file as `cid:<content_id>`. */
        content_id: string | null;
        /** @description In bytes. */
        size: number;
        /** @description Opens the file without a key. */
        download_url: string;
        /**
         * Format: date-time
         * @description An hour from now.
         */
        download_expires_at: string;
    }[];
    /** Format: date-time */
    kept_until: string;
}
export interface EmailCopy {
    /** @description The size of the whole copy, without its DKIM signature. */
    bytes: number;
    headers: {
        name: string;
        value: string;
    }[];
    text: string | null;
    /** @description After tracking. Its tracked links lead nowhere. */
    html: string | null;
}
export interface EmailDelayedEvent {
    /** @description Every delivery of the event has the same id: `evt_…`. */
    id: string;
    /** @constant */
    type: "email.delayed";
    /** Format: date-time */
    occurred_at: string;
    data: {
        email_id: string;
        recipient: string;
        /** @description The From header as sent: `Acme <hello@acme.example>`, or the bare address. */
        from: string;
        subject: string;
        message_id: string;
        topic?: string;
        tags?: string[];
        campaign?: string;
        template_id?: string;
        ip_pool?: string;
        /** @description The message's custom `X-` headers, with names in snake case: `x_campaign_id`. */
        headers?: {
            [key: string]: string;
        };
        /** @description Names and values that the sender chose for the message. */
        metadata?: {
            [key: string]: string;
        };
        /** @description The number of the delivery attempt that led to the event, from 1. */
        attempt?: number;
        explanation: EventExplanation;
    };
}
export interface EmailDeliveredEvent {
    /** @description Every delivery of the event has the same id: `evt_…`. */
    id: string;
    /** @constant */
    type: "email.delivered";
    /** Format: date-time */
    occurred_at: string;
    data: {
        email_id: string;
        recipient: string;
        /** @description The From header as sent: `Acme <hello@acme.example>`, or the bare address. */
        from: string;
        subject: string;
        message_id: string;
        topic?: string;
        tags?: string[];
        campaign?: string;
        template_id?: string;
        ip_pool?: string;
        /** @description The message's custom `X-` headers, with names in snake case: `x_campaign_id`. */
        headers?: {
            [key: string]: string;
        };
        /** @description Names and values that the sender chose for the message. */
        metadata?: {
            [key: string]: string;
        };
        /** @description The number of the delivery attempt that led to the event, from 1. */
        attempt?: number;
    };
}
export interface EmailOpenedEvent {
    /** @description Every delivery of the event has the same id: `evt_…`. */
    id: string;
    /** @constant */
    type: "email.opened";
    /** Format: date-time */
    occurred_at: string;
    data: {
        email_id: string;
        recipient: string;
        /** @description The From header as sent: `Acme <hello@acme.example>`, or the bare address. */
        from: string;
        subject: string;
        message_id: string;
        topic?: string;
        tags?: string[];
        campaign?: string;
        template_id?: string;
        ip_pool?: string;
        /** @description The message's custom `X-` headers, with names in snake case: `x_campaign_id`. */
        headers?: {
            [key: string]: string;
        };
        /** @description Names and values that the sender chose for the message. */
        metadata?: {
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
}
export interface EmailProblem {
    /**
     * @description `refused`: a send would get this error. The others are named in docs/mail-check.md.
     * @enum {string}
     */
    rule: "refused" | "domain-records" | "html-size" | "text-part" | "images" | "links" | "client-support" | "dark-mode" | "variables" | "attachments";
    /** @enum {string} */
    severity: "error" | "warning" | "note";
    where: {
        /** @description A member of the request, or `markdown` of its template. */
        field: string;
        /** @description The line in the source that the author wrote; null: the whole field. */
        line: number | null;
        /** @description The UTF-16 unit in the line, from 1. */
        column: number | null;
    };
    message: string;
    /** @description How to mend the mail, with the rule's source. */
    help: string;
}
export interface EmailRepliedEvent {
    /** @description Every delivery of the event has the same id: `evt_…`. */
    id: string;
    /** @constant */
    type: "email.replied";
    /** Format: date-time */
    occurred_at: string;
    data: {
        /** @description The message that is answered. */
        email_id: string;
        reply_id: string;
        /** @description The recipient whose copy is answered. */
        recipient?: string;
        /** @description The author, as the reply's `From` says. */
        from?: string;
        /** @description Whether the author's address is the recipient's. */
        from_recipient: boolean;
        subject: string;
        /** @description The answer without its quotation, at most 20,000 characters. */
        text: string;
        /** @description True: a program wrote the reply. */
        auto: boolean;
        /**
         * @description The result of the check of the sender. Absent: there was no check.
         * @enum {string}
         */
        spf?: "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror";
        /**
         * @description The result of the check of the sender. Absent: there was no check.
         * @enum {string}
         */
        dkim?: "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror";
        /**
         * @description The result of the check of the sender. Absent: there was no check.
         * @enum {string}
         */
        dmarc?: "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror";
        /** Format: date-time */
        received_at: string;
    };
}
export interface EmailSendRequest {
    /** @description Required unless the template has a sender. Replaces the template's sender. `addr@host` or `Display Name <addr@host>`, on a verified domain of the team. The text before the last `<...>` is the display name. */
    from?: string;
    /** @description Recipients that the header `To` names. At most 50 together with `cc` and `bcc`. */
    to: string[];
    /** @description Recipients that the header `Cc` names. */
    cc?: string[];
    /** @description Recipients that no header names. */
    bcc?: string[];
    /** @description Replaces the template's reply addresses. An empty list removes them. */
    reply_to?: string | string[];
    /** @description Required unless the template has a subject. Replaces the template's subject. At most 998 characters, after line breaks and other control characters are removed. */
    subject?: string;
    /** @description The id or alias of a published template of the team. Can't be combined with `text` or `html`. */
    template_id?: string;
    /** @description The body as plain text. Required unless `html` or `template_id` is given. */
    text?: string;
    /** @description The body as HTML. Required unless `text` or `template_id` is given. */
    html?: string;
    /** @description A header is dropped if its name is malformed, longer than 78 characters, or set by the service. At most 25 may remain. A value has at most 8192 characters, after line breaks are removed. */
    headers?: {
        [key: string]: string;
    };
    /** @description Files, each with its `content` or the `path` to fetch it from. */
    attachments?: EmailAttachment[];
    /** @description At most 10 different ones. */
    tags?: string[];
    /** @description Overrides the domain's settings. A member that is left out keeps the domain's setting. */
    tracking?: {
        /** @description Whether opens of the HTML are counted. */
        opens?: boolean;
        /** @description Whether links lead through the service. */
        clicks?: boolean;
    };
    /** @description Values for `{{ }}` in subject, bodies and header values. A variable without a value here gets the template's fallback. At most 64 KB of JSON, 100 keys in each object, 4 levels. */
    variables?: {
        [key: string]: unknown;
    };
    /** @description Your own names and values, such as an order number. Webhooks and look-ups show them; they are never part of the mail. At most 4 KB of JSON. */
    metadata?: {
        [key: string]: string;
    };
    /** @description Gives the send a delivery queue of its own. */
    campaign?: string;
    /** @description One of the team's named pools. Without it, the default pool is used. */
    ip_pool?: string;
    /**
     * @description `high` goes out before the team's other mail. The default is `normal`. While other mail waits, `high` gets at most nine tenths of the delivery rate.
     * @enum {string}
     */
    priority?: "high" | "normal";
    /** @description True for mail with a secret, such as a link that resets a password: its content is never kept, and its links never lead through the service. A template can set it too. */
    sensitive?: boolean;
    /** @description True: replies come to the service, tied to the message and its recipient. Each copy's `Reply-To` is an address of the service; the addresses in `reply_to` are shown with a reply and get no mail. It needs a webhook for `email.replied`, or `reads_replies` of the team, and excludes `sensitive`. A template can set it too. */
    reply_tracking?: boolean;
    /** @description The scope of suppressions. Without a topic, only suppressions of all topics apply. */
    topic?: string;
    /**
     * Format: date-time
     * @description When the message goes out: up to 30 days ahead. A time in the past minute counts as now.
     */
    scheduled_at?: string;
    /** @description `generate` adds a one-click unsubscribe link, unless `headers` has an https link in `List-Unsubscribe`. It requires a `topic`. */
    unsubscribe?: {
        /**
         * @description `none`: the service adds no unsubscribe link.
         * @enum {string}
         */
        mode: "generate" | "none";
        /** @description The sender's name on the page that the link opens. */
        display_name?: string;
    };
}
export interface EmailSendResponse {
    /** @description email_<uuidv7> */
    id: string;
    /** Format: date-time */
    created_at: string;
    /**
     * Format: date-time
     * @description When the message goes out. Present only if the message was scheduled.
     */
    scheduled_at?: string;
}
export interface EmailSentEvent {
    /** @description Every delivery of the event has the same id: `evt_…`. */
    id: string;
    /** @constant */
    type: "email.sent";
    /** Format: date-time */
    occurred_at: string;
    data: {
        email_id: string;
        recipient: string;
        /** @description The From header as sent: `Acme <hello@acme.example>`, or the bare address. */
        from: string;
        subject: string;
        message_id: string;
        topic?: string;
        tags?: string[];
        campaign?: string;
        template_id?: string;
        ip_pool?: string;
        /** @description The message's custom `X-` headers, with names in snake case: `x_campaign_id`. */
        headers?: {
            [key: string]: string;
        };
        /** @description Names and values that the sender chose for the message. */
        metadata?: {
            [key: string]: string;
        };
        /** @description The number of the delivery attempt that led to the event, from 1. */
        attempt?: number;
    };
}
export interface EmailSuppressedEvent {
    /** @description Every delivery of the event has the same id: `evt_…`. */
    id: string;
    /** @constant */
    type: "email.suppressed";
    /** Format: date-time */
    occurred_at: string;
    data: {
        email_id: string;
        recipient: string;
        /** @description The From header as sent: `Acme <hello@acme.example>`, or the bare address. */
        from: string;
        subject: string;
        message_id: string;
        topic?: string;
        tags?: string[];
        campaign?: string;
        template_id?: string;
        ip_pool?: string;
        /** @description The message's custom `X-` headers, with names in snake case: `x_campaign_id`. */
        headers?: {
            [key: string]: string;
        };
        /** @description Names and values that the sender chose for the message. */
        metadata?: {
            [key: string]: string;
        };
        suppression: {
            reason: string;
            topic: string;
            classification: string | null;
        };
        explanation: EventExplanation;
    };
}
export interface EmailUnsubscribedEvent {
    /** @description Every delivery of the event has the same id: `evt_…`. */
    id: string;
    /** @constant */
    type: "email.unsubscribed";
    /** Format: date-time */
    occurred_at: string;
    data: {
        email_id: string;
        recipient: string;
        /** @description The From header as sent: `Acme <hello@acme.example>`, or the bare address. */
        from: string;
        subject: string;
        message_id: string;
        topic?: string;
        tags?: string[];
        campaign?: string;
        template_id?: string;
        ip_pool?: string;
        /** @description The message's custom `X-` headers, with names in snake case: `x_campaign_id`. */
        headers?: {
            [key: string]: string;
        };
        /** @description Names and values that the sender chose for the message. */
        metadata?: {
            [key: string]: string;
        };
    };
}
export interface Event {
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
}
export interface EventCounts {
    sent: number;
    delivered: number;
    delayed: number;
    bounced: number;
    complained: number;
    opened: number;
    clicked: number;
    unsubscribed: number;
    suppressed: number;
}
export interface EventExplanation {
    /** @enum {string} */
    state: "scheduled" | "canceled" | "queued" | "sent" | "delayed" | "delivered" | "bounced" | "suppressed" | "complained" | "unknown";
    /** @description The outcome and its reason, in one sentence. */
    summary: string;
    /** @enum {string} */
    cause: "InvalidRecipient" | "DNSFailure" | "SpamBlock" | "SpamContent" | "ProhibitedAttachment" | "RelayDenied" | "AutoReply" | "TransientFailure" | "Subscribe" | "Unsubscribe" | "ChallengeResponse" | "BadConfiguration" | "BadConnection" | "BadDomain" | "ContentRelated" | "InactiveMailbox" | "InvalidSender" | "MessageExpired" | "NoAnswerFromHost" | "PolicyRelated" | "ProtocolErrors" | "QuotaIssues" | "RelayingIssues" | "RoutingErrors" | "SpamRelated" | "VirusRelated" | "AuthenticationFailed" | "TooManyRecipients" | "Uncategorized" | "no_mail_server" | "null_mx" | "no_dns_answer" | "no_tls" | "sending_domain_gone" | "no_connection" | "no_free_connection" | "connection_lost" | "held_domain" | "held_account" | "suppressed_by_provider" | "recipient_not_allowed_by_provider" | "sender_not_set_up_at_provider" | "content_refused_by_provider" | "refused_by_provider" | "undelivered_by_provider" | "unclear_answer_of_provider" | "permanent_bounce" | "complaint" | "unsubscribed" | "manual" | "schedule" | "cancellation" | "delivery_rate" | "queue" | "attempt" | "courier" | "provider" | "accepted" | "unreported" | "no_message";
    /** @description What the service does by itself, and when. */
    next: string;
    actions: {
        /** @enum {string} */
        kind: "wait" | "lift_suppression" | "correct_address" | "fix_dns" | "verify_domain" | "raise_limit" | "change_message" | "send_again" | "change_schedule" | "remove_from_list" | "contact_recipient" | "contact_provider" | "contact_operator";
        text: string;
        /** @description The path in this API for the action. For `contact_provider`, the URL of the provider's page for senders, or of its postmaster. Absent: neither exists. */
        href?: string;
    }[];
}
export interface Explanation {
    /** @enum {string} */
    state: "scheduled" | "canceled" | "queued" | "sent" | "delayed" | "delivered" | "bounced" | "suppressed" | "complained" | "unknown";
    /** @description The outcome and its reason, in one sentence. */
    summary: string;
    /** @enum {string} */
    cause: "InvalidRecipient" | "DNSFailure" | "SpamBlock" | "SpamContent" | "ProhibitedAttachment" | "RelayDenied" | "AutoReply" | "TransientFailure" | "Subscribe" | "Unsubscribe" | "ChallengeResponse" | "BadConfiguration" | "BadConnection" | "BadDomain" | "ContentRelated" | "InactiveMailbox" | "InvalidSender" | "MessageExpired" | "NoAnswerFromHost" | "PolicyRelated" | "ProtocolErrors" | "QuotaIssues" | "RelayingIssues" | "RoutingErrors" | "SpamRelated" | "VirusRelated" | "AuthenticationFailed" | "TooManyRecipients" | "Uncategorized" | "no_mail_server" | "null_mx" | "no_dns_answer" | "no_tls" | "sending_domain_gone" | "no_connection" | "no_free_connection" | "connection_lost" | "held_domain" | "held_account" | "suppressed_by_provider" | "recipient_not_allowed_by_provider" | "sender_not_set_up_at_provider" | "content_refused_by_provider" | "refused_by_provider" | "undelivered_by_provider" | "unclear_answer_of_provider" | "permanent_bounce" | "complaint" | "unsubscribed" | "manual" | "schedule" | "cancellation" | "delivery_rate" | "queue" | "attempt" | "courier" | "provider" | "accepted" | "unreported" | "no_message";
    /** @description The evidence for the explanation. Null: no event led to the state. */
    evidence: {
        /** @description The server's reply, with its codes. */
        reply: string | null;
        /** @description The stage of the SMTP session at that reply. */
        stage: string | null;
        mx_host: string | null;
        /** Format: date-time */
        at: string;
        email_id: string;
    } | null;
    /** @description What the service does by itself, and when. */
    next: string;
    actions: {
        /** @enum {string} */
        kind: "wait" | "lift_suppression" | "correct_address" | "fix_dns" | "verify_domain" | "raise_limit" | "change_message" | "send_again" | "change_schedule" | "remove_from_list" | "contact_recipient" | "contact_provider" | "contact_operator";
        text: string;
        /** @description The path in this API for the action. For `contact_provider`, the URL of the provider's page for senders, or of its postmaster. Absent: neither exists. */
        href?: string;
    }[];
}
export interface Identity {
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
}
export interface ImportSuppressionsResponse {
    id: string;
    /** @constant */
    status: "running";
}
export interface LabelUsage {
    used: number;
    limit: number;
}
export interface ListedEmail {
    id: string;
    /** Format: date-time */
    created_at: string;
    /**
     * Format: date-time
     * @description Present only if the message was scheduled.
     */
    scheduled_at?: string;
    /**
     * Format: date-time
     * @description Present only if the message was canceled.
     */
    canceled_at?: string;
    from: string;
    /** @description The display name in the message's From. Null: it has none. */
    from_name: string | null;
    /** @description All recipients, of `to`, `cc` and `bcc`. */
    recipients: string[];
    to?: string[];
    cc?: string[];
    bcc?: string[];
    subject: string;
    message_id?: string;
    template_id: string | null;
    topic: string | null;
    campaign: string | null;
    tags: string[];
    metadata: {
        [key: string]: string;
    } | null;
    /** @description The recipient's status; with several recipients, the status that matters most. Null: too many events had to be read. `status`, `last_event`, `message_id`, `to`, `cc` and `bcc` are present only with `status=all`. */
    status?: ("scheduled" | "canceled" | "queued" | "sent" | "delayed" | "delivered" | "bounced" | "suppressed" | "complained") | null;
    /** @description The newest event; null: the message has no event. */
    last_event?: {
        /** @enum {string} */
        type: "email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked";
        /** Format: date-time */
        occurred_at: string;
        recipient: string;
    } | null;
}
export interface LoggedRequest {
    /** @description The request's id, as in its response's `X-Request-Id`. */
    id: string;
    /** Format: date-time */
    created_at: string;
    method: string;
    /** @description The endpoint, such as `/v1/email/{id}`. Null: no endpoint has the request's path. */
    route: string | null;
    /** @description The id in the path, or the address in it as `j…@example.net`. */
    target: string | null;
    status: number;
    /** @description The type of the error. Null: no error. */
    error_type: string | null;
    /** @description The paths of the members that were refused. */
    fields: string[];
    key_id: string;
    duration_ms: number;
    user_agent: string | null;
    /** @description How many requests had the same method, route, status, error type and fields. */
    count: number;
    /**
     * Format: date-time
     * @description When the first of them came.
     */
    first_at: string;
    /** @description True: the request succeeded. One in a hundred such requests is kept. */
    is_sample: boolean;
}
export interface MoveEmailRequest {
    /**
     * Format: date-time
     * @description When the message goes out: up to 30 days ahead. A time in the past minute counts as now.
     */
    scheduled_at: string;
}
export interface MovedEmail {
    id: string;
    /** Format: date-time */
    scheduled_at: string;
}
export interface PreviewTemplateRequest {
    /**
     * @description The member that holds the content. The kind can't be changed.
     * @default html
     * @enum {string}
     */
    kind?: "html" | "markdown";
    /** @description True: every send with the template is sensitive, whatever the send says. A change takes effect at once, without a publication. */
    sensitive?: boolean;
    /** @description True: replies to every send with the template come to the service, whatever the send says. A change takes effect at once, without a publication. */
    reply_tracking?: boolean;
    /** @description The subject of a send that has none. It may have `{{ }}`. */
    subject?: string | null;
    /** @description The content of the kind `html`. It may have `{{ }}`. */
    html?: string | null;
    /** @description The content of the kind `markdown`. It may have `{{ }}`. */
    markdown?: string | null;
    /** @description The sender of sends that name none. The sender's domain is checked at each send. */
    from?: string | null;
    /** @description The reply addresses of sends that name none. */
    reply_to?: (string | string[]) | null;
    /** @description Values for variables that a send leaves out. They are merged with the send's variables object by object, and have the limits of a send's `variables`. */
    fallbacks?: {
        [key: string]: unknown;
    } | null;
    /** @description Values for `{{ }}`, with the limits of the `variables` of a send. */
    variables?: {
        [key: string]: unknown;
    };
}
export interface ProviderDeliverability {
    /** @description `other` for mail servers that no rule names, null for mail without a provider. */
    provider: ("other" | "google" | "microsoft" | "yahoo" | "apple" | "proofpoint" | "mimecast" | "barracuda" | "cisco" | "trendmicro" | "symantec" | "sophos" | "zoho" | "fastmail" | "proton" | "amazon" | "cloudflare" | "rackspace" | "godaddy" | "ovh" | "ionos" | "gmx" | "telekom" | "orange" | "free" | "laposte" | "sfr" | "libero" | "comcast" | "seznam" | "yandex" | "mailru" | "tencent" | "netease" | "naver") | null;
    /** @description The provider's name for people. */
    title: string;
    current: DeliverabilityFigures;
    previous: DeliverabilityFigures | null;
    /** @description The most frequent refusals in the window, ten at most. */
    refusals: DeliverabilityRefusal[];
}
export interface Recipient {
    address: string;
    /** @description Who runs the mailbox; null: not known. */
    provider: ("other" | "google" | "microsoft" | "yahoo" | "apple" | "proofpoint" | "mimecast" | "barracuda" | "cisco" | "trendmicro" | "symantec" | "sophos" | "zoho" | "fastmail" | "proton" | "amazon" | "cloudflare" | "rackspace" | "godaddy" | "ovh" | "ionos" | "gmx" | "telekom" | "orange" | "free" | "laposte" | "sfr" | "libero" | "comcast" | "seznam" | "yandex" | "mailru" | "tencent" | "netease" | "naver" | "simulator") | null;
    /** @description Explains the suppression for all topics or, if there is none, the newest message. */
    explanation: Explanation;
    suppressions: Suppression[];
    /** @description The last messages, newest first. */
    messages: RecipientMessage[];
    counts: RecipientCounts;
}
export interface RecipientCounts {
    /** Format: date-time */
    since: string;
    /** @description False: the address has more events than were counted. */
    is_complete: boolean;
    /** @description Messages that have any of these events. */
    messages: number;
    sent: number;
    delivered: number;
    delayed: number;
    bounced: number;
    complained: number;
    suppressed: number;
    unsubscribed: number;
    opened: number;
    clicked: number;
}
export interface RecipientList {
    /** @description At most 20 addresses, in alphabetical order. */
    data: {
        address: string;
        is_suppressed: boolean;
    }[];
    has_more: boolean;
}
export interface RecipientMessage {
    email_id: string;
    /** Format: date-time */
    created_at: string;
    from: string;
    subject: string;
    topic: string | null;
    /** @enum {string} */
    status: "scheduled" | "canceled" | "queued" | "sent" | "delayed" | "delivered" | "bounced" | "suppressed" | "complained";
    next_attempt_at: string | null;
    last_event_at: string | null;
    explanation: Explanation;
}
export interface ReplayWebhookRequest {
    /** @description An ISO 8601 date, or date and time. UTC unless it has an offset. */
    start: string;
    /** @description An ISO 8601 date, or date and time. UTC unless it has an offset. */
    end?: string;
    /** @description The event types to send, at least one. */
    event_types?: ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked")[];
    /**
     * @deprecated
     * @description An alias of `event_types`. If both are given, `event_types` counts.
     */
    events?: ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked") | ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked")[];
    /**
     * @deprecated
     * @description An alias of `event_types`. If both are given, `event_types` counts.
     */
    event_type?: ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked") | ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked")[];
}
export interface ReplayWebhookResponse {
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
}
export interface Reply {
    id: string;
    /** @description The message that is answered, as the signed address says. */
    email_id: string;
    /** @description The recipient whose copy is answered. Null: the message is not stored any more, and the signed address was not made for the reply's author. */
    recipient: string | null;
    /** @description The author, as the reply's `From` says. */
    from: string | null;
    /** @description Whether the author's address is the recipient's. `From` can be forged. */
    from_recipient: boolean;
    /** @description The signed address. */
    to: string[];
    cc: string[];
    message_id: string | null;
    subject: string;
    /** @description The beginning of the answer. */
    preview: string;
    /** @description True: a program wrote the reply, such as an out-of-office note. */
    auto: boolean;
    /** @description Null: the sender was not judged. */
    spf: ("pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror") | null;
    /** @description Null: the sender was not judged. */
    dkim: ("pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror") | null;
    /** @description Null: the sender was not judged. */
    dmarc: ("pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror") | null;
    /** @description The addresses that the message's send gave as `reply_to`. They got no mail. */
    reply_to: string[];
    attachments: {
        index: number;
        filename: string;
        content_type: string;
        /** @description The HTML shows the file as `cid:<content_id>`. */
        content_id: string | null;
        is_inline: boolean;
        /** @description In bytes. */
        size: number;
    }[];
    seen: boolean;
    /** Format: date-time */
    received_at: string;
    /** Format: date-time */
    kept_until: string;
}
export type ResendWebhookEvent = {
    /** @enum {string} */
    type: "email.sent" | "email.delivered" | "email.delivery_delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.opened" | "email.clicked";
    /** Format: date-time */
    created_at: string;
    data: {
        /**
         * Format: date-time
         * @description When the message was accepted.
         */
        created_at: string;
        /** Format: uuid */
        email_id: string;
        message_id: string;
        from: string;
        /** @description The recipient of the event. */
        to: string[];
        subject: string;
        /** Format: uuid */
        template_id?: string;
        /** @description The message's `metadata`: names and values that the sender chose. */
        tags?: {
            [key: string]: string;
        };
        /** @description In `email.bounced`. */
        bounce?: {
            message: string;
            /** @enum {string} */
            type: "Permanent" | "Transient";
            /** @enum {string} */
            subType: "General" | "MailboxFull" | "ContentRejected" | "AttachmentRejected";
            /** @description The server's reply. */
            diagnosticCode?: string[];
        };
        /** @description Only in `email.clicked`. The service keeps no IP addresses of readers. */
        click?: {
            link: string;
            /** Format: date-time */
            timestamp: string;
            userAgent: string;
        };
        /** @description In `email.suppressed`. */
        suppressed?: {
            message: string;
            /** @constant */
            type: "OnAccountSuppressionList";
        };
    };
} | {
    /** @constant */
    type: "email.unsubscribed";
    /** Format: date-time */
    created_at: string;
    data: {
        /**
         * Format: date-time
         * @description When the message was accepted.
         */
        created_at: string;
        /** Format: uuid */
        email_id: string;
        message_id: string;
        from: string;
        /** @description The recipient of the event. */
        to: string[];
        subject: string;
        /** Format: uuid */
        template_id?: string;
        /** @description The message's `metadata`: names and values that the sender chose. */
        tags?: {
            [key: string]: string;
        };
        /** @description In `email.bounced`. */
        bounce?: {
            message: string;
            /** @enum {string} */
            type: "Permanent" | "Transient";
            /** @enum {string} */
            subType: "General" | "MailboxFull" | "ContentRejected" | "AttachmentRejected";
            /** @description The server's reply. */
            diagnosticCode?: string[];
        };
        /** @description Only in `email.clicked`. The service keeps no IP addresses of readers. */
        click?: {
            link: string;
            /** Format: date-time */
            timestamp: string;
            userAgent: string;
        };
        /** @description In `email.suppressed`. */
        suppressed?: {
            message: string;
            /** @constant */
            type: "OnAccountSuppressionList";
        };
        recipient: string;
        topic?: string;
        campaign?: string;
        ip_pool?: string;
        /** @description The message's custom `X-` headers, with names in snake case: `x_campaign_id`. */
        headers?: {
            [key: string]: string;
        };
    };
} | {
    /**
     * @description A reply, which Postern calls `email.replied`.
     * @constant
     */
    type: "email.received";
    /** Format: date-time */
    created_at: string;
    data: {
        /**
         * Format: uuid
         * @description The id of the received mail, for `GET /emails/receiving/{id}`.
         */
        email_id: string;
        /** Format: date-time */
        created_at: string;
        from: string;
        to: string[];
        bcc: string[];
        cc: string[];
        message_id: string;
        subject: string;
        attachments: {
            id: string;
            filename: string;
            content_type: string;
            /** @enum {string} */
            content_disposition: "inline" | "attachment";
            content_id: string | null;
        }[];
    };
} | {
    /** @constant */
    type: "webhook.test";
    /** Format: date-time */
    created_at: string;
    data: {
        event_id: string;
        webhook_id: string;
        message: string;
    };
};
export interface SendEmailAgainRequest {
    /** @description One recipient of the message. Required unless the message had only one. */
    to?: string;
}
export interface SendEmailBatchRequest {
    /** @description The messages. Each has `to`, and the members that `defaults` leave out. */
    emails: {
        /** @description Required unless the template has a sender. Replaces the template's sender. `addr@host` or `Display Name <addr@host>`, on a verified domain of the team. The text before the last `<...>` is the display name. */
        from?: string;
        /** @description Recipients that the header `To` names. At most 50 together with `cc` and `bcc`. */
        to: string[];
        /** @description Recipients that the header `Cc` names. */
        cc?: string[];
        /** @description Recipients that no header names. */
        bcc?: string[];
        /** @description Replaces the template's reply addresses. An empty list removes them. */
        reply_to?: string | string[];
        /** @description Required unless the template has a subject. Replaces the template's subject. At most 998 characters, after line breaks and other control characters are removed. */
        subject?: string;
        /** @description The id or alias of a published template of the team. Can't be combined with `text` or `html`. */
        template_id?: string;
        /** @description The body as plain text. Required unless `html` or `template_id` is given. */
        text?: string;
        /** @description The body as HTML. Required unless `text` or `template_id` is given. */
        html?: string;
        /** @description A header is dropped if its name is malformed, longer than 78 characters, or set by the service. At most 25 may remain. A value has at most 8192 characters, after line breaks are removed. */
        headers?: {
            [key: string]: string;
        };
        /** @description Files, each with its `content` or the `path` to fetch it from. */
        attachments?: EmailAttachment[];
        /** @description At most 10 different ones. */
        tags?: string[];
        /** @description Overrides the domain's settings. A member that is left out keeps the domain's setting. */
        tracking?: {
            /** @description Whether opens of the HTML are counted. */
            opens?: boolean;
            /** @description Whether links lead through the service. */
            clicks?: boolean;
        };
        /** @description Values for `{{ }}` in subject, bodies and header values. A variable without a value here gets the template's fallback. At most 64 KB of JSON, 100 keys in each object, 4 levels. */
        variables?: {
            [key: string]: unknown;
        };
        /** @description Your own names and values, such as an order number. Webhooks and look-ups show them; they are never part of the mail. At most 4 KB of JSON. */
        metadata?: {
            [key: string]: string;
        };
        /** @description Gives the send a delivery queue of its own. */
        campaign?: string;
        /** @description One of the team's named pools. Without it, the default pool is used. */
        ip_pool?: string;
        /**
         * @description `high` goes out before the team's other mail. The default is `normal`. While other mail waits, `high` gets at most nine tenths of the delivery rate.
         * @enum {string}
         */
        priority?: "high" | "normal";
        /** @description True for mail with a secret, such as a link that resets a password: its content is never kept, and its links never lead through the service. A template can set it too. */
        sensitive?: boolean;
        /** @description True: replies come to the service, tied to the message and its recipient. Each copy's `Reply-To` is an address of the service; the addresses in `reply_to` are shown with a reply and get no mail. It needs a webhook for `email.replied`, or `reads_replies` of the team, and excludes `sensitive`. A template can set it too. */
        reply_tracking?: boolean;
        /** @description The scope of suppressions. Without a topic, only suppressions of all topics apply. */
        topic?: string;
        /**
         * Format: date-time
         * @description When the message goes out: up to 30 days ahead. A time in the past minute counts as now.
         */
        scheduled_at?: string;
        /** @description `generate` adds a one-click unsubscribe link, unless `headers` has an https link in `List-Unsubscribe`. It requires a `topic`. */
        unsubscribe?: {
            /**
             * @description `none`: the service adds no unsubscribe link.
             * @enum {string}
             */
            mode: "generate" | "none";
            /** @description The sender's name on the page that the link opens. */
            display_name?: string;
        };
    }[];
    /** @description Members for entries that lack them. */
    defaults?: EmailBatchDefaults;
    /**
     * @description `strict`, the default: an invalid entry refuses the whole batch. `permissive`: an invalid entry fails alone, and the other entries are sent.
     * @enum {string}
     */
    validation?: "strict" | "permissive";
}
export interface SendEmailBatchResponse {
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
         * @description When the message goes out. Present only if the message was scheduled.
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
}
export interface Stats {
    /** @enum {string} */
    interval: "hour" | "day";
    /** Format: date-time */
    start: string;
    /** Format: date-time */
    end: string;
    data: {
        /** Format: date-time */
        start: string;
        /** @description Only with `group_by=recipient_domain`. `other`: all domains without an entry of their own. */
        recipient_domain?: string;
        /** @description Only with `group_by=sending_domain`. `other`: all domains without an entry of their own, and mail that was counted before domains were. */
        sending_domain?: string;
        /** @description Only with `group_by=provider`. `other`: a mail server that no rule names. Null: neither a mail server nor the recipient's domain shows the provider. */
        provider?: ("other" | "google" | "microsoft" | "yahoo" | "apple" | "proofpoint" | "mimecast" | "barracuda" | "cisco" | "trendmicro" | "symantec" | "sophos" | "zoho" | "fastmail" | "proton" | "amazon" | "cloudflare" | "rackspace" | "godaddy" | "ovh" | "ionos" | "gmx" | "telekom" | "orange" | "free" | "laposte" | "sfr" | "libero" | "comcast" | "seznam" | "yandex" | "mailru" | "tencent" | "netease" | "naver" | "simulator") | null;
        counts: EventCounts;
        /** @description Bounces by classification. `none` counts those without one. */
        bounced: {
            [key: string]: number;
        };
    }[];
    /** @description Only with `group_by=type`: the counts of the whole window. */
    total?: {
        /** Format: date-time */
        start: string;
        counts: EventCounts;
        /** @description Bounces by classification. `none` counts those without one. */
        bounced: {
            [key: string]: number;
        };
    };
}
export interface Suppression {
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
    explanation: Explanation;
}
export interface SuppressionCount {
    total: number;
    /** @description True: only the newest 200000 suppressions were counted, and there may be more. */
    has_more: boolean;
}
export interface SuppressionImports {
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
}
export interface SuppressionsOfAddress {
    data: Suppression[];
}
export interface TeamSettings {
    id: string;
    name: string;
    /** @description For how many days the content of sent messages is kept. 0: it is not kept. */
    content_days: 0 | 3 | 7 | 30;
    /** @description The most that `content_days` may be: the operator's bound or the event retention, if that is less. */
    most_content_days: 0 | 3 | 7 | 30;
    event_retention_days: number;
    /** @description The rules that a check before a send does not apply (docs/mail-check.md). */
    check_rules_off: ("html-size" | "text-part" | "images" | "links" | "client-support" | "dark-mode" | "variables" | "attachments")[];
    /** @description The mail programs for which HTML and CSS are checked: families such as `gmail`, or single programs such as `outlook.windows`. */
    mail_clients: string[];
    /** @description True: people of the team read replies in the console or by `GET /v1/replies`, so sends may set `reply_tracking` without a webhook for `email.replied`. */
    reads_replies: boolean;
    /** @description The names of topics on the pages that recipients see, by topic. */
    topic_names: {
        [key: string]: string;
    };
}
export interface Template {
    id: string;
    name: string;
    alias: string | null;
    subject: string | null;
    /**
     * @description The member that holds the content. The kind can't be changed.
     * @enum {string}
     */
    kind: "html" | "markdown";
    html: string | null;
    text: string | null;
    markdown: string | null;
    from: string | null;
    reply_to: string[] | null;
    fallbacks: {
        [key: string]: unknown;
    } | null;
    /** @description The variables that the published content uses, dotted and sorted; without `unsubscribe_url` and names that template blocks define. Left out in lists. */
    variables?: string[];
    /** @description True: every send with the template is sensitive, whatever the send says. A change takes effect at once, without a publication. */
    sensitive: boolean;
    /**
     * @description True: replies to every send with the template come to the service, whatever the send says. A change takes effect at once, without a publication. Present only if true.
     * @constant
     */
    reply_tracking?: true;
    has_draft: boolean;
    published_at: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
}
export interface TemplateDraft {
    subject: string | null;
    html: string | null;
    text: string | null;
    markdown: string | null;
    from: string | null;
    reply_to: string[] | null;
    fallbacks: {
        [key: string]: unknown;
    } | null;
    /** @description The variables that the draft uses, dotted and sorted; without `unsubscribe_url` and names that template blocks define. */
    variables: string[];
    /** Format: date-time */
    updated_at: string;
}
export interface TemplatePreview {
    subject: string | null;
    html: string | null;
    text: string | null;
    /** @description The variables that the content uses, as a template shows them. A part that has a problem is left out. */
    variables: string[];
    /** @description A sample value of each variable, of the type that the content needs: an object for `{{company.name}}` and `{{#with company}}`, a list for `{{#each items}}`, true for a variable that is used only in a condition. */
    samples: {
        [key: string]: unknown;
    };
    /** @description The variables that neither `variables` nor `fallbacks` set. They are rendered as nothing. */
    missing: string[];
    /** @description Why the content could not be saved, or why a send of it would be refused. A part with a problem is null in this answer. */
    problems: TemplateProblem[];
}
export interface TemplateProblem {
    /** @enum {string} */
    field: "subject" | "html" | "markdown";
    /** @description The line in the field as it was sent; null: the problem concerns the whole field. */
    line: number | null;
    /** @description The position in the line, in UTF-16 units from 1; null: the problem concerns the whole field. */
    column: number | null;
    /** @description A text that continues the field's name, like the errors of a 422. */
    message: string;
}
export interface TemplateVersion {
    /** @description Counts the template's publications, from 1 on. */
    version: number;
    subject: string | null;
    bytes: number;
    /** @description True: sends use this version now. */
    is_published: boolean;
    /** Format: date-time */
    published_at: string;
}
export interface TemplateVersionWithContent {
    /** @description Counts the template's publications, from 1 on. */
    version: number;
    subject: string | null;
    bytes: number;
    /** @description True: sends use this version now. */
    is_published: boolean;
    /** Format: date-time */
    published_at: string;
    html: string | null;
    text: string | null;
    markdown: string | null;
    from: string | null;
    reply_to: string[] | null;
    fallbacks: {
        [key: string]: unknown;
    } | null;
}
export interface TestWebhookResponse {
    /** @description True only for a 2xx response. */
    delivered: boolean;
    /** @description Null when the request never completed. */
    status_code: number | null;
    latency_ms: number;
    /** @description Set if the request never completed. */
    error: string | null;
    /** @description The first KiB of the response body. */
    response_body_preview: string | null;
}
export interface UpdateDomainRequest {
    /** @description Only the given members change. */
    tracking: {
        /** @description Whether opens are tracked. */
        opens_enabled?: boolean;
        /** @description Whether clicks are tracked. */
        clicks_enabled?: boolean;
        /** @description The label of the host of tracked links, such as `links`. The host needs a DNS record. */
        subdomain?: string | null;
    };
}
export interface UpdateReplyRequest {
    /** @description A reply that was seen is kept for a shorter time. */
    seen: boolean;
}
export interface UpdateTeamSettingsRequest {
    /** @description For how many days the content of sent messages is kept. 0 also deletes the kept content. At most `most_content_days`. */
    content_days?: 0 | 3 | 7 | 30;
    /** @description The rules that a check before a send does not apply (docs/mail-check.md). */
    check_rules_off?: ("html-size" | "text-part" | "images" | "links" | "client-support" | "dark-mode" | "variables" | "attachments")[];
    /** @description Replaces the mail programs. Null: the standard ones. */
    mail_clients?: string[] | null;
    /** @description True: people of the team read replies in the console or by `GET /v1/replies`, so sends may set `reply_tracking` without a webhook for `email.replied`. */
    reads_replies?: boolean;
    /** @description The names of topics on the pages that recipients see, such as `{"newsletter": "Weekly news"}`. Replaces all names. At most 100. */
    topic_names?: {
        [key: string]: string;
    };
}
export interface UpdateTemplateDraftRequest {
    /** @description The subject of a send that has none. It may have `{{ }}`. */
    subject?: string | null;
    /** @description The content of the kind `html`. It may have `{{ }}`. */
    html?: string | null;
    /** @description The content of the kind `markdown`. It may have `{{ }}`. */
    markdown?: string | null;
    /** @description The sender of sends that name none. The sender's domain is checked at each send. */
    from?: string | null;
    /** @description The reply addresses of sends that name none. */
    reply_to?: (string | string[]) | null;
    /** @description Values for variables that a send leaves out. They are merged with the send's variables object by object, and have the limits of a send's `variables`. */
    fallbacks?: {
        [key: string]: unknown;
    } | null;
}
export interface UpdateTemplateRequest {
    /** @description A name that tells people which template this is. */
    name?: string;
    /** @description A second name for the template, unique in the team. It can be used wherever a template's id can. */
    alias?: string | null;
    /** @description True: every send with the template is sensitive, whatever the send says. A change takes effect at once, without a publication. */
    sensitive?: boolean;
    /** @description True: replies to every send with the template come to the service, whatever the send says. A change takes effect at once, without a publication. */
    reply_tracking?: boolean;
    subject?: unknown;
    html?: unknown;
    text?: unknown;
    markdown?: unknown;
    from?: unknown;
    reply_to?: unknown;
    fallbacks?: unknown;
    kind?: unknown;
}
export interface UpdateWebhookRequest {
    /** @description A name that tells people which webhook this is. */
    name: string;
    /** @description An absolute https URL. A URL with non-ASCII characters is stored in its ASCII spelling. */
    url: string;
    /** @description The event types to send, at least one. */
    events: ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked" | "email.replied")[];
    /**
     * @description `batch`: up to 100 events a request. `resend`: one, in the form of Resend's.
     * @enum {string}
     */
    format?: "batch" | "resend";
    /** @description True: `email.replied` also reports automatic replies. */
    auto_replies?: boolean;
    /**
     * @description `disabled`: nothing is sent. `active`: also re-enables a webhook that the service disabled.
     * @enum {string}
     */
    status: "active" | "disabled";
}
export interface Usage {
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
        /** @description The prepaid messages that are left. They may be sent in addition to the limit. */
        overage_credits: number;
    };
    /** @description Distinct labels used in each cap's rolling window. */
    labels: {
        tags_per_hour: LabelUsage;
        topic_per_hour: LabelUsage;
        campaign_per_hour: LabelUsage;
        campaign_per_72_hours: LabelUsage;
    };
    /** @description The limit. `RateLimit-Remaining` shows what is left. */
    requests_per_second: number;
    /** @description Accepted recipients without a final outcome, by the state they are in. */
    delivery: {
        /** @description The maximum number of recipients released in a minute. */
        rate_per_minute: number;
        /** @description Recipients that wait for their release, at this rate. */
        waiting: number;
        /** @description Recipients that were released but not attempted yet. */
        queued: number;
        /** @description Recipients with an attempt under way. */
        attempting: number;
        /** @description Recipients that wait for their next attempt. */
        deferred: number;
        /** @description Recipients of copies that a provider accepted and has reported no outcome of. */
        awaiting: number;
        /** @description When the oldest message of such recipients was accepted. Null without such recipients. */
        oldest_accepted_at: string | null;
    };
}
export interface WaitingCampaigns {
    data: {
        campaign: string;
        /** @description The number of waiting messages that were counted. */
        messages: number;
        /** @description False: the campaign has more waiting messages than `messages`. */
        is_complete: boolean;
        /**
         * Format: date-time
         * @description When the campaign's next message goes out.
         */
        first_at: string;
        /** Format: date-time */
        last_at: string;
    }[];
}
export interface Webhook {
    id: string;
    name: string;
    /** Format: uri */
    url: string;
    events: ("email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked" | "email.replied")[];
    /** @enum {string} */
    status: "active" | "circuit_disabled" | "disabled";
    /** @enum {string} */
    format: "batch" | "resend";
    /**
     * @description True: `email.replied` also reports automatic replies. Present only if true.
     * @constant
     */
    auto_replies?: true;
    signing_secret_prefix: string;
    signing_secret_previous_prefix: string | null;
    signing_secret_grace_expires_at: string | null;
    last_delivery_at: string | null;
    /** Format: date-time */
    created_at: string;
}
export interface WebhookBatches {
    id: string;
    webhook_id: string;
    event_count: number;
    /** @description The request's body. Null after the batch was delivered or dropped. */
    body: string | null;
    /** @description The batch's entries of the delivery log, oldest first. */
    deliveries: {
        id: string;
        batch_id: string;
        /** @description Counted from 1. For a dropped batch: the number of its attempts. */
        attempt: number;
        /** Format: date-time */
        attempted_at: string;
        /** @enum {string} */
        outcome: "delivered" | "failed" | "dropped";
        /** @description Null when the request never completed. */
        status_code: number | null;
        /** @description Null for a dropped batch. */
        latency_ms: number | null;
        /** @description Set if the request never completed, or if the batch was dropped. */
        error: string | null;
        event_count: number;
        /** @description Null if no attempt is planned, because the batch has ended or deliveries are paused. */
        next_attempt_at: string | null;
        /** @description The first KiB of the reply to a failed attempt. */
        response_body_preview: string | null;
    }[];
}
export interface WebhookDeliveries {
    id: string;
    batch_id: string;
    /** @description Counted from 1. For a dropped batch: the number of its attempts. */
    attempt: number;
    /** Format: date-time */
    attempted_at: string;
    /** @enum {string} */
    outcome: "delivered" | "failed" | "dropped";
    /** @description Null when the request never completed. */
    status_code: number | null;
    /** @description Null for a dropped batch. */
    latency_ms: number | null;
    /** @description Set if the request never completed, or if the batch was dropped. */
    error: string | null;
    event_count: number;
    /** @description Null if no attempt is planned, because the batch has ended or deliveries are paused. */
    next_attempt_at: string | null;
}
export type WebhookEvent = EmailSentEvent | EmailDeliveredEvent | EmailDelayedEvent | EmailBouncedEvent | EmailComplainedEvent | EmailSuppressedEvent | EmailUnsubscribedEvent | EmailOpenedEvent | EmailClickedEvent | EmailRepliedEvent;
export interface WebhookReplay {
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
    /** @description Number of events passed to the webhook's deliveries so far. */
    sent: number;
    /**
     * Format: date-time
     * @description The replay's progress: events after this time have been passed to the webhook's deliveries.
     */
    reached_at: string;
    /** Format: date-time */
    created_at: string;
    /** @description When the replay was done or stopped. Null while it is running. */
    completed_at: string | null;
}
export interface WebhookTestEvent {
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
}
export interface WholeReply {
    id: string;
    /** @description The message that is answered, as the signed address says. */
    email_id: string;
    /** @description The recipient whose copy is answered. Null: the message is not stored any more, and the signed address was not made for the reply's author. */
    recipient: string | null;
    /** @description The author, as the reply's `From` says. */
    from: string | null;
    /** @description Whether the author's address is the recipient's. `From` can be forged. */
    from_recipient: boolean;
    /** @description The signed address. */
    to: string[];
    cc: string[];
    message_id: string | null;
    subject: string;
    /** @description The beginning of the answer. */
    preview: string;
    /** @description True: a program wrote the reply, such as an out-of-office note. */
    auto: boolean;
    /** @description Null: the sender was not judged. */
    spf: ("pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror") | null;
    /** @description Null: the sender was not judged. */
    dkim: ("pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror") | null;
    /** @description Null: the sender was not judged. */
    dmarc: ("pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror") | null;
    /** @description The addresses that the message's send gave as `reply_to`. They got no mail. */
    reply_to: string[];
    attachments: {
        index: number;
        filename: string;
        content_type: string;
        /** @description The HTML shows the file as `cid:<content_id>`. */
        content_id: string | null;
        is_inline: boolean;
        /** @description In bytes. */
        size: number;
        /** @description Opens the file without a key, until `download_expires_at`. */
        download_url: string;
    }[];
    seen: boolean;
    /** Format: date-time */
    received_at: string;
    /** Format: date-time */
    kept_until: string;
    /** @description The raw mail. Opens the file without a key, until `download_expires_at`. */
    raw_download_url: string;
    /**
     * Format: date-time
     * @description An hour from now.
     */
    download_expires_at: string;
    /** @description The reply's own text. Do not trust it: anyone can reply. */
    text: string;
    /** @description The quotation and the signature, which were cut off the text. */
    quoted: string;
    /** @description The whole HTML, with the quotation. Null: there is none. */
    html: string | null;
    /** @description The fields of the header, by name in lower case. If a name occurs twice, its first field. */
    headers: {
        [key: string]: string;
    };
}
export interface ValidationError {
    error: {
        /** @constant */
        type: "validation_error";
        message: string;
        /** @description Dotted field path → the problems of this field. */
        errors: {
            [key: string]: string[];
        };
    };
}
export interface AuthenticationError {
    error: {
        /** @constant */
        type: "authentication_error";
        message: string;
    };
}
export interface SubscriptionRequired {
    error: {
        /** @constant */
        type: "subscription_required";
        message: string;
    };
}
export interface PermissionError {
    error: {
        /** @constant */
        type: "permission_error";
        message: string;
    };
}
export interface NotFoundError {
    error: {
        /** @constant */
        type: "not_found";
        message: string;
    };
}
export interface IdempotencyConcurrent {
    error: {
        /** @constant */
        type: "idempotency_concurrent";
        message: string;
    };
}
export interface IdempotencyMismatch {
    error: {
        /** @constant */
        type: "idempotency_mismatch";
        message: string;
    };
}
export interface NotCancelable {
    error: {
        /** @constant */
        type: "not_cancelable";
        message: string;
    };
}
export interface PreconditionFailed {
    error: {
        /** @constant */
        type: "precondition_failed";
        message: string;
    };
}
export interface WebhookRotationInProgress {
    error: {
        /** @constant */
        type: "webhook_rotation_in_progress";
        message: string;
    };
}
export interface InternalError {
    error: {
        /** @constant */
        type: "internal_error";
        message: string;
    };
}
export interface ProvisioningError {
    error: {
        /** @constant */
        type: "provisioning_error";
        message: string;
    };
}
export interface PayloadTooLarge {
    /** @constant */
    error: "payload_too_large";
}
export interface RateLimitExceeded {
    /** @constant */
    error: "rate_limit_exceeded";
    message: string;
}
export interface QuotaExceeded {
    /** @constant */
    error: "quota_exceeded";
    message: string;
    /** @enum {string} */
    scope: "daily" | "monthly" | "tag_cardinality" | "campaign_cardinality" | "topic_cardinality";
    limit: number;
    /** @description The same number as `Retry-After`. */
    retry_after_seconds: number;
}
export interface ListEmailsQuery {
    /**
     * @description `scheduled`, the default: messages that wait for their scheduled time. `all`: also messages that were released or canceled.
     * @enum {string}
     */
    status?: "scheduled" | "all";
    /**
     * @description `soonest`: sorted by scheduled time, the earliest first. Without `order`, the last accepted comes first. Only for scheduled messages.
     * @enum {string}
     */
    order?: "soonest";
    /** @description Only messages of this campaign. Scheduled ones are sorted by scheduled time, the earliest first. */
    campaign?: string;
    /** @description The whole address of a recipient. */
    recipient?: string;
    /** @description The `topic` of the send. */
    topic?: string;
    /** @description The id or alias of a template. */
    template_id?: string;
    /** @description A tag of the send, or several separated by commas. The event must have one of them. */
    tags?: string | string[];
    /**
     * @description How many items a page has at most.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of the previous page. An opaque text: do not parse or build it. */
    after?: string;
}
export interface ListApiKeysQuery {
    /**
     * @description How many items a page has at most.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of the previous page. An opaque text: do not parse or build it. */
    after?: string;
}
export interface ListTemplatesQuery {
    /**
     * @description How many items a page has at most.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of the previous page. An opaque text: do not parse or build it. */
    after?: string;
}
export interface ListTemplateVersionsQuery {
    /**
     * @description How many items a page has at most.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of the previous page. An opaque text: do not parse or build it. */
    after?: string;
}
export interface ListDomainsQuery {
    /**
     * @description How many items a page has at most.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of the previous page. An opaque text: do not parse or build it. */
    after?: string;
}
export interface ListSuppressionsQuery {
    /** @description A part of the address, in any case. */
    email_contains?: string;
    /** @description A topic. `*`: suppressions of all topics. */
    topic?: string;
    /**
     * @description Why the address is suppressed.
     * @enum {string}
     */
    reason?: "permanent_bounce" | "complaint" | "unsubscribed" | "manual";
    /**
     * @description `auto`: the service suppressed it. `manual`: the team did.
     * @enum {string}
     */
    origin?: "auto" | "manual";
    /**
     * @description By default `newest`. `email`: by address, then by topic.
     * @enum {string}
     */
    sort?: "newest" | "oldest" | "email";
    /** @description Skips the addresses that sort before this text. */
    email_from?: string;
    /**
     * @description How many items a page has at most.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of the previous page. An opaque text: do not parse or build it. */
    after?: string;
}
export interface CountSuppressionsQuery {
    /** @description A part of the address, in any case. */
    email_contains?: string;
    /** @description A topic. `*`: suppressions of all topics. */
    topic?: string;
    /**
     * @description Why the address is suppressed.
     * @enum {string}
     */
    reason?: "permanent_bounce" | "complaint" | "unsubscribed" | "manual";
    /**
     * @description `auto`: the service suppressed it. `manual`: the team did.
     * @enum {string}
     */
    origin?: "auto" | "manual";
}
export interface ExportSuppressionsQuery {
    /** @description A part of the address, in any case. */
    email_contains?: string;
    /** @description A topic. `*`: suppressions of all topics. */
    topic?: string;
    /**
     * @description Why the address is suppressed.
     * @enum {string}
     */
    reason?: "permanent_bounce" | "complaint" | "unsubscribed" | "manual";
    /**
     * @description `auto`: the service suppressed it. `manual`: the team did.
     * @enum {string}
     */
    origin?: "auto" | "manual";
    /**
     * @description `plain`: each cell holds exactly the stored text, as programs need it.
     * @enum {string}
     */
    format?: "plain";
}
export interface ListRecipientsQuery {
    /** @description The beginning of the addresses: at least 3 characters. By default, all addresses are listed. */
    prefix?: string;
}
export interface ListEventsQuery {
    /** @description An ISO 8601 date, or date and time. UTC unless it has an offset. */
    start?: string;
    /** @description An ISO 8601 date, or date and time. UTC unless it has an offset. */
    end?: string;
    /**
     * @description One type of event, such as `email.bounced`.
     * @enum {string}
     */
    event_type?: "email.sent" | "email.delivered" | "email.delayed" | "email.bounced" | "email.complained" | "email.suppressed" | "email.unsubscribed" | "email.opened" | "email.clicked";
    /** @description The whole address of a recipient. */
    recipient?: string;
    /** @description The domain of the recipient's address. */
    recipient_domain?: string;
    /**
     * @description The mailbox provider, or the filter in front of the mailbox, whose mail server answered. If no server answered, the provider of the recipient's domain. `other`: a mail server that no rule names. `none`: the provider is unknown.
     * @enum {string}
     */
    provider?: "other" | "google" | "microsoft" | "yahoo" | "apple" | "proofpoint" | "mimecast" | "barracuda" | "cisco" | "trendmicro" | "symantec" | "sophos" | "zoho" | "fastmail" | "proton" | "amazon" | "cloudflare" | "rackspace" | "godaddy" | "ovh" | "ionos" | "gmx" | "telekom" | "orange" | "free" | "laposte" | "sfr" | "libero" | "comcast" | "seznam" | "yandex" | "mailru" | "tencent" | "netease" | "naver" | "simulator" | "none";
    /** @description A server's reply. Finds bounces and delays with the same reply, apart from the parts that differ between messages. `GET /v1/deliverability` lists replies in this form. */
    refusal?: string;
    /** @description The classification of a bounce, or several separated by commas. `none`: no classification. */
    bounce_classification?: string | string[];
    /** @description The id in the answer to the send. */
    email_id?: string;
    /** @description The `Message-ID` of the mail. */
    message_id?: string;
    /** @description The sending domain of the mail. */
    domain?: string;
    /** @description The `topic` of the send. */
    topic?: string;
    /** @description The `campaign` of the send. */
    campaign?: string;
    /** @description The id or alias of a template. */
    template_id?: string;
    /** @description The `ip_pool` of the send. */
    ip_pool?: string;
    /** @description A tag of the send, or several separated by commas. The event must have one of them. */
    tags?: string | string[];
    /** @description A pair of the send's `metadata`, as `name=value`. */
    metadata?: string;
    /** @description Words that the subject must contain, all of them: letters and digits, in any case. */
    subject?: string;
    /**
     * @description How many items a page has at most.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of the previous page. An opaque text: do not parse or build it. */
    after?: string;
}
export interface GetStatsQuery {
    /** @description An ISO 8601 date, or date and time. UTC unless it has an offset. */
    start?: string;
    /** @description An ISO 8601 date, or date and time. UTC unless it has an offset. */
    end?: string;
    /**
     * @description By default `hour`, or `day` for a window of more than 7 days.
     * @enum {string}
     */
    interval?: "hour" | "day";
    /**
     * @description By default `none`. `type` adds `total`; `recipient_domain` and `sending_domain` make an entry for each domain, and `provider` one for each provider.
     * @enum {string}
     */
    group_by?: "none" | "type" | "recipient_domain" | "sending_domain" | "provider";
    /**
     * @description Whether mail to the simulator's addresses counts. By default `include`.
     * @enum {string}
     */
    simulator?: "include" | "exclude";
}
export interface GetDeliverabilityQuery {
    /** @description An ISO 8601 date, or date and time. UTC unless it has an offset. */
    start?: string;
    /** @description An ISO 8601 date, or date and time. UTC unless it has an offset. */
    end?: string;
}
export interface ListRequestsQuery {
    /** @description A status such as `422`, or a class such as `4xx`. */
    status?: string;
    /** @description An endpoint, such as `/v1/email/{id}`. */
    route?: string;
    /** @description The id of an API key. */
    key?: string;
    /** @description An ISO 8601 date, or date and time. UTC unless it has an offset. */
    since?: string;
    /**
     * @description How many items a page has at most.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of the previous page. An opaque text: do not parse or build it. */
    after?: string;
}
export interface ListWebhooksQuery {
    /**
     * @description How many items a page has at most.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of the previous page. An opaque text: do not parse or build it. */
    after?: string;
}
export interface ListWebhookReplaysQuery {
    /**
     * @description How many items a page has at most.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of the previous page. An opaque text: do not parse or build it. */
    after?: string;
}
export interface ListWebhookDeliveriesQuery {
    /**
     * @description How many items a page has at most.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of the previous page. An opaque text: do not parse or build it. */
    after?: string;
}
export interface ListRepliesQuery {
    email_id?: string;
    recipient?: string;
    /** @enum {string} */
    seen?: "true" | "false";
    /**
     * @description How many items a page has at most.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of the previous page. An opaque text: do not parse or build it. */
    after?: string;
}
export type ErrorBody = ValidationError | AuthenticationError | SubscriptionRequired | PermissionError | IdempotencyConcurrent | PayloadTooLarge | IdempotencyMismatch | RateLimitExceeded | QuotaExceeded | InternalError | SendEmailBatchResponse | NotFoundError | NotCancelable | PreconditionFailed | ProvisioningError | WebhookRotationInProgress;
export interface WebhookDelivery {
    /** @description The same text at every attempt. Do not parse it. */
    batch_id: string;
    /** @description When this attempt was signed, in Unix seconds. */
    timestamp: number;
    events: WebhookEvent[];
}
export interface WebhookTestDelivery {
    /** @description The same text at every attempt. Do not parse it. */
    batch_id: string;
    /** @description When this attempt was signed, in Unix seconds. */
    timestamp: number;
    events: WebhookTestEvent[];
}
export type ResendWebhookDelivery = ResendWebhookEvent;
