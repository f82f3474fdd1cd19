CREATE TABLE `tenants_audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`role` text NOT NULL,
	`vasp_id` text,
	`key` text,
	`address` text NOT NULL,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`outcome` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tenants_audit_vasp` ON `tenants_audit` (`vasp_id`,`id`);--> statement-breakpoint
CREATE TABLE `tenants_invitations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`hash` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`vasp_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tenants_invitations_hash` ON `tenants_invitations` (`hash`);--> statement-breakpoint
CREATE TABLE `tenants_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`vasp_id` text NOT NULL,
	`name` text NOT NULL,
	`scope` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`expires_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tenants_keys_hash` ON `tenants_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `tenants_keys_vasp` ON `tenants_keys` (`vasp_id`);--> statement-breakpoint
CREATE TABLE `tenants_vasps` (
	`vasp_id` text PRIMARY KEY NOT NULL,
	`registered_at` integer NOT NULL,
	`suspended_at` integer,
	`forgotten_at` integer,
	`quotas` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tenants_usage` (
	`vasp_id` text NOT NULL,
	`quota` text NOT NULL,
	`day` integer NOT NULL,
	`used` real NOT NULL,
	PRIMARY KEY(`vasp_id`, `quota`)
);
