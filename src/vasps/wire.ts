/** What is peculiar to the VASP side of the wire: addresses, the authorization header, the accepted answer. */

import type { VaspOperation } from '../contract/vasp-api.ts';

export interface Registration {
  vaspId: string;
  name: string;
  endpoints: { [O in VaspOperation]?: string | undefined };
  authorization: { header: string; token?: string | undefined };
  /** Changes with every change of the registration. */
  updatedAt: number;
}

/** WIRE-3: `Authorization: Bearer <token>`, or `<key>: <token>` under another name; none without a token. */
export function requestHeaders({ header, token }: Registration['authorization']): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
  if (token !== undefined)
    headers[header.toLowerCase()] = header.toLowerCase() === 'authorization' ? `Bearer ${token}` : token;
  return headers;
}
