CREATE TABLE `robot_balances` (
	`vasp_id` text NOT NULL,
	`symbol` text NOT NULL,
	`account` text NOT NULL,
	`tag` integer NOT NULL,
	`credited` text DEFAULT '0' NOT NULL,
	`reserved` text DEFAULT '0' NOT NULL,
	`paid_out` text DEFAULT '0' NOT NULL,
	PRIMARY KEY(`vasp_id`, `symbol`, `account`, `tag`)
);
--> statement-breakpoint
CREATE INDEX `robot_balances_account` ON `robot_balances` (`symbol`,`account`);--> statement-breakpoint
DROP INDEX `robot_deposits_balance`;--> statement-breakpoint
DROP INDEX `robot_transfers_balance`;
--> statement-breakpoint
INSERT INTO robot_balances (vasp_id, symbol, account, tag, credited)
SELECT ifnull(vasp_id, ''), symbol, account, ifnull(tag, -1), decimal_sum(amount)
FROM robot_deposits WHERE status = 'CREDITED' AND is_of_past_chain = 0 GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
INSERT INTO robot_balances (vasp_id, symbol, account, tag, reserved, paid_out)
SELECT vasp_id, symbol, account, ifnull(tag, -1), decimal_sum(iif(status = 'CONFIRMED', '0', amount)), decimal_sum(iif(status = 'CONFIRMED', amount, '0'))
FROM robot_transfers WHERE status <> 'CANCELED' AND is_of_past_chain = 0 GROUP BY 1, 2, 3, 4
ON CONFLICT (vasp_id, symbol, account, tag) DO UPDATE SET reserved = excluded.reserved, paid_out = excluded.paid_out;
--> statement-breakpoint
CREATE TRIGGER robot_balances_deposit_inserted AFTER INSERT ON robot_deposits BEGIN
  INSERT INTO robot_balances (vasp_id, symbol, account, tag, credited) SELECT ifnull(new.vasp_id, ''), new.symbol, new.account, ifnull(new.tag, -1), new.amount WHERE new.status = 'CREDITED' AND new.is_of_past_chain = 0 ON CONFLICT (vasp_id, symbol, account, tag) DO UPDATE SET credited = decimal_add(credited, excluded.credited);
END;
--> statement-breakpoint
CREATE TRIGGER robot_balances_deposit_deleted AFTER DELETE ON robot_deposits BEGIN
  UPDATE robot_balances SET credited = decimal_sub(credited, old.amount) WHERE old.status = 'CREDITED' AND old.is_of_past_chain = 0 AND vasp_id = ifnull(old.vasp_id, '') AND symbol = old.symbol AND account = old.account AND tag = ifnull(old.tag, -1);
END;
--> statement-breakpoint
CREATE TRIGGER robot_balances_deposit_updated AFTER UPDATE OF status, vasp_id, is_of_past_chain ON robot_deposits WHEN (old.status = 'CREDITED') IS NOT (new.status = 'CREDITED') OR old.vasp_id IS NOT new.vasp_id OR old.is_of_past_chain IS NOT new.is_of_past_chain BEGIN
  UPDATE robot_balances SET credited = decimal_sub(credited, old.amount) WHERE old.status = 'CREDITED' AND old.is_of_past_chain = 0 AND vasp_id = ifnull(old.vasp_id, '') AND symbol = old.symbol AND account = old.account AND tag = ifnull(old.tag, -1);
  INSERT INTO robot_balances (vasp_id, symbol, account, tag, credited) SELECT ifnull(new.vasp_id, ''), new.symbol, new.account, ifnull(new.tag, -1), new.amount WHERE new.status = 'CREDITED' AND new.is_of_past_chain = 0 ON CONFLICT (vasp_id, symbol, account, tag) DO UPDATE SET credited = decimal_add(credited, excluded.credited);
END;
--> statement-breakpoint
CREATE TRIGGER robot_balances_transfer_inserted AFTER INSERT ON robot_transfers BEGIN
  INSERT INTO robot_balances (vasp_id, symbol, account, tag, reserved, paid_out) SELECT ifnull(new.vasp_id, ''), new.symbol, new.account, ifnull(new.tag, -1), iif(new.status = 'CONFIRMED', '0', new.amount), iif(new.status = 'CONFIRMED', new.amount, '0') WHERE new.status <> 'CANCELED' AND new.is_of_past_chain = 0 ON CONFLICT (vasp_id, symbol, account, tag) DO UPDATE SET reserved = decimal_add(reserved, excluded.reserved), paid_out = decimal_add(paid_out, excluded.paid_out);
END;
--> statement-breakpoint
CREATE TRIGGER robot_balances_transfer_deleted AFTER DELETE ON robot_transfers BEGIN
  UPDATE robot_balances SET reserved = iif(old.status = 'CONFIRMED', reserved, decimal_sub(reserved, old.amount)), paid_out = iif(old.status = 'CONFIRMED', decimal_sub(paid_out, old.amount), paid_out) WHERE old.status <> 'CANCELED' AND old.is_of_past_chain = 0 AND vasp_id = ifnull(old.vasp_id, '') AND symbol = old.symbol AND account = old.account AND tag = ifnull(old.tag, -1);
END;
--> statement-breakpoint
CREATE TRIGGER robot_balances_transfer_updated AFTER UPDATE OF status, vasp_id, is_of_past_chain ON robot_transfers WHEN (old.status IS NOT new.status AND (old.status IN ('CONFIRMED', 'CANCELED') OR new.status IN ('CONFIRMED', 'CANCELED'))) OR old.vasp_id IS NOT new.vasp_id OR old.is_of_past_chain IS NOT new.is_of_past_chain BEGIN
  UPDATE robot_balances SET reserved = iif(old.status = 'CONFIRMED', reserved, decimal_sub(reserved, old.amount)), paid_out = iif(old.status = 'CONFIRMED', decimal_sub(paid_out, old.amount), paid_out) WHERE old.status <> 'CANCELED' AND old.is_of_past_chain = 0 AND vasp_id = ifnull(old.vasp_id, '') AND symbol = old.symbol AND account = old.account AND tag = ifnull(old.tag, -1);
  INSERT INTO robot_balances (vasp_id, symbol, account, tag, reserved, paid_out) SELECT ifnull(new.vasp_id, ''), new.symbol, new.account, ifnull(new.tag, -1), iif(new.status = 'CONFIRMED', '0', new.amount), iif(new.status = 'CONFIRMED', new.amount, '0') WHERE new.status <> 'CANCELED' AND new.is_of_past_chain = 0 ON CONFLICT (vasp_id, symbol, account, tag) DO UPDATE SET reserved = decimal_add(reserved, excluded.reserved), paid_out = decimal_add(paid_out, excluded.paid_out);
END;
