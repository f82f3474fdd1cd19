CREATE TABLE `enclave_search_changes` (
	`verification_id` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `enclave_search_entries` (
	`text_id` integer NOT NULL,
	`verification_id` integer NOT NULL,
	PRIMARY KEY(`text_id`, `verification_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `enclave_search_entries_verification` ON `enclave_search_entries` (`verification_id`);--> statement-breakpoint
CREATE TABLE `enclave_search_progress` (
	`id` integer PRIMARY KEY NOT NULL,
	`up_to` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `enclave_search_texts` (
	`id` integer PRIMARY KEY NOT NULL,
	`vasp_id` text NOT NULL,
	`text` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `enclave_search_texts_text` ON `enclave_search_texts` (`vasp_id`,`text`);--> statement-breakpoint
DROP INDEX `enclave_verifications_sent_other`;--> statement-breakpoint
DROP INDEX `enclave_verifications_received_other`;--> statement-breakpoint
CREATE INDEX `enclave_verifications_sent_status` ON `enclave_verifications` (`originating_vasp_id`,`status`,`created_at`,`id`,`symbol`) WHERE "enclave_verifications"."status" <> 'VERIFIED';--> statement-breakpoint
CREATE INDEX `enclave_verifications_sent_reason` ON `enclave_verifications` (`originating_vasp_id`,lower("reason"),`created_at`,`id`,`status`,`symbol`) WHERE "enclave_verifications"."status" <> 'VERIFIED';--> statement-breakpoint
CREATE INDEX `enclave_verifications_sent_network` ON `enclave_verifications` (`originating_vasp_id`,`network`,`created_at`,`id`,`status`,`symbol`) WHERE "enclave_verifications"."network" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `enclave_verifications_received_status` ON `enclave_verifications` (`beneficiary_vasp_id`,`status`,`created_at`,`id`,`symbol`) WHERE "enclave_verifications"."status" <> 'VERIFIED';--> statement-breakpoint
CREATE INDEX `enclave_verifications_received_reason` ON `enclave_verifications` (`beneficiary_vasp_id`,lower("reason"),`created_at`,`id`,`status`,`symbol`) WHERE "enclave_verifications"."status" <> 'VERIFIED';--> statement-breakpoint
CREATE INDEX `enclave_verifications_received_network` ON `enclave_verifications` (`beneficiary_vasp_id`,`network`,`created_at`,`id`,`status`,`symbol`) WHERE "enclave_verifications"."network" IS NOT NULL;
--> statement-breakpoint
INSERT INTO enclave_search_progress (id, up_to) VALUES (1, 0);
--> statement-breakpoint
CREATE VIRTUAL TABLE enclave_search USING fts5(text, content='enclave_search_texts', content_rowid='id', tokenize='trigram', detail=none, columnsize=0);
--> statement-breakpoint
INSERT INTO enclave_search (enclave_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER enclave_search_verification_deleted AFTER DELETE ON enclave_verifications BEGIN
  DELETE FROM enclave_search_entries WHERE verification_id = old.id;
  DELETE FROM enclave_search_changes WHERE verification_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER enclave_search_verification_reported AFTER UPDATE OF tx_hash ON enclave_verifications WHEN old.tx_hash IS NOT new.tx_hash AND new.id <= (SELECT up_to FROM enclave_search_progress) BEGIN
  INSERT OR IGNORE INTO enclave_search_changes (verification_id) VALUES (new.id);
END;
--> statement-breakpoint
CREATE TRIGGER enclave_search_entry_deleted AFTER DELETE ON enclave_search_entries WHEN NOT EXISTS (SELECT 1 FROM enclave_search_entries WHERE text_id = old.text_id) BEGIN
  DELETE FROM enclave_search_texts WHERE id = old.text_id;
END;
--> statement-breakpoint
CREATE TRIGGER enclave_search_text_inserted AFTER INSERT ON enclave_search_texts BEGIN
  INSERT INTO enclave_search (rowid, text) VALUES (new.id, new.text);
END;
--> statement-breakpoint
CREATE TRIGGER enclave_search_text_deleted AFTER DELETE ON enclave_search_texts BEGIN
  INSERT INTO enclave_search (enclave_search, rowid, text) VALUES ('delete', old.id, old.text);
END;
