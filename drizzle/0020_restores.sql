CREATE TABLE `robot_restores` (
	`symbol` text PRIMARY KEY NOT NULL,
	`height` integer,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `robot_unexplained_payments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`symbol` text NOT NULL,
	`account` text NOT NULL,
	`sequence` integer NOT NULL,
	`tx_hash` text NOT NULL,
	`to_account` text NOT NULL,
	`to_tag` integer,
	`amount` text NOT NULL,
	`fee` text NOT NULL,
	`reference` text,
	`at` integer NOT NULL,
	`is_held` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `robot_unexplained_payments_sequence` ON `robot_unexplained_payments` (`symbol`,`account`,`sequence`);