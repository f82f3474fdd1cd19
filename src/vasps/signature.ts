import { createHash, createHmac } from 'node:crypto';

/** Signs callbacks by Standard Webhooks, version v1 (HMAC-SHA-256). WIRE-3.4 */
export interface CallbackSigner {
  /** Three headers for one attempt. Undefined: the VASP has no signing secret. `name`: the same at every attempt. */
  headers(vaspId: string, name: string, body: string): Record<string, string> | undefined;
}

/** `secretsOf`: the active secrets of a VASP, `whsec_` and base64. `now`: the time of the machine, epoch ms. */
export const callbackSigner = (
  secretsOf: (vaspId: string) => readonly string[],
  now: () => number,
): CallbackSigner => ({
  headers(vaspId, name, body) {
    const secrets = secretsOf(vaspId);
    if (secrets.length === 0) return undefined;
    const messageId = messageIdOf(name);
    const timestamp = String(Math.floor(now() / 1000));
    const content = `${messageId}.${timestamp}.${body}`;
    return {
      'webhook-id': messageId,
      'webhook-timestamp': timestamp,
      'webhook-signature': secrets.map(secret => `v1,${signature(secret, content)}`).join(' '),
    };
  },
});

export const SECRET_PREFIX = 'whsec_';

const signature = (secret: string, content: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
    .update(content)
    .digest('base64');

/** The same text has the same id, also after a restore. */
const messageIdOf = (text: string): string =>
  `msg_${createHash('sha256').update(text).digest('base64url').slice(0, 27)}`;
