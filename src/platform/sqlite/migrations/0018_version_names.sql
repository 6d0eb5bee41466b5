CREATE TABLE `version_names` (
	`name` text PRIMARY KEY NOT NULL,
	`generation` integer NOT NULL,
	`note` text,
	`named_at` text NOT NULL
);
