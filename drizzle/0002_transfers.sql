CREATE TABLE `robot_transfer_attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`verification_uuid` text NOT NULL,
	`number` integer NOT NULL,
	`hash` text NOT NULL,
	`bytes` text NOT NULL,
	`fee` text NOT NULL,
	`signed_after` integer,
	`last_ledger_sequence` integer,
	`rejection` text,
	`signed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `robot_transfer_attempts_hash` ON `robot_transfer_attempts` (`hash`);--> statement-breakpoint
CREATE INDEX `robot_transfer_attempts_transfer` ON `robot_transfer_attempts` (`verification_uuid`);--> statement-breakpoint
CREATE TABLE `robot_transfers` (
	`verification_uuid` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
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
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `robot_transfers_wallet` ON `robot_transfers` (`symbol`,`account`,`status`);--> statement-breakpoint
CREATE INDEX `robot_transfers_balance` ON `robot_transfers` (`vasp_id`,`symbol`,`account`);--> statement-breakpoint
CREATE TABLE `robot_wallets` (
	`symbol` text NOT NULL,
	`account` text NOT NULL,
	`next_number` integer NOT NULL,
	PRIMARY KEY(`symbol`, `account`)
);
