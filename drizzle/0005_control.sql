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
CREATE INDEX `runtime_faults_vasp` ON `runtime_faults` (`vasp_id`);--> statement-breakpoint
ALTER TABLE `enclave_callback_attempts` ADD `url` text;--> statement-breakpoint
ALTER TABLE `enclave_callback_attempts` ADD `request` text;--> statement-breakpoint
ALTER TABLE `runtime_exchanges` ADD `after_history` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `runtime_history` ADD `vasp_id` text;