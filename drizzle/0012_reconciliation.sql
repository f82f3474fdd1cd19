CREATE TABLE `robot_baselines` (
	`symbol` text NOT NULL,
	`account` text NOT NULL,
	`height` integer NOT NULL,
	`genesis` text NOT NULL,
	`balance` text NOT NULL,
	PRIMARY KEY(`symbol`, `account`)
);
--> statement-breakpoint
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
ALTER TABLE `robot_cursors` ADD `recheck_from` integer;