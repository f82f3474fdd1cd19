DROP TRIGGER runtime_exchanges_verification_deleted;
--> statement-breakpoint
CREATE TRIGGER runtime_exchanges_verification_deleted AFTER DELETE ON enclave_verifications BEGIN
  UPDATE runtime_exchanges SET verification_id = NULL, verification_uuid = old.uuid WHERE verification_id = old.id;
END;
