import { DEVELOPMENT_MNEMONIC, DEVELOPMENT_SEED } from './development-wallets.ts';
import { hostedProblems, type Needed } from './hosted-variables.ts';
import { refusedNetworks } from './networks.ts';

interface Settings extends Needed {
  VASP_ID: string;
  ROBOT_VASP_ID: string;
  PROVIDER_A_NAME: string;
  PROVIDER_B_NAME: string;
  ALLOW_NETWORK: readonly number[];
  ETH_RPC_URL?: readonly string[] | undefined;
  ETH_CHAIN_ID?: number | undefined;
  ETH_BLOCK_TIME: number;
  ROBOT_MNEMONIC: string;
  XRPL_URL?: string | undefined;
  XRPL_NETWORK_ID?: number | undefined;
  XRPL_SEED: string;
}

/** Problems that only two settings together make; what is wrong by itself is absent here. */
export function problemsBetween(env: Partial<Settings>): string[] {
  const problems: string[] = [];
  if (env.VASP_ID !== undefined && env.VASP_ID === env.ROBOT_VASP_ID)
    problems.push('VASP_ID and ROBOT_VASP_ID are the same');
  if (env.PROVIDER_A_NAME !== undefined && env.PROVIDER_A_NAME === env.PROVIDER_B_NAME)
    problems.push('PROVIDER_A_NAME and PROVIDER_B_NAME are the same');
  problems.push(
    ...refusedNetworks(env.ALLOW_NETWORK, {
      ETH_CHAIN_ID: env.ETH_CHAIN_ID,
      XRPL_NETWORK_ID: env.XRPL_NETWORK_ID,
    }),
  );
  if (env.ETH_RPC_URL && env.ROBOT_MNEMONIC === DEVELOPMENT_MNEMONIC)
    problems.push(
      'ROBOT_MNEMONIC must be your own as soon as ETH_RPC_URL is set; the development value is public',
    );
  if (env.XRPL_URL && env.XRPL_SEED === DEVELOPMENT_SEED)
    problems.push('XRPL_SEED must be your own as soon as XRPL_URL is set; the development value is public');
  if (env.ETH_RPC_URL && 'ETH_CHAIN_ID' in env && env.ETH_CHAIN_ID === undefined)
    problems.push('ETH_CHAIN_ID must say which chain ETH_RPC_URL is');
  if (env.XRPL_URL && 'XRPL_NETWORK_ID' in env && env.XRPL_NETWORK_ID === undefined)
    problems.push('XRPL_NETWORK_ID must say which network XRPL_URL is');
  if ((env.ETH_BLOCK_TIME ?? 0) % 1000 !== 0) problems.push('ETH_BLOCK_TIME is not in whole seconds');
  problems.push(...hostedProblems(env));
  return problems;
}
