CREATE TABLE `upstream_manners` (
	`upstream` text PRIMARY KEY NOT NULL,
	`asked_at` text,
	`openings` integer NOT NULL,
	`open_until` text,
	`because` text
);
--> statement-breakpoint
CREATE TABLE `news_archive_fetches` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`symbol` text NOT NULL,
	`start_date` text NOT NULL,
	`end_date` text NOT NULL,
	`query` text NOT NULL,
	`articles` integer NOT NULL,
	`truncated` integer NOT NULL,
	`fetched_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `news_archive_fetches_by_symbol` ON `news_archive_fetches` (`symbol`,`end_date`);--> statement-breakpoint
CREATE TABLE `page_view_fetches` (
	`article` text NOT NULL,
	`start_date` text NOT NULL,
	`end_date` text NOT NULL,
	`project_last_date` text,
	`fetched_at` text NOT NULL,
	PRIMARY KEY(`article`, `start_date`, `end_date`)
);
--> statement-breakpoint
CREATE INDEX `page_view_fetches_by_moment` ON `page_view_fetches` (`article`,`fetched_at`);