import { createServer } from 'node:https';

/** Of nobody: a certificate for 127.0.0.1 that nobody has signed but itself. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTSKqiFtaO+/9NWNW
tqLTwuRcX2OU9jnlzUF9CejbRl6hRANCAARl3cFGLvV76uZNDhL7NSY9YAdYCIFc
uhq+xdSHooKNIISs8JdqqGmOVnZUlHkg5fGnM+VdnX6Ghhg1BXZo8oBh
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBjzCCATagAwIBAgIURSO+npqS8yKkQPmbUDIw04XPK0YwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTIwNDc0NloYDzIxMjYxMDI4
MjA0NzQ2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARl3cFGLvV76uZNDhL7NSY9YAdYCIFcuhq+xdSHooKNIISs8JdqqGmO
VnZUlHkg5fGnM+VdnX6Ghhg1BXZo8oBho2QwYjAdBgNVHQ4EFgQUtTavHfTVXIcs
IMagPGdEq4XsfN8wHwYDVR0jBBgwFoAUtTavHfTVXIcsIMagPGdEq4XsfN8wDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0cAMEQC
IAd4i3QCG4QbfSK2Gbkwx9Q1FYhwbovMczsVNoqlkF+QAiABd9IBl03WJhxwzl6d
1WQBYJsaXlkPQ8292kc7fPCcmw==
-----END CERTIFICATE-----`;

export const SELF_SIGNED = { key, cert } as const;

/** A server that speaks TLS. Answers its port. */
export async function selfSignedServer(): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer(SELF_SIGNED, (_, response) => response.end('{}'));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
