CREATE TABLE `universe_builds` (
	`job_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`phase` text NOT NULL,
	`start_month` text NOT NULL,
	`end_month` text NOT NULL,
	`force` integer NOT NULL,
	`months` integer NOT NULL,
	`tickers` integer NOT NULL,
	`months_done` integer NOT NULL,
	`phase_done` integer NOT NULL,
	`phase_total` integer NOT NULL,
	`rows_written` integer NOT NULL,
	`errors` integer NOT NULL,
	`error_list` text NOT NULL,
	`warnings` text NOT NULL,
	`error` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`finished_at` text
);
--> statement-breakpoint
CREATE INDEX `universe_builds_by_status` ON `universe_builds` (`status`);--> statement-breakpoint
CREATE TABLE `universe_listings` (
	`listing` text PRIMARY KEY NOT NULL,
	`symbol` text NOT NULL,
	`name` text NOT NULL,
	`cik` text,
	`sector` text,
	`industry` text,
	`country` text,
	`ipo_year` integer,
	`exchange` text NOT NULL,
	`security_type` text NOT NULL,
	`is_etf` integer NOT NULL,
	`is_active` integer NOT NULL,
	`first_seen` text NOT NULL,
	`last_seen` text,
	`former_symbols` text,
	`source` text NOT NULL,
	`market_cap` real,
	`market_cap_at` text
);
--> statement-breakpoint
CREATE INDEX `universe_listings_by_symbol` ON `universe_listings` (`symbol`);--> statement-breakpoint
CREATE INDEX `universe_listings_by_cik` ON `universe_listings` (`cik`);--> statement-breakpoint
CREATE TABLE `universe_readings` (
	`list` text NOT NULL,
	`read_at` text NOT NULL,
	`rows` integer NOT NULL,
	PRIMARY KEY(`list`, `read_at`)
);
