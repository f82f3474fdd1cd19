DROP TRIGGER runtime_counts_timer_inserted;
--> statement-breakpoint
DROP TRIGGER runtime_counts_timer_deleted;
--> statement-breakpoint
DROP TRIGGER runtime_counts_timer_updated;
--> statement-breakpoint
DROP TRIGGER runtime_counts_callback_inserted;
--> statement-breakpoint
DROP TRIGGER runtime_counts_callback_deleted;
--> statement-breakpoint
DROP TRIGGER runtime_counts_callback_updated;
--> statement-breakpoint
DROP TRIGGER runtime_counts_transfer_inserted;
--> statement-breakpoint
DROP TRIGGER runtime_counts_transfer_deleted;
--> statement-breakpoint
DROP TRIGGER runtime_counts_transfer_updated;
--> statement-breakpoint
DELETE FROM runtime_counts WHERE subject NOT LIKE 'verifications %';
