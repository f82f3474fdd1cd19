import { type CallGuard, callGuard, noGuard } from '../vasps/call-guard.ts';
import type { Config } from './config/config.ts';

/** In the hosted mode strangers choose the addresses that the program calls. */
export const createGuard = ({ mode, callbackAllow, allowHttpCallbacks, callbackDns }: Config): CallGuard =>
  mode === 'hosted'
    ? callGuard({ allowed: callbackAllow, allowHttp: allowHttpCallbacks, dnsServers: callbackDns })
    : noGuard;
