ALTER TABLE `teams` ADD `history_former_shard` integer;--> statement-breakpoint
ALTER TABLE `teams` ADD `history_moved_at` integer;