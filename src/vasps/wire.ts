/** The registration of a VASP and the request headers that follow from it. */

import type { VaspOperation } from '../contract/vasp-api.ts';
import { USER_AGENT } from '../kernel/version.ts';

/** Full addresses: those of the four operations, the driver's, and that of the clock of a robot that has joined. */
export type Endpoints = { [O in VaspOperation | 'driver' | 'clock']?: string | undefined };

export interface Registration {
  vaspId: string;
  name: string;
  endpoints: Endpoints;
  authorization: { header: string; token?: string | undefined };
  /** Time of the last change, epoch ms. */
  updatedAt: number;
}

/** WIRE-3: `Authorization: Bearer <token>`, or `<name>: <token>` for another header. Without a token there is none. */
export function requestHeaders({ header, token }: Registration['authorization']): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': USER_AGENT,
  };
  if (token !== undefined)
    headers[header.toLowerCase()] = header.toLowerCase() === 'authorization' ? `Bearer ${token}` : token;
  return headers;
}
