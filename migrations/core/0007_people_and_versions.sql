CREATE TABLE `audit_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text,
	`actor_name` text,
	`via` text NOT NULL,
	`operation` text NOT NULL,
	`target` text,
	`changed` text NOT NULL,
	`request_id` text
);
--> statement-breakpoint
CREATE INDEX `audit_entries_team` ON `audit_entries` (`team_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_at` ON `audit_entries` (`at`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`may_lift` integer NOT NULL,
	`may_read_content` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_team_email` ON `invitations` (`team_id`,`email`);--> statement-breakpoint
CREATE TABLE `members` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`may_lift` integer NOT NULL,
	`may_read_content` integer NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_person` ON `members` (`issuer`,`subject`,`team_id`);--> statement-breakpoint
CREATE INDEX `members_team` ON `members` (`team_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `template_versions` (
	`template_id` text NOT NULL,
	`number` integer NOT NULL,
	`body` text NOT NULL,
	`bytes` integer NOT NULL,
	`subject` text,
	`published_at` integer NOT NULL,
	PRIMARY KEY(`template_id`, `number`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `template_versions_body` ON `template_versions` (`body`);--> statement-breakpoint
CREATE TABLE `used_assertions` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `api_keys` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `templates` ADD `version` integer;