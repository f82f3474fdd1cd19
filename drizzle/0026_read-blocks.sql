CREATE TABLE `robot_read_blocks` (
	`symbol` text NOT NULL,
	`height` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`symbol`, `height`)
);
