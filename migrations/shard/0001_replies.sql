CREATE TABLE `replies` (
	`team_id` text NOT NULL,
	`id` text NOT NULL,
	`email_id` text NOT NULL,
	`recipient_index` integer NOT NULL,
	`recipient` text,
	`from_email` text,
	`from_name` text,
	`from_recipient` integer NOT NULL,
	`subject` text NOT NULL,
	`preview` text NOT NULL,
	`auto` integer NOT NULL,
	`spf` text,
	`dkim` text,
	`dmarc` text,
	`facts` text NOT NULL,
	`bytes` integer NOT NULL,
	`seen_at` integer,
	`received_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY (`team_id`,`id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `replies_received` ON `replies` (`team_id`,`received_at`,`id`,`bytes`);
--> statement-breakpoint
CREATE INDEX `replies_email` ON `replies` (`team_id`,`email_id`,`received_at`);
--> statement-breakpoint
CREATE INDEX `replies_expiry` ON `replies` (`expires_at`);
