CREATE TABLE `runtime_clock_moves` (
	`owner` text NOT NULL,
	`hour` integer NOT NULL,
	`offset_ms` integer NOT NULL,
	PRIMARY KEY(`owner`, `hour`)
);
--> statement-breakpoint
INSERT INTO `runtime_clock_moves` SELECT `owner`, unixepoch() / 3600 * 3600000, 0 FROM `runtime_clocks`;
