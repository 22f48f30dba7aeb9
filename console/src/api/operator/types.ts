// Generated from the OpenAPI document by `npm run client`. Do not edit.
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
