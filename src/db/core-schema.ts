// The tables of what a team manages, in the D1 database `DB`. Times are Unix milliseconds and lists
// are JSON text. Secrets are stored as SHA-256, or encrypted under KEY_ENCRYPTION_KEY.
// docs/storage.md says where everything else is stored.
import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { HIGHEST_TEAM_NUMBER } from "../limits.ts";
import { COURIERS } from "../settings.ts";
import type { ShardSpan } from "../rpc/shard-types.ts";

export const teams = sqliteTable(
  "teams",
  {
    /**
     * The database never gives a number to a second team, even after the first team was deleted,
     * because chunks and tokens identify a team by its number only.
     */
    number: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    name: text().notNull(),
    /** Oldest first (db/shards.ts). */
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
    ipPools: text("ip_pools", { mode: "json" }).$type<string[]>().notNull(),
    /** The courier of the team's mail. Null: the deployment's courier (`OUTBOUND`). */
    courier: text({ enum: COURIERS }),
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
     * Random label of this domain's CNAME targets below the service's domain. If the customer
     * leaves a CNAME behind, another team cannot use that CNAME.
     */
    targetLabel: text("target_label").notNull(),
    /** The DNS provider's ids of the published records, needed to delete them. */
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

export const dkimKeys = sqliteTable(
  "dkim_keys",
  {
    id: integer().primaryKey(),
    domainId: text("domain_id").notNull(),
    selector: text().notNull(),
    /**
     * True for the selector that signs. The domain's other selector is published too, so that a
     * rotation need not wait for DNS.
     */
    active: integer({ mode: "boolean" }).notNull(),
    /** Base64 of the SubjectPublicKeyInfo: the `p=` tag of the published record. */
    publicKey: text("public_key").notNull(),
    /** AES-GCM ciphertext of the PKCS#8 key: base64 of the nonce and the ciphertext. */
    privateKeyEncrypted: text("private_key_encrypted").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("dkim_keys_selector").on(table.domainId, table.selector)],
);

export const templates = sqliteTable(
  "templates",
  {
    id: text().primaryKey(),
    teamId: text("team_id").notNull(),
    name: text().notNull(),
    alias: text(),
    kind: text({ enum: ["html", "markdown"] }).notNull(),
    subject: text(),
    html: text(),
    text: text(),
    markdown: text(),
    from: text("sender"),
    replyTo: text("reply_to", { mode: "json" }).$type<readonly string[]>(),
    fallbacks: text({ mode: "json" }).$type<Readonly<Record<string, unknown>>>(),
    publishedAt: integer("published_at"),
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
  subject: text(),
  html: text(),
  text: text(),
  markdown: text(),
  from: text("sender"),
  replyTo: text("reply_to", { mode: "json" }).$type<readonly string[]>(),
  fallbacks: text({ mode: "json" }).$type<Readonly<Record<string, unknown>>>(),
  updatedAt: integer("updated_at").notNull(),
});

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
     * The id is derived from the queue and the job, so that a job that fails again keeps its row.
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
