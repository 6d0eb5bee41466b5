CREATE TABLE `earnings_tickers` (
	`symbol` text PRIMARY KEY NOT NULL,
	`surprises_read_at` text,
	`next_read_at` text
);
