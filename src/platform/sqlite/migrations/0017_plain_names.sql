ALTER TABLE `remembered` RENAME TO `cache_entries`;--> statement-breakpoint
DROP INDEX `remembered_by_age`;--> statement-breakpoint
CREATE INDEX `cache_entries_by_age` ON `cache_entries` (`name`,`stored_at`);--> statement-breakpoint
ALTER TABLE `upstream_manners` RENAME TO `upstream_limits`;--> statement-breakpoint
ALTER TABLE `price_absences` RENAME TO `price_known_gaps`;