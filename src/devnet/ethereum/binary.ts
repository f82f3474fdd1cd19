import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const SYSTEMS: Record<string, string> = { linux: 'linux', darwin: 'darwin' };
const CPUS: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };

/** Path of the node's real program. The package's own wrapper would cost the start of another Node.js. */
export function anvilBinary(platform: string = process.platform, arch: string = process.arch): string {
  const system = SYSTEMS[platform];
  const cpu = CPUS[arch];
  if (!system || !cpu) throw new Error(`no embedded Ethereum node for ${platform}-${arch}: give ETH_RPC_URL`);
  const platformPackage = `@foundry-rs/anvil-${system}-${cpu}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json');
    const manifest = createRequire(wrapper).resolve(`${platformPackage}/package.json`);
    return join(dirname(manifest), 'bin', 'anvil');
  } catch (cause) {
    throw new Error(`${platformPackage} is not installed (were optional packages left out?)`, { cause });
  }
}
