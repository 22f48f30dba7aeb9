CREATE TABLE `partitions` (
	`kind` text NOT NULL,
	`day` text NOT NULL,
	PRIMARY KEY (`kind`, `day`)
) WITHOUT ROWID;
