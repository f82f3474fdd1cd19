CREATE TABLE `runtime_wallet_secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL
);
