// The tables of the core databases, such as teams, domains and templates (decision 0032). Times are
// Unix milliseconds, and lists are JSON text. Secrets are stored as SHA-256, or encrypted with
// KEY_ENCRYPTION_KEY. docs/storage.md names the stores of all other data. One subject: the tables
// of one database.
import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { Actor, AuditDoor } from "../audit.ts";
import type { ContentDays } from "../content-days.ts";
import { HIGHEST_TEAM_NUMBER } from "../limits.ts";
import { type FirstMail, REGIONS, UNNOTED_FIRST_MAIL } from "../regions.ts";
import type { LintRule } from "../lint/mail-problem.ts";
import { ROLES } from "../member-rights.ts";
import { COURIERS } from "../settings.ts";
import type { ShardSpan } from "../rpc/shard-types.ts";

/**
 * The state of a domain's onboarding to Cloudflare's Email Service. `code` is Cloudflare's error
 * code, and `at` is the time of the last change.
 */
export interface Onboarding {
  readonly status: "waiting" | "done" | "refused";
  readonly code: string | null;
  readonly message: string;
  readonly at: number;
}

export const teams = sqliteTable(
  "teams",
  {
    /**
     * The database never reuses the number of a deleted team, because chunks and tokens identify a
     * team only by this number.
     */
    number: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    name: text().notNull(),
    /** The spans of the team's shards, oldest first (db/shards.ts). */
    shards: text({ mode: "json" }).$type<ShardSpan[]>().notNull(),
    subscription: text({ enum: ["active", "inactive"] }).notNull(),
    dailyLimit: integer("daily_limit").notNull(),
    monthlyLimit: integer("monthly_limit").notNull(),
    deliveryRatePerMinute: integer("delivery_rate_per_minute").notNull(),
    requestsPerSecond: integer("requests_per_second").notNull(),
    tagsPerHour: integer("tags_per_hour").notNull(),
    topicPerHour: integer("topic_per_hour").notNull(),
    campaignPerHour: integer("campaign_per_hour").notNull(),
    campaignPer72Hours: integer("campaign_per_72_hours").notNull(),
    eventRetentionDays: integer("event_retention_days").notNull(),
    /**
     * The number of days for which the team keeps content (content-days.ts). Null: the deployment's
     * setting applies.
     */
    contentDays: integer("content_days").$type<ContentDays>(),
    /** True: the team reads replies through the API (contract.md §Replies). */
    readsReplies: integer("reads_replies", { mode: "boolean" }).notNull().default(false),
    /** The topics' names that recipients see, by topic. Null: the team has set no names. */
    topicNames: text("topic_names", { mode: "json" }).$type<Readonly<Record<string, string>>>(),
    ipPools: text("ip_pools", { mode: "json" }).$type<string[]>().notNull(),
    /** The courier of the team's mail. Null: the deployment's courier (`OUTBOUND`). */
    courier: text({ enum: COURIERS }),
    /** The ledger's region, if the operator chose it. Null: it is near the team's first sender. */
    region: text({ enum: REGIONS }),
    /**
     * Null: the team never had mail, and no code may call its ledger. The default is for teams that
     * an earlier version created, because they may have had mail.
     */
    firstMail: text("first_mail", { mode: "json" }).$type<FirstMail>().default(UNNOTED_FIRST_MAIL),
    /** The overage credits with which the ledger begins. It then counts them alone. */
    startingCredits: integer("starting_credits").notNull().default(0),
    /** The rules of the mail check that the team switched off. Null: all rules are on. */
    checkRulesOff: text("check_rules_off", { mode: "json" }).$type<LintRule[]>(),
    /** The mail programs for which the team's mail is checked. Null: the default mail programs. */
    mailClients: text("mail_clients", { mode: "json" }).$type<string[]>(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("teams_id").on(table.id),
    index("teams_created").on(table.createdAt, table.id),
    check("teams_number", sql.raw(`number <= ${HIGHEST_TEAM_NUMBER}`)),
  ],
);

/** Deleted teams, until their suppressions are deleted too. */
export const deletedTeams = sqliteTable("deleted_teams", {
  id: text().primaryKey(),
  /** The shard that holds the suppressions. */
  shard: integer().notNull(),
  deletedAt: integer("deleted_at").notNull(),
});

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text().primaryKey(),
    teamId: text("team_id").notNull(),
    name: text().notNull(),
    keyPrefix: text("key_prefix").notNull(),
    secretHash: text("secret_hash").notNull(),
    permissions: text({ enum: ["full", "send_only"] }).notNull(),
    allowedDomains: text("allowed_domains", { mode: "json" }).$type<string[]>(),
    allowedIps: text("allowed_ips", { mode: "json" }).$type<string[]>(),
    lastUsedAt: integer("last_used_at"),
    createdAt: integer("created_at").notNull(),
    /** The person who made the key. Null: the operator or a program with another key made it. */
    createdBy: text("created_by"),
  },
  (table) => [
    uniqueIndex("api_keys_secret_hash").on(table.secretHash),
    index("api_keys_team").on(table.teamId, table.createdAt, table.id),
  ],
);

