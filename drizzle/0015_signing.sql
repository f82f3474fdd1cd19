CREATE TABLE `enclave_signing_secrets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`vasp_id` text NOT NULL,
	`secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer
);
--> statement-breakpoint
CREATE INDEX `enclave_signing_secrets_vasp` ON `enclave_signing_secrets` (`vasp_id`,`id`);