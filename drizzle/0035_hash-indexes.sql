DROP INDEX `enclave_verifications_tx_hash`;--> statement-breakpoint
CREATE INDEX `enclave_verifications_tx_hash` ON `enclave_verifications` (lower("tx_hash")) WHERE lower("enclave_verifications"."tx_hash") IS NOT NULL;--> statement-breakpoint
DROP INDEX `robot_expectations_hash`;--> statement-breakpoint
CREATE INDEX `robot_expectations_hash` ON `robot_expectations` (lower("tx_hash")) WHERE lower("robot_expectations"."tx_hash") IS NOT NULL;