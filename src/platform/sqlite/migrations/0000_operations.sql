CREATE TABLE `actions_checked` (
	`symbol` text PRIMARY KEY NOT NULL,
	`through_date` text NOT NULL,
	`checked_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `backfill_items` (
	`backfill` text NOT NULL,
	`item` text NOT NULL,
	`status` text NOT NULL,
	`error` text,
	`finished_at` text,
	PRIMARY KEY(`backfill`, `item`)
);
--> statement-breakpoint
CREATE TABLE `error_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`timestamp` text NOT NULL,
	`level` text NOT NULL,
	`source` text NOT NULL,
	`error_code` text,
	`message` text NOT NULL,
	`path` text,
	`request_id` text,
	`ticker` text,
	`upstream` text,
	`upstream_status` integer,
	`stack` text
);
--> statement-breakpoint
CREATE INDEX `error_log_by_time` ON `error_log` (`timestamp`);--> statement-breakpoint
CREATE INDEX `error_log_by_request` ON `error_log` (`request_id`);--> statement-breakpoint
CREATE TABLE `instruments` (
	`symbol` text PRIMARY KEY NOT NULL,
	`name` text,
	`currency` text,
	`exchange` text,
	`timezone` text,
	`instrument_type` text,
	`first_trade_date` text,
	`last_trade_date` text,
	`source` text NOT NULL,
	`fetched_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `job_leases` (
	`job` text PRIMARY KEY NOT NULL,
	`first_seen_at` text NOT NULL,
	`holder` text,
	`run_id` integer,
	`expires_at` text
);
--> statement-breakpoint
CREATE TABLE `job_runs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`job` text NOT NULL,
	`scheduled_for` text,
	`started_at` text NOT NULL,
	`finished_at` text,
	`outcome` text NOT NULL,
	`rows` integer,
	`error` text,
	`host` text NOT NULL,
	`pid` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `job_runs_by_slot` ON `job_runs` (`job`,`scheduled_for`);--> statement-breakpoint
CREATE INDEX `job_runs_by_job` ON `job_runs` (`job`,`id`);--> statement-breakpoint
CREATE TABLE `price_absences` (
	`symbol` text NOT NULL,
	`interval` text NOT NULL,
	`date` text NOT NULL,
	`kind` text NOT NULL,
	`first_asked_at` text NOT NULL,
	`last_asked_at` text NOT NULL,
	PRIMARY KEY(`symbol`, `interval`, `date`)
);
--> statement-breakpoint
CREATE TABLE `quota_counts` (
	`upstream` text NOT NULL,
	`day` text NOT NULL,
	`calls` integer NOT NULL,
	PRIMARY KEY(`upstream`, `day`)
);
--> statement-breakpoint
CREATE TABLE `remembered` (
	`name` text NOT NULL,
	`key` text NOT NULL,
	`body` blob NOT NULL,
	`meta` text NOT NULL,
	`stored_at` text NOT NULL,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`name`, `key`)
);
--> statement-breakpoint
CREATE INDEX `remembered_by_age` ON `remembered` (`name`,`stored_at`);--> statement-breakpoint
CREATE TABLE `request_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`request_id` text NOT NULL,
	`timestamp` text NOT NULL,
	`method` text NOT NULL,
	`path` text NOT NULL,
	`query` text,
	`status_code` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`client_ip` text,
	`user_agent` text,
	`cache` text,
	`error_code` text
);
--> statement-breakpoint
CREATE INDEX `request_log_by_time` ON `request_log` (`timestamp`);--> statement-breakpoint
CREATE INDEX `request_log_by_status` ON `request_log` (`status_code`,`timestamp`);--> statement-breakpoint
CREATE INDEX `request_log_by_request` ON `request_log` (`request_id`);--> statement-breakpoint
CREATE TABLE `vault_objects` (
	`sha256` text NOT NULL,
	`url` text NOT NULL,
	`content_type` text,
	`bytes` integer NOT NULL,
	`stored_bytes` integer NOT NULL,
	`received_at` text NOT NULL,
	`stored_at` text NOT NULL,
	PRIMARY KEY(`sha256`, `url`)
);
--> statement-breakpoint
CREATE INDEX `vault_objects_by_url` ON `vault_objects` (`url`,`received_at`);