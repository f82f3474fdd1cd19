CREATE TABLE `plans_modules` (
	`run_id` text NOT NULL,
	`position` integer NOT NULL,
	`report` text NOT NULL,
	`memo` text,
	PRIMARY KEY(`run_id`, `position`)
);
--> statement-breakpoint
CREATE TABLE `plans_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`vasp_id` text NOT NULL,
	`plan` text NOT NULL,
	`settings` text NOT NULL,
	`digits` integer NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`is_stopped` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `plans_runs_vasp` ON `plans_runs` (`vasp_id`,`started_at`);