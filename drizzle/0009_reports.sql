CREATE TABLE `runtime_remarks` (
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
CREATE INDEX `runtime_remarks_verification` ON `runtime_remarks` (`verification_uuid`,`vasp_id`);--> statement-breakpoint
ALTER TABLE `robot_deposits` ADD `first_height` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `robot_expectations` ADD `verified_height` integer;--> statement-breakpoint
ALTER TABLE `robot_expectations` ADD `verified_hash` text;--> statement-breakpoint
ALTER TABLE `robot_expectations` ADD `vout` text;--> statement-breakpoint
ALTER TABLE `robot_expectations` ADD `named_at` integer;--> statement-breakpoint
ALTER TABLE `robot_expectations` ADD `verdict` text;--> statement-breakpoint
ALTER TABLE `robot_expectations` ADD `verdict_expected` text;--> statement-breakpoint
ALTER TABLE `robot_expectations` ADD `verdict_got` text;--> statement-breakpoint
ALTER TABLE `robot_expectations` ADD `verdict_at` integer;--> statement-breakpoint
UPDATE `robot_deposits` SET `first_height` = `height`;
