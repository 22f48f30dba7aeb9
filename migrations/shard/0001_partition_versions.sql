ALTER TABLE `partitions` ADD `version` integer DEFAULT 2 NOT NULL;
--> statement-breakpoint
UPDATE `partitions` SET `version` = 1
WHERE `kind` = 'events' AND NOT EXISTS (SELECT 1 FROM pragma_table_info('events_' || `day`) WHERE `name` = 'detail');
