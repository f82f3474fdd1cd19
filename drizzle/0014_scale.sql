CREATE TABLE `runtime_counts` (
	`subject` text NOT NULL,
	`key` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`subject`, `key`)
);
--> statement-breakpoint
DROP INDEX `enclave_verifications_originating`;--> statement-breakpoint
DROP INDEX `enclave_verifications_beneficiary`;--> statement-breakpoint
CREATE INDEX `enclave_verifications_sent` ON `enclave_verifications` (`originating_vasp_id`,`created_at`,`id`,`status`,`symbol`,`beneficiary_vasp_id`);--> statement-breakpoint
CREATE INDEX `enclave_verifications_received` ON `enclave_verifications` (`beneficiary_vasp_id`,`created_at`,`id`,`status`,`symbol`,`originating_vasp_id`);--> statement-breakpoint
CREATE INDEX `enclave_callbacks_status` ON `enclave_callbacks` (`receiver_vasp_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `robot_deposits_tx` ON `robot_deposits` (`symbol`,`tx_hash`);--> statement-breakpoint
CREATE INDEX `robot_deposits_hash` ON `robot_deposits` (lower("tx_hash"));--> statement-breakpoint
CREATE INDEX `robot_deposits_vasp` ON `robot_deposits` (`vasp_id`,`id`);--> statement-breakpoint
CREATE INDEX `robot_deposits_vasp_status` ON `robot_deposits` (`vasp_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `robot_expectations_hash` ON `robot_expectations` (lower("tx_hash"));--> statement-breakpoint
CREATE INDEX `robot_expectations_vasp` ON `robot_expectations` (`vasp_id`,`status`,`verdict_at`);--> statement-breakpoint
CREATE INDEX `robot_transfers_unsigned` ON `robot_transfers` (`symbol`,`vasp_id`) WHERE "robot_transfers"."tx_hash" IS NULL;--> statement-breakpoint
CREATE INDEX `robot_transfers_vasp` ON `robot_transfers` (`vasp_id`);
--> statement-breakpoint
INSERT INTO runtime_counts (subject, key, count)
SELECT 'verifications ' || originating_vasp_id, CASE WHEN originating_vasp_id = beneficiary_vasp_id THEN 'BOTH' ELSE 'SEND' END || '|' || status || '|' || symbol, count(*)
FROM enclave_verifications GROUP BY 1, 2;
--> statement-breakpoint
INSERT INTO runtime_counts (subject, key, count)
SELECT 'verifications ' || beneficiary_vasp_id, 'RECEIVE|' || status || '|' || symbol, count(*)
FROM enclave_verifications WHERE originating_vasp_id <> beneficiary_vasp_id GROUP BY 1, 2;
--> statement-breakpoint
CREATE TRIGGER runtime_counts_verification_inserted AFTER INSERT ON enclave_verifications BEGIN
  INSERT INTO runtime_counts (subject, key, count) SELECT 'verifications ' || new.originating_vasp_id, CASE WHEN new.originating_vasp_id = new.beneficiary_vasp_id THEN 'BOTH' ELSE 'SEND' END || '|' || new.status || '|' || new.symbol, 1 WHERE true ON CONFLICT (subject, key) DO UPDATE SET count = count + 1;
  INSERT INTO runtime_counts (subject, key, count) SELECT 'verifications ' || new.beneficiary_vasp_id, 'RECEIVE|' || new.status || '|' || new.symbol, 1 WHERE new.originating_vasp_id <> new.beneficiary_vasp_id ON CONFLICT (subject, key) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER runtime_counts_verification_deleted AFTER DELETE ON enclave_verifications BEGIN
  UPDATE runtime_counts SET count = count - 1 WHERE subject = 'verifications ' || old.originating_vasp_id AND key = CASE WHEN old.originating_vasp_id = old.beneficiary_vasp_id THEN 'BOTH' ELSE 'SEND' END || '|' || old.status || '|' || old.symbol;
  UPDATE runtime_counts SET count = count - 1 WHERE subject = 'verifications ' || old.beneficiary_vasp_id AND key = 'RECEIVE|' || old.status || '|' || old.symbol AND old.originating_vasp_id <> old.beneficiary_vasp_id;
END;
--> statement-breakpoint
CREATE TRIGGER runtime_counts_verification_updated AFTER UPDATE OF status ON enclave_verifications WHEN old.status IS NOT new.status BEGIN
  UPDATE runtime_counts SET count = count - 1 WHERE subject = 'verifications ' || old.originating_vasp_id AND key = CASE WHEN old.originating_vasp_id = old.beneficiary_vasp_id THEN 'BOTH' ELSE 'SEND' END || '|' || old.status || '|' || old.symbol;
  UPDATE runtime_counts SET count = count - 1 WHERE subject = 'verifications ' || old.beneficiary_vasp_id AND key = 'RECEIVE|' || old.status || '|' || old.symbol AND old.originating_vasp_id <> old.beneficiary_vasp_id;
  INSERT INTO runtime_counts (subject, key, count) SELECT 'verifications ' || new.originating_vasp_id, CASE WHEN new.originating_vasp_id = new.beneficiary_vasp_id THEN 'BOTH' ELSE 'SEND' END || '|' || new.status || '|' || new.symbol, 1 WHERE true ON CONFLICT (subject, key) DO UPDATE SET count = count + 1;
  INSERT INTO runtime_counts (subject, key, count) SELECT 'verifications ' || new.beneficiary_vasp_id, 'RECEIVE|' || new.status || '|' || new.symbol, 1 WHERE new.originating_vasp_id <> new.beneficiary_vasp_id ON CONFLICT (subject, key) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
INSERT INTO runtime_counts (subject, key, count)
SELECT 'enclave_callbacks', enclave_callbacks.status, count(*) FROM enclave_callbacks GROUP BY 2;
--> statement-breakpoint
CREATE TRIGGER runtime_counts_callback_inserted AFTER INSERT ON enclave_callbacks BEGIN
  INSERT INTO runtime_counts (subject, key, count) SELECT 'enclave_callbacks', new.status, 1 WHERE true ON CONFLICT (subject, key) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER runtime_counts_callback_deleted AFTER DELETE ON enclave_callbacks BEGIN
  UPDATE runtime_counts SET count = count - 1 WHERE subject = 'enclave_callbacks' AND key = old.status;
END;
--> statement-breakpoint
CREATE TRIGGER runtime_counts_callback_updated AFTER UPDATE OF status ON enclave_callbacks WHEN old.status IS NOT new.status BEGIN
  UPDATE runtime_counts SET count = count - 1 WHERE subject = 'enclave_callbacks' AND key = old.status;
  INSERT INTO runtime_counts (subject, key, count) SELECT 'enclave_callbacks', new.status, 1 WHERE true ON CONFLICT (subject, key) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
INSERT INTO runtime_counts (subject, key, count)
SELECT 'robot_transfers', robot_transfers.symbol || '|' || robot_transfers.status, count(*) FROM robot_transfers GROUP BY 2;
--> statement-breakpoint
CREATE TRIGGER runtime_counts_transfer_inserted AFTER INSERT ON robot_transfers BEGIN
  INSERT INTO runtime_counts (subject, key, count) SELECT 'robot_transfers', new.symbol || '|' || new.status, 1 WHERE true ON CONFLICT (subject, key) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER runtime_counts_transfer_deleted AFTER DELETE ON robot_transfers BEGIN
  UPDATE runtime_counts SET count = count - 1 WHERE subject = 'robot_transfers' AND key = old.symbol || '|' || old.status;
END;
--> statement-breakpoint
CREATE TRIGGER runtime_counts_transfer_updated AFTER UPDATE OF symbol, status ON robot_transfers WHEN old.symbol IS NOT new.symbol OR old.status IS NOT new.status BEGIN
  UPDATE runtime_counts SET count = count - 1 WHERE subject = 'robot_transfers' AND key = old.symbol || '|' || old.status;
  INSERT INTO runtime_counts (subject, key, count) SELECT 'robot_transfers', new.symbol || '|' || new.status, 1 WHERE true ON CONFLICT (subject, key) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
INSERT INTO runtime_counts (subject, key, count)
SELECT 'runtime_timers', runtime_timers.kind, count(*) FROM runtime_timers GROUP BY 2;
--> statement-breakpoint
CREATE TRIGGER runtime_counts_timer_inserted AFTER INSERT ON runtime_timers BEGIN
  INSERT INTO runtime_counts (subject, key, count) SELECT 'runtime_timers', new.kind, 1 WHERE true ON CONFLICT (subject, key) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER runtime_counts_timer_deleted AFTER DELETE ON runtime_timers BEGIN
  UPDATE runtime_counts SET count = count - 1 WHERE subject = 'runtime_timers' AND key = old.kind;
END;
--> statement-breakpoint
CREATE TRIGGER runtime_counts_timer_updated AFTER UPDATE OF kind ON runtime_timers WHEN old.kind IS NOT new.kind BEGIN
  UPDATE runtime_counts SET count = count - 1 WHERE subject = 'runtime_timers' AND key = old.kind;
  INSERT INTO runtime_counts (subject, key, count) SELECT 'runtime_timers', new.kind, 1 WHERE true ON CONFLICT (subject, key) DO UPDATE SET count = count + 1;
END;
