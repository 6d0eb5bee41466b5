CREATE TABLE `financial_filers` (
	`cik` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`facts` integer NOT NULL,
	`warnings` text NOT NULL,
	`read_at` text NOT NULL,
	`newest_accession` text,
	`schedules_read_at` text,
	`schedule_warnings` text DEFAULT '[]' NOT NULL
);
