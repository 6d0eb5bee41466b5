CREATE TABLE `marketfeed_backfills` (
	`job_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`start_date` text NOT NULL,
	`end_date` text NOT NULL,
	`processed` integer NOT NULL,
	`total` integer NOT NULL,
	`rows` integer NOT NULL,
	`error` text,
	`started_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`finished_at` text
);
--> statement-breakpoint
CREATE INDEX `marketfeed_backfills_by_time` ON `marketfeed_backfills` (`started_at`);--> statement-breakpoint
CREATE TABLE `marketfeed_failures` (
	`job_id` text NOT NULL,
	`symbol` text NOT NULL,
	`error` text NOT NULL,
	PRIMARY KEY(`job_id`, `symbol`)
);
--> statement-breakpoint
CREATE TABLE `marketfeed_spans` (
	`symbol` text NOT NULL,
	`interval` text NOT NULL,
	`start_date` text NOT NULL,
	`end_date` text NOT NULL,
	`bars` integer NOT NULL,
	`fetched_at` text NOT NULL,
	PRIMARY KEY(`symbol`, `interval`, `start_date`, `end_date`)
);
--> statement-breakpoint
ALTER TABLE `universe_listings` ADD `continued_by` text;