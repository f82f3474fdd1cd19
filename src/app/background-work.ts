import type { EnclaveDeps } from '../enclave/deps.ts';
import { startSearchIndex } from '../enclave/verification/lists/search/index/fill.ts';
import type { Log } from '../kernel/log.ts';
import type { SandboxDeps } from '../sandbox/deps.ts';
import { startRetention } from './retention.ts';

/** Work between the requests. The returned function ends it. */
export function startBackgroundWork(
  sandbox: SandboxDeps,
  enclave: EnclaveDeps,
  retentionMs: number,
  log: Log,
): () => void {
  const endings = [startRetention(sandbox, retentionMs, log), startSearchIndex(enclave, log)];
  return () => {
    for (const end of endings) end();
  };
}
