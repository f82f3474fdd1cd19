CREATE TABLE `robot_users` (
	`vasp_id` text NOT NULL,
	`id` text NOT NULL,
	`user` text,
	`wallet_index` integer NOT NULL,
	`destination_tag` integer NOT NULL,
	`updated_at` integer NOT NULL,
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
CREATE INDEX `runtime_faults_vasp` ON `runtime_faults` (`vasp_id`);