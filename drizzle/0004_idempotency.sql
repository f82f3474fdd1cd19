CREATE TABLE `robot_answers` (
	`vasp_id` text NOT NULL,
	`key` text NOT NULL,
	`body_hash` text NOT NULL,
	`answer` text NOT NULL,
	PRIMARY KEY(`vasp_id`, `key`)
);
