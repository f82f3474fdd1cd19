CREATE VIRTUAL TABLE enclave_search USING fts5(text, content='', columnsize=0, tokenize="unicode61 remove_diacritics 2 tokenchars '.'");
--> statement-breakpoint
INSERT INTO enclave_search (enclave_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER enclave_search_inserted AFTER INSERT ON enclave_verifications BEGIN
  INSERT INTO enclave_search (rowid, text) VALUES (new.id, concat_ws(' ', new.originating_vasp_id, new.beneficiary_vasp_id, new.uuid, new.amount, new.originator_account_key, new.beneficiary_account_key, new.tx_hash, new.person_names));
END;
--> statement-breakpoint
CREATE TRIGGER enclave_search_reported AFTER UPDATE OF tx_hash ON enclave_verifications WHEN old.tx_hash IS NOT new.tx_hash BEGIN
  INSERT INTO enclave_search (enclave_search, rowid, text) VALUES ('delete', old.id, concat_ws(' ', old.originating_vasp_id, old.beneficiary_vasp_id, old.uuid, old.amount, old.originator_account_key, old.beneficiary_account_key, old.tx_hash, old.person_names));
  INSERT INTO enclave_search (rowid, text) VALUES (new.id, concat_ws(' ', new.originating_vasp_id, new.beneficiary_vasp_id, new.uuid, new.amount, new.originator_account_key, new.beneficiary_account_key, new.tx_hash, new.person_names));
END;
--> statement-breakpoint
CREATE TRIGGER enclave_search_deleted AFTER DELETE ON enclave_verifications BEGIN
  INSERT INTO enclave_search (enclave_search, rowid, text) VALUES ('delete', old.id, concat_ws(' ', old.originating_vasp_id, old.beneficiary_vasp_id, old.uuid, old.amount, old.originator_account_key, old.beneficiary_account_key, old.tx_hash, old.person_names));
END;
