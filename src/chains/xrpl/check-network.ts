import { ChainRefused, ChainUnreachable } from '../port.ts';

interface ServerInfo {
  info?: {
    network_id?: number;
    peers?: number;
    validation_quorum?: number;
    server_state?: string;
    last_close?: { proposers?: number };
    validated_ledger?: object;
  };
}

const MAIN_NETWORK = 0;

/**
 * Checks that the server belongs to the configured network. Id 0, or no id, is the main network, unless the server
 * stands alone: it validates without peers, proposers and quorum. A server of the main network that lost its peers, or
 * has just started, still has its quorum, or no validated ledger.
 */
export function checkNetwork(serverInfo: unknown, networkId: number): void {
  const { info } = (serverInfo ?? {}) as ServerInfo;
  if (!info) throw new ChainUnreachable('server_info: an answer without info');
  const found = info.network_id ?? MAIN_NETWORK;
  if (found === MAIN_NETWORK && !standsAlone(info))
    throw new ChainRefused('network id 0 of a server that does not stand alone: the main network');
  if (found !== networkId) throw new ChainRefused(`the server's network id is ${found}, not ${networkId}`);
}

const standsAlone = (info: NonNullable<ServerInfo['info']>): boolean =>
  info.peers === 0 &&
  info.last_close?.proposers === 0 &&
  (info.validation_quorum ?? Number.POSITIVE_INFINITY) <= 1 &&
  info.server_state === 'full' &&
  info.validated_ledger !== undefined;
