import { createServer, type ServerOptions } from 'node:https';
import { type Listening, listening } from '../http/listening.ts';
import { SELF_SIGNED } from './certificates.mjs';

/** A server that speaks TLS. */
export const selfSignedServer = (options: ServerOptions = {}): Promise<Listening> =>
  listening(createServer({ ...SELF_SIGNED, ...options }, (_, response) => response.end('{}')));

/** It ends the handshake with an alert. */
export const WANTS_CLIENT_CERTIFICATE: ServerOptions = {
  requestCert: true,
  rejectUnauthorized: true,
  maxVersion: 'TLSv1.2',
};
