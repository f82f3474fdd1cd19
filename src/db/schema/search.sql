CREATE VIRTUAL TABLE enclave_search USING fts5(text, content='', contentless_delete=1, columnsize=1, tokenize="unicode61 remove_diacritics 2 tokenchars '.'");
--> statement-breakpoint
CREATE TRIGGER enclave_search_inserted AFTER INSERT ON enclave_verifications BEGIN
  INSERT INTO enclave_search (rowid, text) VALUES (new.id, concat_ws(' ', new.originating_vasp_id, new.beneficiary_vasp_id, new.uuid, new.amount, new.originator_account_key, new.beneficiary_account_key, new.tx_hash, new.person_names));
END;
--> statement-breakpoint
CREATE TRIGGER enclave_search_reported AFTER UPDATE OF tx_hash ON enclave_verifications WHEN old.tx_hash IS NOT new.tx_hash BEGIN
  DELETE FROM enclave_search WHERE rowid = old.id;
  INSERT INTO enclave_search (rowid, text) VALUES (new.id, concat_ws(' ', new.originating_vasp_id, new.beneficiary_vasp_id, new.uuid, new.amount, new.originator_account_key, new.beneficiary_account_key, new.tx_hash, new.person_names));
END;
--> statement-breakpoint
CREATE TRIGGER enclave_search_deleted AFTER DELETE ON enclave_verifications BEGIN
  DELETE FROM enclave_search WHERE rowid = old.id;
END;
