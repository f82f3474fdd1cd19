DROP INDEX `runtime_exchanges_verification`;--> statement-breakpoint
CREATE INDEX `runtime_exchanges_verification` ON `runtime_exchanges` (`verification_uuid`,`vasp_id`);