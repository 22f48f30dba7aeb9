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
CREATE INDEX `audit_entries_team` ON `audit_entries` (`team_id`,`at`,`id`);
--> statement-breakpoint
CREATE INDEX `audit_entries_at` ON `audit_entries` (`at`);
