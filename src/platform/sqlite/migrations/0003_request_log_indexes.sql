DROP INDEX `request_log_by_status`;--> statement-breakpoint
DROP INDEX `request_log_by_request`;--> statement-breakpoint
CREATE INDEX `request_log_failures` ON `request_log` (`status_code`,`timestamp`) WHERE "request_log"."status_code" >= 400;