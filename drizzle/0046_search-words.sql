DROP TRIGGER enclave_search_verification_deleted;
--> statement-breakpoint
DROP TRIGGER enclave_search_verification_reported;
--> statement-breakpoint
DROP TRIGGER enclave_search_entry_deleted;
--> statement-breakpoint
DROP TRIGGER enclave_search_text_inserted;
--> statement-breakpoint
DROP TRIGGER enclave_search_text_deleted;
--> statement-breakpoint
DROP TABLE enclave_search_trigrams;
--> statement-breakpoint
DROP TABLE enclave_search;
--> statement-breakpoint
DROP VIEW IF EXISTS enclave_search_lines;
--> statement-breakpoint
DROP TABLE enclave_search_changes;
--> statement-breakpoint
DROP TABLE enclave_search_entries;
--> statement-breakpoint
DROP TABLE enclave_search_progress;
--> statement-breakpoint
DROP TABLE enclave_search_texts;
--> statement-breakpoint
CREATE VIRTUAL TABLE enclave_search USING fts5(text, content='', contentless_delete=1, columnsize=1, tokenize="unicode61 remove_diacritics 2 tokenchars '.'");
--> statement-breakpoint
INSERT INTO enclave_search (rowid, text) SELECT id, concat_ws(' ', originating_vasp_id, beneficiary_vasp_id, uuid, amount, originator_account_key, beneficiary_account_key, tx_hash, (SELECT group_concat(atom, ' ') FROM json_tree(ivms101_originator) WHERE key IN ('primaryIdentifier', 'secondaryIdentifier', 'legalPersonName')), (SELECT group_concat(atom, ' ') FROM json_tree(ivms101_beneficiary) WHERE key IN ('primaryIdentifier', 'secondaryIdentifier', 'legalPersonName'))) FROM enclave_verifications;
--> statement-breakpoint
CREATE TRIGGER enclave_search_inserted AFTER INSERT ON enclave_verifications BEGIN
  INSERT INTO enclave_search (rowid, text) VALUES (new.id, concat_ws(' ', new.originating_vasp_id, new.beneficiary_vasp_id, new.uuid, new.amount, new.originator_account_key, new.beneficiary_account_key, new.tx_hash, (SELECT group_concat(atom, ' ') FROM json_tree(new.ivms101_originator) WHERE key IN ('primaryIdentifier', 'secondaryIdentifier', 'legalPersonName')), (SELECT group_concat(atom, ' ') FROM json_tree(new.ivms101_beneficiary) WHERE key IN ('primaryIdentifier', 'secondaryIdentifier', 'legalPersonName'))));
END;
--> statement-breakpoint
CREATE TRIGGER enclave_search_deleted AFTER DELETE ON enclave_verifications BEGIN
  DELETE FROM enclave_search WHERE rowid = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER enclave_search_reported AFTER UPDATE OF tx_hash ON enclave_verifications WHEN old.tx_hash IS NOT new.tx_hash BEGIN
  DELETE FROM enclave_search WHERE rowid = old.id;
  INSERT INTO enclave_search (rowid, text) VALUES (new.id, concat_ws(' ', new.originating_vasp_id, new.beneficiary_vasp_id, new.uuid, new.amount, new.originator_account_key, new.beneficiary_account_key, new.tx_hash, (SELECT group_concat(atom, ' ') FROM json_tree(new.ivms101_originator) WHERE key IN ('primaryIdentifier', 'secondaryIdentifier', 'legalPersonName')), (SELECT group_concat(atom, ' ') FROM json_tree(new.ivms101_beneficiary) WHERE key IN ('primaryIdentifier', 'secondaryIdentifier', 'legalPersonName'))));
END;
