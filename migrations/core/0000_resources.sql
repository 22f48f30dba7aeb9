CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`name` text NOT NULL,
	`key_prefix` text NOT NULL,
	`secret_hash` text NOT NULL,
	`permissions` text NOT NULL,
	`allowed_domains` text,
	`allowed_ips` text,
	`last_used_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_secret_hash` ON `api_keys` (`secret_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_team` ON `api_keys` (`team_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`queue` text NOT NULL,
	`body` text,
	`error` text,
	`attempts` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `dead_letters_first` ON `dead_letters` (`first_at`,`id`);--> statement-breakpoint
CREATE INDEX `dead_letters_queue` ON `dead_letters` (`queue`,`first_at`,`id`);--> statement-breakpoint
CREATE TABLE `deleted_teams` (
	`id` text PRIMARY KEY NOT NULL,
	`shard` integer NOT NULL,
	`deleted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `dkim_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`domain_id` text NOT NULL,
	`selector` text NOT NULL,
	`active` integer NOT NULL,
	`public_key` text NOT NULL,
	`private_key_encrypted` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dkim_keys_selector` ON `dkim_keys` (`domain_id`,`selector`);--> statement-breakpoint
CREATE TABLE `domains` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`target_label` text NOT NULL,
	`published_record_ids` text NOT NULL,
	`failure_code` text,
	`failure_message` text,
	`opens_enabled` integer DEFAULT false NOT NULL,
	`clicks_enabled` integer DEFAULT false NOT NULL,
	`tracking_subdomain` text,
	`tracking_host` text,
	`tracking_status` text NOT NULL,
	`tracking_failure_code` text,
	`tracking_failure_message` text,
	`tracking_verified_at` integer,
	`created_at` integer NOT NULL,
	`verified_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `domains_team_name` ON `domains` (`team_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `domains_team_tracking_host` ON `domains` (`team_id`,`tracking_host`);--> statement-breakpoint
CREATE UNIQUE INDEX `domains_target_label` ON `domains` (`target_label`);--> statement-breakpoint
CREATE INDEX `domains_team` ON `domains` (`team_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `domains_name` ON `domains` (`name`);--> statement-breakpoint
CREATE INDEX `domains_tracking_host` ON `domains` (`tracking_host`);--> statement-breakpoint
CREATE TABLE `teams` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`shards` text NOT NULL,
	`subscription` text NOT NULL,
	`daily_limit` integer NOT NULL,
	`monthly_limit` integer NOT NULL,
	`delivery_rate_per_minute` integer NOT NULL,
	`requests_per_second` integer NOT NULL,
	`tags_per_hour` integer NOT NULL,
	`topic_per_hour` integer NOT NULL,
	`campaign_per_hour` integer NOT NULL,
	`campaign_per_72_hours` integer NOT NULL,
	`event_retention_days` integer NOT NULL,
	`ip_pools` text NOT NULL,
	`courier` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "teams_number" CHECK(number <= 2097151)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `teams_id` ON `teams` (`id`);--> statement-breakpoint
CREATE INDEX `teams_created` ON `teams` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `template_drafts` (
	`template_id` text PRIMARY KEY NOT NULL,
	`subject` text,
	`html` text,
	`text` text,
	`markdown` text,
	`sender` text,
	`reply_to` text,
	`fallbacks` text,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `templates` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`name` text NOT NULL,
	`alias` text,
	`kind` text NOT NULL,
	`subject` text,
	`html` text,
	`text` text,
	`markdown` text,
	`sender` text,
	`reply_to` text,
	`fallbacks` text,
	`published_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `templates_team_name` ON `templates` (`team_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `templates_team_alias` ON `templates` (`team_id`,`alias`);--> statement-breakpoint
CREATE INDEX `templates_team` ON `templates` (`team_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`status` text NOT NULL,
	`format` text DEFAULT 'batch' NOT NULL,
	`secret_prefix` text NOT NULL,
	`secret_encrypted` text NOT NULL,
	`previous_secret_prefix` text,
	`previous_secret_encrypted` text,
	`grace_expires_at` integer,
	`last_delivery_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhooks_team` ON `webhooks` (`team_id`,`created_at`,`id`);