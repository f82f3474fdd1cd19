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
CREATE TABLE `enclave_callback_attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`callback_id` integer NOT NULL,
	`url` text,
	`request` text,
	`at` integer NOT NULL,
	`status` integer,
	`duration_ms` integer NOT NULL,
	`error` text,
	`answer` text
);
--> statement-breakpoint
CREATE INDEX `enclave_callback_attempts_callback` ON `enclave_callback_attempts` (`callback_id`);--> statement-breakpoint
CREATE TABLE `enclave_callbacks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`verification_uuid` text NOT NULL,
	`receiver_vasp_id` text NOT NULL,
	`callback_type` text NOT NULL,
	`name` text NOT NULL,
	`data` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`first_attempt` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `enclave_callbacks_verification` ON `enclave_callbacks` (`verification_uuid`,`receiver_vasp_id`);--> statement-breakpoint
CREATE INDEX `enclave_callbacks_receiver` ON `enclave_callbacks` (`receiver_vasp_id`);--> statement-breakpoint
CREATE INDEX `enclave_callbacks_status` ON `enclave_callbacks` (`receiver_vasp_id`,`status`,`id`) WHERE "enclave_callbacks"."status" <> 'DELIVERED';--> statement-breakpoint
CREATE INDEX `enclave_callbacks_type` ON `enclave_callbacks` (`receiver_vasp_id`,`callback_type`,`id`) WHERE "enclave_callbacks"."callback_type" <> 'VERIFICATION_RESULT';--> statement-breakpoint
CREATE TABLE `enclave_signing_secrets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`vasp_id` text NOT NULL,
	`secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer
);
--> statement-breakpoint
CREATE INDEX `enclave_signing_secrets_vasp` ON `enclave_signing_secrets` (`vasp_id`,`id`);--> statement-breakpoint
CREATE TABLE `enclave_vasps` (
	`vasp_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`endpoints` text NOT NULL,
	`authorization_header` text NOT NULL,
	`authorization_token` text,
	`api_key_hash` text,
	`provider_keys` text,
	`is_active` integer DEFAULT true NOT NULL,
	`health` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `enclave_vasps_api_key` ON `enclave_vasps` (`api_key_hash`);--> statement-breakpoint
CREATE TABLE `enclave_verifications` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`message` text DEFAULT '' NOT NULL,
	`key_type` text NOT NULL,
	`required_beneficiary_info` text NOT NULL,
	`symbol` text NOT NULL,
	`network` text,
	`amount` text NOT NULL,
	`is_exceeding_threshold` integer NOT NULL,
	`trade_price` text NOT NULL,
	`trade_currency` text NOT NULL,
	`trade_iso_datetime` text NOT NULL,
	`tx_hash` text,
	`vout` text,
	`originating_vasp_id` text NOT NULL,
	`originator_account_number` text NOT NULL,
	`originator_account_key` text NOT NULL,
	`beneficiary_vasp_id` text NOT NULL,
	`beneficiary_account_number` text NOT NULL,
	`beneficiary_account_key` text NOT NULL,
	`payload_version` text NOT NULL,
	`ivms101_originator` text NOT NULL,
	`originating_vasp_name` text NOT NULL,
	`ivms101_beneficiary` text NOT NULL,
	`beneficiary_vasp_name` text NOT NULL,
	`person_names` text DEFAULT '' NOT NULL,
	`ivms101_answer` text,
	`error_report` text,
	`is_credited` integer DEFAULT false NOT NULL,
	`verified_at` integer,
	`ordered_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `enclave_verifications_uuid` ON `enclave_verifications` (`uuid`);--> statement-breakpoint
CREATE INDEX `enclave_verifications_sent` ON `enclave_verifications` (`originating_vasp_id`,`created_at`,`id`,`status`,`symbol`,`beneficiary_vasp_id`,`reason`,`network`);--> statement-breakpoint
CREATE INDEX `enclave_verifications_received` ON `enclave_verifications` (`beneficiary_vasp_id`,`created_at`,`id`,`status`,`symbol`,`originating_vasp_id`,`reason`,`network`);--> statement-breakpoint
CREATE TABLE `plans_modules` (
	`run_id` text NOT NULL,
	`position` integer NOT NULL,
	`report` text NOT NULL,
	`memo` text,
	PRIMARY KEY(`run_id`, `position`)
);
--> statement-breakpoint
CREATE TABLE `plans_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`vasp_id` text NOT NULL,
	`plan` text NOT NULL,
	`settings` text NOT NULL,
	`digits` integer NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`is_stopped` integer DEFAULT false NOT NULL,
	`problem` text,
	`judged_by` text,
	`summary` text
);
--> statement-breakpoint
CREATE INDEX `plans_runs_vasp` ON `plans_runs` (`vasp_id`,`started_at`);--> statement-breakpoint
CREATE TABLE `robot_answers` (
	`vasp_id` text NOT NULL,
	`key` text NOT NULL,
	`body_hash` text NOT NULL,
	`answer` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`vasp_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `robot_answers_at` ON `robot_answers` (`vasp_id`,`at`);--> statement-breakpoint
CREATE TABLE `robot_balances` (
	`vasp_id` text NOT NULL,
	`symbol` text NOT NULL,
	`account` text NOT NULL,
	`tag` integer NOT NULL,
	`credited` text DEFAULT '0' NOT NULL,
	`reserved` text DEFAULT '0' NOT NULL,
	`paid_out` text DEFAULT '0' NOT NULL,
	PRIMARY KEY(`vasp_id`, `symbol`, `account`, `tag`)
);
--> statement-breakpoint
CREATE INDEX `robot_balances_account` ON `robot_balances` (`symbol`,`account`);--> statement-breakpoint
CREATE TABLE `robot_baselines` (
	`symbol` text NOT NULL,
	`account` text NOT NULL,
	`height` integer NOT NULL,
	`genesis` text NOT NULL,
	`balance` text NOT NULL,
	PRIMARY KEY(`symbol`, `account`)
);
--> statement-breakpoint
CREATE TABLE `robot_cursors` (
	`symbol` text PRIMARY KEY NOT NULL,
	`height` integer NOT NULL,
	`hash` text NOT NULL,
	`genesis` text NOT NULL,
	`stop_reason` text,
	`recheck_from` integer
);
--> statement-breakpoint
CREATE TABLE `robot_deposits` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`status` text NOT NULL,
	`symbol` text NOT NULL,
	`tx_hash` text NOT NULL,
	`index` integer,
	`via` text,
	`from_account` text NOT NULL,
	`account` text NOT NULL,
	`tag` integer,
	`amount` text NOT NULL,
	`height` integer NOT NULL,
	`first_height` integer DEFAULT 0 NOT NULL,
	`block_hash` text NOT NULL,
	`note` text NOT NULL,
	`verification_uuid` text,
	`vasp_id` text,
	`at` integer NOT NULL,
	`credited_at` integer,
	`awaited_at` integer,
	`after_history` integer NOT NULL,
	`is_of_past_chain` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `robot_deposits_transfer` ON `robot_deposits` (`symbol`,`tx_hash`,`index`) WHERE "robot_deposits"."is_of_past_chain" = 0;--> statement-breakpoint
CREATE UNIQUE INDEX `robot_deposits_verification` ON `robot_deposits` (`verification_uuid`);--> statement-breakpoint
CREATE INDEX `robot_deposits_status` ON `robot_deposits` (`status`);--> statement-breakpoint
CREATE INDEX `robot_deposits_tx` ON `robot_deposits` (`symbol`,`tx_hash`);--> statement-breakpoint
CREATE INDEX `robot_deposits_hash` ON `robot_deposits` (lower("tx_hash"));--> statement-breakpoint
CREATE INDEX `robot_deposits_vasp` ON `robot_deposits` (`vasp_id`,`id`);--> statement-breakpoint
CREATE INDEX `robot_deposits_vasp_status` ON `robot_deposits` (`vasp_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `robot_deposits_vasp_account` ON `robot_deposits` (`vasp_id`,`account`,`id`);--> statement-breakpoint
CREATE TABLE `robot_expectations` (
	`verification_uuid` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`vasp_id` text NOT NULL,
	`user_id` text NOT NULL,
	`symbol` text NOT NULL,
	`account` text NOT NULL,
	`tag` integer,
	`amount` text NOT NULL,
	`originator_accounts` text NOT NULL,
	`verified_height` integer,
	`verified_hash` text,
	`ended_height` integer,
	`tx_hash` text,
	`tx_hash_source` text,
	`vout` text,
	`named_at` integer,
	`credit_lost_at` integer,
	`sender_account` text,
	`sender_sequence` integer,
	`verdict` text,
	`verdict_expected` text,
	`verdict_got` text,
	`verdict_at` integer,
	`inquire_until` integer,
	`last_inquiry` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `robot_expectations_account` ON `robot_expectations` (`symbol`,`account`,`status`);--> statement-breakpoint
CREATE INDEX `robot_expectations_hash` ON `robot_expectations` (lower("tx_hash")) WHERE lower("robot_expectations"."tx_hash") IS NOT NULL;--> statement-breakpoint
CREATE INDEX `robot_expectations_sender` ON `robot_expectations` (`symbol`,`named_at`) WHERE sender_sequence IS NOT NULL AND status = 'OPEN';--> statement-breakpoint
CREATE INDEX `robot_expectations_vasp` ON `robot_expectations` (`vasp_id`,`status`,`verdict_at`);--> statement-breakpoint
CREATE TABLE `robot_movements` (
	`symbol` text NOT NULL,
	`account` text NOT NULL,
	`tx_hash` text NOT NULL,
	`part` text NOT NULL,
	`height` integer NOT NULL,
	`amount` text NOT NULL,
	PRIMARY KEY(`symbol`, `tx_hash`, `account`, `part`)
);
--> statement-breakpoint
CREATE INDEX `robot_movements_height` ON `robot_movements` (`symbol`,`height`);--> statement-breakpoint
CREATE TABLE `robot_read_blocks` (
	`symbol` text NOT NULL,
	`height` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`symbol`, `height`)
);
--> statement-breakpoint
CREATE TABLE `robot_submissions` (
	`symbol` text NOT NULL,
	`tx_hash` text NOT NULL,
	`vasp_id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`symbol`, `tx_hash`)
);
--> statement-breakpoint
CREATE INDEX `robot_submissions_vasp` ON `robot_submissions` (`vasp_id`,`at`);--> statement-breakpoint
CREATE TABLE `robot_surpluses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`symbol` text NOT NULL,
	`account` text NOT NULL,
	`amount` text NOT NULL,
	`after_height` integer NOT NULL,
	`height` integer NOT NULL,
	`vasp_id` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `robot_surpluses_account` ON `robot_surpluses` (`symbol`,`account`);--> statement-breakpoint
CREATE TABLE `robot_transfer_attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`verification_uuid` text NOT NULL,
	`sequence` integer NOT NULL,
	`hash` text NOT NULL,
	`bytes` text NOT NULL,
	`fee` text NOT NULL,
	`signed_after` integer,
	`last_ledger_sequence` integer,
	`rejection` text,
	`is_accepted` integer DEFAULT false NOT NULL,
	`signed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `robot_transfer_attempts_hash` ON `robot_transfer_attempts` (`verification_uuid`,`hash`);--> statement-breakpoint
CREATE INDEX `robot_transfer_attempts_sequence` ON `robot_transfer_attempts` (`sequence`);--> statement-breakpoint
CREATE TABLE `robot_transfers` (
	`verification_uuid` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`kind` text DEFAULT 'payment' NOT NULL,
	`vasp_id` text NOT NULL,
	`user_id` text NOT NULL,
	`symbol` text NOT NULL,
	`account` text NOT NULL,
	`wallet_index` integer NOT NULL,
	`tag` integer,
	`to_account` text NOT NULL,
	`to_tag` integer,
	`amount` text NOT NULL,
	`omit_tx_report` integer NOT NULL,
	`is_held` integer NOT NULL,
	`tx_hash` text,
	`reported_tx_hash` text,
	`note` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`is_of_past_chain` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `robot_transfers_wallet` ON `robot_transfers` (`symbol`,`account`,`status`);--> statement-breakpoint
CREATE INDEX `robot_transfers_unsigned` ON `robot_transfers` (`symbol`,`vasp_id`) WHERE "robot_transfers"."tx_hash" IS NULL;--> statement-breakpoint
CREATE INDEX `robot_transfers_vasp` ON `robot_transfers` (`vasp_id`);--> statement-breakpoint
CREATE INDEX `robot_transfers_waiting` ON `robot_transfers` (`vasp_id`) WHERE "robot_transfers"."status" IN ('PENDING', 'PROCESSING') AND "robot_transfers"."note" <> '' AND "robot_transfers"."is_held" = 0;--> statement-breakpoint
CREATE TABLE `robot_unexplained_payments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`status` text DEFAULT 'HELD' NOT NULL,
	`symbol` text NOT NULL,
	`account` text NOT NULL,
	`sequence` integer NOT NULL,
	`tx_hash` text NOT NULL,
	`to_account` text NOT NULL,
	`to_tag` integer,
	`amount` text NOT NULL,
	`fee` text NOT NULL,
	`reference` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `robot_unexplained_payments_sequence` ON `robot_unexplained_payments` (`symbol`,`account`,`sequence`);--> statement-breakpoint
