import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const SYSTEMS: Record<string, string> = { linux: 'linux', darwin: 'darwin' };
const CPUS: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };
const OTHERWISE = 'or set ETH_RPC_URL to a node of your own';

/**
 * Path of the node's program, of the optional package for this system. Throws an error that names the package and the
 * command that helps.
 */
export function anvilBinary(
  { platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'> = process,
  resolve: (id: string) => string = createRequire(import.meta.url).resolve,
): string {
  const [system, cpu] = [SYSTEMS[platform], CPUS[arch]];
  if (!system || !cpu) throw new Error(`there is no embedded Ethereum node for ${platform}-${arch}: set ETH_RPC_URL`);
  const name = `@foundry-rs/anvil-${system}-${cpu}`;
  let binary: string;
  try {
    binary = join(dirname(resolve(`${name}/package.json`)), 'bin', 'anvil');
  } catch (cause) {
    throw new Error(
      `the optional package ${name} is not installed: run "npm install --include=optional", ${OTHERWISE}`,
      { cause },
    );
  }
  try {
    accessSync(binary, constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      code === 'EACCES'
        ? `the program of ${name} is not executable: run "chmod +x '${binary}'", ${OTHERWISE}`
        : `the program of ${name} is missing (${code}): run "npm install --force ${name}", ${OTHERWISE}`,
      { cause: error },
    );
  }
  return binary;
}

/** The system cannot run the program: a sentence about it. Undefined: the program ended for another reason. */
export function whyNotRun(binary: string, code: number | null, stderr: string): string | undefined {
  const [, wanted] = /GLIBC_([\d.]+)['’]? not found/.exec(stderr) ?? [];
  if (wanted)
    return `${binary} needs glibc ${wanted} or newer, such as that of Debian 12 and Ubuntu 22.04: use a newer system or the image of robot-vasp, ${OTHERWISE}`;
  // The shell's codes for a program that cannot be run, and for one whose loader is missing.
  if (code === 126 || code === 127)
    return `this system cannot run ${binary}, which needs glibc: use the image of robot-vasp, ${OTHERWISE}`;
  return undefined;
}
