DROP TABLE `robot_restores`;--> statement-breakpoint
DROP TABLE `runtime_place`;--> statement-breakpoint
ALTER TABLE `robot_unexplained_payments` ADD `status` text DEFAULT 'HELD' NOT NULL;--> statement-breakpoint
CREATE INDEX `robot_unexplained_payments_status` ON `robot_unexplained_payments` (`status`,`symbol`,`account`);--> statement-breakpoint
UPDATE `robot_unexplained_payments` SET `status` = 'ACCEPTED' WHERE NOT `is_held`;--> statement-breakpoint
ALTER TABLE `robot_unexplained_payments` DROP COLUMN `is_held`;--> statement-breakpoint
ALTER TABLE `robot_wallets` ADD `known_up_to` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `robot_wallets` ADD `seen_up_to` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `robot_wallets` ADD `missing_up_to` integer;--> statement-breakpoint
ALTER TABLE `robot_wallets` ADD `note` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `robot_wallets` ADD `stopped_at` integer;--> statement-breakpoint
CREATE INDEX `robot_wallets_stopped` ON `robot_wallets` (`stopped_at`) WHERE "robot_wallets"."stopped_at" IS NOT NULL;