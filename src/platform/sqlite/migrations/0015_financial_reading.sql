ALTER TABLE `financial_filers` ADD `reading` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `financial_filers` ADD `schedules_reading` integer DEFAULT 0 NOT NULL;