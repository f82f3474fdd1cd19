UPDATE `enclave_verifications` SET `required_beneficiary_info` = unpacked(`required_beneficiary_info`), `ivms101_originator` = unpacked(`ivms101_originator`), `ivms101_beneficiary` = unpacked(`ivms101_beneficiary`), `ivms101_answer` = unpacked(`ivms101_answer`) WHERE `required_beneficiary_info` LIKE char(1) || '%' OR `ivms101_originator` LIKE char(1) || '%' OR `ivms101_beneficiary` LIKE char(1) || '%' OR `ivms101_answer` LIKE char(1) || '%';--> statement-breakpoint
UPDATE `enclave_verifications` SET `ivms101_originator` = json_set(`ivms101_originator`, '$.accountNumber[0]', `originator_account_number`) WHERE `ivms101_originator` ->> '$.accountNumber[0]' = '';--> statement-breakpoint
UPDATE `enclave_verifications` SET `ivms101_beneficiary` = json_set(`ivms101_beneficiary`, '$.accountNumber[0]', `beneficiary_account_number`) WHERE `ivms101_beneficiary` ->> '$.accountNumber[0]' = '';--> statement-breakpoint
UPDATE `enclave_callbacks` SET `data` = unpacked(`data`), `first_attempt` = unpacked(`first_attempt`) WHERE `data` LIKE char(1) || '%' OR `first_attempt` LIKE char(1) || '%';--> statement-breakpoint
UPDATE `runtime_exchanges` SET `request` = unpacked(`request`), `response` = unpacked(`response`), `headers` = unpacked(`headers`), `response_headers` = unpacked(`response_headers`) WHERE `request` LIKE char(1) || '%' OR `response` LIKE char(1) || '%' OR `headers` LIKE char(1) || '%' OR `response_headers` LIKE char(1) || '%';--> statement-breakpoint
UPDATE `runtime_timers` SET `lane` = unpacked(`lane`), `payload` = unpacked(`payload`), `why` = unpacked(`why`) WHERE `lane` LIKE char(1) || '%' OR `payload` LIKE char(1) || '%' OR `why` LIKE char(1) || '%';--> statement-breakpoint
UPDATE `runtime_timers` SET `payload` = json_object('verificationUuid', `key`) WHERE `payload` = '0';--> statement-breakpoint
UPDATE `runtime_timers` SET `lane` = `kind` || ' ' || `key` WHERE `lane` = '';--> statement-breakpoint
UPDATE `robot_expectations` SET `verified_hash` = '0x' || lower(hex(`verified_hash`)) WHERE typeof(`verified_hash`) = 'blob';--> statement-breakpoint
CREATE TABLE `__new_runtime_history` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`verification_uuid` text,
	`verification_id` integer,
	`machine` text NOT NULL,
	`row_key` text NOT NULL,
	`vasp_id` text,
	`from_state` text,
	`event` text NOT NULL,
	`to_state` text,
	`at` integer NOT NULL,
	`cause` text NOT NULL,
	`detail` text
);--> statement-breakpoint
INSERT INTO `__new_runtime_history`
SELECT history.`id` * 1000 + line.`key`, `verification_uuid`, `verification_id`, line.`value` ->> 0,
  coalesce(line.`value` ->> 1, `verification_uuid`, (SELECT `uuid` FROM `enclave_verifications` AS verification WHERE verification.`id` = `verification_id`), ''),
  line.`value` ->> 2, line.`value` ->> 3, line.`value` ->> 4, line.`value` ->> 5, line.`value` ->> 6, line.`value` ->> 7,
  nullif(line.`value` -> 8, 'null')
FROM `runtime_history` AS history, json_each(unpacked_lines(`lines`)) AS line ORDER BY 1;--> statement-breakpoint
DELETE FROM sqlite_sequence WHERE name = '__new_runtime_history';--> statement-breakpoint
INSERT INTO sqlite_sequence (name, seq) SELECT '__new_runtime_history', seq * 1000 + 999 FROM sqlite_sequence WHERE name = 'runtime_history';--> statement-breakpoint
DROP TABLE `runtime_history`;--> statement-breakpoint
ALTER TABLE `__new_runtime_history` RENAME TO `runtime_history`;--> statement-breakpoint
CREATE INDEX `runtime_history_verification` ON `runtime_history` (`verification_id`);
