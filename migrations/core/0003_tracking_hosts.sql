CREATE TABLE `tracking_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`domain_id` text NOT NULL,
	`hostname_id` text,
	`is_ours` integer NOT NULL,
	`problem` text,
	`served_at` integer,
	`checked_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tracking_hosts_domain` ON `tracking_hosts` (`domain_id`);--> statement-breakpoint
CREATE INDEX `tracking_hosts_checked` ON `tracking_hosts` (`checked_at`);