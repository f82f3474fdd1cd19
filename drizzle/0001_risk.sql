CREATE TABLE `enclave_assessments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`request_id` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`verification_uuid` text NOT NULL,
	`caller_vasp_id` text NOT NULL,
	`counterparty_vasp_id` text NOT NULL,
	`direction` text NOT NULL,
	`request` text NOT NULL,
	`reference` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`result` text,
	`created_at` integer NOT NULL,
	`assessed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `enclave_assessments_request` ON `enclave_assessments` (`request_id`);--> statement-breakpoint
CREATE INDEX `enclave_assessments_verification` ON `enclave_assessments` (`verification_uuid`);--> statement-breakpoint
CREATE INDEX `enclave_assessments_caller` ON `enclave_assessments` (`caller_vasp_id`,`id`);--> statement-breakpoint
ALTER TABLE `enclave_vasps` ADD `provider_keys` text;