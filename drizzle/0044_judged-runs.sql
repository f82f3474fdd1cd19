ALTER TABLE `plans_runs` ADD `problem` text;--> statement-breakpoint
ALTER TABLE `runtime_exchanges` ADD `standstill_ms` integer;