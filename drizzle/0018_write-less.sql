DROP INDEX `enclave_callbacks_order`;--> statement-breakpoint
ALTER TABLE `enclave_callbacks` ADD `first_attempt` text;--> statement-breakpoint
CREATE INDEX `enclave_callbacks_pending` ON `enclave_callbacks` (`verification_uuid`,`receiver_vasp_id`,`id`) WHERE "enclave_callbacks"."status" = 'PENDING';--> statement-breakpoint
CREATE TABLE `__new_runtime_history` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`verification_uuid` text,
	`lines` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_runtime_history` (`id`, `verification_uuid`, `lines`)
SELECT `id`, `verification_uuid`, json_array(json_array(
  `machine`,
  CASE WHEN `row_key` = `verification_uuid` THEN NULL ELSE `row_key` END,
  `vasp_id`, `from_state`, `event`, `to_state`, `at`, `cause`,
  json(CASE WHEN json_extract(`detail`, '$.began') IS NULL THEN `detail` ELSE json_set(`detail`, '$.began', json_extract(`detail`, '$.began') * 1000 + 999) END)
)) FROM `runtime_history` ORDER BY `id`;--> statement-breakpoint
DROP TABLE `runtime_history`;--> statement-breakpoint
ALTER TABLE `__new_runtime_history` RENAME TO `runtime_history`;--> statement-breakpoint
CREATE INDEX `runtime_history_verification` ON `runtime_history` (`verification_uuid`);--> statement-breakpoint
UPDATE `runtime_exchanges` SET `after_history` = `after_history` * 1000 + 999;
