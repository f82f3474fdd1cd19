import networks from '../../../fixtures/networks.json' with { type: 'json' };

/** The test networks of `fixtures/networks.json`. A network that is not listed is refused. D-29 */
export const ethereumNetwork = (chainId: number | undefined) =>
  networks.ethereum.find(network => network.chainId === chainId);

/** False: a development node of one's own. */
export const isPublicNetwork = (chainId: number | undefined): boolean =>
  typeof ethereumNetwork(chainId)?.explorer === 'string';

/** Network id 0 is not listed: only a stand-alone server may have it. */
export const xrplNetwork = (networkId: number | undefined) =>
  networks.xrpl.find(network => network.networkId === networkId);

/** D-29: one problem for each id that is not listed, unless `allowed` holds it. */
export function refusedNetworks(
  allowed: readonly number[] = [],
  ids: { ETH_CHAIN_ID: number | undefined; XRPL_NETWORK_ID: number | undefined },
): string[] {
  const isListed = {
    ETH_CHAIN_ID: (id: number) => ethereumNetwork(id) !== undefined,
    XRPL_NETWORK_ID: (id: number) => id === 0 || xrplNetwork(id) !== undefined,
  };
  return (['ETH_CHAIN_ID', 'XRPL_NETWORK_ID'] as const).flatMap(variable => {
    const id = ids[variable];
    if (id === undefined || isListed[variable](id) || allowed.includes(id)) return [];
    return [`${variable} ${id} is no known test network: it is refused. If it is one, set ALLOW_NETWORK=${id}`];
  });
}
