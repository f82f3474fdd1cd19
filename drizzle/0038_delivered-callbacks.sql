DROP INDEX `enclave_callbacks_receiver`;--> statement-breakpoint
DROP INDEX `enclave_callbacks_status`;--> statement-breakpoint
CREATE INDEX `enclave_callbacks_receiver` ON `enclave_callbacks` (`receiver_vasp_id`,`id`,`status`);--> statement-breakpoint
CREATE INDEX `enclave_callbacks_status` ON `enclave_callbacks` (`receiver_vasp_id`,`status`,`id`) WHERE "enclave_callbacks"."status" <> 'DELIVERED';