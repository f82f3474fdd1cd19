DROP INDEX `robot_transfer_attempts_transfer`;--> statement-breakpoint
DROP INDEX `robot_transfer_attempts_hash`;--> statement-breakpoint
ALTER TABLE `robot_transfer_attempts` ADD `is_accepted` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `robot_transfer_attempts_hash` ON `robot_transfer_attempts` (`verification_uuid`,`hash`);--> statement-breakpoint
DROP INDEX `enclave_verifications_tx_hash`;--> statement-breakpoint
CREATE INDEX `enclave_verifications_tx_hash` ON `enclave_verifications` (lower("tx_hash"));--> statement-breakpoint
DROP INDEX `robot_deposits_transfer`;--> statement-breakpoint
ALTER TABLE `robot_deposits` ADD `is_of_past_chain` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `robot_deposits_transfer` ON `robot_deposits` (`symbol`,`tx_hash`,`index`) WHERE "robot_deposits"."is_of_past_chain" = 0;--> statement-breakpoint
ALTER TABLE `robot_transfers` ADD `is_of_past_chain` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `robot_transfer_attempts` SET `is_accepted` = true WHERE `rejection` IS NULL;