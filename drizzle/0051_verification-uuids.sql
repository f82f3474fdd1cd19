DROP TRIGGER `runtime_exchanges_verification_deleted`;--> statement-breakpoint
DROP INDEX `runtime_exchanges_unknown`;--> statement-breakpoint
DROP INDEX `runtime_exchanges_verification`;--> statement-breakpoint
UPDATE `runtime_exchanges` SET `verification_uuid` = (SELECT `uuid` FROM `enclave_verifications` WHERE `id` = `verification_id`) WHERE `verification_id` IS NOT NULL;--> statement-breakpoint
ALTER TABLE `runtime_exchanges` DROP COLUMN `verification_id`;--> statement-breakpoint
CREATE INDEX `runtime_exchanges_verification` ON `runtime_exchanges` (`verification_uuid`);--> statement-breakpoint
DROP INDEX `enclave_callbacks_occasion`;--> statement-breakpoint
UPDATE `enclave_callbacks` SET `verification_uuid` = (SELECT `uuid` FROM `enclave_verifications` WHERE `id` = `verification_id`) WHERE `verification_id` IS NOT NULL;--> statement-breakpoint
ALTER TABLE `enclave_callbacks` DROP COLUMN `verification_id`;--> statement-breakpoint
CREATE UNIQUE INDEX `enclave_callbacks_occasion` ON `enclave_callbacks` (`verification_uuid`,`receiver_vasp_id`,`callback_type`,`occasion`);--> statement-breakpoint
DROP INDEX `runtime_history_verification`;--> statement-breakpoint
UPDATE `runtime_history` SET `verification_uuid` = (SELECT `uuid` FROM `enclave_verifications` WHERE `id` = `verification_id`) WHERE `verification_id` IS NOT NULL;--> statement-breakpoint
ALTER TABLE `runtime_history` DROP COLUMN `verification_id`;--> statement-breakpoint
CREATE INDEX `runtime_history_verification` ON `runtime_history` (`verification_uuid`);
