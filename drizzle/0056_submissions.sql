CREATE TABLE `robot_submissions` (
	`symbol` text NOT NULL,
	`tx_hash` text NOT NULL,
	`vasp_id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`symbol`, `tx_hash`)
);
--> statement-breakpoint
CREATE INDEX `robot_submissions_vasp` ON `robot_submissions` (`vasp_id`,`at`);