DROP INDEX `runtime_timers_kind_key`;--> statement-breakpoint
CREATE UNIQUE INDEX `runtime_timers_key_kind` ON `runtime_timers` (`key`,`kind`);--> statement-breakpoint
ALTER TABLE `enclave_verifications` ADD `person_names` text DEFAULT '' NOT NULL;
--> statement-breakpoint
UPDATE enclave_verifications SET person_names = concat_ws(' ', (SELECT group_concat(atom, ' ') FROM json_tree(ivms101_originator) WHERE key IN ('primaryIdentifier', 'secondaryIdentifier', 'legalPersonName')), (SELECT group_concat(atom, ' ') FROM json_tree(ivms101_beneficiary) WHERE key IN ('primaryIdentifier', 'secondaryIdentifier', 'legalPersonName')));
--> statement-breakpoint
DROP TRIGGER enclave_search_inserted;
--> statement-breakpoint
CREATE TRIGGER enclave_search_inserted AFTER INSERT ON enclave_verifications BEGIN
  INSERT INTO enclave_search (rowid, text) VALUES (new.id, concat_ws(' ', new.originating_vasp_id, new.beneficiary_vasp_id, new.uuid, new.amount, new.originator_account_key, new.beneficiary_account_key, new.tx_hash, new.person_names));
END;
--> statement-breakpoint
DROP TRIGGER enclave_search_reported;
--> statement-breakpoint
CREATE TRIGGER enclave_search_reported AFTER UPDATE OF tx_hash ON enclave_verifications WHEN old.tx_hash IS NOT new.tx_hash BEGIN
  DELETE FROM enclave_search WHERE rowid = old.id;
  INSERT INTO enclave_search (rowid, text) VALUES (new.id, concat_ws(' ', new.originating_vasp_id, new.beneficiary_vasp_id, new.uuid, new.amount, new.originator_account_key, new.beneficiary_account_key, new.tx_hash, new.person_names));
END;
--> statement-breakpoint
INSERT INTO enclave_search (enclave_search, rank) VALUES ('automerge', 16);
