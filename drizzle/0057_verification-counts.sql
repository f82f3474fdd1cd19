CREATE TABLE `enclave_verification_counts` (
	`vasp_id` text NOT NULL,
	`action_type` text NOT NULL,
	`status` text NOT NULL,
	`symbol` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`vasp_id`, `action_type`, `status`, `symbol`)
);
--> statement-breakpoint
INSERT INTO enclave_verification_counts SELECT originating_vasp_id, CASE WHEN originating_vasp_id = beneficiary_vasp_id THEN 'BOTH' ELSE 'SEND' END, status, symbol, count(*) FROM enclave_verifications GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
INSERT INTO enclave_verification_counts SELECT beneficiary_vasp_id, 'RECEIVE', status, symbol, count(*) FROM enclave_verifications WHERE originating_vasp_id <> beneficiary_vasp_id GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
DROP TRIGGER runtime_counts_verification_inserted;
--> statement-breakpoint
DROP TRIGGER runtime_counts_verification_deleted;
--> statement-breakpoint
DROP TRIGGER runtime_counts_verification_updated;
--> statement-breakpoint
DROP TABLE `runtime_counts`;
