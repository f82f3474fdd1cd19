PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_tenants_usage` (
	`vasp_id` text NOT NULL,
	`quota` text NOT NULL,
	`day` integer NOT NULL,
	`used` text NOT NULL,
	PRIMARY KEY(`vasp_id`, `quota`)
);
--> statement-breakpoint
INSERT INTO `__new_tenants_usage`("vasp_id", "quota", "day", "used") SELECT "vasp_id", "quota", "day", "used" FROM `tenants_usage`;--> statement-breakpoint
DROP TABLE `tenants_usage`;--> statement-breakpoint
ALTER TABLE `__new_tenants_usage` RENAME TO `tenants_usage`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
ALTER TABLE `tenants_keys` ADD `lifetime_ms` integer;--> statement-breakpoint
UPDATE tenants_keys SET lifetime_ms = expires_at - created_at;