export const domains = sqliteTable(
  "domains",
  {
    id: text().primaryKey(),
    teamId: text("team_id").notNull(),
    name: text().notNull(),
    status: text({ enum: ["pending", "verified"] }).notNull(),
    /**
     * The random label in this domain's CNAME targets. Another team that adds the domain later gets
     * another label. So CNAME records that the customer did not remove are of no use to that team.
     */
    targetLabel: text("target_label").notNull(),
    /** The DNS provider's ids of the published records, by which the service deletes them. */
    publishedRecordIds: text("published_record_ids", { mode: "json" }).$type<string[]>().notNull(),
    failureCode: text("failure_code"),
    failureMessage: text("failure_message"),
    opensEnabled: integer("opens_enabled", { mode: "boolean" }).notNull().default(false),
    clicksEnabled: integer("clicks_enabled", { mode: "boolean" }).notNull().default(false),
    trackingSubdomain: text("tracking_subdomain"),
    /** `<trackingSubdomain>.<name>` while opens or clicks are tracked; unique within the team. */
    trackingHost: text("tracking_host"),
    trackingStatus: text("tracking_status", {
      enum: ["disabled", "pending", "verified"],
    }).notNull(),
    trackingFailureCode: text("tracking_failure_code"),
    trackingFailureMessage: text("tracking_failure_message"),
    trackingVerifiedAt: integer("tracking_verified_at"),
    createdAt: integer("created_at").notNull(),
    verifiedAt: integer("verified_at"),
    /** Null: the service never asked Cloudflare to onboard the domain. */
    onboarding: text({ mode: "json" }).$type<Onboarding>(),
  },
  (table) => [
    uniqueIndex("domains_team_name").on(table.teamId, table.name),
    uniqueIndex("domains_team_tracking_host").on(table.teamId, table.trackingHost),
    uniqueIndex("domains_target_label").on(table.targetLabel),
    index("domains_team").on(table.teamId, table.createdAt, table.id),
    index("domains_name").on(table.name),
    index("domains_tracking_host").on(table.trackingHost),
  ],
);

/**
 * The hosts of tracked links, each with its domain (docs/tracking.md §Hosts). Empty while the
 * setting TRACKING_HOSTS is `direct`.
 */
export const trackingHosts = sqliteTable(
  "tracking_hosts",
  {
    host: text().primaryKey(),
    domainId: text("domain_id").notNull(),
    /** Cloudflare's id of the custom hostname. Null: the service does not know the id. */
    hostnameId: text("hostname_id"),
    /** True: the service made the custom hostname, or has started to make it. */
    isOurs: integer("is_ours", { mode: "boolean" }).notNull(),
    /** Why the last check failed. Null: the last check passed, or the host was never checked. */
    problem: text(),
    /** When a check's request last came through the host to the service. Null: never. */
    servedAt: integer("served_at"),
    checkedAt: integer("checked_at").notNull(),
  },
  (table) => [
    index("tracking_hosts_domain").on(table.domainId),
    index("tracking_hosts_checked").on(table.checkedAt),
  ],
);

/**
 * Names that the service itself onboarded to Cloudflare's Email Service. The service writes a row
 * before it calls Cloudflare. It deletes the row after the name's last domain is deleted and the
 * onboarding is removed.
 */
