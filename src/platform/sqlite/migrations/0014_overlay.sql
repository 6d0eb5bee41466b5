CREATE TABLE `overlay_runs` (
	`date` text PRIMARY KEY NOT NULL,
	`run_at` text NOT NULL,
	`tickers` integer NOT NULL,
	`rows` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `overlay_topics` (
	`topic_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`keywords` text NOT NULL,
	`encyc_titles` text NOT NULL,
	`tickers` text NOT NULL,
	`updated_at` text NOT NULL
);
