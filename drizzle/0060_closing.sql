CREATE TABLE `runtime_closing` (
	`vasp_id` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
INSERT INTO runtime_closing SELECT vasp_id FROM tenants_vasps WHERE forgotten_at IS NOT NULL;
