ALTER TABLE `teams` ADD `reads_replies` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `templates` ADD `reply_tracking` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `auto_replies` integer DEFAULT false NOT NULL;