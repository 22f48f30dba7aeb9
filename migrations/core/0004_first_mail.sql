ALTER TABLE `teams` ADD `region` text;--> statement-breakpoint
ALTER TABLE `teams` ADD `first_mail` text DEFAULT '{"at":null,"colo":null,"continent":null,"country":null,"region":null,"jurisdiction":null}';--> statement-breakpoint
ALTER TABLE `teams` ADD `starting_credits` integer DEFAULT 0 NOT NULL;