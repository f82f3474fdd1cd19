CREATE INDEX `robot_transfer_attempts_sequence` ON `robot_transfer_attempts` (`sequence`);
