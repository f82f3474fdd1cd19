CREATE TABLE `tenants_trials` (
	`vasp_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`network` text NOT NULL,
	`started_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`is_forgotten` integer NOT NULL
);
