import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Pids of live processes whose command line holds this text (zombies have none). */
export function processesWith(text: string): number[] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-axww', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
    return lines.filter(line => line.includes(text)).map(line => Number.parseInt(line, 10));
  }
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && commandLine(name).includes(text))
    .map(Number);
}

/** Empty when there is no such process. Arguments are parted by NUL or blank. */
export function commandLine(pid: number | string): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** Runs a TypeScript file of the tests as a process of its own; `firstLine` is what it prints when it is ready. */
export async function startScript(
  entry: string,
  args: string[],
  folder: string,
): Promise<{ child: ChildProcess; firstLine: Promise<string> }> {
  const outfile = join(folder, 'script.mjs');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
    // The script lies in a temporary folder, but packages are looked up from here.
    define: { 'import.meta.url': JSON.stringify(import.meta.url) },
    banner: { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);" },
  });
  const child = spawn(process.execPath, [outfile, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const firstLine = new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('exit', code => reject(new Error(`the script ended (${code}): ${text}`)));
  });
  return { child, firstLine };
}
