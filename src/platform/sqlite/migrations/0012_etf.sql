CREATE TABLE `etf_profiles` (
	`symbol` text PRIMARY KEY NOT NULL,
	`issuer` text,
	`body` text NOT NULL,
	`read_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `etf_reports` (
	`series_id` text NOT NULL,
	`accession_number` text NOT NULL,
	`cik` text,
	`form_type` text NOT NULL,
	`filing_date` text NOT NULL,
	`known_at` text NOT NULL,
	`status` text NOT NULL,
	`period_end` text,
	`holdings` integer,
	`error` text,
	PRIMARY KEY(`series_id`, `accession_number`)
);
--> statement-breakpoint
CREATE INDEX `etf_reports_by_moment` ON `etf_reports` (`series_id`,`known_at`);--> statement-breakpoint
CREATE TABLE `etf_series` (
	`series_id` text PRIMARY KEY NOT NULL,
	`symbol` text NOT NULL,
	`listed_at` text NOT NULL
);
