CREATE TABLE `runtime_place` (
	`id` integer PRIMARY KEY NOT NULL,
	`file` text NOT NULL
);
