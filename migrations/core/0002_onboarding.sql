CREATE TABLE `onboarded_names` (
	`name` text PRIMARY KEY NOT NULL,
	`zone_id` text NOT NULL,
	`account_id` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `domains` ADD `onboarding` text;