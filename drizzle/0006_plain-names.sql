ALTER TABLE `enclave_verifications` RENAME COLUMN `is_settled` TO `is_credited`;--> statement-breakpoint
ALTER TABLE `robot_wallets` RENAME COLUMN `next_number` TO `next_sequence`;--> statement-breakpoint
ALTER TABLE `robot_transfer_attempts` RENAME COLUMN `number` TO `sequence`;--> statement-breakpoint
ALTER TABLE `robot_cursors` RENAME COLUMN `fault` TO `stop_reason`;
