CREATE TABLE `short_volume_ingests` (
	`job_id` integer PRIMARY KEY NOT NULL,
	`facility` text NOT NULL,
	`status` text NOT NULL,
	`started_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`finished_at` text,
	`error` text,
	`report` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `short_volume_ingests_by_start` ON `short_volume_ingests` (`started_at`);