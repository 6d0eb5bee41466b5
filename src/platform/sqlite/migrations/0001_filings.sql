CREATE TABLE `company_facts` (
	`source` text NOT NULL,
	`key` text NOT NULL,
	`body` text NOT NULL,
	`read_at` text NOT NULL,
	PRIMARY KEY(`source`, `key`)
);
--> statement-breakpoint
CREATE TABLE `company_lists` (
	`kind` text PRIMARY KEY NOT NULL,
	`rows` integer NOT NULL,
	`read_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `company_tickers` (
	`symbol` text NOT NULL,
	`cik` text NOT NULL,
	`kind` text NOT NULL,
	`ticker` text NOT NULL,
	`name` text,
	`exchange` text,
	`series_id` text,
	`class_id` text,
	`position` integer NOT NULL,
	`first_seen_at` text NOT NULL,
	`gone_at` text,
	PRIMARY KEY(`kind`, `symbol`, `cik`)
);
--> statement-breakpoint
CREATE INDEX `company_tickers_by_symbol` ON `company_tickers` (`symbol`);--> statement-breakpoint
CREATE INDEX `company_tickers_by_cik` ON `company_tickers` (`cik`,`position`);--> statement-breakpoint
CREATE TABLE `filing_days` (
	`date` text PRIMARY KEY NOT NULL,
	`filings` integer NOT NULL,
	`indexed_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `filing_events` (
	`accession_number` text NOT NULL,
	`item_number` text NOT NULL,
	`modern_item` text,
	`event_type` text NOT NULL,
	`event_title` text NOT NULL,
	`content` text,
	`content_source` text,
	`content_length` integer NOT NULL,
	`truncated` integer NOT NULL,
	`source_sha256` text,
	`parsed_at` text NOT NULL,
	`withdrawn` integer NOT NULL,
	`published` integer NOT NULL,
	PRIMARY KEY(`accession_number`, `item_number`)
);
--> statement-breakpoint
CREATE INDEX `filing_events_unpublished` ON `filing_events` (`parsed_at`) WHERE published = 0;--> statement-breakpoint
CREATE TABLE `filing_filers` (
	`cik` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`tickers` text NOT NULL,
	`predecessor_ciks` text NOT NULL,
	`covered_from` text NOT NULL,
	`indexed_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `filing_parses` (
	`accession_number` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`error` text,
	`problems` text,
	`attempts` integer NOT NULL,
	`parsed_at` text
);
--> statement-breakpoint
CREATE INDEX `filing_parses_by_status` ON `filing_parses` (`status`);--> statement-breakpoint
CREATE TABLE `filings` (
	`accession_number` text NOT NULL,
	`cik` text NOT NULL,
	`company_name` text NOT NULL,
	`form_type` text NOT NULL,
	`filing_date` text NOT NULL,
	`report_date` text,
	`accepted_at` text,
	`precision` text NOT NULL,
	`items` text,
	`primary_document` text,
	`size` integer,
	`is_xbrl` integer,
	`known_at` text NOT NULL,
	`indexed_at` text NOT NULL,
	`published` integer NOT NULL,
	PRIMARY KEY(`accession_number`, `cik`)
);
--> statement-breakpoint
CREATE INDEX `filings_by_filer` ON `filings` (`cik`,`filing_date`);--> statement-breakpoint
CREATE INDEX `filings_by_day` ON `filings` (`filing_date`,`form_type`);--> statement-breakpoint
CREATE INDEX `filings_unpublished` ON `filings` (`indexed_at`) WHERE published = 0;