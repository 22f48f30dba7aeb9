ALTER TABLE `teams` ADD `check_rules_off` text;--> statement-breakpoint
ALTER TABLE `teams` ADD `mail_clients` text;