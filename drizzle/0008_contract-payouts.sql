CREATE TABLE `__new_robot_deposits` (
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
	`block_hash` text NOT NULL,
	`note` text NOT NULL,
	`verification_uuid` text,
	`vasp_id` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_robot_deposits`("id", "status", "symbol", "tx_hash", "index", "via", "from_account", "account", "tag", "amount", "height", "block_hash", "note", "verification_uuid", "vasp_id", "at") SELECT "id", "status", "symbol", "tx_hash", "index", NULL, "from_account", "account", "tag", "amount", "height", "block_hash", "note", "verification_uuid", "vasp_id", "at" FROM `robot_deposits`;--> statement-breakpoint
DROP TABLE `robot_deposits`;--> statement-breakpoint
ALTER TABLE `__new_robot_deposits` RENAME TO `robot_deposits`;--> statement-breakpoint
CREATE UNIQUE INDEX `robot_deposits_transfer` ON `robot_deposits` (`symbol`,`tx_hash`,`index`);--> statement-breakpoint
CREATE UNIQUE INDEX `robot_deposits_verification` ON `robot_deposits` (`verification_uuid`);--> statement-breakpoint
CREATE INDEX `robot_deposits_status` ON `robot_deposits` (`status`);--> statement-breakpoint
CREATE INDEX `robot_deposits_balance` ON `robot_deposits` (`vasp_id`,`symbol`,`account`);