// Generated from the OpenAPI document by `npm run client`. Do not edit.
export interface Attention {
    /** Format: date-time */
    checked_at: string;
    /** @description How many teams there are, and how many of them need attention. */
    teams: {
        /** @description All teams, each of which is watched by its own ledger. */
        total: number;
        critical: number;
        warning: number;
        notice: number;
        /** @description Teams whose ledger could not read their mail. */
        unread: number;
    };
    /** @description At most 20, the worst first. */
    worst: TeamAttention[];
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
export interface CreateConsoleLinkRequest {
    team_id: string;
}
export interface CreateConsoleLinkResponse {
    /** Format: uri */
    url: string;
    /** Format: date-time */
    expires_at: string;
}
export interface CreateTeamRequest {
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
}
export interface CreateTeamResponse {
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
    api_key: CreateApiKeyResponse;
}
export interface DeadLetter {
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
}
export interface Deliverability {
    /** Format: date-time */
    start: string;
    /** Format: date-time */
    end: string;
    /** @description The window before; null beyond the team's retention. */
    previous: {
        /** Format: date-time */
        start: string;
        /** Format: date-time */
        end: string;
    } | null;
    /** @description The version of the rules that name providers, and the oldest one by which an hour of the window was counted. */
    rules: {
        version: number;
        oldest: number | null;
    };
    /** @description Those with the most mail first. */
    providers: ProviderDeliverability[];
    /** @description The most severe ones first. */
    findings: DeliverabilityFinding[];
}
export interface DeliverabilityFigures {
    sent: number;
    delivered: number;
    /** @description Attempts that the provider put off. */
    deferred: number;
    bounced: number;
    /** @description Bounces by classification. `none` counts those without one. */
    bounces: {
        [key: string]: number;
    };
    complaints: number;
    /** @description From a message's start to a server's acceptance, rounded up to 1, 2, 5, 10 or 30 seconds, 1, 5 or 15 minutes, 1, 4, 12 or 72 hours. Null without deliveries. */
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
    /** @description One sentence for people. */
    summary: string;
    evidence: {
        /** @description The most frequent refusal's text. */
        reply: string | null;
        /** @description Recipients or attempts that the finding is about. */
        count: number;
        /** @description All of them in the same time. */
        of: number;
        rate: number;
        /** @description The rate from which this is a finding. */
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
    /** @description The reply, with `…` for what differs from message to message. At most 200 bytes. */
    text: string;
    count: number;
    /** Format: date-time */
    first_at: string;
}
export interface Deployment {
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
}
export interface LabelUsage {
    used: number;
    limit: number;
}
export interface ProviderDeliverability {
    /** @description `other` for mail servers that no rule names, null for mail without a provider. */
    provider: ("other" | "google" | "microsoft" | "yahoo" | "apple" | "proofpoint" | "mimecast" | "barracuda" | "cisco" | "trendmicro" | "symantec" | "sophos" | "zoho" | "fastmail" | "proton" | "amazon" | "cloudflare" | "rackspace" | "godaddy" | "ovh" | "ionos" | "gmx" | "telekom" | "orange" | "free" | "laposte" | "sfr" | "libero" | "comcast" | "seznam" | "yandex" | "mailru" | "tencent" | "netease" | "naver") | null;
    /** @description The provider's name in sentences. */
    title: string;
    current: DeliverabilityFigures;
    previous: DeliverabilityFigures | null;
    /** @description The most frequent ones of the window, ten at most. */
    refusals: DeliverabilityRefusal[];
}
export interface Shard {
    shards: {
        shard: number;
        teams: number;
        size: number | null;
        takes_new_teams: boolean;
    }[];
}
export interface Team {
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
}
export interface TeamAttention {
    team: {
        id: string;
        name: string;
    };
    /** @enum {string} */
    severity: "critical" | "warning" | "notice";
    /** @description What the team's report finds now. Null: the report could not be read. */
    findings: DeliverabilityFinding[] | null;
    /** @description The recipients without a final outcome, in the states of the team's usage. Null: none. */
    held: {
        /** @description Recipients that wait for their release, at the team's rate. */
        waiting: number;
        queued: number;
        attempting: number;
        deferred: number;
        awaiting: number;
        /** @description Recipients released 15 minutes ago or more whose first attempt has no outcome. */
        stuck: number;
        /** Format: date-time */
        oldest_accepted_at: string;
    } | null;
    /** @description True: the team's ledger is full, and refuses its sends. */
    is_full: boolean;
    /**
     * Format: date-time
     * @description When the team's ledger reported last.
     */
    reported_at: string;
}
export interface UpdateTeamRequest {
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
        /** @description Prepaid messages beyond the limit that are left. */
        overage_credits: number;
    };
    /** @description Distinct labels that were used in each cap's rolling window. */
    labels: {
        tags_per_hour: LabelUsage;
        topic_per_hour: LabelUsage;
        campaign_per_hour: LabelUsage;
        campaign_per_72_hours: LabelUsage;
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
}
export interface WidenTeamRequest {
    shards?: number[];
    dry_run?: boolean;
}
export interface WidenTeamResponse {
    shards: {
        /** Format: date */
        from: string;
        shards: number[];
    }[];
}
export interface GetTeamDeliverabilityQuery {
    /** @description An ISO 8601 date, or date and time, in UTC unless it says otherwise. */
    start?: string;
    /** @description An ISO 8601 date, or date and time, in UTC unless it says otherwise. */
    end?: string;
}
export interface ListTeamsQuery {
    /**
     * @description The most items that a page has.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of the page before. An opaque text: do not parse or build it. */
    after?: string;
}
export interface ListDeadLettersQuery {
    /**
     * @description Only dead letters of this queue.
     * @enum {string}
     */
    queue?: "postern-deliver" | "postern-dns-cleanup" | "postern-webhook";
    /**
     * @description The most items that a page has.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of the page before. An opaque text: do not parse or build it. */
    after?: string;
}
export interface GetAttentionQuery {
    /** @description How many of the worst teams to leave out, to read on after them. */
    skip?: string;
}