export const onboardedNames = sqliteTable("onboarded_names", {
  name: text().primaryKey(),
  zoneId: text("zone_id").notNull(),
  accountId: text("account_id").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const dkimKeys = sqliteTable(
  "dkim_keys",
  {
    id: integer().primaryKey(),
    domainId: text("domain_id").notNull(),
    selector: text().notNull(),
    /**
     * True for the selector that signs. The domain's inactive selector is also published, so that a
     * rotation does not wait for DNS.
     */
    active: integer({ mode: "boolean" }).notNull(),
    /** Base64 of the SubjectPublicKeyInfo: the `p=` tag of the published record. */
    publicKey: text("public_key").notNull(),
    /** The PKCS#8 key, encrypted by AES-GCM: base64 of the nonce and the ciphertext. */
    privateKeyEncrypted: text("private_key_encrypted").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("dkim_keys_selector").on(table.domainId, table.selector)],
);

const contentColumns = () => ({
  subject: text(),
  html: text(),
  text: text(),
  markdown: text(),
  from: text("sender"),
  replyTo: text("reply_to", { mode: "json" }).$type<readonly string[]>(),
  fallbacks: text({ mode: "json" }).$type<Readonly<Record<string, unknown>>>(),
});

export const templates = sqliteTable(
  "templates",
  {
    id: text().primaryKey(),
    teamId: text("team_id").notNull(),
    name: text().notNull(),
    alias: text(),
    kind: text({ enum: ["html", "markdown"] }).notNull(),
    ...contentColumns(),
    /** True: every send with the template is sensitive (contract.md §Kept content). */
    sensitive: integer({ mode: "boolean" }).notNull().default(false),
    /** True: every send with the template tracks replies (contract.md §Replies). */
    replyTracking: integer("reply_tracking", { mode: "boolean" }).notNull().default(false),
    publishedAt: integer("published_at"),
    /**
     * The number of the published version. Null: an earlier release of the service published the
     * template, without a version.
     */
    version: integer(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("templates_team_name").on(table.teamId, table.name),
    uniqueIndex("templates_team_alias").on(table.teamId, table.alias),
    index("templates_team").on(table.teamId, table.createdAt, table.id),
  ],
);

export const templateDrafts = sqliteTable("template_drafts", {
  templateId: text("template_id").primaryKey(),
  ...contentColumns(),
  updatedAt: integer("updated_at").notNull(),
});

/** The published versions of templates. `body` is the R2 key of the content (docs/storage.md). */
export const templateVersions = sqliteTable(
  "template_versions",
  {
    templateId: text("template_id").notNull(),
    number: integer().notNull(),
    body: text().notNull(),
    bytes: integer().notNull(),
    subject: text(),
    publishedAt: integer("published_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.templateId, table.number] }),
    uniqueIndex("template_versions_body").on(table.body),
  ],
);

export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text().primaryKey(),
    teamId: text("team_id").notNull(),
    name: text().notNull(),
    url: text().notNull(),
    events: text({ mode: "json" }).$type<string[]>().notNull(),
    status: text({ enum: ["active", "circuit_disabled", "disabled"] }).notNull(),
    format: text({ enum: ["batch", "resend"] })
      .notNull()
      .default("batch"),
    /** True: if the webhook gets replies, it also gets automatic ones, such as vacation notes. */
    autoReplies: integer("auto_replies", { mode: "boolean" }).notNull().default(false),
    secretPrefix: text("secret_prefix").notNull(),
    secretEncrypted: text("secret_encrypted").notNull(),
    previousSecretPrefix: text("previous_secret_prefix"),
    previousSecretEncrypted: text("previous_secret_encrypted"),
    graceExpiresAt: integer("grace_expires_at"),
    lastDeliveryAt: integer("last_delivery_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("webhooks_team").on(table.teamId, table.createdAt, table.id)],
);

/** Jobs that failed their last attempt in a queue. They belong to the operator, not to a team. */
export const deadLetters = sqliteTable(
  "dead_letters",
  {
    /**
     * The id is derived from the queue and the job, so that a job that fails a second time has the
     * same row.
     */
    id: text().primaryKey(),
    queue: text().notNull(),
    /** The job's ids as JSON. Null: the queue message was not a valid job. */
    body: text(),
    error: text(),
    attempts: integer().notNull(),
    firstAt: integer("first_at").notNull(),
    lastAt: integer("last_at").notNull(),
  },
  (table) => [
    index("dead_letters_first").on(table.firstAt, table.id),
    index("dead_letters_queue").on(table.queue, table.firstAt, table.id),
  ],
);

/** The rights of a member of a team (docs/people.md). */
const rights = {
  role: text({ enum: ROLES }).notNull(),
  mayLift: integer("may_lift", { mode: "boolean" }).notNull(),
  mayReadContent: integer("may_read_content", { mode: "boolean" }).notNull(),
};

/**
 * The people of a team. `issuer` and `subject` identify a person (OpenID Connect Core §5.7). The
 * console only shows `email`.
 */
export const members = sqliteTable(
  "members",
  {
    id: text().primaryKey(),
    teamId: text("team_id").notNull(),
    issuer: text().notNull(),
    subject: text().notNull(),
    email: text().notNull(),
    ...rights,
    createdAt: integer("created_at").notNull(),
    /** Null: the person is a member. */
    removedAt: integer("removed_at"),
  },
  (table) => [
    uniqueIndex("members_person").on(table.issuer, table.subject, table.teamId),
    index("members_team").on(table.teamId, table.createdAt, table.id),
  ],
);

/** Open invitations. An acceptance by the person, or a withdrawal by a member, deletes the row. */
export const invitations = sqliteTable(
  "invitations",
  {
    id: text().primaryKey(),
    teamId: text("team_id").notNull(),
    email: text().notNull(),
    ...rights,
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [uniqueIndex("invitations_team_email").on(table.teamId, table.email)],
);

/** SHA-256 of the assertions that opened a console session. Each opens only one session. */
export const usedAssertions = sqliteTable("used_assertions", {
  hash: text().primaryKey(),
  expiresAt: integer("expires_at").notNull(),
});

/**
 * The audit trail (docs/audit.md). Each shard has the same table for changes of suppressions.
 * `teamId` is empty for a change that belongs to no team.
 */
export const auditEntries = sqliteTable(
  "audit_entries",
  {
    id: text().primaryKey(),
    teamId: text("team_id").notNull(),
    at: integer().notNull(),
    actorKind: text("actor_kind").$type<Actor["kind"]>().notNull(),
    actorId: text("actor_id"),
    actorName: text("actor_name"),
    via: text().$type<AuditDoor>().notNull(),
    operation: text().notNull(),
    target: text(),
    changed: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    requestId: text("request_id"),
  },
  (table) => [
    index("audit_entries_team").on(table.teamId, table.at, table.id),
    index("audit_entries_at").on(table.at),
  ],
);
