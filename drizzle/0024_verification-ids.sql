DROP INDEX `enclave_callbacks_occasion`;--> statement-breakpoint
DROP INDEX `enclave_callbacks_pending`;--> statement-breakpoint
ALTER TABLE `enclave_callbacks` ADD `verification_id` integer;--> statement-breakpoint
UPDATE `enclave_callbacks` SET `verification_id` = (SELECT `id` FROM `enclave_verifications` WHERE `uuid` = `verification_uuid`) WHERE `verification_uuid` IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `enclave_callbacks_occasion` ON `enclave_callbacks` (`verification_id`,`receiver_vasp_id`,`callback_type`,`occasion`);--> statement-breakpoint
CREATE INDEX `enclave_callbacks_pending` ON `enclave_callbacks` (`verification_id`,`receiver_vasp_id`,`id`) WHERE "enclave_callbacks"."status" = 'PENDING';--> statement-breakpoint
DROP INDEX `runtime_exchanges_verification`;--> statement-breakpoint
ALTER TABLE `runtime_exchanges` ADD `verification_id` integer;--> statement-breakpoint
UPDATE `runtime_exchanges` SET `verification_id` = (SELECT `id` FROM `enclave_verifications` WHERE `uuid` = `verification_uuid`) WHERE `verification_uuid` IS NOT NULL;--> statement-breakpoint
CREATE INDEX `runtime_exchanges_unknown` ON `runtime_exchanges` (`verification_uuid`) WHERE "runtime_exchanges"."verification_id" IS NULL;--> statement-breakpoint
CREATE INDEX `runtime_exchanges_verification` ON `runtime_exchanges` (`verification_id`);--> statement-breakpoint
DROP INDEX `runtime_history_verification`;--> statement-breakpoint
ALTER TABLE `runtime_history` ADD `verification_id` integer;--> statement-breakpoint
UPDATE `runtime_history` SET `verification_id` = (SELECT `id` FROM `enclave_verifications` WHERE `uuid` = `verification_uuid`) WHERE `verification_uuid` IS NOT NULL;--> statement-breakpoint
CREATE INDEX `runtime_history_verification` ON `runtime_history` (`verification_id`);--> statement-breakpoint
CREATE TRIGGER runtime_exchanges_verification_deleted AFTER DELETE ON enclave_verifications BEGIN
  UPDATE runtime_exchanges SET verification_id = NULL WHERE verification_id = old.id;
END;
