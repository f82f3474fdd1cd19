CREATE TABLE `enclave_callback_attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`callback_id` integer NOT NULL,
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
	`occasion` text NOT NULL,
	`data` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `enclave_callbacks_occasion` ON `enclave_callbacks` (`verification_uuid`,`receiver_vasp_id`,`callback_type`,`occasion`);--> statement-breakpoint
CREATE INDEX `enclave_callbacks_receiver` ON `enclave_callbacks` (`receiver_vasp_id`,`id`);--> statement-breakpoint
CREATE TABLE `enclave_vasps` (
	`vasp_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`endpoints` text NOT NULL,
	`authorization_header` text NOT NULL,
	`authorization_token` text,
	`api_key_hash` text,
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
	`ivms101_originating_vasp` text NOT NULL,
	`ivms101_beneficiary` text NOT NULL,
	`ivms101_beneficiary_vasp` text NOT NULL,
	`ivms101_answer` text,
	`error_report` text,
	`is_settled` integer DEFAULT false NOT NULL,
	`verified_at` integer,
	`ordered_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `enclave_verifications_uuid` ON `enclave_verifications` (`uuid`);--> statement-breakpoint
CREATE INDEX `enclave_verifications_originating` ON `enclave_verifications` (`originating_vasp_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `enclave_verifications_beneficiary` ON `enclave_verifications` (`beneficiary_vasp_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `enclave_verifications_tx_hash` ON `enclave_verifications` (`tx_hash`);--> statement-breakpoint
CREATE TABLE `robot_cursors` (
	`symbol` text PRIMARY KEY NOT NULL,
	`height` integer NOT NULL,
	`hash` text NOT NULL,
	`genesis` text NOT NULL,
	`fault` text
);
--> statement-breakpoint
CREATE TABLE `robot_deposits` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`status` text NOT NULL,
	`symbol` text NOT NULL,
	`tx_hash` text NOT NULL,
	`index` integer NOT NULL,
	`from_account` text NOT NULL,
	`account` text NOT NULL,
	`tag` integer,
	`amount` text NOT NULL,
	`height` integer NOT NULL,
	`block_hash` text NOT NULL,
	`note` text NOT NULL,
	`verification_uuid` text,
	`vasp_id` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `robot_deposits_transfer` ON `robot_deposits` (`symbol`,`tx_hash`,`index`);--> statement-breakpoint
CREATE UNIQUE INDEX `robot_deposits_verification` ON `robot_deposits` (`verification_uuid`);--> statement-breakpoint
CREATE INDEX `robot_deposits_status` ON `robot_deposits` (`status`);--> statement-breakpoint
CREATE INDEX `robot_deposits_balance` ON `robot_deposits` (`vasp_id`,`symbol`,`account`);--> statement-breakpoint
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
	`tx_hash` text,
	`tx_hash_source` text,
	`inquire_until` integer,
	`last_inquiry` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `robot_expectations_account` ON `robot_expectations` (`symbol`,`account`,`status`);--> statement-breakpoint
CREATE TABLE `runtime_clocks` (
	`owner` text PRIMARY KEY NOT NULL,
	`offset_ms` integer NOT NULL
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
	`request` text,
	`status` integer,
	`response` text,
	`error` text,
	`duration_ms` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `runtime_exchanges_vasp` ON `runtime_exchanges` (`vasp_id`,`id`);--> statement-breakpoint
CREATE INDEX `runtime_exchanges_verification` ON `runtime_exchanges` (`verification_uuid`);--> statement-breakpoint
CREATE TABLE `runtime_history` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`machine` text NOT NULL,
	`row_key` text NOT NULL,
	`verification_uuid` text,
	`from_state` text,
	`event` text NOT NULL,
	`to_state` text,
	`at` integer NOT NULL,
	`cause` text NOT NULL,
	`detail` text
);
--> statement-breakpoint
CREATE INDEX `runtime_history_verification` ON `runtime_history` (`verification_uuid`);--> statement-breakpoint
CREATE TABLE `runtime_timers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`owner` text NOT NULL,
	`lane` text NOT NULL,
	`due_at` integer NOT NULL,
	`payload` text NOT NULL,
	`why` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`generation` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `runtime_timers_kind_key` ON `runtime_timers` (`kind`,`key`);--> statement-breakpoint
CREATE INDEX `runtime_timers_owner_due` ON `runtime_timers` (`owner`,`due_at`);