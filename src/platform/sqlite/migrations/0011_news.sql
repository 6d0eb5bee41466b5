CREATE TABLE `news_providers` (
	`provider` text PRIMARY KEY NOT NULL,
	`last_poll_at` text,
	`last_success_at` text,
	`last_error` text,
	`backfilled_until` text
);
--> statement-breakpoint
CREATE TABLE `news_ticker_polls` (
	`provider` text NOT NULL,
	`symbol` text NOT NULL,
	`polled_at` text NOT NULL,
	`unknown` integer NOT NULL,
	PRIMARY KEY(`provider`, `symbol`)
);
--> statement-breakpoint
CREATE TABLE `news_tickers` (
	`symbol` text PRIMARY KEY NOT NULL,
	`asked_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `news_tickers_by_asked` ON `news_tickers` (`asked_at`);