UPDATE `enclave_verifications` SET
  `ivms101_originating_vasp` = coalesce(json_extract(`ivms101_originating_vasp`, '$.legalPerson.name.nameIdentifier[0].legalPersonName'), ''),
  `ivms101_beneficiary_vasp` = coalesce(json_extract(`ivms101_beneficiary_vasp`, '$.legalPerson.name.nameIdentifier[0].legalPersonName'), '');--> statement-breakpoint
ALTER TABLE `enclave_verifications` RENAME COLUMN `ivms101_originating_vasp` TO `originating_vasp_name`;--> statement-breakpoint
ALTER TABLE `enclave_verifications` RENAME COLUMN `ivms101_beneficiary_vasp` TO `beneficiary_vasp_name`;
