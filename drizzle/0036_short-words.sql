DROP TRIGGER enclave_search_text_inserted;
--> statement-breakpoint
DROP TRIGGER enclave_search_text_deleted;
--> statement-breakpoint
DROP TABLE enclave_search;
--> statement-breakpoint
CREATE VIEW enclave_search_lines AS SELECT id, text || char(10, 10) AS text FROM enclave_search_texts;
--> statement-breakpoint
CREATE VIRTUAL TABLE enclave_search USING fts5(text, content='enclave_search_lines', content_rowid='id', tokenize='trigram', detail=none, columnsize=0);
--> statement-breakpoint
INSERT INTO enclave_search (enclave_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO enclave_search (enclave_search) VALUES ('rebuild');
--> statement-breakpoint
CREATE VIRTUAL TABLE enclave_search_trigrams USING fts5vocab('enclave_search', 'instance');
--> statement-breakpoint
CREATE TRIGGER enclave_search_text_inserted AFTER INSERT ON enclave_search_texts BEGIN
  INSERT INTO enclave_search (rowid, text) VALUES (new.id, new.text || char(10, 10));
END;
--> statement-breakpoint
CREATE TRIGGER enclave_search_text_deleted AFTER DELETE ON enclave_search_texts BEGIN
  INSERT INTO enclave_search (enclave_search, rowid, text) VALUES ('delete', old.id, old.text || char(10, 10));
END;
