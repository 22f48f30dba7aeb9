ALTER TABLE `teams` ADD `content_days` integer;--> statement-breakpoint
ALTER TABLE `templates` ADD `sensitive` integer DEFAULT false NOT NULL;