CREATE INDEX `robot_unexplained_payments_status` ON `robot_unexplained_payments` (`status`);--> statement-breakpoint
CREATE TABLE `robot_user_accounts` (
	`wallet_index` integer PRIMARY KEY NOT NULL,
	`destination_tag` integer NOT NULL,
	`vasp_id` text NOT NULL,
	`user_id` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `robot_user_accounts_tag` ON `robot_user_accounts` (`destination_tag`);--> statement-breakpoint
CREATE UNIQUE INDEX `robot_user_accounts_user` ON `robot_user_accounts` (`vasp_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `robot_users` (
	`vasp_id` text NOT NULL,
	`id` text NOT NULL,
	`user` text NOT NULL,
	`is_removed` integer NOT NULL,
	PRIMARY KEY(`vasp_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `robot_wallets` (
	`symbol` text NOT NULL,
	`account` text NOT NULL,
	`next_sequence` integer NOT NULL,
	`known_up_to` integer DEFAULT 0 NOT NULL,
	`seen_up_to` integer DEFAULT 0 NOT NULL,
	`missing_up_to` integer,
	`note` text DEFAULT '' NOT NULL,
	`stopped_at` integer,
	PRIMARY KEY(`symbol`, `account`)
);
--> statement-breakpoint
CREATE INDEX `robot_wallets_stopped` ON `robot_wallets` (`stopped_at`) WHERE "robot_wallets"."stopped_at" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `runtime_clock_moves` (
	`owner` text NOT NULL,
	`hour` integer NOT NULL,
	`offset_ms` integer NOT NULL,
	PRIMARY KEY(`owner`, `hour`)
);
--> statement-breakpoint
CREATE TABLE `runtime_clocks` (
	`owner` text PRIMARY KEY NOT NULL,
	`offset_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `runtime_closing` (
	`vasp_id` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `runtime_exchanges` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`vasp_id` text NOT NULL,
	`direction` text NOT NULL,
	`operation` text NOT NULL,
	`method` text NOT NULL,
	`url` text NOT NULL,
	`verification_uuid` text,
	`callback_id` integer,
	`request` text,
	`status` integer,
	`response` text,
	`headers` text DEFAULT '{}' NOT NULL,
	`response_headers` text DEFAULT '{}' NOT NULL,
	`error` text,
	`duration_ms` integer NOT NULL,
	`connect_ms` integer,
	`stall_ms` integer,
	`is_check` integer DEFAULT false NOT NULL,
	`is_repeated` integer DEFAULT false NOT NULL,
	`at` integer NOT NULL,
	`after_history` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `runtime_exchanges_vasp` ON `runtime_exchanges` (`vasp_id`);--> statement-breakpoint
CREATE INDEX `runtime_exchanges_verification` ON `runtime_exchanges` (`verification_uuid`);--> statement-breakpoint
CREATE TABLE `runtime_faults` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`vasp_id` text NOT NULL,
	`target` text NOT NULL,
	`verification_uuid` text,
	`mode` text NOT NULL,
	`parameters` text NOT NULL,
	`times` integer,
	`used` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `runtime_findings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`verification_uuid` text NOT NULL,
	`vasp_id` text NOT NULL,
	`code` text NOT NULL,
	`field` text NOT NULL,
	`expected` text NOT NULL,
	`got` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `runtime_findings_verification` ON `runtime_findings` (`verification_uuid`,`vasp_id`);--> statement-breakpoint
CREATE TABLE `runtime_history` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`verification_uuid` text,
	`at` integer NOT NULL,
	`lines` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `runtime_history_verification` ON `runtime_history` (`verification_uuid`);--> statement-breakpoint
CREATE INDEX `runtime_history_runs` ON `runtime_history` ("lines" ->> '$[0].rowKey') WHERE "runtime_history"."verification_uuid" IS NULL AND "runtime_history"."lines" ->> '$[0].machine' = 'run';--> statement-breakpoint
CREATE TABLE `runtime_timers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`owner` text NOT NULL,
	`lane` text,
	`due_at` integer NOT NULL,
	`payload` text NOT NULL,
	`why` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`generation` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `runtime_timers_key_kind` ON `runtime_timers` (`key`,`kind`);--> statement-breakpoint
CREATE INDEX `runtime_timers_owner_due` ON `runtime_timers` (`owner`,`due_at`);--> statement-breakpoint
CREATE INDEX `runtime_timers_failing` ON `runtime_timers` (`owner`,`attempts`) WHERE "runtime_timers"."last_error" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `runtime_wallet_secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tenants_audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`role` text NOT NULL,
	`vasp_id` text,
	`key` text,
	`address` text NOT NULL,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`outcome` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tenants_audit_vasp` ON `tenants_audit` (`vasp_id`,`id`);--> statement-breakpoint
CREATE TABLE `tenants_invitations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`hash` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`vasp_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tenants_invitations_hash` ON `tenants_invitations` (`hash`);--> statement-breakpoint
CREATE TABLE `tenants_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`vasp_id` text NOT NULL,
	`name` text NOT NULL,
	`scope` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`expires_at` integer,
	`lifetime_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tenants_keys_hash` ON `tenants_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `tenants_keys_vasp` ON `tenants_keys` (`vasp_id`);--> statement-breakpoint
CREATE TABLE `tenants_vasps` (
	`vasp_id` text PRIMARY KEY NOT NULL,
	`registered_at` integer NOT NULL,
	`suspended_at` integer,
	`forgotten_at` integer,
	`quotas` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tenants_trials` (
	`vasp_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`network` text NOT NULL,
	`started_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`is_forgotten` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tenants_usage` (
	`vasp_id` text NOT NULL,
	`quota` text NOT NULL,
	`day` integer NOT NULL,
	`used` text NOT NULL,
	PRIMARY KEY(`vasp_id`, `quota`)
);
--> statement-breakpoint
CREATE VIRTUAL TABLE enclave_search USING fts5(text, content='', columnsize=0, tokenize="unicode61 remove_diacritics 2 tokenchars '.'");
--> statement-breakpoint
INSERT INTO enclave_search (enclave_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER enclave_search_inserted AFTER INSERT ON enclave_verifications BEGIN
  INSERT INTO enclave_search (rowid, text) VALUES (new.id, concat_ws(' ', new.originating_vasp_id, new.beneficiary_vasp_id, new.uuid, new.amount, new.originator_account_key, new.beneficiary_account_key, new.tx_hash, new.person_names));
END;
--> statement-breakpoint
CREATE TRIGGER enclave_search_reported AFTER UPDATE OF tx_hash ON enclave_verifications WHEN old.tx_hash IS NOT new.tx_hash BEGIN
  INSERT INTO enclave_search (enclave_search, rowid, text) VALUES ('delete', old.id, concat_ws(' ', old.originating_vasp_id, old.beneficiary_vasp_id, old.uuid, old.amount, old.originator_account_key, old.beneficiary_account_key, old.tx_hash, old.person_names));
  INSERT INTO enclave_search (rowid, text) VALUES (new.id, concat_ws(' ', new.originating_vasp_id, new.beneficiary_vasp_id, new.uuid, new.amount, new.originator_account_key, new.beneficiary_account_key, new.tx_hash, new.person_names));
END;
--> statement-breakpoint
CREATE TRIGGER enclave_search_deleted AFTER DELETE ON enclave_verifications BEGIN
  INSERT INTO enclave_search (enclave_search, rowid, text) VALUES ('delete', old.id, concat_ws(' ', old.originating_vasp_id, old.beneficiary_vasp_id, old.uuid, old.amount, old.originator_account_key, old.beneficiary_account_key, old.tx_hash, old.person_names));
END;
