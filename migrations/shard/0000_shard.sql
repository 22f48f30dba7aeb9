CREATE TABLE `partitions` (
	`day` text PRIMARY KEY NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `suppressions` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`email` text NOT NULL,
	`topic` text NOT NULL,
	`reason` text NOT NULL,
	`origin` text NOT NULL,
	`classification` text,
	`smtp_code` integer,
	`note` text,
	`reply` text,
	`stage` text,
	`mx_host` text,
	`email_id` text,
	`caused_at` integer,
	`suppressed_at` integer NOT NULL,
	`expires_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `suppressions_address_topic` ON `suppressions` (`team_id`,`email`,`topic`);
--> statement-breakpoint
CREATE INDEX `suppressions_team` ON `suppressions` (`team_id`,`created_at`,`id`,`expires_at`);
--> statement-breakpoint
CREATE INDEX `suppressions_expiry` ON `suppressions` (`expires_at`) WHERE expires_at IS NOT NULL;
