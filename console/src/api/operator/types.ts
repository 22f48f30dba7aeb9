// Generated from the OpenAPI document by `npm run client`. Do not edit.
import type {
  CreateApiKeyResponse,
  DeliverabilityFinding,
} from "../../../../packages/postern/src/generated/types.ts";

export interface Attention {
    /** Format: date-time */
    checked_at: string;
    /** @description The hold of the whole Cloudflare account. Null: the account may send, or it is not known. */
    account_hold: {
        /** @description Null: the whole account. */
        domain: string | null;
        /** Format: date-time */
        since: string;
        /** @enum {string} */
        code: "not_onboarded" | "sending_disabled" | "not_entitled" | "quota_used_up" | "unknown_words";
        /** @description The reason, the remedy and Cloudflare's words. */
        message: string;
    } | null;
    /** @description How many teams there are, and how many of them need attention. */
    teams: {
        /** @description The number of all teams. Each team's ledger watches its own mail. */
        total: number;
        critical: number;
        warning: number;
        notice: number;
        /** @description Teams whose ledger could not read their mail's counts. */
        unread: number;
    };
    /** @description At most 20, the worst first. */
    worst: TeamAttention[];
}
export interface AuditRecord {
    id: string;
    /** Format: date-time */
    at: string;
    actor: {
        /** @enum {string} */
        kind: "key" | "person" | "operator" | "service";
        id: string | null;
        name: string | null;
    };
    /** @enum {string} */
    via: "api" | "resend" | "mcp" | "console" | "service";
    operation: string;
    target: string | null;
    /** @description Names of members, never their values. */
    changed: string[];
    request_id: string | null;
}
export interface Check {
    /** Format: date-time */
    checked_at: string;
    /** @enum {string} */
    status: "critical" | "warning" | "unknown" | "alert_only" | "ok";
    checks: {
        check: string;
        subject: string | null;
        title: string;
        /** @enum {string} */
        status: "critical" | "warning" | "unknown" | "alert_only" | "ok";
        value: number | null;
        value_text: string;
        limit: number | null;
        limit_text: string;
        /** @enum {string} */
        unit: "count" | "seconds" | "share";
        since: string | null;
        message: string;
        next_step: string | null;
        page: string;
        evidence: string;
    }[];
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
    region?: ("wnam" | "enam" | "sam" | "weur" | "eeur" | "apac" | "oc" | "afr" | "me") | null;
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
    region: ("wnam" | "enam" | "sam" | "weur" | "eeur" | "apac" | "oc" | "afr" | "me") | null;
    first_mail: {
        at: string | null;
        colo: string | null;
        continent: string | null;
        country: string | null;
        region: string | null;
        jurisdiction: "eu" | null;
    } | null;
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
    jurisdiction: "eu" | null;
    object_jurisdiction: string | null;
    teams_elsewhere: number;
    access: {
        issuer: string;
        audience: string;
        console_url: string;
    } | null;
    /** Format: date-time */
    time: string;
}
export interface Gateway {
    gateways: {
        url: string;
        watch: {
            checked_at: string | null;
            findings: {
                check: string;
                /** @enum {string} */
                status: "ok" | "warning" | "failed" | "unknown" | "critical";
                subject: string | null;
                message: string;
                advice: string | null;
                link: string | null;
            }[];
            /** @default [] */
            destinations: {
                name: string;
                pool: string;
                open: number;
                waiting: number;
                refused: number;
                concurrency: number;
                /** @enum {string} */
                why: "answers" | "failures" | "announced" | "most" | "share";
            }[];
        } | null;
    }[];
}
export interface InviteOwner {
    /** Format: email */
    email: string;
    /**
     * @description `owner`; `developer`: all but members and the trail; `viewer`: reads.
     * @default owner
     * @enum {string}
     */
    role?: "owner" | "developer" | "viewer";
}
export interface NewInvitation {
    /** @enum {string} */
    role: "owner" | "developer" | "viewer";
    may_lift_suppressions: boolean;
    may_read_content: boolean;
    id: string;
    email: string;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    expires_at: string;
    /**
     * Format: uri
     * @description Works once, for the invited address. Only in this response.
     */
    url: string;
    /** @description True: the service took a mail with the link. */
    mailed: boolean;
}
export interface Shard {
    shards: {
        shard: number;
        teams: number;
        size: number | null;
        takes_new_teams: boolean;
    }[];
    /** @description The databases of what teams manage. A team stays on its core shard. */
    core_shards: {
        core_shard: number;
        teams: number | null;
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
    region: ("wnam" | "enam" | "sam" | "weur" | "eeur" | "apac" | "oc" | "afr" | "me") | null;
    first_mail: {
        at: string | null;
        colo: string | null;
        continent: string | null;
        country: string | null;
        region: string | null;
        jurisdiction: "eu" | null;
    } | null;
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
    /** @description The current findings of the team's report. Null: the report could not be read. */
    findings: DeliverabilityFinding[] | null;
    /** @description The recipients without a final outcome, by the states of `GET /v1/usage`. Null without such recipients. */
    held: {
        /** @description Recipients that wait for their release at the team's delivery rate. */
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
    /** @description The sending domains whose mail Cloudflare's Email Service does not take now, or the account. */
    sending_holds: {
        /** @description Null: the whole account. */
        domain: string | null;
        /** Format: date-time */
        since: string;
        /** @enum {string} */
        code: "not_onboarded" | "sending_disabled" | "not_entitled" | "quota_used_up" | "unknown_words";
        /** @description The reason, the remedy and Cloudflare's words. */
        message: string;
    }[];
    /** @description True: the team's ledger is full and refuses its sends. */
    is_full: boolean;
    /**
     * Format: date-time
     * @description When the team's ledger last reported.
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
    region?: ("wnam" | "enam" | "sam" | "weur" | "eeur" | "apac" | "oc" | "afr" | "me") | null;
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
    /** @description An ISO 8601 date, or date and time. UTC unless it has an offset. */
    start?: string;
    /** @description An ISO 8601 date, or date and time. UTC unless it has an offset. */
    end?: string;
}
export interface ListTeamsQuery {
    /** @description A part of the team's name or of one of its domains, in any case, or the team's whole id. */
    q?: string;
    /**
     * @description How many items a page has at most.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of the previous page. An opaque text: do not parse or build it. */
    after?: string;
}
export interface ListDeadLettersQuery {
    /**
     * @description Only dead letters of this queue.
     * @enum {string}
     */
    queue?: "postern-deliver" | "postern-dns-cleanup" | "postern-webhook";
    /**
     * @description How many items a page has at most.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of the previous page. An opaque text: do not parse or build it. */
    after?: string;
}
export interface GetAttentionQuery {
    /** @description How many of the listed teams to skip, beginning with the worst. */
    skip?: string;
}
export interface ListOperatorAuditQuery {
    /** @description Only entries of this operation, such as `template.publish`. */
    operation?: string;
    /**
     * @description Only entries of this kind of actor.
     * @enum {string}
     */
    actor_kind?: "key" | "person" | "operator" | "service";
    /** @description Only entries of this key or person. */
    actor_id?: string;
    /** @description Only entries about this id or suppressed address. */
    target?: string;
    /**
     * @description How many items a page has at most.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of the previous page. An opaque text: do not parse or build it. */
    after?: string;
}
