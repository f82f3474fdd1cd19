ALTER TABLE `robot_expectations` ADD `sender_account` text;--> statement-breakpoint
ALTER TABLE `robot_expectations` ADD `sender_sequence` integer;--> statement-breakpoint
CREATE INDEX `robot_expectations_sender` ON `robot_expectations` (`symbol`,`named_at`) WHERE sender_sequence IS NOT NULL AND status = 'OPEN';