DROP INDEX `runtime_exchanges_vasp`;--> statement-breakpoint
ALTER TABLE `runtime_exchanges` ADD `headers` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `runtime_exchanges` ADD `response_headers` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `runtime_exchanges` ADD `is_check` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `runtime_exchanges_filters` ON `runtime_exchanges` (`vasp_id`,`id`,`direction`,`operation`,`status`,`duration_ms`);