CREATE TABLE `econ_calls` (
	`day` text NOT NULL,
	`endpoint` text NOT NULL,
	`calls` integer NOT NULL,
	`successes` integer NOT NULL,
	`records` integer NOT NULL,
	PRIMARY KEY(`day`, `endpoint`)
);
--> statement-breakpoint
CREATE TABLE `econ_fetches` (
	`series_id` text NOT NULL,
	`observation_start` text NOT NULL,
	`observation_end` text NOT NULL,
	`known_from` text NOT NULL,
	`fetched_at` text NOT NULL,
	PRIMARY KEY(`series_id`, `observation_start`, `observation_end`, `fetched_at`)
);
--> statement-breakpoint
CREATE INDEX `econ_fetches_by_moment` ON `econ_fetches` (`series_id`,`fetched_at`);