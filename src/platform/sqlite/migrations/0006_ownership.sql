CREATE TABLE `dividend_tickers` (
	`symbol` text PRIMARY KEY NOT NULL,
	`asset_class` text,
	`coverage` text,
	`read_at` text NOT NULL,
	`splits_since` text,
	`splits_through` text
);
--> statement-breakpoint
CREATE TABLE `ownership_days` (
	`date` text NOT NULL,
	`kind` text NOT NULL,
	`filings` integer NOT NULL,
	`source` text NOT NULL,
	`indexed_at` text NOT NULL,
	PRIMARY KEY(`kind`, `date`)
);
--> statement-breakpoint
CREATE TABLE `ownership_filings` (
	`accession_number` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`form_type` text NOT NULL,
	`filing_date` text NOT NULL,
	`cik` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`error` text,
	`reading` integer,
	`rows` integer,
	`accepted_at` text,
	`known_at` text NOT NULL,
	`found_in` text NOT NULL,
	`indexed_at` text NOT NULL,
	`read_at` text
);
--> statement-breakpoint
CREATE INDEX `ownership_filings_by_status` ON `ownership_filings` (`status`,`filing_date`);--> statement-breakpoint
CREATE INDEX `ownership_filings_by_day` ON `ownership_filings` (`filing_date`,`kind`);--> statement-breakpoint
CREATE TABLE `ownership_lists` (
	`cik` text NOT NULL,
	`kind` text NOT NULL,
	`covered_from` text NOT NULL,
	`listed_at` text NOT NULL,
	PRIMARY KEY(`cik`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `ownership_parties` (
	`cik` text NOT NULL,
	`accession_number` text NOT NULL,
	`is_subject` integer,
	PRIMARY KEY(`cik`, `accession_number`)
);
--> statement-breakpoint
CREATE INDEX `ownership_parties_by_filing` ON `ownership_parties` (`accession_number`);