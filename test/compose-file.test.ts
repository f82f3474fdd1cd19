import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
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

test('the proxy looks up no name but that of the cell', () => {
  const cells = readFileSync(join(ROOT, 'src/deploy/haproxy.cfg'), 'utf8').matchAll(/^ *presetenv (CELL_\w) (\S+)$/gm);
  for (const [, name, preset] of cells) expect(proxy.environment[name!] ?? preset).toBe('cell-a:8080');
  expect.hasAssertions();
});

test('the cell trusts the network of the proxy', () => {
  expect(cell.environment.TRUSTED_PROXIES).toBe(subnet);
});

test('the cell of both files has a memory limit, a root that is read-only, a user, and writes to /data and /tmp', () => {
  expect(cell).toMatchObject({
    user: '1000:1000',
    mem_limit: '1g',
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
  });
  const [, set] = parseAllDocuments(readFileSync(join(ROOT, 'src/deploy/kubernetes.yaml'), 'utf8'));
  const { securityContext, containers } = set!.toJS().spec.template.spec;
  expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
  const [{ resources, securityContext: rights, volumeMounts }] = containers;
  expect(resources.limits).toEqual({ memory: '1Gi' });
  expect(rights).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
  const writable = volumeMounts.filter((mount: { readOnly?: boolean }) => !mount.readOnly);
  expect(writable.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual(['/data', '/tmp']);
});
