import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './support/paths.ts';

/** The compose file of the package: one hosted sandbox behind HAProxy. */

interface Service {
  environment: Record<string, string>;
  volumes: string[];
  depends_on?: string[];
  networks: string[] | Record<string, { ipv4_address: string }>;
}
const file = parse(readFileSync(join(ROOT, 'src/deploy/compose.yaml'), 'utf8')) as {
  services: { proxy: Service; 'cell-a': Service };
  networks: { sandbox: { ipam: { config: [{ subnet: string }] } } };
};
const { proxy, 'cell-a': cell } = file.services;
const [{ subnet }] = file.networks.sandbox.ipam.config;

test('the proxy speaks TLS, with a certificate that is mounted', () => {
  const [, certificate] = /^:8443 ssl crt (\S+)$/.exec(proxy.environment.BIND!) ?? [];
  expect(proxy.volumes).toContain(`./sandbox.pem:${certificate}:ro`);
  const configuration = readFileSync(join(ROOT, 'src/deploy/haproxy.cfg'), 'utf8');
  // Several words: HAProxy reads them as the arguments of `bind`.
  expect(configuration).toContain('bind "$' + '{BIND[*]}"');
});

test('the proxy finds the cell: it starts after it, and the cell keeps its address', () => {
  expect(proxy.depends_on).toEqual(['cell-a']);
  const { sandbox } = cell.networks as Record<string, { ipv4_address: string }>;
  expect(ipaddr.parse(sandbox!.ipv4_address).match(ipaddr.parseCIDR(subnet))).toBe(true);
});

test('the cell trusts the network of the proxy', () => {
  expect(cell.environment.TRUSTED_PROXIES).toBe(subnet);
});
