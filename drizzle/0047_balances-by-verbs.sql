DROP TRIGGER robot_balances_deposit_inserted;
--> statement-breakpoint
DROP TRIGGER robot_balances_deposit_deleted;
--> statement-breakpoint
DROP TRIGGER robot_balances_deposit_updated;
--> statement-breakpoint
DROP TRIGGER robot_balances_transfer_inserted;
--> statement-breakpoint
DROP TRIGGER robot_balances_transfer_deleted;
--> statement-breakpoint
DROP TRIGGER robot_balances_transfer_updated;
