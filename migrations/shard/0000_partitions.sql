CREATE TABLE `partitions` (
	`kind` text NOT NULL,
	`day` text NOT NULL,
	`version` integer NOT NULL,
	PRIMARY KEY (`kind`, `day`)
) WITHOUT ROWID;
